// --per-host: several ranks on each host, neighbours in the order of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/options.hpp"

namespace weft::cli {

/// Ranks of all hosts alike, or of each, in the order of hosts.
using RanksPerHost = std::vector<std::int32_t>;
inline const RanksPerHost kOneRankEach{1};

void add_per_host_option(const OptionAdder& add, RanksPerHost& per_host);
/// Refuses what says itself where ranks are, beside several on each host. Throws InvalidInput.
void check_per_host(const Given& given, const RanksPerHost& per_host);
/// As one writes it: "8", "7,8".
std::string per_host_text(const RanksPerHost& per_host);
/// So many ranks in the place of each. Throws InvalidInput for none, for too many, and for numbers
/// of other hosts than there are.
Network with_several_ranks(const Network& hosts, const RanksPerHost& per_host);

}  // namespace weft::cli
