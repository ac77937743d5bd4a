#include "weft/graph/step_times.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/graph/delayed_balance.hpp"
#include "weft/graph/layer_classes.hpp"
#include "weft/graph/layers.hpp"
#include "weft/graph/unit_layer.hpp"

namespace weft::graph {

namespace {

constexpr std::size_t kMostSeen = 20'000;  // sets of classes remembered for each step
constexpr std::int64_t kParts = 64;        // of the receivers, dealt to threads

using LeastTime = std::function<Rational(const LayerClasses&, const Rational&)>;

// The step times of some receivers, one after the other.
class Part {
 public:
  Part(const InArcs& arcs, LeastTime least_layer_time, bool dense)
      : search_(arcs),
        least_time_(std::move(least_layer_time)),
        dense_(dense),
        layer_(dense ? std::max(1, arcs.largest_degree()) : 1) {}

  void add(std::int32_t receiver) {
    search_.run(receiver);
    const auto depth = static_cast<std::size_t>(search_.depth());
    if (times_.size() < depth) times_.resize(depth);
    if (!dense_ && seen_.size() < depth) seen_.resize(depth);
    for (std::size_t t = 0; t < depth; ++t) {
      const int distance = static_cast<int>(t) + 1;
      if (!dense_) {
        add_by_flow(receiver, distance);
        continue;
      }
      layer_.clear();
      for (const std::int32_t source : search_.layer(distance)) layer_.add(search_.word(source));
      times_[t] = layer_.raise(times_[t]);
    }
  }
  const std::vector<Rational>& times() const { return times_; }

 private:
  void add_by_flow(std::int32_t receiver, int distance) {
    classify(search_, receiver, distance, groups_);
    const auto t = static_cast<std::size_t>(distance) - 1;
    if (seen_[t].size() < kMostSeen && !seen_[t].insert(groups_.classes).second) return;
    times_[t] = least_time_(groups_.classes, times_[t]);
  }

  LayerSearch search_;
  LeastTime least_time_;
  bool dense_;
  UnitLayer layer_;  // a receiver with fewer arcs than the most leaves the others empty
  ClassifiedLayer groups_;
  std::vector<Rational> times_;
  std::vector<std::unordered_set<LayerClasses>> seen_;
};

std::vector<Rational> largest_times(const InArcs& arcs, std::span<const std::int32_t> receivers,
                                    const LeastTime& least_layer_time, bool dense) {
  WEFT_ASSERT(std::ranges::all_of(
      receivers, [&](std::int32_t node) { return node >= 0 && node < arcs.nodes(); }));
  const auto count = static_cast<std::int64_t>(receivers.size());
  const std::int64_t parts = std::min(count, kParts);
  std::vector<std::vector<Rational>> times(parts);
  parallel_for(parts, [&](std::int64_t i) {
    Part part(arcs, least_layer_time, dense);
    for (std::int64_t r = count * i / parts; r < count * (i + 1) / parts; ++r)
      part.add(receivers[r]);
    times[i] = part.times();
  });
  std::vector<Rational> largest;
  for (const auto& part : times) {
    if (largest.size() < part.size()) largest.resize(part.size());
    for (std::size_t t = 0; t < part.size(); ++t) largest[t] = std::max(largest[t], part[t]);
  }
  return largest;
}

}  // namespace

std::vector<Rational> step_times(const InArcs& arcs, std::span<const std::int32_t> receivers) {
  const bool dense = arcs.uniform() && arcs.largest_degree() <= UnitLayer::kMostDense;
  return largest_times(
      arcs, receivers,
      [](const LayerClasses& classes, const Rational& at_least) {
        return least_layer_time(classes, at_least);
      },
      dense);
}

std::vector<Rational> discrete_step_times(const InArcs& arcs,
                                          std::span<const std::int32_t> receivers,
                                          std::int64_t chunks) {
  WEFT_ASSERT(chunks >= 1);
  return largest_times(
      arcs, receivers,
      [chunks](const LayerClasses& classes, const Rational& at_least) {
        return least_discrete_layer_time(classes, chunks, at_least);
      },
      false);
}

std::vector<Rational> delayed_step_times(const InArcs& arcs,
                                         std::span<const std::int32_t> receivers,
                                         const Rational& size, std::optional<std::int64_t> chunks) {
  WEFT_ASSERT(size > 0 && chunks.value_or(1) >= 1);
  return largest_times(
      arcs, receivers,
      [&size, chunks](const LayerClasses& classes, const Rational& at_least) {
        return chunks ? least_discrete_delayed_time(classes, *chunks, size, at_least)
                      : least_delayed_time(classes, size, at_least);
      },
      false);
}

}  // namespace weft::graph
