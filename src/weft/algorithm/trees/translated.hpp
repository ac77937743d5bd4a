// Trees of all roots of a Cayley network by one tree and its translates.
#pragma once

#include "weft/schedule/schedule.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::algorithm::trees {

/// An allgather or a reduce-scatter along the translates of one tree, which meet on no link: the
/// tree takes each generator once a step at most. A link then carries a block a step, and the steps
/// are ceil((N - 1) / degree), which is the least, or a few more. The schedule keeps one rank's
/// messages, O(N); time O(N * degree). Preconditions: nodes are elements, generators generate the
/// group and differ, rank r is node r.
Schedule along_translates(const topology::CayleyView& view, CollectiveKind kind,
                          const char* algorithm);

}  // namespace weft::algorithm::trees
