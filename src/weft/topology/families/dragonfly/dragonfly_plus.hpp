// Dragonfly+ networks (also known as Megafly).
#pragma once

#include <optional>
#include <string>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// A Dragonfly+'s parameters, as in DragonflyPlusView.
struct DragonflyPlusOptions {
  int l = 0;             // leaves a group, >= 1
  int s = 0;             // spines a group, >= 1
  int p = 0;             // hosts a leaf, >= 1
  int h = 0;             // global links a spine, >= 1
  std::optional<int> g;  // groups, 2 to s * h + 1; left out: s * h + 1
};

/// g groups of l leaves and s spines, every leaf linked with every spine of its group ("local");
/// every leaf has p hosts ("terminal"), every spine up to h links to spines of other groups
/// ("global"). Leaf i of group q is node q (l + s) + i, spine j is q (l + s) + l + j; host i of
/// leaf t, counted over all groups, is node g (l + s) + t p + i. The nominal degree is the larger
/// of s and l + h. The s * h ports of a group, of which spine j owns j * h..j * h + h - 1, lead to
/// the other groups as those of `dragonfly` in the absolute arrangement. Throws InvalidInput.
///
/// Source: Shpiner et al., "Dragonfly+: Low Cost Topology for Scaling Datacenters", HiPINEB 2017;
/// Flajslik, Borch, Parker, "Megafly: A Topology for Exascale Systems", ISC 2018.
/// `family` is the name that the topology carries: "dragonfly-plus", or "megafly" for the same
/// network.
Topology dragonfly_plus(const DragonflyPlusOptions& options,
                        const std::string& family = "dragonfly-plus");

}  // namespace weft::topology
