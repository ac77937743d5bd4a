// A model of four layers that a step of training is made of in tests, and what holds of any step.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "support/network_on.hpp"
#include "weft/training/training.hpp"
#include "weft/workload/device.hpp"

namespace weft::test {

using workload::LayerTimes;
using workload::TrainingModel;

// Four layers of a million parameters that take 1 ms forward and 2 ms backward.
inline TrainingModel four_layers() {
  TrainingModel model;
  model.name = "four";
  for (int i = 0; i < 4; ++i)
    model.layers.push_back({.name = "layer." + std::to_string(i),
                            .kind = workload::LayerKind::feed_forward,
                            .parameters = 1'000'000,
                            .operations = 1,
                            .activations = 50'000});
  return model;
}

inline Network linked_network(std::string_view topology, std::string_view link) {
  LinkOptions links;
  topology::parse_link_option(link, links);
  const Fabric fabric(build_topology(topology), links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

inline constexpr double kFourLayers_s = 4 * 3e-3;

inline LayerTimes milliseconds(const TrainingModel& model) {
  return {.layers = std::vector<workload::LayerTime>(model.layers.size(), {1e-3, 2e-3}),
          .whole_layers = false};
}

inline training::Training trained(const TrainingModel& model, const Network& network,
                                  const training::TrainingQuestion& asked) {
  return training::train(model, milliseconds(model), network, asked);
}

inline training::TrainingQuestion data_parallel(std::int32_t ranks,
                                                std::vector<std::int64_t> buckets_B = {}) {
  training::TrainingQuestion asked;
  asked.step.parallel.data = ranks;
  asked.buckets_B = std::move(buckets_B);
  return asked;
}

inline void expect_whole(const training::Training& training) {
  const training::StepShares& shares = training.shares;
  EXPECT_NEAR(
      shares.compute_s + shares.gradients_s + shares.alltoall_s + shares.other_s + shares.idle_s,
      training.time_s, 1e-11);
  EXPECT_LE(training.least_s, training.time_s * (1 + 1e-9));
}

}  // namespace weft::test
