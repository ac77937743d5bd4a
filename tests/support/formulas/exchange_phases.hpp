// To whom each rank sends in each phase of an exchange.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "weft/algorithm/exchange/permutation_exchange.hpp"
#include "weft/algorithm/trees/populated_tree.hpp"

namespace weft::test {

/// The tree with `children` children a node at each level, with rank r on leaf r.
inline algorithm::PopulatedTree full_tree(std::vector<int> children) {
  algorithm::PopulatedTree tree{std::move(children), {}};
  tree.leaf_of_rank.resize(tree.leaves());
  std::iota(tree.leaf_of_rank.begin(), tree.leaf_of_rank.end(), 0);
  return tree;
}

/// to[phase][source] of a schedule in which every rank sends once in each step.
inline std::vector<std::vector<std::int32_t>> destinations(const schedule::Schedule& schedule) {
  std::vector<std::vector<std::int32_t>> to;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    to.emplace_back(schedule.collective().ranks, -1);
    for (const schedule::Message& m : schedule.messages(t))
      for (std::int32_t g = 0; g < schedule.symmetry().order(); ++g) {
        const auto from = schedule.symmetry().apply(g, m.from).index();
        to.back()[from] = schedule.symmetry().apply(g, m.to).value();
      }
  }
  return to;
}

/// The destination leaf of each leaf in each phase of OPT on a full tree: [phase * N + source].
inline std::vector<std::int32_t> tree_exchange_destinations(
    const std::vector<int>& children, const algorithm::TreeExchangeOptions& options = {}) {
  const algorithm::PopulatedTree tree = full_tree(children);
  const auto leaves = static_cast<std::int32_t>(tree.leaves());
  if (leaves == 1) return {0};  // its schedule has no messages
  std::vector<std::int32_t> all;
  for (const auto& phase :
       destinations(algorithm::tree_exchange(schedule::alltoall(leaves), tree, options)))
    all.insert(all.end(), phase.begin(), phase.end());
  return all;
}

}  // namespace weft::test
