#include "weft/search/finder.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "support/process/source_dir.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

using algorithm::Prediction;

Catalogue shipped() {
  return Catalogue::load(test::source_dir() + "/share/catalogue");
}

// The closure of everything: all facts of networks up to a size and degree, found by applying every
// expansion to everything until nothing new comes, without any pruning.
class NaiveClosure {
 public:
  NaiveClosure(const Catalogue& catalogue, int nodes, int degree) : nodes_(nodes), degree_(degree) {
    for (int n = 2; n <= nodes; ++n)
      for (int d = 1; d <= degree; ++d)
        for (const CatalogueEntry& base : catalogue.bases(n, d)) take(base);
    for (std::size_t i = 0; i < all_.size(); ++i) expand(i);
  }

  // Steps and bandwidth factors of the front; a network of fewer ports leaves the others idle, and
  // T_B counts the bandwidth of all.
  std::vector<std::pair<std::int64_t, Rational>> front(int nodes, Direction direction) const {
    std::vector<std::pair<std::int64_t, Rational>> result;
    auto all = all_;
    all.insert(all.end(), ends_.begin(), ends_.end());
    for (const auto& [facts, cabled] : all)
      if (facts.nodes == nodes && (cabled || direction == Direction::one_way))
        result.emplace_back(facts.steps, facts.bandwidth_factor * Rational(degree_, facts.degree));
    std::sort(result.begin(), result.end());
    std::vector<std::pair<std::int64_t, Rational>> front;
    for (const auto& line : result)
      if (front.empty() || line.second < front.back().second) front.push_back(line);
    return front;
  }

 private:
  void take(const CatalogueEntry& base) {
    if (base.algorithm == ReachedBy::bfb)
      ends_.emplace_back(base.facts, base.cabled);
    else
      add(base.facts, base.cabled);
  }

  void add(const Prediction& facts, bool cabled) {
    if (!facts.exact || facts.nodes > nodes_ || facts.degree > degree_) return;
    if (seen_
            .insert({facts.nodes,
                     facts.degree,
                     facts.steps,
                     to_string(facts.bandwidth_factor),
                     {facts.loops, facts.parallel, facts.branching, facts.bfb, facts.optimal_bfb,
                      facts.reversible, facts.tight, cabled}})
            .second)
      all_.emplace_back(facts, cabled);
  }

  void expand(std::size_t i) {
    const auto [facts, cabled] = all_[i];
    if (facts.degree > 1) add(algorithm::line(facts), false);
    for (int k = 2; k * facts.degree <= degree_; ++k) {
      if (!facts.loops) add(algorithm::degree(k, facts), cabled);
      if (k * facts.nodes <= nodes_) add(algorithm::power(k, facts), cabled);
    }
    if (const auto both = algorithm::bidirectional(facts)) add(*both, true);
    for (std::size_t k = 0; k <= i; ++k) {
      const Prediction factors[] = {facts, all_[k].first};
      if (const auto both = algorithm::product(factors)) add(*both, cabled && all_[k].second);
    }
  }

  int nodes_, degree_;
  std::vector<std::pair<Prediction, bool>> all_, ends_;
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string, std::vector<bool>>>
      seen_;
};

TEST(Finder, finds_the_front_of_the_closure_of_everything) {
  const Catalogue catalogue = shipped();
  for (const int degree : {2, 3, 4, 6}) {
    const int most = 40;
    const NaiveClosure naive(catalogue, most, degree);
    for (const Direction direction : {Direction::one_way, Direction::bidirectional})
      for (const FoundFront& found : find_topologies(catalogue, {2, most, degree, direction})) {
        std::vector<std::pair<std::int64_t, Rational>> front;
        for (const FoundTopology& line : found.front)
          front.emplace_back(line.facts.steps, line.facts.bandwidth_factor);
        EXPECT_EQ(front, naive.front(found.nodes, direction))
            << found.nodes << " nodes, degree " << degree;
      }
  }
}

TEST(Finder, one_size_gives_the_line_of_a_range) {
  const Catalogue catalogue = shipped();
  const auto range = find_topologies(catalogue, {2, 200, 4});
  ASSERT_EQ(range.size(), 199U);
  for (const int nodes : {2, 7, 64, 96, 120, 199, 200}) {
    const auto one = find_topologies(catalogue, {nodes, nodes, 4});
    ASSERT_EQ(one.size(), 1U);
    const auto& other = range[static_cast<std::size_t>(nodes) - 2];
    ASSERT_EQ(one[0].front.size(), other.front.size()) << nodes;
    for (std::size_t i = 0; i < other.front.size(); ++i)
      EXPECT_EQ(one[0].front[i].expression, other.front[i].expression);
  }
}

TEST(Finder, never_beats_the_bounds_and_orders_its_lines) {
  const Catalogue catalogue = shipped();
  for (const int degree : {2, 4, 5, 8})
    for (const Direction direction : {Direction::one_way, Direction::bidirectional})
      for (const FoundFront& found : find_topologies(catalogue, {2, 300, degree, direction})) {
        const FoundTopology* last = nullptr;
        for (const FoundTopology& line : found.front) {
          EXPECT_TRUE(line.facts.exact);
          if (found.nodes > degree) {
            EXPECT_GE(line.facts.steps, moore_steps(found.nodes, degree, direction))
                << line.expression;
          }
          EXPECT_GE(line.facts.bandwidth_factor, Rational(found.nodes - 1, found.nodes))
              << line.expression;
          if (last != nullptr) {
            EXPECT_GT(line.facts.steps, last->facts.steps);
            EXPECT_LT(line.facts.bandwidth_factor, last->facts.bandwidth_factor);
          }
          last = &line;
        }
      }
}

TEST(Finder, lines_build_what_they_say) {
  const Catalogue catalogue = shipped();
  for (const int degree : {2, 4})
    for (const Direction direction : {Direction::one_way, Direction::bidirectional})
      for (const FoundFront& found : find_topologies(catalogue, {2, 72, degree, direction}))
        for (const FoundTopology& line : found.front) {
          const Topology topology = make_topology(line.expression);
          EXPECT_EQ(topology.name(), line.expression);
          EXPECT_EQ(topology.node_count(), found.nodes) << line.expression;
          EXPECT_EQ(topology.nominal_degree(), degree) << line.expression;
          for (const NodeId node : topology.nodes()) {
            EXPECT_EQ(topology.out_degree(node), degree - line.idle_ports) << line.expression;
            EXPECT_EQ(topology.in_degree(node), degree - line.idle_ports) << line.expression;
          }
          if (direction == Direction::bidirectional) {
            EXPECT_TRUE(analysis::is_bidirectional(topology)) << line.expression;
          }
        }
}

// A port more can stay idle: the steps stay, and so does the time of the data, T_B M / (d b).
TEST(Finder, is_never_worse_with_more_ports) {
  const Catalogue catalogue = shipped();
  constexpr int kMostDegree = 9;
  for (const Direction direction : {Direction::one_way, Direction::bidirectional})
    for (const auto& [first, last] : {std::pair(2, 150), {495, 505}, {996, 1024}, {1990, 2000}}) {
      std::vector<FoundFront> fewer;
      for (int degree = 1; degree <= kMostDegree; ++degree) {
        const auto more = find_topologies(catalogue, {first, last, degree, direction});
        for (std::size_t i = 0; i < fewer.size(); ++i) {
          const auto &less = fewer[i].front, &front = more[i].front;
          if (less.empty()) continue;
          ASSERT_FALSE(front.empty()) << more[i].nodes << " nodes, degree " << degree;
          EXPECT_LE(front.front().facts.steps, less.front().facts.steps)
              << more[i].nodes << " nodes, degree " << degree;
          EXPECT_LE(front.back().facts.bandwidth_factor * Rational(degree - 1),
                    less.back().facts.bandwidth_factor * Rational(degree))
              << more[i].nodes << " nodes, degree " << degree;
        }
        fewer = more;
      }
    }
}

// Degrees 3, 5, 6 and 7 had families of cyclic groups alone, and 998 = 2 * 499 took 250 steps with
// three ports. A cubic graph drawn at random has a diameter of about log_2 N + log_2 ln N (Bollobas
// and Fernandez de la Vega, 1982), 13 at N = 998; graphs of more ports are nearer to the bound.
TEST(Finder, comes_near_the_moore_bound_at_odd_degrees_too) {
  const Catalogue catalogue = shipped();
  struct Wanted {
    int degree, above_bound;
  };
  for (const Wanted& wanted : {Wanted{3, 4}, Wanted{5, 3}, Wanted{6, 2}, Wanted{7, 2}})
    for (const int nodes : {36, 64, 100, 256, 500, 998, 1000, 1024, 1994, 2000}) {
      const auto found =
          find_topologies(catalogue, {nodes, nodes, wanted.degree, Direction::bidirectional});
      ASSERT_FALSE(found[0].front.empty());
      EXPECT_LE(found[0].front.front().facts.steps,
                moore_steps(nodes, wanted.degree, Direction::bidirectional) + wanted.above_bound)
          << nodes << " nodes, degree " << wanted.degree;
    }
}

TEST(Finder, finds_or_beats_every_line_of_table_7) {
  struct Printed {
    int nodes;
    std::int64_t steps;
    double bandwidth_factor;
  };
  // Zhao et al., Table 7, unidirectional, degree 4.
  const Printed printed[] = {
      {32, 3, 1.000},   {32, 4, 0.969},   {64, 3, 1.312},   {64, 4, 1.000},   {64, 6, 0.984},
      {128, 4, 1.031},  {128, 5, 1.000},  {128, 10, 0.992}, {256, 4, 1.328},  {256, 5, 1.016},
      {256, 7, 1.000},  {256, 10, 0.996}, {512, 5, 1.039},  {512, 6, 1.008},  {512, 11, 1.000},
      {512, 16, 0.998}, {1024, 5, 1.332}, {1024, 6, 1.020}, {1024, 8, 1.004}, {1024, 11, 1.000},
      {1024, 20, 0.999}};
  const Catalogue catalogue = shipped();
  for (const Printed& line : printed) {
    const auto found = find_topologies(catalogue, {line.nodes, line.nodes, 4});
    bool reached = false;
    for (const FoundTopology& ours : found[0].front)
      reached =
          reached || (ours.facts.steps <= line.steps &&
                      ours.facts.bandwidth_factor.to_double() <= line.bandwidth_factor + 5e-4);
    EXPECT_TRUE(reached) << line.nodes << " nodes, T_L " << line.steps << ", T_B "
                         << line.bandwidth_factor;
  }
}

TEST(Finder, says_which_size_has_a_network) {
  EXPECT_EQ(nearest_feasible_nodes(9, 3, Direction::bidirectional), 8);
  EXPECT_EQ(nearest_feasible_nodes(9, 3, Direction::one_way), 9);
  EXPECT_EQ(nearest_feasible_nodes(9, 4, Direction::bidirectional), 9);
  EXPECT_EQ(nearest_feasible_nodes(100, 1, Direction::bidirectional), 2);
}

TEST(Finder, throughput_bound_is_that_of_table_7) {
  // 32 nodes, d = 4: 4 + 2 * 16 + 3 * 11 = 69 links to all others, of 4.
  EXPECT_EQ(throughput_bound(32, 4, Direction::one_way), Rational(4, 69));
  EXPECT_NEAR(throughput_bound(1024, 4, Direction::one_way).to_double(), 8.57e-4, 5e-7);
  // Cables: 3 nodes at distance 1, 6 at 2.
  EXPECT_EQ(throughput_bound(10, 3, Direction::bidirectional), Rational(3, 15));
}

TEST(Finder, refuses_sizes_out_of_range) {
  const Catalogue catalogue = Catalogue::by_rule();
  EXPECT_THROW(find_topologies(catalogue, {1, 8, 4}), InvalidInput);
  EXPECT_THROW(find_topologies(catalogue, {8, 4, 4}), InvalidInput);
  EXPECT_THROW(find_topologies(catalogue, {8, 8, 0}), InvalidInput);
  EXPECT_THROW(find_topologies(catalogue, {8, kMostFinderNodes + 1, 4}), InvalidInput);
}

}  // namespace
}  // namespace weft::search
