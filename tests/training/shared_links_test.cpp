// What stages of a pipeline send at once shares the links: no step is shorter than its own bytes
// take over all links of the network.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "weft/training/training.hpp"

namespace weft::training {
namespace {

using workload::DataParallel;
using workload::Parallelism;

constexpr std::int32_t kNumber_B = 4;

Network linked(std::string_view topology) {
  LinkOptions links;
  topology::parse_link_option("1GBps,1us", links);
  const Fabric fabric(build_topology(topology), links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("auto", fabric)};
}

workload::TrainingModel model_of(const std::vector<std::int64_t>& parameters) {
  workload::TrainingModel model;
  model.name = "stack";
  for (const std::int64_t each : parameters)
    model.layers.push_back({.name = "layer." + std::to_string(model.layers.size()),
                            .kind = workload::LayerKind::feed_forward,
                            .parameters = each,
                            .operations = 1,
                            .activations = 500'000});
  return model;
}

// Layers that take next to no time, so that links decide.
Training trained(const workload::TrainingModel& model, const Network& network,
                 const TrainingQuestion& asked) {
  return train(model,
               {.layers = std::vector<workload::LayerTime>(model.layers.size(), {1e-7, 2e-7}),
                .whole_layers = false},
               network, asked);
}

TrainingQuestion asked_for(const Parallelism& parallel, std::int32_t micro_batches) {
  TrainingQuestion asked{
      .step = {.parallel = parallel, .samples = 4, .micro_batches = micro_batches}};
  if (parallel.replicas != DataParallel::sharded) asked.buckets_B = {20'000'000};
  return asked;
}

std::map<std::string, double> bytes_per_second(const Network& network) {
  const Topology& topology = network.topology();
  std::map<std::string, double> of_classes;
  for (const LinkId link : topology.links())
    of_classes[topology.class_names()[topology.link_class(link)]] +=
        static_cast<double>(network.fabric().bandwidth_Bps(link));
  return of_classes;
}

// To sum a byte of d replicas d - 1 messages have to bring it together and as many to spread it; a
// link each at least. Sharded parameters are gathered twice and scattered once, d - 1 times each.
double least_bytes(const workload::TrainingModel& model, const Parallelism& parallel) {
  const int rounds = parallel.replicas == DataParallel::sharded ? 3 : 2;
  return rounds * (parallel.data - 1.0) * kNumber_B * static_cast<double>(model.parameters());
}

TEST(SharedLinks, take_no_less_time_than_their_bytes) {
  workload::TrainingModel tied =
      model_of({9'000'000, 2'000'000, 2'000'000, 2'000'100, 3'000'000, 2'000'000, 1'000'000, 0});
  tied.layers.back().tied = 0;
  const workload::TrainingModel models[] = {model_of({1'000'000, 1'000'001, 1'000'000, 1'000'000,
                                                      1'000'000, 1'000'000, 1'000'000, 1'000'000}),
                                            tied};
  const Parallelism ways[] = {
      {.data = 8},
      {.pipeline = 2, .data = 4},
      {.pipeline = 4, .data = 2},
      {.pipeline = 8},
      {.tensor = 2, .pipeline = 2, .data = 2},
      {.replicas = DataParallel::sharded, .pipeline = 2, .data = 4},
  };
  for (const char* topology : {"ring:8", "torus:2x4", "complete:8", "hosts(2, ring:4)",
                               "leaf-spine:leaves=4,spines=2,hosts=2"}) {
    const Network network = linked(topology);
    const auto capacities_Bps = bytes_per_second(network);
    for (const auto& model : models)
      for (const Parallelism& parallel : ways) {
        SCOPED_TRACE(std::string(topology) + " " + text_of(parallel));
        const Training training = trained(model, network, asked_for(parallel, 8));
        ASSERT_TRUE(training.class_bytes.has_value());
        double bytes = 0, capacity_Bps = 0;
        for (const auto& [name, of_class] : *training.class_bytes) {
          EXPECT_LE(of_class / capacities_Bps.at(name), training.time_s * (1 + 1e-9)) << name;
          bytes += of_class;
        }
        EXPECT_GE(bytes, least_bytes(model, parallel) * (1 - 1e-6));
        for (const auto& [name, of_class] : capacities_Bps) capacity_Bps += of_class;
        EXPECT_LE(bytes / capacity_Bps, training.time_s * (1 + 1e-9));
      }
  }
}

// Two stages with a row of the torus each: a bucket of 100 numbers more, which one stage alone has,
// does not find the other's links free.
TEST(SharedLinks, are_no_freer_for_stages_that_differ_a_little) {
  const Network torus = linked("torus:2x4");
  const auto time_s = [&](std::int64_t second) {
    return trained(model_of({10'000'000, second}), torus, asked_for({.pipeline = 2, .data = 4}, 2))
        .time_s;
  };
  const double equal_s = time_s(10'000'000);
  // A ring in a row, both ways: 2 (3/4) M / (2 B).
  EXPECT_GE(equal_s, 0.75 * 40e6 / 1e9);
  EXPECT_NEAR(time_s(10'000'100), equal_s, 1e-4 * equal_s);
  EXPECT_NEAR(time_s(9'999'900), equal_s, 1e-4 * equal_s);
}

std::vector<std::string> message_schedules(const Network& network, const TrainingQuestion& asked) {
  std::vector<std::string> schedules;
  for (const TrainingCall& call : trained(model_of({1000, 1000, 1000, 1000}), network, asked).calls)
    if (call.call.kind == CollectiveKind::point_to_point) schedules.push_back(call.schedule);
  return schedules;
}

// Half of a message round the ring would go over the other stages' links.
TEST(SharedLinks, of_messages_are_those_of_all_neighbours) {
  const Network ring = linked("ring:4");
  TrainingQuestion asked = asked_for({.pipeline = 4}, 4);
  for (const std::string& schedule : message_schedules(ring, asked)) EXPECT_EQ(schedule, "direct");
  asked.isolated = true;
  for (const std::string& schedule : message_schedules(ring, asked))
    EXPECT_EQ(schedule, "multipath");
  asked.algorithms = {"direct"};
  for (const std::string& schedule : message_schedules(ring, asked)) EXPECT_EQ(schedule, "direct");
}

// Both directions of the one cable share 1 GB/s, and the messages of two micro-batches never meet:
// the second stage is idle for a forward and a message, and the first, once it has sent the second
// micro-batch, waits for both ways of the other's, by hand 3 f + 2 m + 3 b.
TEST(SharedLinks, are_free_of_messages_that_are_not_under_way) {
  const Network cable = linked("mesh:2");
  TrainingQuestion asked = asked_for({.pipeline = 2}, 2);
  asked.simulation.cables = simulation::Cables::shared;
  const auto model = model_of({1, 1});
  // Of all micro-batches: 20 ms forward, 40 ms backward.
  const workload::LayerTimes times{.layers = {{20e-3, 40e-3}, {20e-3, 40e-3}},
                                   .whole_layers = false};
  const Training training = train(model, times, cable, asked);
  ASSERT_EQ(training.calls.size(), 2);
  const double message_s =
      static_cast<double>(training.calls[0].call.size_B) / 1e9 + 1e-6;  // and a latency
  EXPECT_NEAR(training.time_s, 3 * 10e-3 + 2 * message_s + 3 * 20e-3, 1e-11);
  for (const TrainingCall& call : training.calls) EXPECT_NEAR(call.time_s, message_s, 1e-11);
}

// Four hosts on one switch, a stage each: the two in the middle send both ways over one port, so
// that 2 MB a message take up to twice 2 ms, by how many of them meet.
TEST(SharedLinks, of_a_port_serve_both_directions) {
  const Network star = linked("leaf-spine:leaves=1,spines=1,hosts=4");
  const Training training =
      trained(model_of({1000, 1000, 1000, 1000}), star, asked_for({.pipeline = 4}, 4));
  double slowest_s = 0;
  for (const TrainingCall& call : training.calls) {
    EXPECT_EQ(call.call.size_B, 2'000'000);
    EXPECT_EQ(call.groups, 1);
    EXPECT_EQ(call.together, 3);  // 0 to 1, 2 to 1, 2 to 3, or the others
    EXPECT_GE(call.time_s, 2e-3);
    EXPECT_LE(call.time_s, 4e-3 + 1e-5);
    slowest_s = std::max(slowest_s, call.time_s);
    // A link to the switch and one from it.
    EXPECT_NEAR(call.class_bytes->begin()->second, 4e6, 1);
  }
  EXPECT_GE(slowest_s, 2.5e-3);  // half of its uses or more meet another all the way
  // By gpipe none comes back before the last has gone forward.
  TrainingQuestion by_phases = asked_for({.pipeline = 4}, 4);
  by_phases.step.order = workload::PipelineOrder::gpipe;
  for (const TrainingCall& call :
       trained(model_of({1000, 1000, 1000, 1000}), star, by_phases).calls)
    EXPECT_NEAR(call.time_s, 2e-3, 1e-5);
}

}  // namespace
}  // namespace weft::training
