// Forwarding tables of small random fabrics, with holes and loops, against the plain definitions:
// walks of all pairs, all rankings of the switches, all orders of the addresses.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "weft/analysis/forwarding_report.hpp"
#include "weft/base/random.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/forwarding/forwarding.hpp"

namespace weft::analysis {
namespace {

using topology::ForwardingTables;

struct Case {
  Topology topology;  // switches 0 to S - 1, then hosts with one cable
  int switches = 0;
  int wild = 0;                          // of 8 entries: those that lead anywhere
  std::vector<std::vector<int>> nearer;  // by switch, then leaf: links that lead nearer, by id
  std::vector<std::vector<int>> far;     // by switch, then leaf: links; -1: no path

  int leaf(NodeId host) const { return topology.head(*topology.out_links(host).begin()).value(); }
  int entry(int at, int address) const {
    const ForwardingTables& tables = *topology.facets().tables;
    return tables.next[static_cast<std::size_t>(at) * tables.hosts.size() +
                       static_cast<std::size_t>(address)];
  }
  bool is_channel(int link) const { return !topology.is_host(topology.head(LinkId(link))); }
};

std::vector<std::vector<int>> distances(const Topology& topology, int switches) {
  constexpr int kFar = 1000;
  std::vector<std::vector<int>> far(switches, std::vector<int>(switches, kFar));
  for (int a = 0; a < switches; ++a) far[a][a] = 0;
  for (int round = 0; round < switches; ++round)
    for (const LinkId link : topology.links()) {
      const int tail = topology.tail(link).value(), head = topology.head(link).value();
      if (tail >= switches || head >= switches) continue;
      for (int to = 0; to < switches; ++to)
        far[tail][to] = std::min(far[tail][to], far[head][to] + 1);
    }
  for (auto& row : far)
    for (int& each : row) each = each >= kFar ? -1 : each;
  return far;
}

Case random_case(Rng& rng) {
  const int switches = 3 + static_cast<int>(rng.below(4)),
            hosts = 2 + static_cast<int>(rng.below(6));
  TopologyBuilder builder(switches + hosts);
  for (int s = 0; s < switches; ++s) builder.set_kind(NodeId(s), NodeKind::switch_node);
  const bool is_ring = rng.below(2) == 0;  // else a tree, with more cables
  for (int s = is_ring ? 0 : 1; s < switches; ++s)
    builder.add_cable(NodeId(s),
                      NodeId(is_ring ? (s + 1) % switches : static_cast<int>(rng.below(s))));
  for (std::uint64_t i = rng.below(is_ring ? 2 : 6); i > 0; --i) {
    const int a = static_cast<int>(rng.below(switches)), b = static_cast<int>(rng.below(switches));
    if (a != b) builder.add_cable(NodeId(a), NodeId(b));
  }
  for (int h = 0; h < hosts; ++h)  // most on switches of their own
    builder.add_cable(
        NodeId(switches + h),
        NodeId(rng.below(4) > 0 ? h % switches : static_cast<int>(rng.below(switches))));
  Case result{std::move(builder).build(topology::Expression{"random", "", {}}),
              switches,
              static_cast<int>(rng.below(3)),
              {},
              {}};
  const Topology& topology = result.topology;
  result.far = distances(topology, switches);
  ForwardingTables tables;
  tables.hosts.assign(topology.hosts().begin(), topology.hosts().end());
  for (int at = 0; at < switches; ++at)
    for (const NodeId host : tables.hosts) {
      const int leaf = result.leaf(host);
      std::vector<int> links;
      for (const LinkId link : topology.out_links(NodeId(at))) {
        const NodeId head = topology.head(link);
        const bool is_host = topology.is_host(head);
        if (at == leaf ? head == host
                       : !is_host && result.far[head.value()][leaf] < result.far[at][leaf])
          links.push_back(link.value());
      }
      const auto all = topology.out_links(NodeId(at));
      int entry = links[rng.below(links.size())];
      if (at != leaf && static_cast<int>(rng.below(8)) < result.wild)
        entry = rng.below(3) == 0
                    ? ForwardingTables::kNone
                    : (*all.begin()).value() + static_cast<int>(rng.below(all.size()));
      tables.next.push_back(entry);
    }
  result.topology = topology::with_tables(topology, std::move(tables), "test");
  return result;
}

struct Walked {
  std::int64_t lost = 0, longer = 0, busiest = 0;
  int detour = 0;
  std::set<std::pair<int, int>> turns;  // of links between switches
};

Walked walk_all(const Case& c) {
  Walked result;
  std::map<int, std::int64_t> loads;
  const auto hosts = c.topology.hosts();
  for (const NodeId from : hosts)
    for (int address = 0; address < std::ssize(hosts); ++address) {
      const NodeId to = hosts[address];
      if (from == to) continue;
      std::vector<int> path;
      int at = c.leaf(from);
      while (at < c.switches && std::ssize(path) <= c.switches) {
        const int link = c.entry(at, address);
        if (link < 0) break;
        path.push_back(link);
        at = c.topology.head(LinkId(link)).value();
      }
      if (at != to.value()) {
        ++result.lost;
        continue;
      }
      path.pop_back();  // the host's own cable
      const int detour = static_cast<int>(path.size()) - c.far[c.leaf(from)][c.leaf(to)];
      result.longer += detour > 0 ? 1 : 0;
      result.detour = std::max(result.detour, detour);
      for (const int link : path) result.busiest = std::max(result.busiest, ++loads[link]);
      for (std::size_t i = 1; i < path.size(); ++i) result.turns.emplace(path[i - 1], path[i]);
    }
  return result;
}

// Of walks among links that follow each other; 0: there is none that comes back.
int shortest_cycle(const Case& c, const std::set<std::pair<int, int>>& turns) {
  const int links = c.topology.link_count();
  std::vector<std::vector<int>> steps(links, std::vector<int>(links, 1000));
  for (const auto& [a, b] : turns) steps[a][b] = 1;
  for (int k = 0; k < links; ++k)
    for (int a = 0; a < links; ++a)
      for (int b = 0; b < links; ++b)
        steps[a][b] = std::min(steps[a][b], steps[a][k] + steps[k][b]);
  int shortest = 1000;
  for (int a = 0; a < links; ++a) shortest = std::min(shortest, steps[a][a]);
  return shortest == 1000 ? 0 : shortest;
}

bool some_ranking_has_no_valley(const Case& c, const std::set<std::pair<int, int>>& turns) {
  std::vector<int> height(static_cast<std::size_t>(c.switches));
  std::iota(height.begin(), height.end(), 0);
  do {
    if (std::ranges::none_of(turns, [&](const auto& turn) {
          const int from = c.topology.tail(LinkId(turn.first)).value();
          const int middle = c.topology.head(LinkId(turn.first)).value();
          const int to = c.topology.head(LinkId(turn.second)).value();
          return height[middle] < height[from] && height[middle] < height[to];
        }))
      return true;
  } while (std::ranges::next_permutation(height).found);
  return false;
}

// Whether addresses may have come in some order in which each took a least used nearest link.
bool some_order_is_greedy(const Case& c, int at) {
  const auto hosts = c.topology.hosts();
  std::vector<int> addresses;  // that go on to another switch
  for (int address = 0; address < std::ssize(hosts); ++address)
    if (c.leaf(hosts[address]) != at) addresses.push_back(address);
  std::vector<char> reached(std::size_t{1} << addresses.size(), 0);
  reached[0] = 1;
  for (std::size_t given = 0; given < reached.size(); ++given) {
    if (reached[given] == 0) continue;
    std::map<int, int> used;
    for (std::size_t i = 0; i < addresses.size(); ++i)
      if ((given >> i & 1) != 0) ++used[c.entry(at, addresses[i])];
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if ((given >> i & 1) != 0) continue;
      const int leaf = c.leaf(hosts[addresses[i]]), taken = c.entry(at, addresses[i]);
      bool is_least = true;
      for (const LinkId link : c.topology.out_links(NodeId(at))) {
        const int head = c.topology.head(link).value();
        if (head < c.switches && c.far[head][leaf] < c.far[at][leaf])
          is_least = is_least && used[taken] <= used[link.value()];
      }
      if (is_least) reached[given | std::size_t{1} << i] = 1;
    }
  }
  return reached.back() != 0;
}

bool fits(const ForwardingReport& report, const char* engine) {
  return std::ranges::find(report.engines, engine) != report.engines.end();
}

TEST(ForwardingReportProperty, is_what_walks_rankings_and_orders_say) {
  int loops = 0, unbalanced = 0, unranked = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Case c = random_case(rng);
    const Walked walked = walk_all(c);
    const ForwardingReport report = forwarding_report(c.topology, {.others = true});
    const auto hosts = std::ssize(c.topology.hosts());
    EXPECT_EQ(report.traffic.pairs, hosts * (hosts - 1));
    EXPECT_EQ(report.traffic.lost, walked.lost);
    EXPECT_EQ(report.traffic.longer, walked.longer);
    EXPECT_EQ(report.traffic.longest_detour, walked.detour);
    EXPECT_EQ(report.traffic.busiest, walked.busiest);
    const int cycle = shortest_cycle(c, walked.turns);
    EXPECT_EQ(std::ssize(report.traffic.credit_loop), cycle);
    loops += cycle > 0 ? 1 : 0;
    const bool ranked = some_ranking_has_no_valley(c, walked.turns);
    unranked += ranked ? 0 : 1;
    if (!report.traffic.minimal() || !ranked) {
      EXPECT_EQ(fits(report, "updn"), ranked);
    }
    if (c.wild == 0) {
      bool balanced = true;
      for (int at = 0; at < c.switches; ++at) balanced = balanced && some_order_is_greedy(c, at);
      EXPECT_EQ(fits(report, "minhop"), balanced);
      unbalanced += balanced ? 0 : 1;
    }
    for (const EngineResult& other : report.others) {
      if (!other.why_not.empty()) continue;
      EXPECT_EQ(other.traffic.lost, 0) << other.name;
      const bool keeps =
          other.name == "updn" ? other.traffic.credit_loop.empty() : other.traffic.minimal();
      EXPECT_TRUE(keeps) << other.name;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(loops, 10);
  EXPECT_GT(unbalanced, 10);
  EXPECT_GT(unranked, 10);
}

}  // namespace
}  // namespace weft::analysis
