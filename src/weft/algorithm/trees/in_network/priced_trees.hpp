// Trees that cost little where cables have prices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/algorithm/trees/in_network/switch_graph.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::algorithm::trees {

/// A cable of a tree that has no top yet.
struct TreeCable {
  std::int32_t cable = 0;
  NodeId from, to;
  LinkId out, back;
};

struct PricedTree {
  double price = 0;
  std::vector<TreeCable> cables = {};  // by cable
};

// Looks for trees that join all ends of a graph. Ends may pass on what they get.
class PricedTreeFinder {
 public:
  /// Precondition: cables join all ends, two or more.
  explicit PricedTreeFinder(const SwitchGraph& graph);

  /// As cheap a tree as a search among neighbouring sets of switches finds: minimum Steiner trees
  /// are hard. Prices are by cable, above 0. O(cables) for each switch that it puts in or out.
  PricedTree find(std::span<const double> prices);

 private:
  using Switches = IdVector<NodeId, char>;  // whether a tree may use it

  /// The cheapest tree of these switches, without those that join nothing; nothing where they do
  /// not join all ends.
  std::optional<PricedTree> cheapest_of(const Switches& in) const;
  PricedTree improved(PricedTree tree) const;
  Switches on_ways_from(NodeId top) const;
  Switches on_ways_between_ends() const;

  const SwitchGraph& graph_;
  std::vector<TreeCable> cables_;   // each once
  std::vector<std::size_t> order_;  // of cables_, by price
  std::vector<double> prices_;      // by cable
  std::size_t next_top_ = 0;
};

}  // namespace weft::algorithm::trees
