// Sizes of kinds of networks, which rows and the command have in common.
#pragma once

#include "weft/fields/fields.hpp"

namespace weft::design {

/// A number of what the field is called. Throws InvalidInput outside 1 .. analysis::kMostOfKind.
std::int64_t read_kind_size(std::string_view name, std::string_view text);

constexpr auto kind_size(std::string_view name) {
  return fields::field<read_kind_size, fields::as_is<std::int64_t>>(name, "").numbered();
}
inline constexpr auto kEndpoints =
    kind_size("endpoints")
        .helped(
            "Number of endpoints; prints the price of the smallest network of each kind [none]");
inline constexpr auto kRouters = kind_size("routers").helped(
    "Number of routers; prints the endpoints that each kind connects with about this many [none]");

}  // namespace weft::design
