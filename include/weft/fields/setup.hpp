// The parameters of a row or a command as the values that the rooms below take. They are canonical
// (canonical_row.hpp), so all that has an influence is there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fields/field.hpp"
#include "weft/fields/members.hpp"
#include "weft/topology/placement.hpp"

namespace weft::fields {

/// The text of a link parameter where the topology's own files give the speeds.
inline constexpr const char* kSpeedsOfFile = "file";

/// The seed of what is drawn; 1 where the row has none.
std::uint64_t seed_in(const Values& parameters);

/// The speeds that the row gives; none where its files do.
LinkOptions link_options(const Values& parameters);

/// Throws InvalidInput where they make no sense together, InvalidField where one is to blame.
Network make_network(const Values& parameters);
/// The same, on what its topology builds.
Network make_network(const Values& parameters, const BuiltTopology& built);
Collective make_collective(const Values& parameters, std::int32_t ranks);

}  // namespace weft::fields
