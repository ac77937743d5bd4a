// Tables as OpenSM's engines would write them, by the rules in forwarding_report.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/analysis/forwarding/switch_net.hpp"

namespace weft::analysis {

/// Empty tables but for the switches that hand over an address to its host.
Columns handing_over(const Destinations& to, const Columns& now);

/// All take addresses in routing_order(), and keep from `now` which switch hands over an address.
/// O(addresses * channels).
Columns minhop_columns(const SwitchNet& net, const Destinations& to, const Columns& now);
Columns dor_columns(const SwitchNet& net, const Destinations& to, const Columns& now);
Columns dfsssp_columns(const SwitchNet& net, const Destinations& to, const Columns& now);
/// Paths up to the roots and down. Precondition: there are roots.
Columns updn_columns(const SwitchNet& net, const Destinations& to, const Columns& now,
                     const std::vector<std::int32_t>& roots);
/// Why OpenSM's ftree leaves the tree to minhop: switches of one level must have the same number of
/// switches above them, and the same number of cables to each; empty: it does not.
std::string why_no_ftree(const SwitchNet& net, const std::vector<std::int32_t>& levels);
/// Precondition: why_no_ftree() is empty.
Columns ftree_columns(const SwitchNet& net, const Destinations& to, const Columns& now,
                      const std::vector<std::int32_t>& levels);

/// The switches from which nearly all hosts are equally far, as OpenSM finds roots for updn; may be
/// none.
std::vector<std::int32_t> roots_of(const SwitchNet& net, const Destinations& to);
/// The switch whose farthest host is nearest.
std::int32_t centre_of(const SwitchNet& net, const Destinations& to);

}  // namespace weft::analysis
