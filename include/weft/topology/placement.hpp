// Placement: which node each rank runs on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Rank r runs on nodes[r], a host; several ranks may share one (cores).
struct Placement {
  std::vector<NodeId> nodes;

  std::int32_t ranks() const { return static_cast<std::int32_t>(nodes.size()); }
  /// The most ranks on one host. O(ranks log ranks).
  std::int32_t most_on_a_host() const;
};

/// Options of networks set these members by the tables placing_members() and job_members()
/// (weft/fields/members.hpp). place() takes each of them into account.
struct PlacementOptions {
  std::int64_t ranks = 0;   // 0: one on every host, or as many as the policy has places for
  std::string policy = {};  // one of placement_policies(); empty: linear
  std::uint64_t seed = 1;   // of random policies
  /// Consecutive ranks in the place of each: one number for all hosts, or one for each host.
  std::vector<std::int32_t> per_host = {1};

  bool operator==(const PlacementOptions&) const = default;
};

/// The names of policies, "file:PATH" and "hosts:PATH" last.
std::span<const std::string> placement_policies();

/// Whether the policy draws lots, so that the seed counts.
bool draws(std::string_view policy);

/// Places ranks on hosts:
///   linear (contiguous)   in host order;
///   random                a uniform sample, in sample order;
///   round-robin           one rank on each Dragonfly group, or switch elsewhere, in turn;
///   round-robin-router    one rank on each switch in turn;
///   round-robin-group     one rank on each Dragonfly group in turn;
///   lone-root             as random, but rank 0 has no other rank in its Dragonfly group, which is
///                         the worst case of LLF;
///   deepest               rank 0 on the first host, one rank on the first host of every other
///                         Dragonfly group; the rest in the group after the first, one on each
///                         router, then router by router, then in the next group: the worst case of
///                         GLF, whose trees over groups, routers and hosts are all as deep as can
///                         be;
///   file:PATH             by a file with one host number (an index into the hosts) a line;
///   hosts:PATH            by a file with one host name a line.
/// Several ranks in the place of each replace the ranks that were placed (several_on_each()).
/// Throws InvalidInput when there are more ranks than places (files may put several on one host),
/// no host, or no Dragonfly where one is needed. Source of the worst cases: Dorier et al.,
/// "Evaluation of Topology-Aware Broadcast Algorithms for Dragonfly Networks", CLUSTER 2016,
/// section III.
Placement place(const Topology& topology, const PlacementOptions& options);

}  // namespace weft::topology

namespace weft {
using topology::Placement;
}
