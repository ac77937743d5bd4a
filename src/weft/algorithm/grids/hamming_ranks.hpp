// The Hamming network that DO and MD follow.
#pragma once

#include <optional>
#include <string>

#include "linear_placement.hpp"
#include "weft/algorithm/algorithm.hpp"

namespace weft::algorithm {

/// The Hamming network whose node r is rank r, directly or by the one host of its switch.
inline std::optional<topology::HammingView> hamming_of_ranks(const Context& context) {
  if (context.network == nullptr) return std::nullopt;
  auto hamming = topology::as_hamming(context.network->topology());
  if (!hamming || !rank_is_node(*context.network, hamming->size())) return std::nullopt;
  return hamming;
}

inline std::optional<std::string> hamming_misfit(const Context& context) {
  if (hamming_of_ranks(context)) return std::nullopt;
  return "it needs a Hamming network (2dfc, hypercube, complete graph) with rank r on node r";
}

}  // namespace weft::algorithm
