// Groups: which ranks a collective of a training step joins, and which of these groups share links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/training/training.hpp"

namespace weft::training {

using RankGroup = std::vector<std::int32_t>;  // ranks of the whole network, in the group's order

/// All groups that make the call at once, of two ranks or more each: those of its stage, or of all.
/// Of next and previous those that cross the border of the stage.
std::vector<RankGroup> groups_of(const workload::GroupCall& call,
                                 const workload::Parallelism& parallel, const RankOrder& order);

/// Groups whose routes share links, directly or through others.
struct LinkSharers {
  std::vector<std::size_t> groups;
  std::int64_t images = 1;  // parties like this one, itself included, which have the same times
  std::size_t callers = 0;  // of the groups, which stand first
};

/// Groups by the links on the routes between their members, or from the first to the second alone.
/// Two parties are alike where routes, speeds, latencies and classes are the same but for the
/// numbers of links, and so are the places of the callers, the first so many of all groups, beside
/// which the others are. `apart`: each group is a party of its own. O(pairs * links of a route).
enum class Pairs : std::uint8_t { all, first_to_second };
std::vector<LinkSharers> link_sharers_of(const Network& network, std::span<const RankGroup> groups,
                                         std::size_t callers, Pairs pairs, bool apart);

/// Numbers that are the same of groups whose routes are alike but for the numbers of links, as
/// link_sharers_of() compares them.
std::vector<std::int64_t> routes_mark(const Network& network, std::span<const RankGroup> groups);
/// Whether the ones' routes are those of the others but for the numbers of links.
bool are_images(const Network& network, std::span<const RankGroup> a, std::span<const RankGroup> b);

/// By link: whether it is on a route between members of these groups.
std::vector<bool> links_of(const Network& network, std::span<const RankGroup> groups, Pairs pairs);

/// The network with the group's ranks alone.
Network network_of(const Network& network, const RankGroup& group);

}  // namespace weft::training
