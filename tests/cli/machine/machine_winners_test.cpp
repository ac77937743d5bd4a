// compare, plan and simulate name one time for a call on machines whose costs jump at sizes.
//
// These calls once had two answers: plan bounded its rivals by no time at all, and copies were
// those of another number of segments. Each command is the judge of the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process/answer.hpp"
#include "support/process/command_test.hpp"

namespace weft::test {
namespace {

using nlohmann::json;
using MachineWinners = CommandTest;

struct Call {
  std::string collective, on, size;
};

json fastest_of(const Call& call) {
  const json found = answer_of("compare " + call.collective + call.on + " --sizes " + call.size);
  return found["fastest"][0];
}

TEST_F(MachineWinners, plan_is_as_fast_as_compare_where_a_cable_is_dead) {
  const Call call{"reduce-scatter",
                  " -t without(cable=18,leaf-spine:leaves=4,spines=2,hosts=4) --machine roce-100",
                  "8MiB"};
  const json plan = answer_of("plan" + call.on + " --collectives reduce-scatter --sizes 8MiB -o " +
                              folder_.path("a.plan"));
  const double compared_s = fastest_of(call)["time"];
  ASSERT_EQ(plan["ranges"].size(), 1u);
  EXPECT_NEAR(plan["ranges"][0]["time"].get<double>(), compared_s, 1e-9 * compared_s);
}

// Forced numbers of segments judge the ones that simulate and compare choose.
TEST_F(MachineWinners, copies_are_those_of_the_segments_that_are_chosen) {
  for (const Call& call :
       {Call{"alltoall", " -t boxes(4,network:dgx-h100) --machine fugaku", "256KiB"},
        Call{"alltoallv", " -t boxes(3,network:p4de) --machine fugaku --counts normal:0.5",
             "256KiB"}}) {
    SCOPED_TRACE(call.collective + call.on);
    const std::string run =
        "simulate " + call.collective + call.on + " --size " + call.size + " -a hierarchical";
    double forced_s = std::numeric_limits<double>::infinity();
    for (const char* segments : {"1", "2", "4", "8"})
      forced_s =
          std::min(forced_s, answer_of(run + " --segments " + segments)["time"].get<double>());
    EXPECT_NEAR(answer_of(run)["time"].get<double>(), forced_s, 1e-9 * forced_s);
    const json alone = fastest_of({call.collective, call.on + " -a hierarchical", call.size});
    EXPECT_NEAR(alone["time"].get<double>(), forced_s, 1e-9 * forced_s);
  }
}

}  // namespace
}  // namespace weft::test
