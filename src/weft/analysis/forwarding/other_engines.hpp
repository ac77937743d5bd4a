// What OpenSM's engines would give on a fabric.
#pragma once

#include <vector>

#include "weft/analysis/forwarding/switch_net.hpp"
#include "weft/analysis/forwarding_report.hpp"

namespace weft::analysis {

/// minhop, updn, ftree, dor and dfsssp; `now` says which switches hand over the addresses.
std::vector<EngineResult> other_engines(const SwitchNet& net, const Destinations& to,
                                        const Columns& now, std::int64_t most_walks);

/// The traffic of tables with shifts and the credit loop.
TableTraffic traffic_of(const SwitchNet& net, const Destinations& to, const Columns& columns,
                        std::int64_t most_walks);

}  // namespace weft::analysis
