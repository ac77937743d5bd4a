// Which routing engines tables agree with, by the rules in forwarding_report.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/analysis/forwarding/switch_net.hpp"
#include "weft/analysis/forwarding/turns.hpp"
#include "weft/analysis/forwarding_report.hpp"

namespace weft::analysis {

/// Calls visit(channel) for each channel of the switch that leads nearer to the group.
template <class Visit>
void for_nearer(const SwitchNet& net, std::span<const std::uint16_t> distance, std::int32_t node,
                Visit&& visit) {
  if (distance[node] == Destinations::kFar) return;
  for (std::int32_t c = net.first[node]; c < net.first[node + 1]; ++c)
    if (distance[net.head[c]] + 1 == distance[node]) visit(c);
}

/// Why some entry leads no nearer; empty: all entries lead along shortest paths.
std::string why_not_shortest(const SwitchNet& net, const Destinations& to, const Columns& columns);
/// Why addresses were not given to the least used of the nearest ports, in any order.
std::string why_not_minhop(const SwitchNet& net, const Destinations& to, const Columns& columns);
std::string why_not_dor(const SwitchNet& net, const Destinations& to, const Columns& columns);
std::string why_not_lash(const SwitchNet& net, const Destinations& to, const Columns& columns);
std::string why_not_ftree(const SwitchNet& net, const Destinations& to, const Columns& columns);
std::string why_not_dfsssp(const SwitchNet& net, const Destinations& to, const Columns& columns);

/// Whether some switch has several ports that lead nearer to an address.
bool has_choice(const SwitchNet& net, const Destinations& to);

/// By switch: 0 where hosts are, 1 above them; empty: the switches are no tree of levels.
std::vector<std::int32_t> levels_of(const SwitchNet& net);

/// Addresses as OpenSM takes them: those of switches with many first, equal ones in the order of
/// their addresses. Those of one switch stay together.
std::vector<std::int32_t> routing_order(const Destinations& to);

/// All engines, the most specific first.
std::vector<EngineFit> engine_fits(const SwitchNet& net, const Destinations& to,
                                   const Columns& columns, const Turns& turns, bool minimal);

}  // namespace weft::analysis
