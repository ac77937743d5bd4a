// DistanceRow: how far every core node is from one destination, as narrow as the largest allows: in
// links, a relay counting as more links than any path has.
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
  DistanceRow(const CoreGraph& graph, CoreGraph::Core target) {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(graph.node_count()), kUnreachable);
    all[target] = 0;
    std::int64_t largest = 0;
    graph.search_backwards(target, [&](CoreGraph::Core v, auto, const RelayDistance& distance) {
      largest = std::int64_t{distance.relays} * graph.node_count() + distance.links;
      require(largest < kUnreachable, "paths through {} hosts are too long for a table; use {}",
              distance.relays, "shortest");
      all[v] = static_cast<std::uint32_t>(largest);
    });
    if (largest < kNarrow)
      narrow_.assign(all.begin(), all.end());  // unreachable becomes kNarrow, the largest byte
    else
      wide_ = std::move(all);
  }

  std::uint32_t operator[](CoreGraph::Core v) const {
    const auto i = static_cast<std::size_t>(v);
    if (!wide_.empty()) return wide_[i];
    return narrow_[i] == kNarrow ? kUnreachable : narrow_[i];
  }

  std::size_t size_B() const { return narrow_.size() + 4 * wide_.size(); }

 private:
  static constexpr std::uint8_t kNarrow = std::numeric_limits<std::uint8_t>::max();
  std::vector<std::uint8_t> narrow_;
  std::vector<std::uint32_t> wide_;
};

/// Calls visit(edge) for each out-edge of `at` that starts a shortest path to the row's
/// destination, in link order; at is not the destination.
template <class Visit>
void each_next_edge(const CoreGraph& graph, const DistanceRow& row, CoreGraph::Core at,
                    Visit&& visit) {
  const std::uint32_t distance = row[at];
  for (std::int32_t edge = graph.first_out(at); edge < graph.first_out(at + 1); ++edge) {
    const CoreGraph::Core head = graph.head(edge);
    const std::uint32_t rest = row[head];
    const bool relay = rest != 0 && !graph.transit(head);
    const std::uint32_t step = relay ? static_cast<std::uint32_t>(graph.node_count()) + 1 : 1;
    if (rest != DistanceRow::kUnreachable && rest + step == distance) visit(edge);
  }
}

}  // namespace weft::network
