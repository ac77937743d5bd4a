// Questions about all costs of hosts at once, by what each cost means.
#include "weft/network/host_costs.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weft::network {
namespace {

struct Case {
  const char* what;
  HostParameters host;
  bool sends_and_sums_only, in_a_row, for_messages;
};

// A processor or a port that is shared makes the order of sends matter: start-ups at either end, a
// limit of ports, and packing. Receiving and copying is what pays_for_sends_and_sums_only() rules
// out. A call pays its launch, its skew and the first touch of its buffers once, a message nothing.
TEST(HostCosts, answer_by_what_each_cost_is_paid_for) {
  constexpr std::int64_t kRate = 1'000'000'000;
  const std::vector<Case> cases{
      {"nothing", {}, true, false, false},
      {"start-up", {.startup_ps = 1}, true, true, true},
      {"start-up of a step", {.startup_ps = 1, .startup_per = StartupPer::step}, true, true, true},
      {"start-up at the receiver", {.startup_receive_ps = 1}, false, true, true},
      {"ports", {.ports = 1}, false, true, false},
      {"copies", {.copy_bandwidth_Bps = kRate}, false, true, true},
      {"large copies", {.large_copies = {4096, kRate}}, false, true, true},
      {"large copies at no cost", {.large_copies = {4096, 0}}, true, false, false},
      {"layout", {.layout = BlockLayout::combined}, true, false, false},
      {"sums", {.reduce_bandwidth_Bps = kRate}, true, false, true},
      {"large sums", {.large_reductions = {4096, kRate}}, true, false, true},
      {"first touch", {.first_touch = {4096, kRate}}, true, false, false},
      {"latency", {.latency_ps = 1}, true, false, true},
      {"rendezvous", {.rendezvous = {4096, 1}}, true, false, true},
      {"rendezvous at no cost", {.rendezvous = {4096, 0}}, true, false, false},
      {"eager copies", {.eager_copies = {4096, kRate}}, true, false, true},
      {"launch", {.launch_ps = 1}, true, false, false},
      {"skew", {.skew_ps = 1}, true, false, false},
      {"paths of its own", {.source_routed = true}, true, false, false}};
  for (const Case& each : cases) {
    EXPECT_EQ(pays_for_sends_and_sums_only(each.host), each.sends_and_sums_only) << each.what;
    EXPECT_EQ(may_send_in_a_row(each.host), each.in_a_row) << each.what;
    EXPECT_EQ(may_pay_for_messages(each.host), each.for_messages) << each.what;
  }
}

TEST(HostCosts, add_the_startups_of_both_ends) {
  EXPECT_EQ(startups_ps({}), 0);
  EXPECT_EQ(startups_ps({.startup_ps = 700, .startup_receive_ps = 300}), 1000);
}

TEST(HostCosts, list_the_sizes_at_which_a_message_pays_something_else) {
  constexpr std::int64_t kRate = 1'000'000'000;
  using Limits = std::vector<std::int64_t>;
  EXPECT_EQ(message_limits_B({}), Limits());
  EXPECT_EQ(message_limits_B({.startup_ps = 1, .rendezvous = {4096, 0}}), Limits());
  EXPECT_EQ(message_limits_B({.rendezvous = {4096, 1}, .eager_copies = {4096, kRate}}),
            Limits({4096}));
  EXPECT_EQ(message_limits_B({.exchanges = {8192, kRate}, .rendezvous = {4096, 1}}),
            Limits({4096, 8192}));
}

}  // namespace
}  // namespace weft::network
