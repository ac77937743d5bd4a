// Layers split: what the sources of several layers send over arcs that all layers share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/graph/balance.hpp"

namespace weft::graph {

/// What each class of each layer sends over each of its arcs when each source has `units` units and
/// arc k carries at most limits[k] of all layers together; nothing where that is too little. All
/// layers have the same arcs, and `wider` the same classes with more of them, beside whose arcs the
/// answer stands. Each layer is as even by itself as it can be over its own arcs, but for units
/// that had to give way to others; those that leave its own arcs are as few as possible, of early
/// layers by preference. As many searches as units had to move in bulk, each O(arcs of all
/// classes).
std::optional<std::vector<std::vector<std::int64_t>>> split_layers(
    std::span<const LayerClasses> layers, std::span<const LayerClasses> wider, std::int64_t units,
    std::span<const std::int64_t> limits);

}  // namespace weft::graph
