// DealtDistances: for packets, the shortest paths of shortest_dealt.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/network/wiring.hpp"

namespace weft::network {

/// The distances of all routers to each other. routers^2 entries of 2 bytes.
class DealtDistances {
 public:
  /// Throws InvalidInput unless the network is connected, and for a table that is larger than the
  /// machine's memory holds; `routing` names who asks. O(routers * links).
  DealtDistances(const Wiring& wiring, std::string_view routing);

  /// The link out of a router on a shortest path to another, and there to the destination.
  /// O(links of the router).
  std::int32_t next(std::int32_t node, std::int32_t router, std::int32_t destination) const;
  /// The most links that a path has, 1 or more.
  int longest() const { return longest_; }

 private:
  std::size_t entry(std::int32_t node, std::int32_t target) const {
    return place(row_of_[place(target)]) * rows_ + place(row_of_[place(node)]);
  }

  Wiring wiring_;
  std::vector<std::int32_t> numbers_;     // by node, as they are dealt
  std::vector<std::int32_t> row_of_;      // by node: its place in the table, kNone for leaves
  std::vector<std::uint16_t> distances_;  // by target's row, then by router's row
  std::size_t rows_ = 0;
  int longest_ = 1;
};

}  // namespace weft::network
