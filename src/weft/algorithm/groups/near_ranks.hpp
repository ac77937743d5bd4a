// Which ranks are near each other, and on which rails.
//
// Ranks are near each other by the widest links of their hosts: those to a host's switch, or of
// several to the one with the widest links, as GPUs hang on the switch of their box and on a rail;
// switches that join the same hosts count as one, as those of a box with several planes do; or to
// the hosts that it is joined to directly, where that is wider. Within such a group ranks stand in
// the order of the other switches of their hosts, so that those of one rail have one place in their
// groups wherever ranks are placed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "weft/algorithm/local_groups.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::algorithm {

/// The ranks whose nodes have the same key, in order of their first ranks.
LocalGroups by_key(const Network& network, const std::function<std::int64_t(NodeId)>& key);

/// Groups of ranks, and of each rank its rail.
struct RailedGroups {
  LocalGroups groups;
  IdVector<Rank, std::optional<NodeId>> rail;
};

/// The ranks whose widest links lead to one switch, or to each other, in the order of their rails.
RailedGroups by_widest_links(const Network& network);

}  // namespace weft::algorithm
