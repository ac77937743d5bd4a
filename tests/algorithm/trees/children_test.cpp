// Trees whose ranks serve all their children together, and the binomial tree of near ranks first.
#include "weft/algorithm/trees/children.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string_view>
#include <vector>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::algorithm {
namespace {

using schedule::Cost;
using test::on;

TEST(TreeChildren, together_are_sent_to_at_once) {
  // Of r^L ranks one of depth d has at most (r - 1)(L - d) children, and one has as many: the port
  // carries (r - 1)(L + (L - 1) + ... + 1) times the buffer.
  struct Case {
    const char* algorithm;
    std::int64_t radix;
  };
  for (const auto& [name, radix] :
       {Case{"knomial", 2}, Case{"knomial", 3}, Case{"knomial", 4}, Case{"binomial-nearest", 2}}) {
    AlgorithmOptions options{.values = {{"children", "together"}}};
    if (std::string_view(name) == "knomial") options.values["radix"] = radix;
    for (std::int32_t levels = 1; levels <= 3; ++levels) {
      std::int32_t n = 1;
      for (std::int32_t level = 0; level < levels; ++level) n *= static_cast<std::int32_t>(radix);
      for (const auto& collective : {schedule::broadcast(n, Rank(1)), schedule::reduce(n)}) {
        const Cost cost =
            schedule::cost(schedule::verify_own(build_schedule(name, collective, nullptr, options)),
                           on(fmt::format("xgft:1;{};1", n)));
        EXPECT_EQ(cost.steps, levels) << name << n;
        EXPECT_EQ(cost.messages, n - 1) << name << n;
        EXPECT_EQ(cost.bandwidth_factor, Rational((radix - 1) * levels * (levels + 1) / 2))
            << name << n;
      }
    }
  }
}

TEST(TreeChildren, nearest_binomial_tree_of_eight_ranks_is_open_mpis) {
  // As drawn above ompi_coll_base_topo_build_bmtree in coll_base_topo.c.
  const std::map<std::int32_t, std::vector<std::int32_t>> drawn{
      {0, {1, 2, 4}}, {1, {3, 5}}, {2, {6}}, {3, {7}}};
  const Schedule tree = build_schedule("binomial-nearest", schedule::broadcast(8));
  std::map<std::int32_t, std::vector<std::int32_t>> children;
  for (std::int64_t t = 0; t < tree.stored_steps(); ++t)
    for (const auto& message : tree.messages(t))
      children[message.from.value()].push_back(message.to.value());
  EXPECT_EQ(children, drawn);
}

}  // namespace
}  // namespace weft::algorithm
