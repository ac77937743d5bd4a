#include "weft/search/searched_catalogue.hpp"

#include <gtest/gtest.h>

#include "naive_allgather.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

constexpr const char* kText =
    "# a remark\n"
    "nodes,degree,direction,steps,bandwidth_factor,how,seed,expression\n"
    "16,4,one-way,2,1,cayley,1,\"cayley:Z8xZ2,k=7;(1,0),(6,0),(0,1),(3,1)\"\n"
    "16,4,one-way,3,15/16,cayley,1,\"cayley:Z16;1,2,3,6\"\n"
    "16,4,bidirectional,3,15/16,cayley,7,\"cayley:Z16;1,4,12,15\"\n";

SearchResult result(int nodes, int steps, Rational factor) {
  SearchResult made;
  made.nodes = nodes;
  made.degree = 4;
  made.steps = steps;
  made.bandwidth_factor = factor;
  return made;
}

TEST(SearchedCatalogue, reads_what_it_writes) {
  const auto catalogue = SearchedCatalogue::parse(kText);
  EXPECT_EQ(catalogue.to_text(), kText);
  EXPECT_EQ(catalogue.remarks, std::vector<std::string>{"a remark"});
  ASSERT_EQ(catalogue.results().size(), 3u);
  EXPECT_EQ(catalogue.results()[1].expression, "cayley:Z16;1,2,3,6");
  EXPECT_EQ(catalogue.results()[1].bandwidth_factor, Rational(15, 16));
  EXPECT_EQ(catalogue.results()[2].direction, Direction::bidirectional);
  EXPECT_EQ(catalogue.results()[2].seed, 7u);
}

TEST(SearchedCatalogue, keeps_the_pareto_front_of_each_size) {
  SearchedCatalogue catalogue;
  EXPECT_TRUE(catalogue.add(result(10, 3, 1)));
  EXPECT_FALSE(catalogue.add(result(10, 3, 1)));
  EXPECT_FALSE(catalogue.add(result(10, 4, Rational(11, 10))));
  EXPECT_TRUE(catalogue.add(result(10, 4, Rational(9, 10))));
  EXPECT_TRUE(catalogue.add(result(9, 5, 2)));
  EXPECT_TRUE(catalogue.add(result(10, 2, Rational(19, 20))));  // betters the first
  const auto front = catalogue.front(10, 4, Direction::one_way);
  ASSERT_EQ(front.size(), 2u);
  EXPECT_EQ(front[0].steps, 2);
  EXPECT_EQ(front[1].steps, 4);
  EXPECT_TRUE(catalogue.front(10, 4, Direction::bidirectional).empty());
  EXPECT_TRUE(catalogue.front(11, 4, Direction::one_way).empty());
}

TEST(SearchedCatalogue, rejects_bad_lines) {
  for (const char* line :
       {"x,4,one-way,2,1,cayley,1,\"ring:4\"", "16,4,up,2,1,cayley,1,\"ring:4\"",
        "16,4,one-way,2,a/b,cayley,1,\"ring:4\"", "16,4,one-way,2,1,cayley,1,ring",
        "16,4,one-way,2", "16,4,one-way,2,1,cayley,1,\""})
    EXPECT_THROW(SearchedCatalogue::parse(line), InvalidInput) << line;
}

TEST(SearchedCatalogue, holds_says_whether_a_line_is_true) {
  const auto catalogue = SearchedCatalogue::parse(kText);
  for (const SearchResult& line : catalogue.results()) {
    EXPECT_TRUE(holds(line)) << line.expression;
    SearchResult wrong = line;
    wrong.bandwidth_factor += Rational(1, 1000);
    EXPECT_FALSE(holds(wrong));
    wrong = line;
    ++wrong.steps;
    EXPECT_FALSE(holds(wrong));
    wrong = line;
    wrong.direction = Direction::bidirectional;
    EXPECT_EQ(holds(wrong), line.direction == Direction::bidirectional);
  }
}

// Line graphs of a 16-node digraph with T_L = 2 and T_B = 1: each expansion adds a step and 1/N of
// the graph expanded, so that N = 64, 256, 1024 have T_L at the Moore bound and T_B = 1 + 1/16,
// 17/16 + 1/64, 69/64 + 1/256 (Zhao et al., section 5.1). That is an upper bound: of a 128-node
// digraph with T_L = 4 and T_B = 127/128 it would be 1 at N = 512, but here BFB on the line graph
// itself meets 511/512, the least possible.
TEST(SearchedCatalogue, bases_expand_to_the_moore_bound) {
  const std::string small = "cayley:Z8xZ2,k=7;(1,0),(6,0),(0,1),(3,1)";
  const std::string large = "cayley:Z16xZ8,k=3;(11,1),(12,1),(14,2),(7,4)";
  SearchResult line = result(64, 3, Rational(17, 16));
  line.expression = "line(" + small + ")";
  EXPECT_TRUE(holds(line));
  line = result(256, 4, Rational(69, 64));
  line.expression = "line^2(" + small + ")";
  EXPECT_TRUE(holds(line));
  line = result(1024, 5, Rational(277, 256));
  line.expression = "line^3(" + small + ")";
  EXPECT_TRUE(holds(line));
  line = result(512, 5, Rational(511, 512));
  line.expression = "line(" + large + ")";
  EXPECT_TRUE(holds(line));
  for (const SearchResult& expanded :
       {result(64, 3, 1), result(256, 4, 1), result(512, 5, 1), result(1024, 5, 1)})
    EXPECT_EQ(expanded.steps, moore_steps(expanded.nodes, 4, Direction::one_way));
}

// Small lines of the shipped file by the plain definition; all of them in the slow tests.
TEST(SearchedCatalogue, shipped_lines_of_small_graphs_equal_the_definition) {
  const auto shipped =
      SearchedCatalogue::parse(read_file(test::source_dir() + "/share/catalogue/searched.csv"));
  int lines = 0;
  for (const SearchResult& line : shipped.results()) {
    if (line.nodes > 24) continue;
    const auto cost = support::naive_allgather(make_topology(line.expression));
    EXPECT_EQ(cost.steps, line.steps) << line.expression;
    EXPECT_EQ(cost.bandwidth_factor, line.bandwidth_factor) << line.expression;
    ++lines;
  }
  EXPECT_GT(lines, 40);
}

// What the search must have found, d = 4: (N - 1) / N in so many steps.
TEST(SearchedCatalogue, shipped_lines_meet_the_bandwidth_bound_in_few_steps) {
  const auto shipped =
      SearchedCatalogue::parse(read_file(test::source_dir() + "/share/catalogue/searched.csv"));
  struct Wanted {
    int nodes, steps;
    Direction direction;
  };
  for (const Wanted& wanted :
       {Wanted{32, 3, Direction::one_way}, Wanted{64, 4, Direction::one_way},
        Wanted{128, 4, Direction::one_way}, Wanted{256, 5, Direction::one_way},
        Wanted{512, 6, Direction::one_way}, Wanted{1024, 6, Direction::one_way},
        Wanted{12, 2, Direction::bidirectional}, Wanted{16, 3, Direction::bidirectional},
        Wanted{32, 4, Direction::bidirectional}, Wanted{64, 5, Direction::bidirectional},
        Wanted{128, 6, Direction::bidirectional}}) {
    int steps = 1 << 20;
    for (const SearchResult& line : shipped.front(wanted.nodes, 4, wanted.direction))
      if (line.bandwidth_factor == Rational(wanted.nodes - 1, wanted.nodes)) steps = line.steps;
    EXPECT_LE(steps, wanted.steps) << wanted.nodes;
  }
}

}  // namespace
}  // namespace weft::search
