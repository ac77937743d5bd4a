// ClassifiedLayer: the sources of one layer sorted into classes of equal masks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/graph/balance.hpp"
#include "weft/graph/layers.hpp"

namespace weft::graph {

/// The classes of a layer and who is in them; class i holds nodes [first_node[i], first_node[i +
/// 1]) of `nodes`, ascending. LayerClasses are in the order of their masks.
struct ClassifiedLayer {
  LayerClasses classes;
  std::vector<std::int32_t> nodes;
  std::vector<std::int32_t> first_node;
};

/// Appends a class of so many sources that may use the arcs of the mask.
void append_class(std::span<const MaskWord> mask, std::int64_t count, LayerClasses& classes);

/// Sorts the layer of the receiver that `search` ran for last. O(layer log layer).
void classify(const LayerSearch& search, std::int32_t receiver, int distance,
              ClassifiedLayer& groups);

}  // namespace weft::graph

/// For sets of classes already dealt with.
template <>
struct std::hash<weft::graph::LayerClasses> {
  std::size_t operator()(const weft::graph::LayerClasses& classes) const noexcept;
};
