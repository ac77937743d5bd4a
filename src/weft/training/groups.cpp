#include "weft/training/groups.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"

namespace weft::training {

namespace {

using workload::GroupKind;

network::RouteTable routes_of(const Network& network, const RankGroup& group, Pairs pairs) {
  WEFT_ASSERT(group.size() >= 2 || pairs == Pairs::all);
  std::vector<network::Flow> flows;
  const auto node = [&](std::size_t i) {
    return network.placement().nodes[static_cast<std::size_t>(group[i])];
  };
  if (pairs == Pairs::first_to_second)
    flows.push_back({node(0), node(1)});
  else
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = 0; j < group.size(); ++j)
        if (i != j) flows.push_back({node(i), node(j)});
  network::RouteTable routes;
  network.routing().route(flows, routes);
  WEFT_ASSERT(routes.size() == std::ssize(flows));
  return routes;
}

// Numbers that tell all of the groups' routes but which links they are: the same of two parties
// where a renumbering of links makes the one the other.
std::vector<std::int64_t> signature(const Network& network,
                                    std::span<const network::RouteTable* const> tables) {
  std::vector<std::int64_t> numbers;
  std::unordered_map<LinkId, std::int64_t> seen;
  for (const network::RouteTable* table : tables) {
    numbers.push_back(-1);
    numbers.push_back(table->size());
    for (std::int64_t flow = 0; flow < table->size(); ++flow) {
      numbers.push_back(-2);
      numbers.push_back(table->latency_ps(flow));
      for (const Rational& share : table->shares(flow))
        numbers.push_back(std::bit_cast<std::int64_t>(share.to_double()));
      for (const LinkId link : table->links(flow)) {
        const auto [found, is_new] = seen.try_emplace(link, static_cast<std::int64_t>(seen.size()));
        numbers.push_back(found->second);
        if (!is_new) continue;
        numbers.push_back(network.fabric().bandwidth_Bps(link));
        numbers.push_back(network.fabric().latency_ps(link));
        numbers.push_back(network.topology().link_class(link).value());
      }
    }
  }
  return numbers;
}

}  // namespace

std::vector<RankGroup> groups_of(const workload::GroupCall& call,
                                 const workload::Parallelism& parallel, const RankOrder& order) {
  std::vector<RankGroup> groups;
  const auto rank = [&](std::int32_t tensor, std::int32_t data, std::int32_t stage) {
    return order.rank(tensor, data, stage, parallel);
  };
  const std::int32_t stages = parallel.pipeline;
  const bool of_all = call.stage == workload::GroupCall::kAllStages;
  WEFT_ASSERT(of_all || (call.stage >= 0 && call.stage < stages));
  const std::int32_t first = of_all ? 0 : call.stage, last = of_all ? stages : call.stage + 1;
  switch (call.groups) {
    case GroupKind::tensor:
      for (std::int32_t stage = first; stage < last; ++stage)
        for (std::int32_t data = 0; data < parallel.data; ++data) {
          RankGroup& group = groups.emplace_back();
          for (std::int32_t t = 0; t < parallel.tensor; ++t) group.push_back(rank(t, data, stage));
        }
      break;
    case GroupKind::replicas:
      for (std::int32_t stage = first; stage < last; ++stage)
        for (std::int32_t t = 0; t < parallel.tensor; ++t) {
          RankGroup& group = groups.emplace_back();
          for (std::int32_t data = 0; data < parallel.data; ++data)
            group.push_back(rank(t, data, stage));
        }
      break;
    case GroupKind::next:
    case GroupKind::previous:
    case GroupKind::tied: {
      const std::int32_t step = call.groups == GroupKind::next ? 1 : stages - 1;
      const std::int32_t to =
          call.groups == GroupKind::tied ? call.partner : (call.stage + step) % stages;
      for (std::int32_t data = 0; data < parallel.data; ++data)
        for (std::int32_t t = 0; t < parallel.tensor; ++t)
          groups.push_back({rank(t, data, call.stage), rank(t, data, to)});
      break;
    }
  }
  WEFT_ASSERT(!groups.empty());
  return groups;
}

std::vector<LinkSharers> link_sharers_of(const Network& network, std::span<const RankGroup> groups,
                                         std::size_t callers, Pairs pairs, bool apart) {
  WEFT_ASSERT(!groups.empty() && callers <= groups.size());
  if (groups.size() == 1) return {{.groups = {0}, .callers = callers}};
  std::vector<network::RouteTable> tables;
  UnionFind joined(groups.size());
  std::unordered_map<LinkId, std::size_t> first_on;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    tables.push_back(routes_of(network, groups[i], pairs));
    if (apart) continue;
    for (std::int64_t flow = 0; flow < tables[i].size(); ++flow)
      for (const LinkId link : tables[i].links(flow))
        joined.join(static_cast<std::int32_t>(first_on.try_emplace(link, i).first->second),
                    static_cast<std::int32_t>(i));
  }
  std::map<std::int32_t, std::vector<std::size_t>> together;
  for (std::size_t i = 0; i < groups.size(); ++i)
    together[joined.find(static_cast<std::int32_t>(i))].push_back(i);
  std::map<std::vector<std::int64_t>, LinkSharers> different;
  std::vector<std::vector<std::int64_t>> in_order;
  for (auto& [root, members] : together) {
    std::vector<const network::RouteTable*> of_party;
    for (const std::size_t i : members) of_party.push_back(&tables[i]);
    auto mark = signature(network, of_party);
    const auto of_callers = static_cast<std::size_t>(
        std::ranges::count_if(members, [&](std::size_t i) { return i < callers; }));
    mark.push_back(static_cast<std::int64_t>(of_callers));
    const auto [found, is_new] =
        different.try_emplace(std::move(mark), LinkSharers{members, 0, of_callers});
    ++found->second.images;
    if (is_new) in_order.push_back(found->first);
  }
  std::vector<LinkSharers> parties;
  for (const auto& mark : in_order) parties.push_back(std::move(different.at(mark)));
  // Each group is in one party, or in an image of one.
  WEFT_ASSERT(std::accumulate(parties.begin(), parties.end(), std::int64_t{0},
                              [](std::int64_t sum, const LinkSharers& party) {
                                return sum + party.images * std::ssize(party.groups);
                              }) == std::ssize(groups));
  return parties;
}

std::vector<std::int64_t> routes_mark(const Network& network, std::span<const RankGroup> groups) {
  std::vector<network::RouteTable> tables;
  for (const RankGroup& group : groups) tables.push_back(routes_of(network, group, Pairs::all));
  std::vector<const network::RouteTable*> of_all;
  for (const network::RouteTable& table : tables) of_all.push_back(&table);
  return signature(network, of_all);
}

bool are_images(const Network& network, std::span<const RankGroup> a,
                std::span<const RankGroup> b) {
  return routes_mark(network, a) == routes_mark(network, b);
}

std::vector<bool> links_of(const Network& network, std::span<const RankGroup> groups, Pairs pairs) {
  std::vector<bool> on_route(static_cast<std::size_t>(network.topology().link_count()), false);
  for (const RankGroup& group : groups) {
    const network::RouteTable routes = routes_of(network, group, pairs);
    for (std::int64_t flow = 0; flow < routes.size(); ++flow)
      for (const LinkId link : routes.links(flow)) on_route[link.index()] = true;
  }
  return on_route;
}

Network network_of(const Network& network, const RankGroup& group) {
  Placement placement;
  for (const std::int32_t rank : group) {
    WEFT_ASSERT(rank >= 0 && rank < network.ranks());
    placement.nodes.push_back(network.placement().nodes[static_cast<std::size_t>(rank)]);
  }
  return network.with_placement(std::move(placement));
}

}  // namespace weft::training
