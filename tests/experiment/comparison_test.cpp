// Comparisons go on without the algorithms whose exact price cannot be told.
#include "weft/experiment/comparison.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "weft/base/file.hpp"
#include "weft/topology/registry.hpp"

namespace weft::experiment {
namespace {

// A row of eleven nodes whose links have different primes as bandwidths: T_B of a chain, a fraction
// for each link, has their product as its denominator, about 10^90.
class Primes {
 public:
  Primes() : path_(fmt::format("{}/primes-{}.edges", ::testing::TempDir(), getpid())) {
    std::string text;
    int node = 0;
    for (const char* prime : {"999999937", "999999893", "999999883", "999999797", "999999761",
                              "999999757", "999999751", "999999739", "999999733", "999999677"}) {
      text += fmt::format("{} {} {}Bps 1us\n", node, node + 1, prime);
      ++node;
    }
    write_file(path_, text);
  }
  ~Primes() { std::remove(path_.c_str()); }

  Network network() const {
    const Fabric fabric(build_topology("file:" + path_));
    return {fabric,
            topology::place(fabric.topology(), {}),
            {},
            network::make_routing("shortest", fabric)};
  }

 private:
  std::string path_;
};

TEST(Comparison, drops_algorithms_whose_fractions_overflow) {
  const Network network = Primes().network();
  const CompareOptions options{.algorithms = {"chain", "binomial", "knomial"},
                               .sizes_B = {1024, 4096}};
  const Comparison comparison = compare(schedule::broadcast(11, Rank(0)), network, options);
  ASSERT_EQ(comparison.dropped.size(), 1U);
  EXPECT_EQ(comparison.dropped[0].algorithm, "chain");
  EXPECT_NE(comparison.dropped[0].reason, "");
  ASSERT_EQ(comparison.contenders.size(), 2U);
  EXPECT_EQ(comparison.contenders[0].algorithm, "binomial");
  EXPECT_EQ(comparison.contenders[1].algorithm, "knomial");
  ASSERT_EQ(comparison.rows.size(), 4U);
  for (const ComparisonRow& row : comparison.rows) EXPECT_GT(row.result.time_s, 0);
  EXPECT_EQ(comparison.winners().size(), 2U);
}

TEST(Comparison, overflows_when_nothing_is_left) {
  const Network network = Primes().network();
  EXPECT_THROW(compare(schedule::broadcast(11, Rank(0)), network,
                       {.algorithms = {"chain"}, .sizes_B = {1024}}),
               std::overflow_error);
}

}  // namespace
}  // namespace weft::experiment
