#include "weft/algorithm/groups/mesh_of_groups.hpp"

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/placement.hpp"

namespace weft::algorithm {

namespace {

/// A link between two places of a group.
struct MeshLink {
  std::int32_t from, to;
  std::int64_t bandwidth_Bps, latency_ps;
  friend auto operator<=>(const MeshLink&, const MeshLink&) = default;
};

/// Cables side by side are one: a message is divided over them.
void merge_parallel(std::vector<MeshLink>& links) {
  std::vector<MeshLink> merged;
  for (const MeshLink& link : links) {
    if (merged.empty() || merged.back().from != link.from || merged.back().to != link.to) {
      merged.push_back(link);
      continue;
    }
    merged.back().bandwidth_Bps += link.bandwidth_Bps;
    merged.back().latency_ps = std::max(merged.back().latency_ps, link.latency_ps);
  }
  links = std::move(merged);
}

class Places {
 public:
  explicit Places(const Network& network)
      : network_(network), place_(network.topology().node_count(), -1) {}

  /// Ascending; nothing where two ranks of the group are on one host.
  std::optional<std::vector<MeshLink>> links_of(const std::vector<Rank>& group) {
    const auto hosts = [&](std::size_t place) {
      return network_.placement().nodes[group[place].index()];
    };
    std::vector<MeshLink> links;
    bool alone = true;
    for (std::size_t i = 0; i < group.size(); ++i)
      alone = std::exchange(place_[hosts(i)], static_cast<std::int32_t>(i)) < 0 && alone;
    const Topology& topology = network_.topology();
    for (std::size_t i = 0; i < group.size(); ++i)
      for (const LinkId link : topology.out_links(hosts(i)))
        if (const std::int32_t to = place_[topology.head(link)]; to >= 0) {
          const LinkSpeed speed = network_.fabric().speed(link);
          links.push_back(
              {static_cast<std::int32_t>(i), to, speed.bandwidth_Bps, speed.latency_ps});
        }
    for (std::size_t i = 0; i < group.size(); ++i) place_[hosts(i)] = -1;
    std::ranges::sort(links);
    merge_parallel(links);
    return alone ? std::optional(std::move(links)) : std::nullopt;
  }

 private:
  const Network& network_;
  IdVector<NodeId, std::int32_t> place_;  // in the group at hand
};

/// The links of one that the other has, too, each as the slower of the two. Both ascend.
std::vector<MeshLink> in_both(const std::vector<MeshLink>& ones,
                              const std::vector<MeshLink>& others) {
  std::vector<MeshLink> both;
  auto other = others.begin();
  for (MeshLink link : ones) {
    const auto ends = [](const MeshLink& each) { return std::pair(each.from, each.to); };
    while (other != others.end() && ends(*other) < ends(link)) ++other;
    if (other == others.end() || ends(*other) != ends(link)) continue;
    link.bandwidth_Bps = std::min(link.bandwidth_Bps, other->bandwidth_Bps);
    link.latency_ps = std::max(link.latency_ps, other->latency_ps);
    both.push_back(link);
  }
  return both;
}

bool joins_all(const std::vector<MeshLink>& links, std::int32_t places) {
  WEFT_ASSERT(places >= 1);
  const auto search = [&](std::int32_t MeshLink::*from, std::int32_t MeshLink::*to) {
    std::vector<std::vector<std::int32_t>> next(places);
    for (const MeshLink& link : links) next[link.*from].push_back(link.*to);
    return graph::BreadthFirst(places, 0, [&](std::int32_t at, auto&& reach) {
      for (const std::int32_t other : next[at]) reach(other);
    });
  };
  return search(&MeshLink::from, &MeshLink::to).reached_all() &&
         search(&MeshLink::to, &MeshLink::from).reached_all();
}

}  // namespace

std::optional<Network> mesh_of_groups(const LocalGroups& groups, const Network& network) {
  if (groups.empty() || !network.topology().has_switches()) return std::nullopt;
  Places places(network);
  const auto ranks = static_cast<std::int32_t>(groups.front().size());
  std::optional<std::vector<MeshLink>> links;
  for (const auto& group : groups) {
    const auto own = places.links_of(group);
    if (!own) return std::nullopt;
    links = links ? in_both(*links, *own) : *own;
    if (links->empty()) return std::nullopt;
  }
  if (!joins_all(*links, ranks)) return std::nullopt;

  topology::TopologyBuilder builder(ranks);
  for (const MeshLink& link : *links) builder.add_link(NodeId(link.from), NodeId(link.to));
  std::vector<LinkId> ids;
  BuiltTopology built{std::move(builder).build({"group", "", {}}, &ids), {}};
  built.speeds.bandwidth_Bps.resize(ids.size());
  built.speeds.latency_ps.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    built.speeds.bandwidth_Bps[ids[i]] = (*links)[i].bandwidth_Bps;
    built.speeds.latency_ps[ids[i]] = (*links)[i].latency_ps;
  }
  Fabric fabric(built);
  Placement placement;
  for (const NodeId node : fabric.topology().nodes()) placement.nodes.push_back(node);
  auto routing = network::make_routing("shortest", fabric);
  return Network(std::move(fabric), std::move(placement), {}, std::move(routing));
}

}  // namespace weft::algorithm
