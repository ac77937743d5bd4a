// Sizes of kinds of networks, which rows and the command have in common.
#pragma once

#include "weft/question/fields.hpp"

namespace weft::question {

/// A number of what the field is called. Throws InvalidInput outside 1 .. analysis::kMostOfKind.
std::int64_t read_kind_size(std::string_view name, std::string_view text);

constexpr auto kind_size(std::string_view name) {
  return field<read_kind_size, as_is<std::int64_t>>(name, "").numbered();
}
inline constexpr auto kEndpoints =
    kind_size("endpoints").helped("Price the least network of each kind with so many endpoints");
inline constexpr auto kRouters =
    kind_size("routers").helped("Endpoints that each kind connects with about so many routers");

}  // namespace weft::question
