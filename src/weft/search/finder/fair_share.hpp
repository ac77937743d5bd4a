// The fullest link of a step when blocks are shared out over links as evenly as can be.
//
// Every block may come over some of a node's links, and be split. The least possible load of the
// fullest link is the maximum over sets S of links of (blocks that only links of S can bring) / |S|
// (Zhao et al., Theorem 19). The maximum over many nodes is wanted, so a node is first asked
// whether it beats the maximum so far: where a first-fit deal fits, it does not. Else a maximum
// flow at that load either fits, or its minimum cut is a set of links with a larger quotient, and
// the same is asked again of that quotient: a Newton iteration that ends at the exact maximum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/rational.hpp"

namespace weft::search {

/// `count` blocks that may come over the links of the mask.
struct Demand {
  std::uint32_t links = 0;
  std::int32_t count = 0;
};

class FairShare {
 public:
  /// links in [1, 16].
  explicit FairShare(int links)
      : links_(links),
        demand_to_(static_cast<std::size_t>(links)),
        link_to_(static_cast<std::size_t>(links)) {}

  /// The larger of `least` and the load of the fullest link. Masks are distinct, not empty.
  Rational raise(const Rational& least, std::span<const Demand> demands);

 private:
  bool deal(const Rational& load, std::span<const Demand> demands);
  std::uint32_t complete(std::span<const Demand> demands);
  int find_room(std::size_t start, std::span<const Demand> demands);
  void push(std::size_t start, int end);

  int links_;
  std::vector<std::int64_t> room_;                // by link
  std::vector<std::int64_t> rest_;                // by demand, not yet placed
  std::vector<std::vector<std::int64_t>> given_;  // by demand and link
  std::vector<std::size_t> order_;
  // Of the search for room: the links reached, in order, and by link the demand and the link that
  // led there.
  std::uint32_t reached_ = 0;
  std::vector<int> queue_;
  std::vector<std::size_t> demand_to_;
  std::vector<int> link_to_;
};

}  // namespace weft::search
