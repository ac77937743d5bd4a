// The cut bound against every subset of the nodes of small networks.
#include <gtest/gtest.h>

#include <bit>
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

TEST(CutBoundProperty, is_the_best_of_all_cuts) {
  Rng rng(20);
  int compared = 0;
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
      } else if (question.reduces_to_all) {  // parts may say more
        EXPECT_GE(found, naive) << "instance " << instance;
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
}

}  // namespace
}  // namespace weft::analysis
