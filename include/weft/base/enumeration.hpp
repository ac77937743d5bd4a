// Names of an enumeration's values, as options, files and answers write them.
//
//   constexpr Names<Switching, 3> kSwitchings{"unknown switching '{}'; {}",
//                                             {"cut-through", "store-and-forward", "wormhole"}};
//   kSwitchings.value("Wormhole") == Switching::wormhole
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// The name as lists have it: in lower case, '-' for '_'.
std::string lower_name(std::string_view name);

/// Where a name stands in a list of such names, which it may be written as lower_name() allows.
/// Throws InvalidInput: `refusal` with the name and the nearest of the list in place of its two {}.
std::size_t place_of(std::string_view name, std::span<const std::string_view> names,
                     std::string_view refusal);

/// Of an enumeration from 0, in the order of its enumerators.
template <class Enum, std::size_t count>
struct Names {
  std::string_view refusal;
  std::array<std::string_view, count> names;

  constexpr std::string_view operator[](Enum value) const {
    return names[static_cast<std::size_t>(value)];
  }
  /// Throws InvalidInput as place_of().
  Enum value(std::string_view name) const {
    return static_cast<Enum>(place_of(name, names, refusal));
  }
};

}  // namespace weft
