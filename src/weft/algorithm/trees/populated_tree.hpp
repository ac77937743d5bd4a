// The abstract fat tree FT(L; M_1, ..., M_L) that ranks on an xgft form.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/network/network.hpp"

namespace weft::algorithm {

/// A tree of layers 0 (leaves, one for a rank) to L (the root), in which nodes of layer l have
/// children[l - 1] children, and where the ranks are in it. Leaves may be empty.
struct PopulatedTree {
  std::vector<int> children;
  std::vector<std::int32_t> leaf_of_rank;  // distinct, in [0, leaves())

  std::int64_t leaves() const;
};

/// The tree under the ranks of an xgft network, nothing on other networks. Children without ranks
/// are left out, so that M_l is the greatest number of populated children of a node of level l;
/// where they are not as many everywhere, leaves stay empty. Several ranks on a host are a leaf
/// level more.
std::optional<PopulatedTree> populated_tree(const Network& network);

}  // namespace weft::algorithm
