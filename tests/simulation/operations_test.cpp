// Programs that are written out: times from formulas, and those of the programs they were made of.
#include <gtest/gtest.h>

#include <array>

#include "support/every_schedule.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/rings/ring.hpp"
#include "weft/base/error.hpp"
#include "weft/program/combine.hpp"
#include "weft/program/operations.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

using program::Agent;
using program::ByteRange;
using program::OperationKind;
using program::Stream;

constexpr double kBandwidth = 1e9, kLatency = 1e-6, kStartup = 2e-6;
constexpr std::int64_t kBytes = 4096;
constexpr double kWork = 5e-6;

Network network(const char* topology, HostParameters host = {.startup_ps = 2'000'000}) {
  const Fabric fabric(make_topology(topology),
                      {.bandwidth_Bps = 1'000'000'000, .latency_ps = 1'000'000});
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing("shortest", fabric)};
}

// One packet, so that the packet model takes the formula's time too.
SimulationOptions by(Model model) {
  return {.model = model, .packet = {.packet_B = kBytes, .flit_B = kBytes}};
}
constexpr std::array kModels = {Model::alpha_beta, Model::fluid, Model::packet};

// Rank 0 computes, then sends; what came is worked on by rank 1.
Program compute_then_send() {
  ProgramBuilder builder(2, {.name = "test"});
  const auto work = builder.add(
      Agent(0), {.kind = OperationKind::compute, .stream = Stream::compute, .seconds = kWork});
  builder.add(Agent(0),
              {.kind = OperationKind::send, .peer = Agent(1), .bytes = kBytes, .waits = {work}});
  const auto came =
      builder.add(Agent(1), {.kind = OperationKind::receive, .peer = Agent(0), .bytes = kBytes});
  builder.add(Agent(1), {.kind = OperationKind::compute, .seconds = 2 * kWork, .waits = {came}});
  return std::move(builder).build();
}

// t + alpha + L + n / B, then the receiver's work.
TEST(Operations, computes_then_sends_in_every_model) {
  for (const Model model : kModels) {
    const SimulationResult result = simulate(compute_then_send(), network("complete:2"), by(model));
    const double expected = kWork + kStartup + kLatency + kBytes / kBandwidth + 2 * kWork;
    EXPECT_NEAR(result.time_s, expected, 2e-12) << name_of(model);
    EXPECT_NEAR(result.agent_times_s[1], expected, 2e-12) << name_of(model);
    EXPECT_EQ(result.messages, 1);
    EXPECT_EQ(result.bus_bandwidth_Bps, 0);  // nobody says which collective it is
  }
}

// New buffers are those of a collective: an allreduce of two ranks, one message of size n each way,
// touches a buffer of n bytes at 1 GB/s. A program of no collective has no such buffers.
TEST(Operations, touch_no_new_buffers_without_a_collective) {
  const HostParameters host{.startup_ps = 2'000'000, .first_touch = {0, 1'000'000'000}};
  const double message = kStartup + kLatency + kBytes / kBandwidth;
  const Program allreduce = lower(
      schedule::verify_own(algorithm::build_schedule(
          "recursive-doubling", {.kind = CollectiveKind::allreduce, .ranks = 2}, nullptr, {})),
      {.size_B = kBytes});
  for (const Model model : kModels) {
    const Network two = network("complete:2", host);
    EXPECT_NEAR(simulate(compute_then_send(), two, by(model)).time_s, message + 3 * kWork, 2e-12)
        << name_of(model);
    EXPECT_NEAR(simulate(allreduce, two, by(model)).time_s, message + kBytes / 1e9, 2e-12)
        << name_of(model);
  }
}

// A rank works while its message is under way, and its streams side by side.
TEST(Operations, overlaps_work_with_messages_and_streams_with_each_other) {
  ProgramBuilder builder(2);
  for (const Stream stream : {Stream::compute, Stream::communication})
    for (int i = 0; i < 2; ++i)
      builder.add(Agent(0), {.kind = OperationKind::compute, .stream = stream, .seconds = kWork});
  builder.add(Agent(0), {.kind = OperationKind::send, .peer = Agent(1), .bytes = 100 * kBytes});
  builder.add(Agent(1), {.kind = OperationKind::receive, .peer = Agent(0), .bytes = 100 * kBytes});
  const Program program = std::move(builder).build();
  const double message = kLatency + 100 * kBytes / kBandwidth;
  const auto result = simulate(program, network("complete:2", {}));
  EXPECT_NEAR(result.time_s, message, 1e-12);
  // With work of one stream after the other 4 * kWork, side by side half of it.
  ProgramBuilder alone(1);
  for (const Stream stream : {Stream::compute, Stream::communication})
    for (int i = 0; i < 2; ++i)
      alone.add(Agent(0), {.kind = OperationKind::compute, .stream = stream, .seconds = kWork});
  EXPECT_NEAR(simulate(std::move(alone).build(), network("complete:2")).time_s, 2 * kWork, 1e-15);
}

// Copies and reductions of their own take the host's bandwidths.
TEST(Operations, copies_and_reduces_at_the_hosts_bandwidth) {
  ProgramBuilder builder(1, {.buffers = {"data", "other"}});
  const ByteRange here{0, 0, 1000}, there{1, 0, 1000};
  const auto copy =
      builder.add(Agent(0), {.kind = OperationKind::copy, .reads = {here}, .writes = {there}});
  builder.add(Agent(0),
              {.kind = OperationKind::reduce, .reads = {there}, .writes = {here}, .waits = {copy}});
  const Program program = std::move(builder).build();
  const HostParameters host{.copy_bandwidth_Bps = 1'000'000'000,
                            .reduce_bandwidth_Bps = 500'000'000};
  for (const Model model : kModels)
    EXPECT_NEAR(simulate(program, network("complete:2", host), by(model)).time_s, 3e-6, 1e-12);
}

// What waits for nothing but its data takes the time that the dataflow reading gives its schedule.
TEST(Operations, take_the_time_of_the_schedule_that_they_were_made_of) {
  for (const std::int32_t ranks : {2, 3, 5, 8})
    for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
      for (const test::NamedSchedule& named : test::schedules_of(algorithm, ranks)) {
        if (named.schedule.route_count() > 0 || named.schedule.helpers() > 0) continue;
        const Program generated =
            lower(schedule::verify_own(named.schedule), {.size_B = std::int64_t{1000} * ranks});
        const Program written = write_out(generated);
        const HostParameters host{.startup_ps = 500'000, .reduce_bandwidth_Bps = 2'000'000'000};
        const Network star = network(("xgft:1;" + std::to_string(ranks) + ";1").c_str(), host);
        const SimulationResult one = simulate(generated, star, {.sync = Sync::dataflow});
        const SimulationResult other = simulate(written, star);
        // A copy, free here, is an event of its own: what is ready at one time is sent in another
        // order, which a rank that starts one message after the other takes time for.
        const auto work = written.operations()->work();
        if (work.empty()) {
          EXPECT_NEAR(other.time_s, one.time_s, 1e-9 * one.time_s) << named.label;
        }
        EXPECT_EQ(other.messages, one.messages) << named.label;
        const SimulationResult formula = simulate(generated, star, {.model = Model::alpha_beta});
        EXPECT_NEAR(simulate(written, star, {.model = Model::alpha_beta}).time_s, formula.time_s,
                    1e-12 * formula.time_s)
            << named.label;
      }
}

// One after the other takes as long as both, where all ranks end together.
TEST(Operations, then_adds_times) {
  const auto ring = lower(schedule::verify_own(algorithm::ring_allgather(8)), {.size_B = kBytes});
  const std::array twice{ring, ring};
  const double alone = 7 * (kStartup + kLatency + kBytes / kBandwidth);
  for (const Model model : kModels)
    EXPECT_NEAR(simulate(program::then(twice), network("ring:8"), by(model)).time_s, 2 * alone,
                1e-9 * alone)
        << name_of(model);
}

// Side by side both share each link: bytes take twice the time, the latency does not.
TEST(Operations, overlay_shares_links) {
  const auto ring = lower(schedule::verify_own(algorithm::ring_allgather(8)), {.size_B = kBytes});
  const std::array both{ring, ring};
  const double shared = 7 * (kLatency + 2 * kBytes / kBandwidth);
  for (const Model model : {Model::alpha_beta, Model::fluid})
    EXPECT_NEAR(simulate(program::overlay(both), network("ring:8", {}), by(model)).time_s, shared,
                1e-9 * shared)
        << name_of(model);
}

// Rank 0 of the first job sends to rank 1 over the link that the second job uses too.
Program one_message(std::int64_t bytes) {
  return lower(
      schedule::verify_own([] {
        ScheduleBuilder builder(schedule::point_to_point(2, schedule::Rank(0), schedule::Rank(1)));
        builder.at(0).send(schedule::Rank(0), schedule::Rank(1), builder.everything());
        return std::move(builder).build();
      }()),
      {.size_B = bytes});
}

TEST(Together, shares_a_link_while_both_send) {
  // Two messages of n bytes over one link, the second one s later: the first has sent s B bytes
  // alone; both then get half, until it is done after 2 (n - s B) / B more, and the second sends
  // what it has left, s B, alone. The first takes s + 2 (n / B - s), the second 2 n / B - s - 0.
  const Network pair = network("complete:2", {});
  const Program message = one_message(1'000'000);
  const double whole = 1'000'000 / kBandwidth, later = whole / 4;
  const std::array jobs{Job{message, pair}, Job{message, pair, later}};
  const auto results = simulate_together(jobs, {.link_statistics = true});
  EXPECT_NEAR(results[0].time_s, kLatency + later + 2 * (whole - later), 1e-12);
  EXPECT_NEAR(results[1].time_s, kLatency + 2 * whole - later, 1e-12);
  EXPECT_NEAR(results[0].run_s, kLatency + 2 * whole, 1e-12);
  EXPECT_EQ(results[0].run_s, results[1].run_s);
  EXPECT_NEAR(results[1].link_bytes[pair.topology().out_links(NodeId(0))[0].index()], 2'000'000,
              1e-3);
}

TEST(Together, takes_the_time_alone_where_jobs_do_not_overlap) {
  const Network pair = network("complete:2");
  const Program message = one_message(kBytes);
  const double alone = kStartup + kLatency + kBytes / kBandwidth;
  const std::array jobs{Job{message, pair}, Job{message, pair, 1e-3}};
  for (const Model model : kModels)
    for (const Sync sync : {Sync::lockstep, Sync::per_rank, Sync::dataflow}) {
      SimulationOptions options = by(model);
      options.sync = sync;
      const auto results = simulate_together(jobs, options);
      for (const SimulationResult& result : results)
        EXPECT_NEAR(result.time_s, alone, 2e-12) << name_of(model);
      EXPECT_NEAR(results[0].run_s, 1e-3 + alone, 2e-12);
    }
}

TEST(Together, counts_what_a_call_takes_before_its_messages) {
  // A launch of 3 us and a skew of 1 us per log2 of two ranks.
  const HostParameters host{.startup_ps = 2'000'000, .launch_ps = 3'000'000, .skew_ps = 1'000'000};
  const Network pair = network("complete:2", host);
  const Program message = one_message(kBytes);
  const double alone = 4e-6 + kStartup + kLatency + kBytes / kBandwidth;
  const std::array jobs{Job{message, pair}, Job{message, pair, 1e-3}};
  for (const Model model : kModels) {
    const auto results = simulate_together(jobs, by(model));
    EXPECT_NEAR(simulate(message, pair, by(model)).time_s, alone, 2e-12) << name_of(model);
    for (const SimulationResult& result : results)
      EXPECT_NEAR(result.time_s, alone, 2e-12) << name_of(model);
    EXPECT_NEAR(results[0].run_s, 1e-3 + alone, 2e-12) << name_of(model);
  }
}

TEST(Together, knows_no_other_traffic_in_the_formulas) {
  const Network pair = network("complete:2");
  const Program message = one_message(kBytes);
  const std::array jobs{Job{message, pair}, Job{message, pair}};
  const auto results = simulate_together(jobs, {.model = Model::alpha_beta});
  EXPECT_NEAR(results[1].time_s, kStartup + kLatency + kBytes / kBandwidth, 1e-15);
  const std::array early{Job{message, pair, -1}};
  EXPECT_THROW(simulate_together(early, {}), InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
