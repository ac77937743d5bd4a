// Calls in a row, receives posted in their step, eager messages and the loopback, against times
// worked out by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr std::int64_t kSizeB = 1'000'000;
constexpr double kMessage = 1e-3;  // of kSizeB over one link

Network line_of(int nodes, std::int64_t latency_ps = 0) {
  const Fabric fabric(make_topology("mesh:" + std::to_string(nodes)),
                      LinkSpeed{.bandwidth_Bps = 1'000'000'000, .latency_ps = latency_ps});
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

Program calls_of(const Network& network, const char* algorithm, CollectiveKind kind, int calls) {
  const Collective collective{.kind = kind, .ranks = network.ranks()};
  return repeat(
      lower(schedule::verify_own(algorithm::build_schedule(algorithm, collective, &network)),
            {.size_B = kSizeB}),
      calls);
}

// Rank 0 sends to 1, which sends on to 2: when each is done, in units of one message.
std::vector<double> chain(int calls, const SimulationOptions& options) {
  const Network line = line_of(3);
  const auto result =
      simulate(calls_of(line, "chain", CollectiveKind::broadcast, calls), line, options);
  std::vector<double> times;
  for (const double time_s : result.agent_times_s) times.push_back(time_s / kMessage);
  EXPECT_NEAR(result.time_s / kMessage, times.back(), 1e-9);
  EXPECT_EQ(result.messages, 2 * calls);
  return times;
}

void expect_near(const std::vector<double>& times, const std::vector<double>& expected) {
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-9) << i;
}

// Without a barrier call c is on the first link from c - 1 to c, on the second from c to c + 1.
TEST(Calls, follow_each_other_without_a_barrier) {
  expect_near(chain(1, {}), {1, 2, 2});
  expect_near(chain(5, {}), {5, 6, 6});
  expect_near(chain(5, {.sync = Sync::lockstep}), {9, 10, 10});
  expect_near(chain(5, {.model = Model::alpha_beta}), {9, 10, 10});
}

// Rank 1 asks for the next message once it has passed on the last one.
TEST(Calls, wait_for_receivers_that_post_in_their_step) {
  expect_near(chain(5, {.call = {.receives = Receives::in_step}}), {9, 10, 10});
}

// Two ranks on each of two hosts, a message of one between hosts, none within: three calls with a
// barrier take three, and rank 1 is done when it has sent. What takes no time within a host ends a
// step in the instant that it begins.
TEST(Calls, pass_messages_within_a_host_in_no_time) {
  const Fabric fabric(make_topology("mesh:2"),
                      LinkSpeed{.bandwidth_Bps = 1'000'000'000, .latency_ps = 0});
  const Placement placement{{NodeId(0), NodeId(0), NodeId(1), NodeId(1)}};
  const Network line(fabric, placement, {}, make_routing("shortest", fabric));
  const SimulationOptions in_step{.call = {.receives = Receives::in_step}};
  const auto times = [&](int calls, const SimulationOptions& options) {
    std::vector<double> result;
    for (const double time_s :
         simulate(calls_of(line, "chain", CollectiveKind::broadcast, calls), line, options)
             .agent_times_s)
      result.push_back(time_s / kMessage);
    return result;
  };
  expect_near(times(1, in_step), {0, 1, 1, 1});
  expect_near(times(3, {.sync = Sync::lockstep, .call = {.receives = Receives::in_step}}),
              {2, 3, 3, 3});
  expect_near(times(3, in_step), {2, 3, 3, 3});
}

// A host with a port lets go of a thousand messages in an instant, one after the other.
TEST(Calls, let_go_of_any_number_of_messages_at_once) {
  constexpr int kRanks = 40'000;
  const Fabric fabric(make_topology(fmt::format("xgft:1;{};1", kRanks)),
                      LinkSpeed{.bandwidth_Bps = 1'000'000'000, .latency_ps = 0});
  const Network star(fabric, topology::place(fabric.topology(), {}), {.ports = 1},
                     make_routing("auto", fabric));
  const Collective collective{.kind = CollectiveKind::broadcast, .ranks = kRanks};
  const Program program =
      lower(schedule::verify_own(algorithm::build_schedule(
                "knomial", collective, &star, {.values = {{"radix", std::int64_t{kRanks}}}})),
            {.size_B = 1'000});
  const auto result = simulate(program, star, {.call = {.eager_B = 1'001}});
  EXPECT_DOUBLE_EQ(result.agent_times_s.front(), 0);
  EXPECT_NEAR(result.time_s, 1e-6 * (kRanks - 1), 1e-9 * kRanks);
}

// Eager, rank 0 is through at once and rank 1 when the last message has come. Early, all five are
// on the first link together, then on the second; in their step rank 1 asks for the next as soon
// as it has one.
TEST(Calls, let_eager_messages_go) {
  expect_near(chain(5, {.call = {.eager_B = kSizeB + 1}}), {0, 5, 10});
  expect_near(chain(5, {.call = {.receives = Receives::in_step, .eager_B = kSizeB + 1}}),
              {0, 5, 6});
  expect_near(chain(5, {.call = {.receives = Receives::in_step, .eager_B = kSizeB}}), {9, 10, 10});
}

TEST(Calls, count_the_bytes_of_all_for_bandwidths) {
  const Network line = line_of(3);
  const Program program = calls_of(line, "chain", CollectiveKind::broadcast, 4);
  EXPECT_EQ(program.calls(), 4);
  EXPECT_EQ(program.steps(), 8);
  EXPECT_EQ(program.message_count(), 8);
  EXPECT_DOUBLE_EQ(program.payload_B(), 8.0 * kSizeB);
  const auto result = simulate(program, line, {.link_statistics = true});
  EXPECT_NEAR(result.algorithm_bandwidth_Bps, 4 * kSizeB / (5 * kMessage), 1);
  for (const double bytes : result.link_bytes) EXPECT_TRUE(bytes == 0 || bytes == 4.0 * kSizeB);
}

// Segments of one call do not overlap those of the next more than a rank's own part allows: in
// each call the last rank but one passes on four quarters, the first of them a step late.
TEST(Calls, of_pipelines) {
  const Network line = line_of(3);
  const Verified verified = schedule::verify_own(
      algorithm::build_schedule("chain", {.kind = CollectiveKind::broadcast, .ranks = 3}, &line,
                                {.values = {{"segments", std::int64_t{4}}}}));
  const auto time = [&](int calls) {
    const Program program = repeat(lower(verified, {.size_B = kSizeB}), calls);
    return simulate(program, line).time_s / kMessage;
  };
  EXPECT_NEAR(time(1), 5. / 4, 1e-9);
  EXPECT_NEAR(time(3), 13. / 4, 1e-9);
}

// Ranks 0 and 1 on one host, 2 and 3 on another: a neighbour is 15 us and 1 MB / 498 MB/s away.
TEST(Calls, go_over_the_loopback_within_a_host) {
  const Fabric fabric(make_topology("mesh:2"),
                      LinkSpeed{.bandwidth_Bps = 1'000'000'000, .latency_ps = 0});
  const std::vector<NodeId> nodes{NodeId(0), NodeId(0), NodeId(1), NodeId(1)};
  const Network network(fabric, {nodes}, {}, make_routing("shortest", fabric));
  const Program program = calls_of(network, "chain", CollectiveKind::broadcast, 1);
  const LinkSpeed loopback{.bandwidth_Bps = 498'000'000, .latency_ps = 15'000'000};
  const auto factors = std::make_shared<SizeFactors>();
  factors->all = {{1000, 3, 0.5}};
  const auto of_links = std::make_shared<SizeFactors>(*factors);
  of_links->by_class[std::string(kLoopbackClass)] = {{0, 1, 1}};
  for (const Model model : {Model::fluid, Model::alpha_beta}) {
    EXPECT_NEAR(simulate(program, network, {.model = model}).time_s, kMessage, 1e-12);
    EXPECT_NEAR(simulate(program, network, {.model = model, .call = {.loopback = loopback}}).time_s,
                kMessage + 2 * (15e-6 + 1e6 / 498e6), 1e-12);
    EXPECT_NEAR(simulate(program, network,
                         {.model = model, .factors = factors, .call = {.loopback = loopback}})
                    .time_s,
                2 * kMessage + 2 * (45e-6 + 2e6 / 498e6), 1e-12);
    EXPECT_NEAR(simulate(program, network,
                         {.model = model, .factors = of_links, .call = {.loopback = loopback}})
                    .time_s,
                2 * kMessage + 2 * (15e-6 + 1e6 / 498e6), 1e-12);
  }
}

// 1,000 bytes more over a link, which make the message long enough for the factor of 1,001,000 B;
// eager is what is short without them.
TEST(Calls, carry_headers) {
  const Network line = line_of(3);
  const auto factors = std::make_shared<SizeFactors>();
  factors->all = {{kSizeB + 1000, 1, 0.5}};
  for (const Model model : {Model::fluid, Model::alpha_beta})
    EXPECT_NEAR(simulate(calls_of(line, "chain", CollectiveKind::broadcast, 1), line,
                         {.model = model, .factors = factors, .call = {.header_B = 1000}})
                    .time_s,
                2 * 2 * 1.001 * kMessage, 1e-12);
  expect_near(
      chain(5, {.call = {.receives = Receives::in_step, .eager_B = kSizeB + 1, .header_B = 1000}}),
      {0, 5 * 1.001, 6 * 1.001});
}

// A member without a line there would be refused under a model that could cover it, and would have
// no rule of its own.
TEST(Calls, have_a_line_for_each_option) {
  CallOptions all{
      .receives = Receives::in_step, .eager_B = 1, .header_B = 1, .loopback = LinkSpeed{}};
  const auto& [receives, eager_B, header_B, loopback] = all;  // all members
  EXPECT_EQ(kCallOptions.size(), 4);
  for (const CallOption& option : kCallOptions) {
    const CallOptions before = all;
    option.turn_off(all);
    EXPECT_FALSE(all == before) << option.name;
  }
  EXPECT_EQ(all, CallOptions());
  EXPECT_TRUE(receives == Receives::early && eager_B == 0 && header_B == 0 && !loopback);
}

TEST(Calls, are_refused_where_nothing_says_when_they_end) {
  const Network line = line_of(3);
  const Program one = calls_of(line, "chain", CollectiveKind::broadcast, 1);
  const Program two = repeat(one, 2);
  const auto refused = [&](const Program& program, const SimulationOptions& options) {
    EXPECT_THROW(simulate(program, line, options), InvalidInput);
  };
  refused(two, {.sync = Sync::dataflow});
  refused(one, {.sync = Sync::dataflow, .call = {.receives = Receives::in_step}});
  refused(write_out(one), {.call = {.eager_B = 1}});
  refused(one, {.release = Release::acknowledged, .call = {.eager_B = 1}});
  for (const Model model : {Model::packet, Model::flit}) {
    refused(one, {.model = model, .call = {.receives = Receives::in_step}});
    refused(one, {.model = model, .call = {.eager_B = 1}});
    refused(one, {.model = model, .call = {.header_B = 1}});
    refused(one, {.model = model, .call = {.loopback = LinkSpeed{}}});
  }
  EXPECT_THROW(repeat(write_out(one), 2), InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
