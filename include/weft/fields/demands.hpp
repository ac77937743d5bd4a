// What fields ask of other fields, where the model heeds them: a serial adapter of a delay, flits
// of packets that hold them. Commands find it out when they run; studies ask before any row does.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "weft/fields/value.hpp"

namespace weft::fields {

struct Demand {
  std::string_view field;                // what is to blame
  std::vector<std::string_view> others;  // what it depends on, the model apart
  /// Throws InvalidInput, in the words of the commands.
  void (*check)(const Values& said) = nullptr;
};

/// Those of models and packets, what asks for less first.
std::span<const Demand> demands();

}  // namespace weft::fields
