// What a collective of unequal blocks takes at least, whatever the schedule.
//
// Bytes that have to cross a cut take at least as long as its links for all of them: of an
// all-to-all what the ranks on one side have for those on the other; of an allgather each block
// once to a side that lacks it; of a reduce-scatter a sum for each block that belongs to the other
// side. Of an all-to-all also: each byte occupies a link for every hop of its shortest way; and on
// small networks the optimum of flows, which is reached if blocks are cut at will.
#pragma once

#include <string>

#include "weft/network/network.hpp"
#include "weft/program/block_sizes.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::evaluate {

struct UnequalBound {
  double time_s = 0;  // by bandwidth alone; 0 where all ranks share a node
  std::string text;   // what it is by: "into host node 3", "cut around leaf switch 5"
};

/// `blocks`: bytes. Every cut that is scored is a true bound; which ones are tried is as in
/// analysis::byte_cut_bound(). Throws InvalidInput when a rank does not reach another.
UnequalBound unequal_bound(const Collective& collective, const Network& network,
                           const program::BlockSizes& blocks);

}  // namespace weft::evaluate

namespace weft {
using evaluate::UnequalBound;
}  // namespace weft
