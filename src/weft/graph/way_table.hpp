// The ways between nodes while nodes are split off.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "weft/graph/splitting_off.hpp"

namespace weft::graph {

class WayTable {
 public:
  struct Bundle {
    std::int64_t capacity = 0;  // of all its ways
    std::vector<WeightedPath> ways;
  };

  explicit WayTable(std::int32_t nodes)
      : out_(static_cast<std::size_t>(nodes)), tails_(static_cast<std::size_t>(nodes)) {}

  std::int32_t nodes() const { return static_cast<std::int32_t>(out_.size()); }
  /// The bundles out of a node, by their heads; none without capacity.
  const std::map<std::int32_t, Bundle>& out_of(std::int32_t tail) const { return out_[tail]; }
  /// Where bundles into a node come from.
  const std::set<std::int32_t>& tails_of(std::int32_t head) const { return tails_[head]; }
  /// 0 where there is no bundle.
  std::int64_t capacity(std::int32_t tail, std::int32_t head) const;

  /// Adds capacity to the same way, or a way.
  void add(std::int32_t tail, std::int32_t head, WeightedPath way);
  /// The way of a bundle from which take() takes next.
  const WeightedPath& last(std::int32_t tail, std::int32_t head) const;
  /// Takes so much from last(), which has it.
  void take(std::int32_t tail, std::int32_t head, std::int64_t amount);
  void erase(std::int32_t tail, std::int32_t head);
  void multiply(std::int64_t factor);

 private:
  std::vector<std::map<std::int32_t, Bundle>> out_;
  std::vector<std::set<std::int32_t>> tails_;
};

}  // namespace weft::graph
