#include "weft/calibrate/ways.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/route_walk.hpp"
#include "weft/topology/names.hpp"

namespace weft::calibrate {

namespace {

// A message, and the share of the table's size that it carries.
struct SharedMessage {
  network::Flow flow;
  double share = 1;
};

// NCCL makes a ring for each network card of a host and sends an equal part of the data around
// each: through all ranks of the host, and by its own card to the next host. Ranks of a host share
// its cards evenly, so a ring for each rank loads the cards as a ring for each card does.
std::vector<SharedMessage> rings_by_cards(std::span<const NodeId> nodes, std::size_t per_host) {
  WEFT_ASSERT(per_host >= 1 && nodes.size() % per_host == 0);
  std::vector<SharedMessage> messages;
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const std::size_t first = r / per_host * per_host;
    messages.push_back({{nodes[r], nodes[first + (r + 1 - first) % per_host]}, 1});
    messages.push_back(
        {{nodes[r], nodes[(r + per_host) % nodes.size()]}, 1 / static_cast<double>(per_host)});
  }
  return messages;
}

std::vector<SharedMessage> shared_messages(const MeasuredTable& table,
                                           std::span<const NodeId> nodes) {
  if (const std::int32_t rings = rings_of(table, nodes); rings > 1)
    return rings_by_cards(nodes, static_cast<std::size_t>(rings));
  std::vector<SharedMessage> messages;
  for (const network::Flow& flow : messages_of(table, nodes)) messages.push_back({flow, 1});
  return messages;
}

// Of messages of the table's own list, the most that one rank sends.
double starts_of(const MeasuredTable& table) {
  std::map<std::int32_t, double> sent;
  double most = 1;
  for (const RankMessage& message : table.messages) most = std::max(most, ++sent[message.from]);
  return most;
}

}  // namespace

std::vector<network::Flow> messages_of(const MeasuredTable& table, std::span<const NodeId> nodes) {
  std::vector<network::Flow> flows;
  if (table.pattern == Pattern::ring || table.pattern == Pattern::collective) {
    for (const std::vector<NodeId>& group : groups_of(table, nodes))
      for (std::size_t r = 0; r < group.size(); ++r)
        flows.push_back({group[r], group[(r + 1) % group.size()]});
    return flows;
  }
  if (table.pattern == Pattern::listed) {
    for (const RankMessage& message : table.messages)
      flows.push_back({nodes[static_cast<std::size_t>(message.from)],
                       nodes[static_cast<std::size_t>(message.to)]});
    return flows;
  }
  const auto pairs = static_cast<std::size_t>(table.pairs);
  for (std::size_t p = 0; p < pairs; ++p) {
    const bool halves = table.pairing == Pairing::halves;
    const NodeId from = nodes[halves ? p : 2 * p], to = nodes[halves ? p + pairs : 2 * p + 1];
    flows.push_back({from, to});
    if (table.pattern == Pattern::both_ways) flows.push_back({to, from});
  }
  return flows;
}

std::vector<std::vector<NodeId>> groups_of(const MeasuredTable& table,
                                           std::span<const NodeId> nodes) {
  std::vector<std::vector<NodeId>> groups(static_cast<std::size_t>(table.group_count()));
  for (std::size_t r = 0; r < nodes.size(); ++r)
    groups[table.groups.empty() ? 0 : static_cast<std::size_t>(table.groups[r])].push_back(
        nodes[r]);
  return groups;
}

std::int32_t rings_of(const MeasuredTable& table, std::span<const NodeId> nodes) {
  if (table.group_count() > 1) return 1;
  const auto& hosts = table.hosts;
  if (!table.benchmark.starts_with("nccl") || hosts.size() != nodes.size() || hosts.empty())
    return 1;
  const auto first_other = std::ranges::find_if_not(
      hosts, [&](const std::string& host) { return host == hosts.front(); });
  const auto per_host = static_cast<std::size_t>(first_other - hosts.begin());
  if (per_host == hosts.size() || hosts.size() % per_host != 0) return 1;
  std::set<std::string_view> seen;
  for (std::size_t r = 0; r < hosts.size(); ++r) {
    if (r % per_host == 0 && !seen.insert(hosts[r]).second) return 1;
    if (hosts[r] != hosts[r / per_host * per_host]) return 1;
  }
  return static_cast<std::int32_t>(per_host);
}

Ways ways_of(const MeasuredTable& table, std::span<const NodeId> nodes, const Network& network) {
  const Topology& topology = network.topology();
  const std::size_t classes = topology.class_names().size();
  auto messages = shared_messages(table, nodes);
  WEFT_ASSERT(!nodes.empty());
  const NodeId any = nodes.front();
  // Between ranks of one host a message crosses no link, and is taken to be none's delay.
  std::erase_if(messages, [](const auto& each) { return each.flow.from == each.flow.to; });
  require(!messages.empty(),
          "{}: two ranks on {} exchange messages, which cross no link; name the host of each "
          "rank: {}@HOST,HOST",
          table.path, topology::node_text(topology, any), table.path);
  schedule::RouteWalk walk(network);
  double shares_in_all = 0;
  for (const auto& [flow, share_of_size] : messages) {
    const auto& [from, to] = flow;
    shares_in_all += share_of_size;
    walk.add(from, to, schedule::kRouted, 0);
  }
  walk.route();
  WEFT_ASSERT(walk.size() == std::ssize(messages) && shares_in_all > 0);
  Ways ways{std::vector<double>(classes), std::vector<double>(classes), starts_of(table)};
  IdVector<LinkId, double> load(topology.link_count());
  for (std::int64_t f = 0; f < walk.size(); ++f) {
    const auto links = walk.links(f);
    const auto shares = walk.shares(f);
    const double of_size = messages[static_cast<std::size_t>(f)].share;
    for (std::size_t j = 0; j < links.size(); ++j) {
      const double share = of_size * (shares.empty() ? 1 : shares[j].to_double());
      ways.hops[topology.link_class(links[j]).index()] += share / shares_in_all;
      load[links[j]] += share;
    }
  }
  for (const LinkId link : topology.links()) {
    double& most = ways.load[topology.link_class(link).index()];
    most = std::max(most, load[link]);
  }
  return ways;
}

}  // namespace weft::calibrate
