// Names that are chosen from a list, as options, files and answers write them, and the error for a
// name that is not in the list.
//
//   constexpr Names<Switching, 3> kSwitchings{"switching",
//                                             {"cut-through", "store-and-forward", "wormhole"}};
//   kSwitchings.value("Wormhole") == Switching::wormhole
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft {

/// A name that is not known. `kind` says what it would be ("machine", "key"), and `where` follows
/// the name ("in [[claim]]", "of weft compare"); it may be empty.
struct UnknownName {
  std::string_view kind, name, where = {};
};

/// "unknown KIND 'NAME' WHERE; did you mean a, b?", or "...; known: a, b, c" if no known name is
/// near. The remark of a meaning replaces the names, as in suggest().
std::string unknown_text(const UnknownName& unknown, std::span<const std::string> known,
                         std::span<const Meaning> meanings = {});

/// Throws InvalidInput with unknown_text().
[[noreturn]] void reject_unknown(const UnknownName& unknown, std::span<const std::string> known,
                                 std::span<const Meaning> meanings = {});

/// The name as lists have it: in lower case, '-' for '_'.
std::string lower_name(std::string_view name);

/// The place of a name in a list of such names; it may be written as lower_name() allows. Throws
/// InvalidInput with unknown_text().
std::size_t place_of(std::string_view kind, std::string_view name,
                     std::span<const std::string_view> names);

/// Of an enumeration from 0, in the order of its enumerators.
template <class Enum, std::size_t count>
struct Names {
  std::string_view kind;  // what the values are, as unknown_text() takes it
  std::array<std::string_view, count> names;

  constexpr std::string_view operator[](Enum value) const {
    WEFT_ASSERT(static_cast<std::size_t>(value) < count);
    return names[static_cast<std::size_t>(value)];
  }
  /// Throws InvalidInput as place_of().
  Enum value(std::string_view name) const { return static_cast<Enum>(place_of(kind, name, names)); }
};

}  // namespace weft
