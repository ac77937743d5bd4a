// The order in which a rank of a tree serves its children.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "weft/algorithm/options.hpp"

namespace weft::algorithm {

/// One after the other, so that one port is enough, or all in one step, where they share it.
enum class TreeChildren : std::uint8_t { in_turn, together };

inline constexpr std::array<std::string_view, 2> kServed{"in-turn", "together"};
inline constexpr ChoiceOption kChildren{
    {.name = "children",
     .what = "Order in which ranks serve their children",
     .type = Option::Type::choice,
     .choices = kServed,
     .otherwise = "in-turn; for knomial the faster for the size"}};

inline TreeChildren children_in(const AlgorithmOptions& options) {
  return kChildren.given(options) == kServed[1] ? TreeChildren::together : TreeChildren::in_turn;
}

}  // namespace weft::algorithm
