#include "weft/advise/degrade/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weft/advise/degrade/failure_sets.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/random.hpp"
#include "weft/topology/cables.hpp"

namespace weft::advise {

namespace {

// By cable: the first of its links.
IdVector<CableId, LinkId> links_by_cable(const Topology& topology) {
  IdVector<CableId, LinkId> links(topology.cable_count(), LinkId(-1));
  for (const LinkId link : topology.links()) {
    LinkId& first = links[topology.cable(link)];
    if (first.value() < 0) first = link;
  }
  return links;
}

// "cable=4~5, cable=5~6"
template <class Text>
std::string listed(const char* key, const Ids& ids, Text&& text) {
  std::string names;
  for (const std::int64_t id : ids)
    names += fmt::format("{}{}={}", names.empty() ? "" : ", ", key, text(id));
  return names;
}

Failure named_cables(const Topology& topology, const IdVector<CableId, LinkId>& links, Ids set) {
  Failure failure{.cables = std::move(set)};
  failure.name = listed("cable", failure.cables, [&](std::int64_t cable) {
    return topology::cable_text(topology, links[CableId(cable)]);
  });
  return failure;
}

Failure named_nodes(const Topology& topology, Ids set) {
  Failure failure{.nodes = std::move(set)};
  failure.name = listed("node", failure.nodes, [&](std::int64_t node) {
    return topology::node_text(topology, NodeId(node));
  });
  return failure;
}

IdVector<NodeId, char> reached(const Topology& topology, const Damage& damage, NodeId from,
                               bool along) {
  IdVector<NodeId, char> seen(topology.node_count(), 0);
  std::vector<NodeId> open{from};
  seen[from] = 1;
  const auto visit = [&](LinkId link, NodeId next) {
    if (!damage.alive(link) || seen[next] != 0) return;
    seen[next] = 1;
    open.push_back(next);
  };
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (along)
      for (const LinkId link : topology.out_links(node)) visit(link, topology.head(link));
    else
      for (const LinkId link : topology.in_links(node)) visit(link, topology.tail(link));
  }
  return seen;
}

}  // namespace

DrawnFailures draw_failures(const Network& network, const FailureOptions& asked, std::int64_t most,
                            std::uint64_t seed, const KindsOfParts* alike) {
  using enum Trials::Kind;
  const Topology& topology = network.topology();
  const bool switches = topology.has_switches();
  const bool nodes = asked.nodes.kind != none && asked.nodes.kind != automatic;
  const bool cables = asked.cables.kind == automatic ? !nodes : asked.cables.kind != none;
  require(nodes || cables,
          "nothing fails with --cables none; give --nodes, or remove --cables none");
  DrawnFailures drawn;
  const Rng rng(seed);
  const auto draw = [&](const FailingSort& sort, Rng own, auto&& failure_of) {
    DrawnSets found = sets_of(sort, network, asked.at_once, most, alike, drawn.possible, own);
    for (std::size_t i = 0; i < found.sets.size(); ++i) {
      drawn.failures.push_back(failure_of(std::move(found.sets[i])));
      if (!found.stand_for.empty()) drawn.failures.back().stands_for = found.stand_for[i];
      if (!found.alike.empty()) drawn.failures.back().alike = std::move(found.alike[i]);
    }
  };
  if (cables) {
    FailingSort sort{
        "cables", "cables", {}, asked.cables, &KindsOfParts::of_cable, [](std::int64_t id) {
          return Failure{.cables = {id}};
        }};
    for (std::int64_t cable = 0; cable < topology.cable_count(); ++cable) sort.ids.push_back(cable);
    const IdVector<CableId, LinkId> links = links_by_cable(topology);
    draw(sort, rng.split(0),
         [&](Ids set) { return named_cables(topology, links, std::move(set)); });
  }
  if (nodes) {
    FailingSort sort{"nodes",
                     switches ? "switches" : "nodes",
                     {},
                     asked.nodes,
                     &KindsOfParts::of_node,
                     [](std::int64_t id) { return Failure{.nodes = {id}}; }};
    for (const NodeId node : switches ? topology.switches() : topology.hosts())
      sort.ids.push_back(node.value());
    draw(sort, rng.split(1), [&](Ids set) { return named_nodes(topology, std::move(set)); });
  }
  return drawn;
}

Failure failure_of(const Topology& topology, CableId cable) {
  return named_cables(topology, links_by_cable(topology), {cable.value()});
}

Failure failure_of(const Topology& topology, NodeId node) {
  return named_nodes(topology, {node.value()});
}

// What stays keeps its order, and links are numbered by their tails: so both numberings count what
// is left.
Damage::Damage(const Topology& whole, const Failure& failure) : node_now_(whole.node_count(), 0) {
  for (const std::int64_t node : failure.nodes) node_now_[NodeId(node)] = -1;
  std::int32_t left = 0;
  for (std::int32_t& node : node_now_)
    if (node >= 0) node = left++;
  IdVector<CableId, char> dead_cables(whole.cable_count(), 0);
  for (const std::int64_t cable : failure.cables) dead_cables[CableId(cable)] = 1;
  link_now_.reserve(whole.link_count());
  std::int32_t links = 0;
  for (const LinkId link : whole.links())
    link_now_.emplace_back(alive(whole.tail(link)) && alive(whole.head(link)) &&
                                   dead_cables[whole.cable(link)] == 0
                               ? links++
                               : -1);
}

void find_ranks_left(const Network& whole, const Damage& damage, Failure& failure) {
  const Topology& topology = whole.topology();
  const std::vector<NodeId>& nodes = whole.placement().nodes;
  IdVector<NodeId, std::int32_t> part(topology.node_count(), -1);
  std::vector<std::int64_t> ranks;  // by part
  for (const Rank rank : ids<Rank>(whole.ranks())) {
    const NodeId node = nodes[rank.index()];
    if (!damage.alive(node)) {
      failure.lost.push_back(rank);
      continue;
    }
    if (part[node] < 0) {
      const auto there = reached(topology, damage, node, true);
      const auto back = reached(topology, damage, node, false);
      for (const NodeId other : part.ids())
        if (there[other] != 0 && back[other] != 0)
          part[other] = static_cast<std::int32_t>(ranks.size());
      ranks.push_back(0);
    }
    ++ranks[part[node]];
  }
  const auto largest = std::ranges::max_element(ranks) - ranks.begin();
  for (const Rank rank : ids<Rank>(whole.ranks())) {
    const NodeId node = nodes[rank.index()];
    if (damage.alive(node) && part[node] != largest) failure.cut_off.push_back(rank);
  }
}

TableWays::TableWays(const Network& network)
    : ranks_(network.ranks()), pairs_(network.topology().link_count()) {
  const std::vector<NodeId>& nodes = network.placement().nodes;
  network::RouteTable routes;
  std::vector<network::Flow> flows;
  const auto routed = [&](std::span<const network::Flow> some) {
    routes.clear();
    try {
      network.routing().route(some, routes);
    } catch (const InvalidInput&) {
      return false;
    }
    return true;
  };
  const auto note = [&](std::int64_t flow, std::int64_t pair) {
    for (const LinkId link : routes.links(flow)) pairs_[link.index()].push_back(pair);
  };
  for (std::int64_t from = 0; from < ranks_; ++from) {
    flows.clear();
    for (std::int64_t to = 0; to < ranks_; ++to)
      flows.push_back({nodes[static_cast<std::size_t>(from)], nodes[static_cast<std::size_t>(to)]});
    if (routed(flows)) {
      for (std::int64_t to = 0; to < ranks_; ++to) note(to, from * ranks_ + to);
      continue;
    }
    for (std::int64_t to = 0; to < ranks_; ++to)  // a pair has no way even now, and loses none
      if (routed(std::span(flows).subspan(static_cast<std::size_t>(to), 1)))
        note(0, from * ranks_ + to);
  }
}

LostWays TableWays::lost(const Damage& damage, const Failure& failure) const {
  std::vector<std::int64_t> pairs;
  for (std::size_t link = 0; link < pairs_.size(); ++link)
    if (!damage.alive(LinkId(link)))
      pairs.insert(pairs.end(), pairs_[link].begin(), pairs_[link].end());
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  const auto is_lost = [&](std::int64_t rank) {
    return std::ranges::binary_search(failure.lost, Rank(rank));
  };
  std::erase_if(
      pairs, [&](std::int64_t pair) { return is_lost(pair / ranks_) || is_lost(pair % ranks_); });
  if (pairs.empty()) return {};
  return {.pairs = std::ssize(pairs),
          .from = Rank(pairs.front() / ranks_),
          .to = Rank(pairs.front() % ranks_)};
}

}  // namespace weft::advise
