// Groups: the sources of one layer sorted into classes of equal masks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "balance.hpp"
#include "layers.hpp"

namespace weft::algorithm::bfb {

/// The classes of a layer and who is in them; class i holds nodes [first_node[i], first_node[i +
/// 1]) of `nodes`, ascending. Classes are in the order of their masks.
struct Groups {
  Classes classes;
  std::vector<std::int32_t> nodes;
  std::vector<std::int32_t> first_node;
};

/// Appends a class of so many sources that may use the arcs of the mask.
void append_class(std::span<const MaskWord> mask, std::int64_t count, Classes& classes);

/// Sorts the layer of the receiver that `search` ran for last. O(layer log layer).
void group(const LayerSearch& search, std::int32_t receiver, int distance, Groups& groups);

}  // namespace weft::algorithm::bfb

/// For sets of classes already dealt with.
template <>
struct std::hash<weft::algorithm::bfb::Classes> {
  std::size_t operator()(const weft::algorithm::bfb::Classes& classes) const noexcept;
};
