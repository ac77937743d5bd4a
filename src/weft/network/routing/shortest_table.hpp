// ShortestTable: the out-link of every router towards every other on a shortest path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/network/wiring.hpp"

namespace weft::network {

/// Throws InvalidInput for more than 65,536 routers, or a table of routers^2 entries that is larger
/// than the machine's memory holds; `routing` names who asks.
void check_table(std::size_t routers, std::size_t entry_B, std::string_view routing);

/// Of equal paths the one by the lowest next node. routers^2 entries of 4 bytes.
class ShortestTable {
 public:
  /// Throws InvalidInput unless the network is connected, and for a table of more than 2^32 entries
  /// or than the machine's memory holds; `routing` names who asks.
  /// O(routers * links).
  ShortestTable(const Wiring& wiring, std::string_view routing);

  /// The link out of a router on the way to another.
  std::int32_t next(std::int32_t node, std::int32_t target) const {
    return links_[place(row_of_[place(target)]) * rows_ + place(row_of_[place(node)])];
  }
  /// The most links that a path has, 1 or more.
  int longest() const { return longest_; }

 private:
  std::vector<std::int32_t> row_of_;  // by node: its place in the table, kNone for leaves
  std::vector<std::int32_t> links_;   // by target's row, then by router's row
  std::size_t rows_ = 0;
  int longest_ = 1;
};

}  // namespace weft::network
