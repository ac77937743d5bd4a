// The cut bound where ranks exchange different amounts: seconds that what has to cross a cut takes.
//
//   ByteDemands demands{.bytes = rows, .rule = CrossingRule::pairs};   // N x N, by source
//   ByteCut cut = *byte_cut_bound(topology, places, bandwidth_Bps, demands);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// What crosses the cut of a set S of nodes. Both directions count.
enum class CrossingRule : std::uint8_t {
  pairs,     // what each rank of S has for each other rank
  to_all,    // into S, if a rank is there, the blocks of all ranks elsewhere
  from_all,  // out of S, if a rank is there, the blocks of all ranks elsewhere
};

struct ByteDemands {
  std::span<const std::int64_t> bytes;  // by rank, or by source * N + destination for pairs
  CrossingRule rule = CrossingRule::pairs;
};

struct ByteCut {
  double time_s = 0;               // bytes / bandwidth
  std::string text;                // "cut around leaf switch 3"
  std::int64_t bytes = 0;          // that have to cross
  std::int64_t bandwidth_Bps = 0;  // of the links that they cross
};

/// The slowest of the cuts around the parts that cut_bound() knows, around the first nodes in their
/// order, and around what minimum cuts find with ranks that weigh as much as their blocks (pairs:
/// all equal). Nothing where nothing has to cross. Throws InvalidInput when a cut that has to be
/// crossed has no link. Cost: O(links + N^2 of pairs) for each kind of part, and minimum cuts as in
/// cut_bound().
std::optional<ByteCut> byte_cut_bound(const Topology& topology, std::span<const NodeId> places,
                                      std::span<const std::int64_t> bandwidth_Bps,
                                      const ByteDemands& demands);

}  // namespace weft::analysis
