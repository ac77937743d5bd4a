// The cut bound against every subset of the nodes of small networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "weft/analysis/cut_bound.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace weft::analysis {
namespace {

struct Case {
  Topology topology;
  std::vector<std::int64_t> capacity;
  std::vector<NodeId> places;
};

// Up to 4 switches and 6 hosts, random cables and one-way links of random capacity; ranks on
// random hosts, some together.
Case random_case(Rng& rng) {
  const auto switches = static_cast<int>(rng.below(5));
  const auto hosts = 2 + static_cast<int>(rng.below(5));
  const int nodes = switches + hosts;
  TopologyBuilder builder(nodes);
  for (int s = 0; s < switches; ++s) builder.set_kind(NodeId(s), NodeKind::switch_node);
  const auto any = [&](int count) { return NodeId(static_cast<int>(rng.below(count))); };
  for (int h = switches; h < nodes; ++h)  // most hosts hang on one switch
    builder.add_cable(NodeId(h), switches > 0 ? any(switches) : any(nodes));
  const auto more = rng.below(static_cast<std::uint64_t>(2 * nodes));
  for (std::int64_t i = 0; i < more; ++i) {
    const int among = switches > 0 && rng.below(4) > 0 ? switches : nodes;
    if (rng.below(3) > 0)
      builder.add_cable(any(among), any(among));
    else
      builder.add_link(any(among), any(among));
  }
  Case result{std::move(builder).build(Expression{"random", "", {}}), {}, {}};
  for (int l = 0; l < result.topology.link_count(); ++l)
    result.capacity.push_back(2 * (1 + static_cast<std::int64_t>(rng.below(4))));
  const auto ranks = 2 + rng.below(6);
  for (std::int64_t r = 0; r < ranks; ++r)
    result.places.push_back(NodeId(switches + static_cast<int>(rng.below(hosts))));
  return result;
}

// The tightest of all cuts, straight from the definitions; -1 where one has no link, 0 where none
// has to be crossed.
Rational naive_bound(const Case& c, const CutQuestion& question) {
  const auto n = static_cast<std::int64_t>(c.places.size());
  Rational best = 0;
  for (std::uint32_t set = 1; set + 1 < (1U << c.topology.node_count()); ++set) {
    const auto inside = [&](NodeId node) { return ((set >> node.value()) & 1U) != 0; };
    if ((question.root && !inside(*question.root)) || (question.peer && inside(*question.peer)))
      continue;
    std::int64_t s = 0, capacity = 0;
    for (const NodeId node : c.places) s += inside(node) ? 1 : 0;
    if (s == 0 || s == n) continue;
    for (const LinkId link : c.topology.links()) {
      const bool from = inside(c.topology.tail(link)), to = inside(c.topology.head(link));
      if (question.direction == CutDirection::into ? !from && to : from && !to)
        capacity += c.capacity[link.index()];
    }
    if (capacity == 0) return -1;
    const Rational demand = question.demand == CutDemand::whole     ? Rational(1)
                            : question.demand == CutDemand::lacking ? Rational(n - s, n)
                                                                    : Rational(s * (n - s), n);
    best = std::max(best, demand / Rational(capacity));
  }
  return best;
}

std::vector<CutQuestion> questions(const Case& c) {
  const NodeId root = c.places.front(), peer = c.places.back();
  std::vector<CutQuestion> all;
  for (const CutDirection direction : {CutDirection::into, CutDirection::out_of}) {
    for (const CutDemand demand : {CutDemand::whole, CutDemand::lacking}) {
      all.push_back({.demand = demand, .direction = direction});
      all.push_back({.demand = demand, .direction = direction, .root = root});
    }
    if (root != peer)
      all.push_back(
          {.demand = CutDemand::whole, .direction = direction, .root = root, .peer = peer});
  }
  all.push_back({.demand = CutDemand::pairs});
  all.push_back({.demand = CutDemand::whole, .reduces_to_all = true});
  return all;
}

// g of the sets of hosts marked in [0, 2^hosts): the least capacity out of a set of nodes with
// these hosts and any switches; turned: into it.
std::vector<std::int64_t> least_capacities(const Case& c, bool turned) {
  const auto hosts = c.topology.hosts(), switches = c.topology.switches();
  std::vector<std::int64_t> least(std::size_t{1} << hosts.size(), 0);
  for (std::size_t set = 1; set < least.size(); ++set) {
    std::vector<char> inside(static_cast<std::size_t>(c.topology.node_count()), 0);
    for (std::size_t h = 0; h < hosts.size(); ++h) inside[hosts[h].index()] = (set >> h) & 1U;
    least[set] = std::numeric_limits<std::int64_t>::max();
    for (std::size_t with = 0; with < std::size_t{1} << switches.size(); ++with) {
      for (std::size_t s = 0; s < switches.size(); ++s)
        inside[switches[s].index()] = (with >> s) & 1U;
      std::int64_t capacity = 0;
      for (const LinkId link : c.topology.links()) {
        const bool from = inside[c.topology.tail(link).index()] != 0,
                   to = inside[c.topology.head(link).index()] != 0;
        if (turned ? !from && to : from && !to) capacity += c.capacity[link.index()];
      }
      least[set] = std::min(least[set], capacity);
    }
  }
  return least;
}

bool has_ranks(const Case& c, NodeId host) {
  return std::ranges::find(c.places, host) != c.places.end();
}

bool has_ranks_everywhere(const Case& c) {
  return std::ranges::all_of(c.topology.hosts(), [&](NodeId host) { return has_ranks(c, host); });
}

// The greatest 2 (k - 1) / sum of g over all divisions of the hosts, k parts of them with ranks.
Rational naive_divisions(const Case& c) {
  const auto hosts = c.topology.hosts();
  std::vector<char> ranked;
  for (const NodeId host : hosts) ranked.push_back(has_ranks(c, host) ? 1 : 0);
  Rational best = 0;
  for (const bool turned : {false, true}) {
    const auto least = least_capacities(c, turned);
    std::vector<std::size_t> parts;  // sets of hosts
    const auto divide = [&](const auto& self, std::size_t host) -> void {
      if (host < hosts.size()) {
        for (std::size_t p = 0; p < parts.size(); ++p) {
          parts[p] ^= std::size_t{1} << host;
          self(self, host + 1);
          parts[p] ^= std::size_t{1} << host;
        }
        parts.push_back(std::size_t{1} << host);
        self(self, host + 1);
        parts.pop_back();
        return;
      }
      std::int64_t sum = 0, k = 0;
      for (const std::size_t part : parts) {
        sum += least[part];
        bool any = false;
        for (std::size_t h = 0; h < hosts.size(); ++h)
          any = any || (((part >> h) & 1U) != 0 && ranked[h] != 0);
        k += any ? 1 : 0;
      }
      if (k > 1 && sum > 0) best = std::max(best, Rational(2 * (k - 1), sum));
    };
    divide(divide, 0);
  }
  return best;
}

// Boxes, cables and capacities at random, a rank or two on every host: up to 9 hosts.
Case crowded_case(Rng& rng) {
  const auto switches = static_cast<int>(rng.below(4));
  const auto hosts = 4 + static_cast<int>(rng.below(6));
  TopologyBuilder builder(switches + hosts);
  for (int s = 0; s < switches; ++s) builder.set_kind(NodeId(s), NodeKind::switch_node);
  std::vector<std::int64_t> capacity;
  const bool one_way = rng.below(3) == 0;
  const auto cable = [&](int a, int b) {
    if (a == b) return;
    builder.add_cable(NodeId(a), NodeId(b));
    capacity.push_back(1 + static_cast<std::int64_t>(rng.below(4)));
    capacity.push_back(one_way ? 1 + static_cast<std::int64_t>(rng.below(4)) : capacity.back());
  };
  for (int v = 1; v < switches; ++v) cable(v, static_cast<int>(rng.below(v)));
  for (int h = switches; h < switches + hosts; ++h)
    if (h > 0) cable(h, static_cast<int>(rng.below(switches > 0 ? switches : h)));
  for (auto more = rng.below(2 * hosts); more > 0; --more)
    cable(static_cast<int>(rng.below(switches + hosts)),
          static_cast<int>(rng.below(switches + hosts)));
  Case result{std::move(builder).build(Expression{"random", "", {}}), std::move(capacity), {}};
  for (int h = 0; h < hosts; ++h)
    for (auto ranks = 1 + rng.below(2); ranks > 0; --ranks)
      result.places.push_back(NodeId(switches + h));
  return result;
}

TEST(CutBoundProperty, is_the_best_of_all_divisions_of_an_allreduce) {
  Rng rng(21);
  int into_more_than_two = 0;
  for (int instance = 0; instance < 800; ++instance) {
    const Case c = crowded_case(rng);
    const CutQuestion question{.demand = CutDemand::whole, .reduces_to_all = true};
    const auto bound = cut_bound(c.topology, c.places, c.capacity, 1, question);
    ASSERT_TRUE(bound);
    EXPECT_TRUE(bound->searched);
    const Rational naive = std::max(naive_bound(c, question), naive_divisions(c));
    EXPECT_EQ(bound->bandwidth_factor, naive) << "instance " << instance;
    const auto hosts = std::ssize(c.topology.hosts());
    if (bound->parts > 2 && bound->parts < hosts) ++into_more_than_two;
  }
  EXPECT_GT(into_more_than_two, 20);
}

TEST(CutBoundProperty, is_the_best_of_all_cuts) {
  Rng rng(20);
  int compared = 0, divided = 0;
  for (int instance = 0; instance < 600; ++instance) {
    const Case c = random_case(rng);
    for (const CutQuestion& question : questions(c)) {
      const Rational naive = naive_bound(c, question);
      if (naive < Rational(0)) continue;  // the next test
      const auto bound = cut_bound(c.topology, c.places, c.capacity, 1, question);
      ASSERT_EQ(bound.has_value(), naive > Rational(0)) << "instance " << instance;
      if (!bound) continue;
      const Rational found = bound->bandwidth_factor;
      EXPECT_TRUE(bound->searched);
      if (question.demand == CutDemand::pairs) {  // hard in general, but more than what s = 1 asks
        EXPECT_LE(found, naive) << "instance " << instance;
        EXPECT_GE(found, naive_bound(c, {.demand = CutDemand::lacking})) << "instance " << instance;
      } else if (question.reduces_to_all) {
        const Rational all = std::max(naive, naive_divisions(c));
        EXPECT_LE(found, all) << "instance " << instance;
        EXPECT_GE(found, naive) << "instance " << instance;
        if (has_ranks_everywhere(c)) {
          EXPECT_EQ(found, all) << "instance " << instance;
          ++divided;
        }
      } else {
        EXPECT_EQ(found, naive) << "instance " << instance << ", demand "
                                << static_cast<int>(question.demand) << ", direction "
                                << static_cast<int>(question.direction) << ", root "
                                << question.root.has_value();
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 2000);
  EXPECT_GT(divided, 50);
}

}  // namespace
}  // namespace weft::analysis
