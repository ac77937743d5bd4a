// Pattern-aware routing against link counts, an exhaustive search and the bound by subtrees.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "support/formulas/exchange_phases.hpp"
#include "support/table_1.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/tree_occupation.hpp"
#include "weft/topology/families/trees/xgft.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

struct Tree {
  explicit Tree(const std::vector<int>& children, const std::vector<int>& parents)
      : topology(topology::xgft(children, parents)),
        view(*as_xgft(topology)),
        routing(make_routing("pattern-aware", Fabric(topology, LinkSpeed{}))) {}

  std::int64_t hosts() const { return view.first_of_level[1]; }

  /// Messages on the busiest link, counted link by link.
  std::int64_t busiest(const std::vector<Flow>& step) const {
    RouteTable routes;
    routing->route(step, routes);
    std::vector<std::int64_t> load(static_cast<std::size_t>(topology.link_count()), 0);
    for (std::int64_t i = 0; i < routes.size(); ++i)
      for (const LinkId link : routes.links(i)) ++load[link.index()];
    return std::ranges::max(load);
  }

  std::int64_t least(const std::vector<Flow>& step) const {
    return least_contention(tree_occupation(view, step));
  }

  Topology topology;
  topology::XgftView view;
  std::shared_ptr<const Routing> routing;
};

std::vector<Flow> permutation(std::int64_t hosts, std::int64_t left_out, Rng& rng) {
  std::vector<std::int32_t> to(static_cast<std::size_t>(hosts));
  std::iota(to.begin(), to.end(), 0);
  rng.shuffle(to);
  std::vector<Flow> step;
  for (std::int64_t i = left_out; i < hosts; ++i)
    step.push_back({NodeId(static_cast<std::int32_t>(i)), NodeId(to[i])});
  return step;
}

/// Whether some choice of paths loads no link with more than `most` messages: every choice is
/// tried, by the links of each path found anew from the up-digits.
bool routable(const topology::XgftView& tree, const std::vector<Flow>& step, std::int64_t most) {
  using Link = std::vector<std::int64_t>;  // up or down, level, subtree, digits
  std::map<Link, std::int64_t> load;
  const auto links_of = [&](const Flow& flow, const std::vector<int>& digits) {
    std::vector<Link> links;
    std::int64_t from = flow.from.value(), to = flow.to.value();
    for (std::size_t l = 0; from != to; ++l) {
      Link up{0, static_cast<std::int64_t>(l), from}, down{1, static_cast<std::int64_t>(l), to};
      up.insert(up.end(), digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(l) + 1);
      down.insert(down.end(), digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(l) + 1);
      links.push_back(up);
      links.push_back(down);
      from /= tree.children[l];
      to /= tree.children[l];
    }
    return links;
  };
  const std::function<bool(std::size_t)> place = [&](std::size_t i) {
    if (i == step.size()) return true;
    std::size_t height = 0;
    for (std::int64_t a = step[i].from.value(), b = step[i].to.value(); a != b; ++height) {
      a /= tree.children[height];
      b /= tree.children[height];
    }
    std::vector<int> digits(height, 0);
    while (true) {
      const auto links = links_of(step[i], digits);
      bool fits = true;
      for (const Link& link : links) fits &= ++load[link] <= most;
      if (fits && place(i + 1)) return true;
      for (const Link& link : links) --load[link];
      std::size_t l = 0;
      while (l < height && ++digits[l] == tree.parents[l]) digits[l++] = 0;
      if (l == height) return false;
    }
  };
  return place(0);
}

TEST(PatternAware, has_no_conflicts_where_no_level_is_slimmed) {
  Rng rng(11);
  for (int trial = 0; trial < 150; ++trial) {
    std::vector<int> children(static_cast<std::size_t>(1 + rng.below(4))), parents{1};
    for (int& m : children) m = static_cast<int>(1 + rng.below(5));
    for (std::size_t l = 0; l + 1 < children.size(); ++l)
      parents.push_back(children[l] + static_cast<int>(rng.below(2)));
    const Tree tree(children, parents);
    SCOPED_TRACE(tree.topology.name());
    for (const std::int64_t left_out : {std::int64_t{0}, tree.hosts() / 3})
      ASSERT_LE(tree.busiest(permutation(tree.hosts(), left_out, rng)), 1);
  }
}

TEST(PatternAware, is_as_good_as_any_choice_of_paths_on_small_trees) {
  Rng rng(12);
  int slimmed = 0, above_bound = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<int> children(static_cast<std::size_t>(2 + rng.below(2))), parents{1};
    for (int& m : children) m = static_cast<int>(2 + rng.below(2));
    for (std::size_t l = 1; l < children.size(); ++l)
      parents.push_back(static_cast<int>(1 + rng.below(2)));
    const Tree tree(children, parents);
    if (tree.hosts() > 18) continue;
    const auto step = permutation(tree.hosts(), rng.below(3), rng);
    const std::int64_t ours = tree.busiest(step), least = tree.least(step);
    SCOPED_TRACE(fmt::format("{} trial {}", tree.topology.name(), trial));
    ASSERT_GE(ours, least);
    slimmed += least > 1 ? 1 : 0;
    if (ours == least) continue;
    ++above_bound;
    ASSERT_FALSE(routable(tree.view, step, ours - 1));
  }
  EXPECT_GT(slimmed, 20);
  RecordProperty("above_bound", above_bound);
}

TEST(PatternAware, takes_two_on_a_link_where_five_messages_form_an_odd_cycle) {
  // Three subtrees of three switches with two hosts, two links up each, and one root for each of
  // the two planes. a and b leave subtree 0, b and c enter 1, c and d leave 2, d and e enter the
  // same switch of 0, e and a leave the same switch: each pair needs different planes, and five in
  // a circle can't alternate. No subtree has more messages than links.
  const Tree tree({2, 3, 3}, {1, 2, 1});
  const auto flow = [](int from, int to) { return Flow{NodeId(from), NodeId(to)}; };
  const std::vector<Flow> step{flow(0, 12),  // a: switch 0 to subtree 2
                               flow(2, 6),   // b: switch 1 to subtree 1
                               flow(14, 8),  // c: subtree 2 to subtree 1
                               flow(16, 4),  // d: subtree 2 to switch 2
                               flow(1, 5)};  // e: switch 0 to switch 2
  EXPECT_EQ(tree.least(step), 1);
  EXPECT_FALSE(routable(tree.view, step, 1));
  EXPECT_EQ(tree.busiest(step), 2);
}

TEST(PatternAware, shares_links_evenly_where_there_are_too_few) {
  // All to one subtree: 8 messages over 2 links up, and several messages of one host.
  const Tree tree({4, 4}, {1, 2});
  std::vector<Flow> step;
  for (int i = 0; i < 4; ++i) step.push_back({NodeId(i), NodeId(4 + i)});
  EXPECT_EQ(tree.busiest(step), 2);
  for (int i = 0; i < 4; ++i) step.push_back({NodeId(i), NodeId(8 + i)});
  EXPECT_EQ(tree.busiest(step), 4);
  EXPECT_EQ(tree.least(step), 4);
}

TEST(PatternAware, meets_the_bound_in_every_opt_phase_of_the_smaller_networks_of_table_1) {
  for (const test::Table1Network& network : test::table_1()) {
    if (network.hosts > 128) continue;
    const Tree tree(network.children, network.parents);
    const auto to = test::tree_exchange_destinations(network.children);
    for (std::size_t p = 0; p < static_cast<std::size_t>(network.hosts); ++p) {
      std::vector<Flow> step;
      for (std::int32_t s = 0; s < network.hosts; ++s)
        step.push_back(
            {NodeId(s),
             NodeId(
                 to[p * static_cast<std::size_t>(network.hosts) + static_cast<std::size_t>(s)])});
      ASSERT_LE(tree.busiest(step), 1) << tree.topology.name() << " phase " << p;
    }
  }
}

TEST(PatternAware, gives_the_same_paths_every_time) {
  const Tree tree({4, 4, 2}, {1, 4, 2});
  Rng rng(1);
  const auto step = permutation(tree.hosts(), 0, rng);
  RouteTable first, second;
  tree.routing->route(step, first);
  make_routing("pattern-aware", Fabric(tree.topology, LinkSpeed{}), 7)->route(step, second);
  for (std::int64_t i = 0; i < first.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(first.links(i), second.links(i)));
}

TEST(PatternAware, fits_trees_alone) {
  EXPECT_THROW(make_routing("pattern-aware", Fabric(make_topology("torus:4x4"), LinkSpeed{})),
               InvalidInput);
}

TEST(TreeOccupation, counts_what_leaves_and_enters_each_level) {
  // 4 x 2 hosts; 0 and 1 go to the other half, 2 to 3, 7 to itself, 4 to 0.
  const auto view = *as_xgft(make_topology("xgft:2;4,2;1,2"));
  const auto flow = [](int from, int to) { return Flow{NodeId(from), NodeId(to)}; };
  const std::vector<Flow> step{flow(0, 4), flow(1, 5), flow(2, 3), flow(7, 7), flow(4, 0)};
  const auto levels = tree_occupation(view, step);
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].crossing, 4);
  EXPECT_EQ(levels[0].up, 1);
  EXPECT_EQ(levels[0].capacity, 1);
  EXPECT_EQ(levels[1].crossing, 3);
  EXPECT_EQ(levels[1].up, 2);
  EXPECT_EQ(levels[1].down, 2);
  EXPECT_EQ(levels[1].capacity, 2);
  EXPECT_EQ(levels[1].contention, 1);
  EXPECT_EQ(least_contention({}), 0);
  EXPECT_THROW(tree_occupation(view, std::vector{flow(0, 8)}), InvalidInput);
}

}  // namespace
}  // namespace weft::network
