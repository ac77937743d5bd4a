// What a step of training takes at least.
#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "support/training/four_layers.hpp"
#include "weft/training/training.hpp"

namespace weft::training {
namespace {

using workload::DataParallel;
using workload::Parallelism;
using workload::TrainingModel;

TEST(TrainingBounds, is_computing_alone_where_links_are_fast_enough) {
  const Network fast = test::linked_network("torus:3x3", "1000000GBps,0s");
  for (const DataParallel replicas : {DataParallel::replicated, DataParallel::sharded}) {
    TrainingQuestion asked = test::data_parallel(9);
    asked.step.parallel.replicas = replicas;
    const Training training = test::trained(test::four_layers(), fast, asked);
    EXPECT_NEAR(training.time_s, test::kFourLayers_s, 1e-6 * test::kFourLayers_s);
    EXPECT_NEAR(training.least_s, test::kFourLayers_s, 1e-6 * test::kFourLayers_s);
  }
}

// Two replicas of three stages on a ring, one far from its next at the first border, the other at
// the second: none pays 20 + 20 ms of latency. A third of the computing is a micro-batch's. The one
// sends three messages of 20 ms, the last of which goes on: 1/3 + 60 + 1/3 + 1 + 1/3 + 2/3 + 1 +
// 2/3
// + 20 + 2/3 ms, and a sum of gradients over 24 links.
TEST(TrainingBounds, is_bounded_by_replicas_apart) {
  const Network whole = test::linked_network("ring:64", "100Gbps,1ms");
  topology::Placement placement;
  for (const std::int32_t node : {0, 40, 20, 41, 21, 61}) placement.nodes.emplace_back(node);
  TrainingModel model = test::four_layers();
  model.layers.pop_back();
  TrainingQuestion asked;
  asked.step.parallel = {.pipeline = 3, .data = 2};
  asked.step.micro_batches = 3;
  asked.step.samples = 3;
  const Training training = test::trained(model, whole.with_placement(placement), asked);
  EXPECT_GE(training.least_s, 85e-3 + 24e-3);
  EXPECT_LT(training.least_s, 85e-3 + 24e-3 + 3e-3);
  EXPECT_LT(training.least_s, training.time_s);
  for (const TrainingCall& call : training.calls)
    if (call.call.kind == CollectiveKind::point_to_point) {
      EXPECT_NEAR(call.least_s, (20e-3 + 1e-3) / 2, 5e-6);  // and 4 us of sending
      EXPECT_GE(call.time_s, call.least_s);
    }
}

TEST(TrainingBounds, never_beats_its_bound) {
  TrainingModel model = test::four_layers();
  model.layers[2].experts = workload::Experts{.count = 16};
  for (const char* topology : {"torus:4x4", "kautz:4,1", "hosts(4, complete:4)",
                               "leaf-spine:leaves=4,spines=2,hosts=4", "dragonfly:a=4,p=2,h=2"}) {
    SCOPED_TRACE(topology);
    const Network network = test::on(topology);
    std::vector<Parallelism> all;
    all.push_back({.data = network.ranks()});
    all.push_back({.replicas = DataParallel::sharded, .data = network.ranks()});
    if (network.ranks() == 16) {
      all.push_back({.replicas = DataParallel::experts, .data = 16});
      all.push_back({.tensor = 4, .pipeline = 2, .data = 2});
      all.push_back({.tensor = 4, .data = 4, .sequence = true});
    }
    for (const Parallelism& parallel : all) {
      SCOPED_TRACE(text_of(parallel));
      TrainingQuestion asked;
      asked.step.parallel = parallel;
      asked.step.micro_batches = parallel.pipeline;
      asked.step.samples = 4;
      asked.algorithms = {"ring", "spread", "pairwise", "bruck"};
      test::expect_whole(test::trained(model, network, asked));
    }
  }
}

}  // namespace
}  // namespace weft::training
