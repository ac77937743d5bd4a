// Broadcasts that know the Dragonfly they run on: LLF, GLF and FOREST.
#pragma once

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// How the groups are reached.
enum class GroupOrder : std::uint8_t {
  local_links_first,   // LLF: the root's group first, then each router there serves its groups
  global_links_first,  // GLF: one binomial tree over the groups
  forest,              // FOREST: as LLF, but each router's groups form a binomial tree
};

/// Who starts: the root, or the first rank of the group with the most routers in use (the lowest of
/// these groups), to which the root then sends first unless it is in such a group itself.
enum class FirstRoot : std::uint8_t { root, widest_group };

/// Who serves which group in LLF and FOREST, and who receives for it. The paper leaves it open.
enum class Couples : std::uint8_t {
  nearest,  // groups are shared evenly; the receiver is next to whoever sends
  codes,    // as the program that the paper ran (broadcast.cpp)
};

/// A broadcast from `root` to the ranks of a Dragonfly network, wherever they are placed: N - 1
/// messages, a rank sends one a step. At most g' - 1 of them cross a global link under minimal
/// routing, with g' the groups that hold ranks, and they cross at most 2 (g' - 1) + sum of (a' - 1)
/// local links, a' the routers of a group that hold ranks. Throws InvalidInput for other networks
/// and a root that is no rank. O(links + N log N).
schedule::Schedule dragonfly_broadcast(const network::Network& network, schedule::Rank root,
                                       GroupOrder order, FirstRoot first = FirstRoot::root,
                                       Couples couples = Couples::nearest);

}  // namespace weft::algorithm
