// The lines of 1,024 nodes of tables 4 and 7: built, verified and costed.
#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/expansion.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

TEST(ExpansionSlow, allreduces_of_1024_nodes_cost_what_is_printed) {
  struct Line {
    const char* expression;
    std::int64_t steps;
    Rational factor;
  };
  for (const Line& line : {Line{"line^3(circulant:16,3,4)", 6, Rational(261, 256)},
                           Line{"line^2(power(2, diamond))", 8, Rational(257, 256)},
                           Line{"power(2, uniring:4 * uniring:8)", 20, Rational(1023, 1024)}}) {
    const Fabric fabric(build_topology(line.expression));
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          network::make_routing("shortest", fabric));
    const Schedule schedule = build_schedule("expand", schedule::allreduce(1024), &network);
    const auto cost = schedule::cost(schedule::verify_own(schedule, &fabric.topology()), network);
    EXPECT_EQ(cost.steps, 2 * line.steps) << line.expression;
    EXPECT_EQ(cost.bandwidth_factor, line.factor * 2) << line.expression;
  }
}

}  // namespace
}  // namespace weft::algorithm
