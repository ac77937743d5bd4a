// Rows that search a rank order: what counts for them, and what they give.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::rows {
namespace {

std::vector<Row> rows(const std::string& kind, const std::string& grid) {
  return study::expand(study::parse_experiment(
      "[experiment]\ntitle = \"t\"\nkind = \"" + kind +
          "\"\n[grid]\ncollective = \"broadcast\"\nalgorithm = \"binomial\"\n" + grid,
      "t.toml"));
}

double number(const Values& values, const std::string& name) {
  return fields::to_number(values.at(name)).value();
}

const std::string kNetwork = "topology = \"hosts(1, random-regular:32,4,seed=1)\"\n";

TEST(OrderRow, without_search_is_the_simulation_in_linear_order) {
  const auto row = rows("order", kNetwork + "search = \"none\"\nsize = \"64KiB\"\n").at(0);
  const auto simulated = rows("simulate", kNetwork + "size = \"64KiB\"\n").at(0);
  const Values found = measure(row);
  EXPECT_EQ(number(found, "time"), number(measure(simulated), "time"));
  EXPECT_EQ(number(found, "time_gain"), 0);
  for (const char* name : {"attempts", "moves", "objective", "restarts", "seed"})
    EXPECT_FALSE(row.parameters.contains(name)) << name;
}

// Of all calls in a row, with an MPI's messages; hops and the makespan are those of one.
TEST(OrderRow, times_calls_as_a_simulation_does) {
  const std::string mpi =
      "size = \"64KiB\"\ncalls = 5\nreceives = \"in-step\"\neager = \"64KiB\"\nheader = \"16B\"\n"
      "factors = \"smpi-3.12\"\nsharing = \"smpi\"\n";
  const Values found = measure(rows("order", kNetwork + mpi + "search = \"none\"\n").at(0));
  const Values one =
      measure(rows("order", kNetwork + "size = \"64KiB\"\nsearch = \"none\"\n").at(0));
  EXPECT_EQ(number(found, "time"), number(measure(rows("simulate", kNetwork + mpi).at(0)), "time"));
  EXPECT_GT(number(found, "time"), number(one, "time"));
  EXPECT_EQ(number(found, "hops"), number(one, "hops"));
  EXPECT_EQ(number(found, "makespan"), number(one, "makespan"));
}

// 64 KiB over 498 MB/s, 15 us late: what two cores of a host take where a link takes 5 us.
TEST(OrderRow, takes_a_loopback_between_cores) {
  const std::string two = "topology = \"hosts(1, complete:2)\"\ncores = 2\nsize = \"64KiB\"\n";
  const auto time = [&](const std::string& more) {
    return number(measure(rows("order", two + more + "search = \"none\"\nranks = 2\n").at(0)),
                  "time");
  };
  EXPECT_NEAR(time("loopback = \"498MBps,15us\"\n"), 15e-6 + 65536 / 498e6, 1e-12);
}

TEST(OrderRow, tells_what_the_search_saves) {
  const Values found = measure(
      rows("order", kNetwork + "objective = \"time\"\nattempts = 200\nswitch-delay = \"100ns\"\n")
          .at(0));
  EXPECT_GT(number(found, "time_gain"), 0);
  EXPECT_NEAR(number(found, "time"), number(found, "start_time") * (1 - number(found, "time_gain")),
              1e-12);
  EXPECT_EQ(number(found, "attempts_made"), 200);
  EXPECT_GE(number(found, "hops"), number(found, "hops_bound"));
}

// Defaults written out are the same row; another seed is another search.
TEST(OrderRow, key_holds_what_counts) {
  const auto key = [](const std::string& more) { return rows("order", kNetwork + more).at(0).key; };
  const std::string plain = key("");
  EXPECT_EQ(plain, key("cores = 1\nattempts = 1000\nranks = 32\nmoves = \"reversal\"\n"));
  EXPECT_EQ(plain, key("calls = 1\nreceives = \"early\"\nloopback = \"copies\"\n"));
  EXPECT_NE(plain, key("calls = 2\n"));
  EXPECT_NE(plain, key("seed = 2\n"));
  EXPECT_NE(plain, key("cores = 2\n"));
  EXPECT_NE(plain, key("objective = \"time\"\n"));
  EXPECT_EQ(key("search = \"none\"\n"), key("search = \"none\"\nseed = 2\n"));
  EXPECT_EQ(key("search = \"anneal\"\n"), key("search = \"anneal\"\nmoves = \"swap\"\n"));
  // As many attempts as weft order --help says.
  for (const auto& [objective, attempts] :
       {std::pair("hops", 10'000'000), std::pair("makespan", 100'000), std::pair("time", 10'000)}) {
    const std::string line = fmt::format("search = \"anneal\"\nobjective = \"{}\"\n", objective);
    EXPECT_EQ(key(line), key(fmt::format("{}attempts = {}\n", line, attempts))) << objective;
  }
}

TEST(OrderRow, refuses_more_ranks_than_places) {
  EXPECT_THROW(measure(rows("order", kNetwork + "ranks = 33\n").at(0)), InvalidInput);
  EXPECT_THROW(rows("order", kNetwork + "placement = \"linear\"\n"), InvalidInput);
  EXPECT_THROW(rows("order", kNetwork + "search = \"three-opt\"\n"), InvalidInput);
}

}  // namespace
}  // namespace weft::rows
