#include "weft/question/degrade/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/random.hpp"
#include "weft/question/degrade/kinds.hpp"
#include "weft/topology/cables.hpp"

namespace weft::question {

namespace {

using Ids = std::vector<std::int64_t>;

constexpr std::int64_t kEndless = std::int64_t{1} << 62;
constexpr std::int64_t kMostListed = 100'000;  // sets that are listed; of more, some are drawn

/// n over k, at most kEndless.
std::int64_t choices(std::int64_t n, std::int64_t k) {
  if (k > n) return 0;
  __extension__ using Wide = __int128;
  Wide result = 1;
  for (std::int64_t i = 1; i <= std::min(k, n - k); ++i) {
    result = result * (n - i + 1) / i;
    if (result >= kEndless) return kEndless;
  }
  return static_cast<std::int64_t>(result);
}

/// All sets of k of `ids`, in lexicographic order.
std::vector<Ids> all_sets(const Ids& ids, std::int64_t k) {
  std::vector<Ids> sets;
  std::vector<std::size_t> at(k);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = i;
  while (true) {
    Ids set;
    for (const std::size_t i : at) set.push_back(ids[i]);
    sets.push_back(std::move(set));
    std::size_t last = at.size();
    while (last > 0 && at[last - 1] == ids.size() - at.size() + last - 1) --last;
    if (last == 0) return sets;
    ++at[last - 1];
    for (std::size_t i = last; i < at.size(); ++i) at[i] = at[i - 1] + 1;
  }
}

/// `count` different sets of k of `ids`, sorted; every choice of sets is equally likely.
std::vector<Ids> drawn_sets(const Ids& ids, std::int64_t k, std::int64_t possible,
                            std::int64_t count, Rng rng) {
  if (possible <= kMostListed) {
    std::vector<Ids> sets = all_sets(ids, k);
    rng.shuffle(sets);
    sets.resize(count);
    std::ranges::sort(sets);
    return sets;
  }
  std::set<Ids> sets;
  while (std::ssize(sets) < count) {
    std::set<std::int64_t> set;
    while (std::ssize(set) < k) set.insert(ids[rng.below(std::ssize(ids))]);
    sets.emplace(set.begin(), set.end());
  }
  return {sets.begin(), sets.end()};
}

/// `count` of `ids`, sorted: of each kind the same number, or one less, as long as it has more.
std::vector<Ids> drawn_of_kinds(const Ids& ids, const std::vector<std::int32_t>& kinds,
                                std::int64_t count, Rng rng) {
  std::map<std::int32_t, Ids> of_kind;
  for (const std::int64_t id : ids) of_kind[kinds[static_cast<std::size_t>(id)]].push_back(id);
  std::vector<Ids> all;
  for (auto& [kind, members] : of_kind) {
    rng.shuffle(members);
    all.push_back(std::move(members));
  }
  rng.shuffle(all);  // there may be more of them than are drawn
  std::vector<Ids> drawn;
  for (std::size_t round = 0; std::ssize(drawn) < count; ++round)
    for (const Ids& members : all)
      if (round < members.size() && std::ssize(drawn) < count) drawn.push_back({members[round]});
  std::ranges::sort(drawn);
  return drawn;
}

/// The things of one sort that may fail, and how many of them are tried.
struct Sort {
  const char* what;  // the option
  const char* things;
  Ids ids;
  Trials trials;
  std::vector<std::int32_t> (*kinds)(const Network&);  // by id
};

// How many of all that are of its kind each single failure stands for.
std::vector<double> shares(const Sort& sort, std::span<const Ids> drawn,
                           const std::vector<std::int32_t>& kinds) {
  std::map<std::int32_t, double> there, tried;
  for (const std::int64_t id : sort.ids) ++there[kinds[static_cast<std::size_t>(id)]];
  for (const Ids& each : drawn) ++tried[kinds[static_cast<std::size_t>(each.front())]];
  std::vector<double> result;
  for (const Ids& each : drawn) {
    const std::int32_t kind = kinds[static_cast<std::size_t>(each.front())];
    result.push_back(there[kind] / tried[kind]);
  }
  return result;
}

struct Drawn {
  std::vector<Ids> sets;
  std::vector<double> stand_for;  // by set; empty: each for itself
};

Drawn sets_of(const Sort& sort, const Network& network, std::int64_t at_once, std::int64_t most,
              std::int64_t& all_possible, Rng rng) {
  const std::int64_t possible = choices(std::ssize(sort.ids), at_once);
  require(!sort.ids.empty(), "there are no {} that could fail; use a network that has some",
          sort.things);
  require(possible > 0, "{} {} cannot fail at once of {}; use --failures {} or less", at_once,
          sort.things, sort.ids.size(), sort.ids.size());
  all_possible = std::min(kEndless, all_possible + possible);
  require(sort.trials.kind != Trials::Kind::all || possible <= kMostListed,
          "--{} all is {} sets of {} {} (at most {} are tried); draw some, as --{} 200", sort.what,
          possible, at_once, sort.things, kMostListed, sort.what);
  const std::int64_t count = sort.trials.kind == Trials::Kind::all    ? possible
                             : sort.trials.kind == Trials::Kind::some ? sort.trials.count
                                                                      : most;
  if (count >= possible && possible <= kMostListed) return {all_sets(sort.ids, at_once), {}};
  if (at_once > 1)
    return {drawn_sets(sort.ids, at_once, possible, std::min(count, possible), rng), {}};
  const std::vector<std::int32_t> kinds = sort.kinds(network);
  Drawn drawn{drawn_of_kinds(sort.ids, kinds, std::min(count, possible), rng), {}};
  drawn.stand_for = shares(sort, drawn.sets, kinds);
  return drawn;
}

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

DrawnFailures draw_failures(const Network& network, const FailuresAsked& asked, std::int64_t most,
                            std::uint64_t seed) {
  using enum Trials::Kind;
  const Topology& topology = network.topology();
  const bool switches = topology.has_switches();
  const bool nodes = asked.nodes.kind == all || asked.nodes.kind == some;
  const bool cables = asked.cables.kind == automatic ? !nodes : asked.cables.kind != none;
  require(nodes || cables, "nothing fails with --cables none; give --nodes, or leave it out");
  DrawnFailures drawn;
  const Rng rng(seed);
  const auto draw = [&](const Sort& sort, Rng own, auto&& failure_of) {
    Drawn found = sets_of(sort, network, asked.at_once, most, drawn.possible, own);
    for (std::size_t i = 0; i < found.sets.size(); ++i) {
      drawn.failures.push_back(failure_of(std::move(found.sets[i])));
      if (!found.stand_for.empty()) drawn.failures.back().stands_for = found.stand_for[i];
    }
  };
  if (cables) {
    Sort sort{"cables", "cables", {}, asked.cables, [](const Network& of) {
                return kinds_of_parts(of).of_cable;
              }};
    for (std::int64_t cable = 0; cable < topology.cable_count(); ++cable) sort.ids.push_back(cable);
    const IdVector<CableId, LinkId> links = links_by_cable(topology);
    draw(sort, rng.split(0), [&](Ids set) {
      Failure failure{.cables = std::move(set)};
      failure.name = listed("cable", failure.cables, [&](std::int64_t cable) {
        return topology::cable_text(topology, links[CableId(cable)]);
      });
      return failure;
    });
  }
  if (nodes) {
    Sort sort{"nodes", switches ? "switches" : "nodes", {}, asked.nodes, [](const Network& of) {
                return kinds_of_parts(of).of_node;
              }};
    for (const NodeId node : switches ? topology.switches() : topology.hosts())
      sort.ids.push_back(node.value());
    draw(sort, rng.split(1), [&](Ids set) {
      Failure failure{.nodes = std::move(set)};
      failure.name = listed("node", failure.nodes, [&](std::int64_t node) {
        return topology::node_text(topology, NodeId(node));
      });
      return failure;
    });
  }
  return drawn;
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

}  // namespace weft::question
