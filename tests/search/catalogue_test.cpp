#include "weft/search/catalogue.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <map>
#include <set>

#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/search/catalogue_builder.hpp"
#include "weft/search/graph_search_kernel.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

// A folder that goes with this object.
class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("weft_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

// The least load of the fullest link in every step of BFB, in blocks, by theorem 19 over all sets
// of in-links and all nodes.
std::vector<Rational> naive_loads(const Topology& topology) {
  std::vector<Rational> loads;
  const int degree = topology.nominal_degree();
  for (const NodeId u : topology.nodes()) {
    const auto to_u = analysis::distances_to(topology, u);
    std::vector<std::vector<std::int32_t>> to_tail;
    for (const LinkId link : topology.in_links(u))
      to_tail.push_back(analysis::distances_to(topology, topology.tail(link)));
    std::map<int, std::map<std::uint32_t, int>> counts;  // by step and usable links
    for (const NodeId v : topology.nodes()) {
      if (v == u) continue;
      std::uint32_t links = 0;
      for (std::size_t i = 0; i < to_tail.size(); ++i)
        if (to_tail[i][v.index()] + 1 == to_u[v.index()]) links |= 1U << i;
      ++counts[to_u[v.index()]][links];
    }
    for (const auto& [step, masks] : counts) {
      if (static_cast<std::size_t>(step) > loads.size())
        loads.resize(static_cast<std::size_t>(step));
      for (std::uint32_t set = 1; set < 1U << degree; ++set) {
        std::int64_t inside = 0;
        for (const auto& [links, count] : masks) inside += (links & ~set) == 0 ? count : 0;
        Rational& load = loads[static_cast<std::size_t>(step) - 1];
        load = std::max(load, Rational(inside, std::popcount(set)));
      }
    }
  }
  return loads;
}

Rational sum(const std::vector<Rational>& loads) {
  Rational result;
  for (const Rational& load : loads) result += load;
  return result;
}

TEST(GenKautzCost, is_that_of_bfb_both_ways) {
  for (int degree = 2; degree <= 5; ++degree)
    for (int nodes = degree + 1; nodes <= 40; nodes += degree) {
      const Topology topology = make_topology(fmt::format("genkautz:{},{}", degree, nodes));
      auto received = naive_loads(topology);
      auto sent = naive_loads(topology::transpose({topology, {}}).topology);
      const GenKautzCost cost = genkautz_cost(degree, nodes, Ways::both);
      EXPECT_EQ(cost.steps, received.size()) << topology.name();
      EXPECT_EQ(cost.load, sum(received)) << topology.name();
      received.resize(std::max(received.size(), sent.size()));
      sent.resize(received.size());
      for (std::size_t t = 0; t < sent.size(); ++t) sent[t] = std::max(sent[t], received[t]);
      EXPECT_EQ(cost.both_steps, sent.size()) << topology.name();
      EXPECT_EQ(cost.both_load, sum(sent)) << topology.name();
    }
}

TEST(GenKautzCost, of_kautz_networks_is_that_of_line_graphs) {
  // line^2(complete:5) = genkautz:4,80: T_B = 4/5 + 1/5 + 1/20 = 21/20, load = T_B 80 / 4.
  const GenKautzCost cost = genkautz_cost(4, 80, Ways::one);
  EXPECT_EQ(cost.steps, 3);
  EXPECT_EQ(cost.load, Rational(21));
}

TEST(GenKautzCost, of_table_7) {
  // genkautz:4,64 in 3 steps at 1.312, genkautz:4,1024 in 5 at 1.332.
  const GenKautzCost small = genkautz_cost(4, 64, Ways::one);
  EXPECT_EQ(small.steps, 3);
  EXPECT_NEAR(small.load.to_double() / 16, 1.312, 6e-4);
  const GenKautzCost large = genkautz_cost(4, 1024, Ways::one);
  EXPECT_EQ(large.steps, 5);
  EXPECT_NEAR(large.load.to_double() / 256, 1.332, 6e-4);
}

// What the entry says of its network, and the cost of its BFB allgather.
void expect_true(const CatalogueEntry& entry) {
  SCOPED_TRACE(entry.expression);
  const Topology topology = make_topology(entry.expression);
  EXPECT_EQ(topology.name(), entry.expression);
  EXPECT_EQ(topology.node_count(), entry.facts.nodes);
  EXPECT_EQ(topology.nominal_degree(), entry.facts.degree);
  if (entry.cabled) {
    EXPECT_TRUE(analysis::is_bidirectional(topology));
  }
  bool loops = false, parallel = false;
  for (const NodeId node : topology.nodes()) {
    std::set<NodeId> heads;
    for (const LinkId link : topology.out_links(node)) {
      loops = loops || topology.head(link) == node;
      parallel = !heads.insert(topology.head(link)).second || parallel;
    }
    if (entry.facts.branching) {
      EXPECT_GE(heads.size(), 2U);
    }
  }
  EXPECT_LE(loops, entry.facts.loops);
  EXPECT_LE(parallel, entry.facts.parallel);
  if (!entry.facts.bfb) return;
  const auto loads = naive_loads(topology);
  EXPECT_EQ(entry.facts.steps, loads.size());
  EXPECT_EQ(entry.facts.bandwidth_factor,
            sum(loads) * Rational(entry.facts.degree, entry.facts.nodes));
  EXPECT_EQ(entry.facts.optimal_bfb, entry.facts.bandwidth_optimal());
}

TEST(Catalogue, rules_hold_on_small_networks) {
  int seen = 0;
  for (int nodes = 2; nodes <= 36; ++nodes)
    for (int degree = 1; degree <= 6; ++degree)
      for (const CatalogueEntry& entry : bases_by_rule(nodes, degree)) {
        expect_true(entry);
        ++seen;
      }
  EXPECT_GT(seen, 200);
}

TEST(Catalogue, circulants_of_two_jumps_are_bandwidth_optimal_up_to_400_nodes) {
  for (int nodes = 7; nodes <= 400; ++nodes)
    for (const CatalogueEntry& entry : bases_by_rule(nodes, 4)) {
      if (!entry.expression.starts_with("circulant")) continue;
      const Topology topology = make_topology(entry.expression);
      InNeighbours in{nodes, std::vector<std::vector<Node>>(4)};
      for (const NodeId node : topology.nodes())
        for (std::size_t r = 0; const LinkId link : topology.in_links(node))
          in.rows[r++].push_back(static_cast<Node>(topology.tail(link).value()));
      const Node root = 0;
      const auto cost = CandidateKernel(nodes, 4).rooted(in, {&root, 1}, ParetoTargets());
      ASSERT_TRUE(cost.has_value());
      EXPECT_EQ(cost->steps, entry.facts.steps) << entry.expression;
      EXPECT_EQ(bandwidth_factor(cost->load, nodes, 4), entry.facts.bandwidth_factor);
    }
}

TEST(Catalogue, built_data_are_true_and_a_second_run_changes_nothing) {
  const Folder folder;
  const BuildOptions options{.nodes = 24, .degrees = {2, 6, 3}, .candidates = 30};
  int pieces = 0;
  const auto count = [&](const std::string&) { ++pieces; };
  build_catalogue(folder.path(""), options, count);
  EXPECT_GE(pieces, 4);
  const std::string genkautz = read_file(folder.path("genkautz.csv"));
  const std::string bases = read_file(folder.path("bases.csv"));
  build_catalogue(folder.path(""), options, count);
  EXPECT_EQ(read_file(folder.path("genkautz.csv")), genkautz);
  EXPECT_EQ(read_file(folder.path("bases.csv")), bases);
  const Catalogue catalogue = Catalogue::load(folder.path(""));
  int kinds[3] = {0, 0, 0};
  for (int nodes = 2; nodes <= 24; ++nodes)
    for (const int degree : {2, 3, 6})
      for (const CatalogueEntry& entry : catalogue.bases(nodes, degree)) {
        expect_true(entry);
        kinds[0] += entry.expression.starts_with("genkautz:") ? 1 : 0;
        kinds[1] += entry.expression.starts_with("circulant:") ? 1 : 0;
        kinds[2] += entry.expression.starts_with("bidirectional(") ? 1 : 0;
      }
  EXPECT_EQ(kinds[0], 22 + 21 + 18);  // from degree + 1 nodes on
  EXPECT_GE(kinds[1], 17);            // of degree 6, from 8 nodes on
  EXPECT_EQ(kinds[2], 21);            // of genkautz:3, degree 6
}

TEST(Catalogue, refuses_damaged_files) {
  const Folder folder;
  build_catalogue(folder.path(""), {.nodes = 8, .degrees = {2}}, [](const std::string&) {});
  std::string text = read_file(folder.path("genkautz.csv"));
  text.back() = ' ';
  write_file(folder.path("genkautz.csv"), text);
  EXPECT_THROW(Catalogue::load(folder.path("")), InvalidInput);
  write_file(folder.path("genkautz.csv"), "no first line");
  EXPECT_THROW(Catalogue::load(folder.path("")), InvalidInput);
}

}  // namespace
}  // namespace weft::search
