// Rows of experiment files: how many, which, and under which keys.
#include <gtest/gtest.h>

#include <string>

#include "support/process/source_dir.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"
#include "weft/topology/registry.hpp"

namespace weft::study {
namespace {

std::vector<Row> rows_of(const std::string& tables, Grid grid = Grid::standard) {
  return expand(parse_experiment("[experiment]\ntitle = \"t\"\n" + tables, "t.toml"), grid);
}

std::string text(const Row& row, std::string_view name) {
  const auto found = row.parameters.find(name);
  return found == row.parameters.end() ? "-" : fields::to_text(found->second);
}

TEST(Grid, last_axis_varies_fastest) {
  const auto rows = rows_of(R"([grid]
topology = ["ring:4", "torus:3x3"]
collective = "allgather"
algorithm = ["ring", "bruck"]
size = "1KiB:4KiB"
)");
  ASSERT_EQ(rows.size(), 2u * 2 * 3);
  EXPECT_EQ(text(rows[0], "size"), "1024");
  EXPECT_EQ(text(rows[2], "size"), "4096");
  EXPECT_EQ(text(rows[3], "algorithm"), "bruck");
  EXPECT_EQ(text(rows[5], "topology"), "ring:4");
  EXPECT_EQ(text(rows[6], "topology"), "torus:3x3");
}

TEST(Grid, baselines_of_the_thesis) {
  const auto experiment =
      load_experiment(weft::test::source_dir() + "/reproduction/experiments/2dfc-baselines.toml");
  // Three networks and 17 sizes, 1 KiB to 64 MiB; two algorithms of all-to-all, three of allgather,
  // and of allreduce the ring, recursive doubling, and the tree with and without pipelining.
  EXPECT_EQ(expand(experiment).size(), 3u * 17 * (2 + 3 + 4));
}

TEST(Grid, variables_and_their_products_go_into_texts) {
  const auto rows = rows_of(R"([variables]
m = [2, 3]
[grid]
topology = "torus:{m}x{m}"
collective = "broadcast"
algorithm = "binomial"
root = "{m}"
ranks = "{m*m}"
)");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(text(rows[1], "topology"), "torus:3x3");
  EXPECT_EQ(text(rows[1], "root"), "3");
  EXPECT_EQ(text(rows[1], "ranks"), "9");
  EXPECT_EQ(rows[1].variables.at("m"), Value(std::int64_t{3}));
}

TEST(Grid, sums_and_ranges_of_integers) {
  const auto rows = rows_of(R"([variables]
m = ["2..4", "10..20:5"]
[grid]
topology = "circulant:{2*m*m+2*m+1},{m},{m+1}"
collective = "allgather"
algorithm = "ring"
[quick]
m = "3..3"
)");
  ASSERT_EQ(rows.size(), 6u);  // 2, 3, 4, 10, 15, 20
  EXPECT_EQ(text(rows[0], "topology"), "circulant:13,2,3");
  EXPECT_EQ(text(rows[5], "topology"), "circulant:841,20,21");
  EXPECT_EQ(rows[4].variables.at("m"), Value(std::int64_t{15}));
}

TEST(Grid, refuses_ranges_that_run_downwards_or_stand_still) {
  const auto message_of = [](const std::string& range) {
    try {
      rows_of("[variables]\nm = \"" + range +
              "\"\n[grid]\ncollective = \"allgather\"\nalgorithm = \"ring\"\n"
              "topology = \"ring:{m}\"\n");
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of("9..4"), "t.toml:4: the range 9..4 is descending; write 4..9");
  EXPECT_EQ(message_of("4..9:0"), "t.toml:4: the stride of 4..9:0 is below 1; write 4..9:1");
}

// Other families of the same size, and a topology whose name is another than what was written.
TEST(Grid, names_topologies_as_the_file_writes_them) {
  const auto rows = rows_of(R"([variables]
m = [4, 6]
[grid]
topology = ["ring:{m*m}", "torus:{m}x{m}", "uniring:1,{m}"]
collective = "allgather"
algorithm = "ring"
[[exclude]]
topology = "torus:{m}x{m}"
m = 6
[[exclude]]
topology = "uniring:1,4"
)");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(text(rows[1], "topology"), "torus:4x4");
  EXPECT_EQ(text(rows[3], "topology"), "uniring:6");
}

TEST(Grid, axes_keep_the_order_of_the_file) {
  // [grid] stands first here, so the variable varies fastest.
  const auto rows = rows_of(R"([grid]
collective = ["allgather", "allreduce"]
algorithm = "ring"
topology = "ring:{n}"
[variables]
n = [8, 4]
)");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(text(rows[0], "topology"), "ring:8");
  EXPECT_EQ(text(rows[1], "topology"), "ring:4");
  EXPECT_EQ(text(rows[1], "collective"), "allgather");
}

TEST(Grid, quick_replaces_axes) {
  const std::string tables = R"([variables]
n = [4, 8, 16]
[grid]
topology = "ring:{n}"
collective = "allgather"
algorithm = ["ring", "bruck"]
size = "1KiB:1MiB"
[quick]
n = 4
size = ["1KiB", "1MiB"]
)";
  EXPECT_EQ(rows_of(tables).size(), 3u * 2 * 11);
  EXPECT_EQ(rows_of(tables, Grid::quick).size(), 1u * 2 * 2);
}

TEST(Grid, full_replaces_axes_and_serves_references) {
  const std::string tables = R"([grid]
topology = "ring:4"
collective = "allgather"
algorithm = ["ring", "bruck"]
size = "1KiB"
[full]
size = "1KiB:1MiB"
[[claim]]
text = "known only when all is run"
source = "a paper"
where = { algorithm = "ring", size = "1MiB" }
than = { algorithm = "bruck", size = "1MiB" }
)";
  EXPECT_EQ(rows_of(tables).size(), 2u);
  EXPECT_EQ(rows_of(tables, Grid::full).size(), 2u * 11);
  EXPECT_THROW(
      rows_of(tables.substr(0, tables.find("[full]")) + tables.substr(tables.find("[[claim]]"))),
      InvalidInput);
}

TEST(Grid, all_algorithms_are_those_that_apply) {
  const auto rows = rows_of(R"([grid]
topology = ["ring:5", "ring:6"]
collective = ["allgather", "broadcast"]
algorithm = "all"
)");
  std::size_t wanted = 0;
  for (const char* topology : {"ring:5", "ring:6"}) {
    const Fabric fabric(make_topology(topology), {});
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          make_routing("shortest", fabric));
    wanted += algorithm::applicable(schedule::allgather(network.ranks()), &network).size();
    wanted += algorithm::applicable(schedule::broadcast(network.ranks()), &network).size();
  }
  EXPECT_EQ(rows.size(), wanted);
}

TEST(Grid, an_option_brings_in_the_algorithm_that_needs_it) {
  const auto rows = rows_of(R"([grid]
topology = "ring:8"
collective = "allreduce"
algorithm = "all"
group = "2:4"
)");
  std::vector<std::int64_t> groups;
  for (const Row& row : rows)
    if (text(row, "algorithm") == "local-ring")
      groups.push_back(std::get<std::int64_t>(row.parameters.at("group")));
  EXPECT_EQ(groups, (std::vector<std::int64_t>{2, 4}));
}

TEST(Grid, refuses_an_option_that_no_algorithm_takes) {
  const auto message_of = [](const std::string& grid) {
    try {
      rows_of("[grid]\ntopology = \"ring:8\"\ncollective = \"allreduce\"\n" + grid);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of("algorithm = [\"ring\", \"binomial\"]\ngroup = 4\n"),
            "t.toml:7: no algorithm of the grid supports group (local-ring, hierarchical would); "
            "leave it out");
  EXPECT_EQ(message_of("algorithm = \"all\"\nradix = 3\n"),
            "t.toml:7: no algorithm of the grid supports radix (bruck, knomial would); leave it "
            "out");
  EXPECT_EQ(message_of("algorithm = [\"ring\", \"local-ring\"]\ngroup = 4\n"), "");
}

TEST(Grid, leaves_out_what_is_excluded_and_what_is_there_already) {
  const auto rows = rows_of(R"([grid]
topology = ["ring:4", "RING:4", "ring: 4"]
collective = ["allgather", "all-gather"]
algorithm = ["ring", "bruck"]
radix = [2, 3]
size = ["1KiB", 1024, "2KiB"]
[[exclude]]
algorithm = "bruck"
size = "2KiB"
)");
  // The ring at two sizes, whatever the radix; Bruck at one size with two.
  EXPECT_EQ(rows.size(), 2u + 2);
}

// ring:12 is 2 * 6 and 3 * 4: leaving out the first keeps the second.
TEST(Grid, an_excluded_row_does_not_hide_its_double) {
  const auto rows = rows_of(R"([variables]
a = [2, 3]
b = [6, 4]
[grid]
topology = "ring:{a*b}"
collective = "allgather"
algorithm = "ring"
[[exclude]]
a = 2
[[exclude]]
b = 6
)");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(text(rows[0], "topology"), "ring:12");
  EXPECT_EQ(rows[0].variables.at("a"), Value(std::int64_t{3}));
}

// A ring of a billion nodes is refused, where a row needs it.
TEST(Grid, what_the_file_itself_leaves_out_is_not_built) {
  const std::string grid = R"([variables]
n = [4, 1000000000]
[grid]
topology = ["uniring:{n}", "ring:{n}"]
collective = "allgather"
algorithm = "ring"
)";
  EXPECT_THROW(rows_of(grid), InvalidInput);
  EXPECT_EQ(rows_of(grid + "[[exclude]]\nn = 1000000000\n").size(), 2u);
  const std::string both = "[[exclude]]\ntopology = \"uniring:{n}\"\nn = 1000000000\n";
  EXPECT_THROW(rows_of(grid + both), InvalidInput);
  EXPECT_EQ(
      rows_of(grid + both + "[[exclude]]\ntopology = \"ring:1000000000\"\nn = 1000000000\n").size(),
      2u);
}

TEST(Grid, several_links_stand_in_a_list_of_their_own) {
  const auto rows = rows_of(R"grid([grid]
topology = "hosts(2, ring:4)"
collective = "allgather"
algorithm = "ring"
link = ["100Gbps,1us", ["200Gbps,1us", "terminal=50Gbps,2us"]]
)grid");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(text(rows[0], "link"), "100Gbps,1us");
  EXPECT_EQ(text(rows[1], "link"), "200Gbps,1us;terminal=50Gbps,2us");
}

// A list of `count` different numbers.
std::string numbers(int count) {
  std::string list = "[";
  for (int i = 1; i <= count; ++i) list += std::to_string(i) + ',';
  return list + "]";
}

std::string message_of(const std::string& tables) {
  try {
    rows_of(tables);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

// The largest jump below n / 2 that is coprime to n, whatever n modulo 4 is.
TEST(Grid, reckons_with_integers_from_left_to_right) {
  std::vector<std::string> topologies;
  for (const auto& row : rows_of(R"([variables]
n = [950, 951, 952]
[grid]
topology = "circulant:{n},1,{n/2+n%2-1-n%4/2+n%4/3}"
collective = "allgather"
algorithm = "bruck"
)"))
    topologies.push_back(std::get<std::string>(row.parameters.at("topology")));
  EXPECT_EQ(topologies, (std::vector<std::string>{"circulant:950,1,473", "circulant:951,1,475",
                                                  "circulant:952,1,475"}));
}

TEST(Grid, refuses_what_has_no_value) {
  const auto message = [](const std::string& variables, const std::string& size) {
    return message_of("[variables]\n" + variables + "\n[grid]\ntopology = \"ring:4\"\nsize = \"" +
                      size + "\"\ncollective = \"allgather\"\nalgorithm = \"ring\"\n");
  };
  EXPECT_NE(message("a = \"-9223372036854775808\"\nb = \"-1\"", "{a/b}").find("64 bits"),
            std::string::npos);
  EXPECT_NE(message("a = 8\nb = 0", "{a/b}").find("the divisor"), std::string::npos);
  EXPECT_NE(message("my-n = 8", "{my-n}").find("has an arithmetic sign, which"), std::string::npos);
}

// 216^3 = 10,077,696 combinations; none is made.
TEST(Grid, refuses_more_than_ten_million_combinations) {
  EXPECT_EQ(
      message_of("[grid]\ntopology = \"ring:4\"\ncollective = \"allgather\"\n"
                 "algorithm = \"ring\"\nsize = " +
                 numbers(216) + "\nroot = " + numbers(216) + "\nseed = " + numbers(216) + "\n"),
      "t.toml:9: the grid has more than 10000000 combinations; split it into several files");
}

// 101^3 = 1,030,301 texts.
TEST(Grid, refuses_more_than_a_million_substitutions) {
  const std::string list = numbers(101);
  EXPECT_EQ(message_of("[variables]\na = " + list + "\nb = " + list + "\nc = " + list +
                       "\n[grid]\ntopology = \"ring:{a*b*c}\"\ncollective = \"allgather\"\n"
                       "algorithm = \"ring\"\n"),
            "t.toml:8: 'ring:{a*b*c}' has more than 1000000 substitutions; split it into several "
            "files");
}

TEST(Grid, a_grid_without_rows_is_an_error) {
  EXPECT_THROW(rows_of(R"([grid]
topology = "ring:4"
collective = "allgather"
algorithm = "ring"
[[exclude]]
algorithm = "ring"
)"),
               InvalidInput);
}

}  // namespace
}  // namespace weft::study
