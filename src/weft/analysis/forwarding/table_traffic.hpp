// What tables do with traffic between all pairs of hosts: lost and longer paths, loads, turns.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/analysis/forwarding/switch_net.hpp"
#include "weft/analysis/forwarding/turns.hpp"
#include "weft/analysis/forwarding_report.hpp"

namespace weft::analysis {

struct Measured {
  TableTraffic traffic;             // but for shifts and the loop
  std::vector<std::int64_t> loads;  // by channel: pairs of hosts
  Turns turns;                      // of these pairs
  std::vector<double> even;         // by channel, where asked for: split over all shortest paths
};

/// A host sends as routing `table` does: by the ports that it has and to the addresses of the
/// other host in turn. O(addresses * switches), and O(hosts^2) where hosts have several.
Measured measure(const SwitchNet& net, const Destinations& to, const Columns& columns,
                 bool with_even_split);

/// Adds the shift patterns: host i sends to host i + k, for k of 1 to hosts - 1.
void measure_shifts(const SwitchNet& net, const Destinations& to, const Columns& columns,
                    std::int64_t most_walks, TableTraffic& traffic);

}  // namespace weft::analysis
