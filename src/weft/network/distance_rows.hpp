// DistanceRow: how far every core node is from one destination (CoreGraph::measure_backwards), as
// narrow as the largest allows.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/core_graph.hpp"

namespace weft::network {

class DistanceRow {
 public:
  static constexpr std::uint32_t kUnreachable = std::numeric_limits<std::uint32_t>::max();

  DistanceRow() = default;
  DistanceRow(const CoreGraph& graph, CoreGraph::Core target) : target_(target) {
    WEFT_ASSERT(target >= 0 && target < graph.node_count());
    std::vector<std::uint32_t> all(graph.node_count(), kUnreachable);
    all[target] = 0;
    std::uint32_t largest = 0;
    graph.measure_backwards(target, [&](CoreGraph::Core v, std::uint32_t distance) {
      WEFT_ASSERT(distance >= largest);
      largest = distance;  // they come by distance
      all[v] = distance;
    });
    if (largest < kNarrow)  // unreachable becomes the largest number
      narrow_.assign(all.begin(), all.end());
    else if (largest < kMiddle)
      middle_.assign(all.begin(), all.end());
    else
      wide_ = std::move(all);
  }

  std::uint32_t operator[](CoreGraph::Core v) const {
    const auto i = static_cast<std::size_t>(v);
    if (!narrow_.empty()) return narrow_[i] == kNarrow ? kUnreachable : narrow_[i];
    if (!middle_.empty()) return middle_[i] == kMiddle ? kUnreachable : middle_[i];
    return wide_[i];
  }

  CoreGraph::Core target() const { return target_; }
  std::size_t size_B() const { return narrow_.size() + 2 * middle_.size() + 4 * wide_.size(); }

 private:
  static constexpr auto kNarrow = std::numeric_limits<std::uint8_t>::max();
  static constexpr auto kMiddle = std::numeric_limits<std::uint16_t>::max();
  CoreGraph::Core target_ = 0;
  std::vector<std::uint8_t> narrow_;
  std::vector<std::uint16_t> middle_;
  std::vector<std::uint32_t> wide_;
};

/// Calls visit(edge) for each out-edge of `at` that starts a shortest path to the row's
/// destination, in link order; at is not the destination.
template <class Row, class Visit>
void each_next_edge(const CoreGraph& graph, const Row& row, CoreGraph::Core at, Visit&& visit) {
  const CoreGraph::Core target = row.target();
  WEFT_ASSERT(at != target);
  const Passing::Place here = graph.place(at), mesh = graph.place(target);
  const std::uint32_t distance = row[at];
  for (std::int32_t edge = graph.first_out(at); edge < graph.first_out(at + 1); ++edge) {
    const CoreGraph::Core head = graph.head(edge);
    const std::uint32_t rest = row[head];
    if (rest >= distance) continue;  // most: what is nearer is left
    const Step step = Passing::step(here, graph.place(head), head == target, mesh);
    if (step != Step::none && graph.distance_over(edge, step, rest) == distance) visit(edge);
  }
}

}  // namespace weft::network
