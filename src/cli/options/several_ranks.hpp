// --per-host: several ranks on each host, neighbours in the order of ranks.
#pragma once

#include <cstdint>

#include "cli/options/options.hpp"

namespace weft::cli {

void add_per_host_option(const OptionAdder& add, std::int32_t& per_host);
/// Refuses what says itself where ranks are, beside several on each host. Throws InvalidInput.
void check_per_host(const Given& given, std::int32_t per_host);
/// Repeats it in an answer, where it was given.
void add_per_host(std::int32_t per_host, Json& json);
/// So many ranks in the place of each. Throws InvalidInput for none, and for too many.
Network with_several_ranks(const Network& hosts, std::int32_t per_host);

}  // namespace weft::cli
