// A message over several paths at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/flow/cheapest_paths.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

struct MultipathOptions {
  flow::PathLimits limits = {};  // on the paths; further limited by the hosts' ports
  /// What the shares are to be best for; without a size, for large messages.
  std::optional<std::int64_t> size_B = {};
  std::int64_t segments = 1;  // of forwarding; 1 or more
};

/// One step: a part of the block over each of the paths, by explicit routes that the network
/// switches through, in the shares that arrive first. Links of equal speed: the paths share no
/// link. The collective is a point-to-point message. Throws InvalidInput when both ends are on one
/// node and when no path is within the limits. Source: Pham, PhD thesis, section 3.3 (the paths on
/// Kautz(d,2)); Ford, Fulkerson, "Flows in Networks", 1962.
schedule::Schedule multipath(const schedule::Collective& collective, const Network& network,
                             const MultipathOptions& options = {});

/// The same paths, all within the limits, each part from rank to rank, a link a step, in parts
/// proportional to bandwidth: on Kautz(d,2) with at most 3 hops the thesis's algorithm, Eq. 3.8.
/// Throws InvalidInput as multipath does, and when a node on the way has no rank.
schedule::Schedule multipath_forward(const schedule::Collective& collective, const Network& network,
                                     const MultipathOptions& options = {});

/// Why the two do not fit; nothing when they do. The collective is a point-to-point message.
std::optional<std::string> multipath_misfit(const schedule::Collective& collective,
                                            const Network& network);

}  // namespace weft::algorithm
