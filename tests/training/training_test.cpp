// Steps of training on networks: what theory says of any of them.
#include "weft/training/training.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/network_on.hpp"
#include "support/training/four_layers.hpp"
#include "weft/base/error.hpp"
#include "weft/workload/device.hpp"

namespace weft::training {
namespace {

using workload::DataParallel;
using workload::LayerKind;
using workload::LayerTimes;
using workload::Parallelism;
using workload::TrainingModel;

// A ring's allreduce of M: 2 (N - 1)/N M over links of 1 GB/s each way, start-ups apart.
TEST(Training, of_one_bucket_is_computing_and_one_allreduce) {
  const Network ring = test::linked_network("ring:8", "1GBps,1us");
  TrainingQuestion asked = test::data_parallel(8);
  asked.algorithms = {"ring"};
  asked.simulation.model = simulation::Model::alpha_beta;
  const Training training = test::trained(test::four_layers(), ring, asked);
  ASSERT_EQ(training.calls.size(), 1);
  EXPECT_EQ(training.calls[0].uses, 1);
  EXPECT_EQ(training.calls[0].call.size_B, 16'000'000);
  EXPECT_EQ(training.calls[0].schedule, "ring");
  EXPECT_NEAR(training.time_s, test::kFourLayers_s + training.calls[0].time_s, 1e-11);
  EXPECT_NEAR(training.shares.compute_s, test::kFourLayers_s, 1e-11);
  EXPECT_NEAR(training.shares.gradients_s, training.calls[0].time_s, 1e-11);
  EXPECT_NEAR(training.calls[0].time_s, 14 * (2e-3 + 1e-6), 1e-4);
  test::expect_whole(training);
}

// Each rank of a ring sends 2 (N - 1)/N M, whatever the buckets.
TEST(Training, sends_what_its_collectives_ask_for) {
  const Network ring = test::linked_network("ring:8", "1GBps,1us");
  for (const std::int64_t bucket_B : {1L, 5'000'000L, 1L << 40}) {
    TrainingQuestion asked = test::data_parallel(8, {bucket_B});
    asked.algorithms = {"ring"};
    const Training training = test::trained(test::four_layers(), ring, asked);
    std::int64_t sum_B = 0;
    for (const TrainingCall& call : training.calls) sum_B += call.uses * call.call.size_B;
    EXPECT_EQ(sum_B, 16'000'000);
    ASSERT_TRUE(training.class_bytes.has_value());
    double sent_B = 0;
    for (const auto& [name, bytes] : *training.class_bytes) sent_B += bytes;
    EXPECT_NEAR(sent_B, 8 * 2 * 7. / 8 * 16e6, 1);
    test::expect_whole(training);
  }
}

// Both directions of the two stages' groups, counted once: 2 groups of 4 ranks with half of the
// layers each send 2 (3/4) M/2 a rank.
TEST(Training, counts_the_bytes_of_each_stage_once) {
  const Network network = test::linked_network("complete:8", "1GBps,1us");
  TrainingQuestion asked = test::data_parallel(4);
  asked.step.parallel.pipeline = 2;
  asked.step.micro_batches = 2;
  asked.algorithms = {"ring"};
  const Training training = test::trained(test::four_layers(), network, asked);
  double sent_B = 0, messages_B = 0;
  for (const TrainingCall& call : training.calls)
    if (call.call.kind == CollectiveKind::point_to_point)
      messages_B += static_cast<double>(call.uses * call.call.size_B * call.groups);
  for (const auto& [name, bytes] : *training.class_bytes) sent_B += bytes;
  // 50,000 numbers of 4 bytes a sample, one sample in two micro-batches, both ways, 4 replicas.
  EXPECT_NEAR(messages_B, 2 * 4 * 200'000, 1);
  EXPECT_NEAR(sent_B, messages_B + 8 * 2 * 3. / 4 * 8e6, 1);
  test::expect_whole(training);
}

// One algorithm, one bucket, alpha-beta: no anomaly of orders can make more bandwidth slower.
TEST(Training, gains_by_bandwidth) {
  TrainingQuestion asked = test::data_parallel(12, {2'000'000});
  asked.algorithms = {"ring"};
  asked.simulation.model = simulation::Model::alpha_beta;
  double last_s = std::numeric_limits<double>::infinity();
  for (const char* link : {"1GBps,1us", "3GBps,1us", "10GBps,1us", "50GBps,1us", "400GBps,1us"}) {
    const double time_s =
        test::trained(test::four_layers(), test::linked_network("torus:3x4", link), asked).time_s;
    EXPECT_LE(time_s, last_s) << link;
    last_s = time_s;
  }
}

// Two groups on a ring that pass each other have half of the links' bandwidth each, or more time
// than alone; --isolated does not see it.
TEST(Training, shares_links_between_groups) {
  const Network ring = test::linked_network("ring:8", "1GBps,1us");
  TrainingQuestion asked;
  asked.step.parallel = {.tensor = 2, .data = 4};
  asked.algorithms = {"ring"};
  const auto allreduce_of = [&](bool isolated) {
    asked.isolated = isolated;
    const Training training = test::trained(test::four_layers(), ring, asked);
    for (const TrainingCall& call : training.calls)
      if (call.call.groups == workload::GroupKind::replicas) return call;
    return TrainingCall{};
  };
  const TrainingCall together = allreduce_of(false), apart = allreduce_of(true);
  EXPECT_EQ(together.together, 2);
  EXPECT_EQ(apart.together, 1);
  // Every link carries both groups' rings: 2 (3/4) M of each, at half of the rate.
  EXPECT_NEAR(together.time_s / apart.time_s, 2, 0.01);
}

// Stages take turns along a ring, so that their rings of 4 ranks pass each other: 2 (3/4) M over a
// link of 1 GB/s, twice that where both sum up at once, also where each has sums of its own size.
TEST(Training, prices_a_call_beside_those_of_other_stages) {
  const Network ring = test::linked_network("ring:8", "1GBps,0s");
  TrainingQuestion asked;
  asked.step.parallel = {.pipeline = 2, .data = 4};
  asked.step.micro_batches = 2;
  asked.order = RankOrder("pipeline,tensor,data");
  asked.algorithms = {"ring"};
  TrainingModel model = test::four_layers();
  const auto sums_of = [&] {
    std::vector<TrainingCall> sums;
    for (const TrainingCall& call : test::trained(model, ring, asked).calls)
      if (call.call.kind == CollectiveKind::allreduce) sums.push_back(call);
    return sums;
  };
  const auto both = sums_of();
  ASSERT_EQ(both.size(), 1);
  EXPECT_EQ(both[0].together, 2);
  EXPECT_NEAR(both[0].time_s, 2 * 12e-3, 1e-6);
  model.layers[3].parameters = 1'500'000;
  for (const TrainingCall& call : sums_of()) {
    EXPECT_EQ(call.groups, 1);
    EXPECT_EQ(call.together, 2);
    EXPECT_NEAR(call.time_s, 2 * 1.5 * static_cast<double>(call.size_B) / 1e9, 1e-6);
  }
}

// Zipf: rank 0 of a complete network gets the largest messages, of 1/(25/12) of all tokens, over a
// link of each rank; all four are sent and come back, forward and backward.
TEST(Training, sends_skewed_tokens) {
  TrainingModel model = test::four_layers();
  model.layers[1].experts = workload::Experts{.count = 4, .capacity = 4};
  TrainingQuestion asked;
  asked.step.parallel = {.replicas = DataParallel::experts, .data = 4};
  asked.step.skew = {.exponent = 1};
  for (const bool flow : {false, true}) {
    asked.flow_alltoall = flow;
    const Training training =
        test::trained(model, test::linked_network("complete:4", "1GBps,0s"), asked);
    int found = 0;
    for (const TrainingCall& call : training.calls) {
      if (call.call.kind != CollectiveKind::alltoall) continue;
      ++found;
      EXPECT_EQ(call.uses, 2);
      EXPECT_EQ(call.size_B, 50'000 * 4 * 12 / 25);
      EXPECT_NEAR(call.time_s, 96e3 / 1e9, 1e-12);
    }
    EXPECT_EQ(found, 2);
    EXPECT_EQ(training.step.dropped, 0);
    test::expect_whole(training);
  }
}

// Neighbours on a ring have a link each way between them; the way round the other side is twice as
// much for a group alone, but it is made of other groups' links.
TEST(Training, counts_no_link_twice) {
  const Network ring = test::linked_network("ring:8", "1GBps,0s");
  TrainingQuestion asked;
  asked.step.parallel = {.tensor = 2, .data = 4};
  asked.algorithms = {"packing"};
  int found = 0;
  for (const TrainingCall& call : test::trained(test::four_layers(), ring, asked).calls) {
    if (call.call.groups != workload::GroupKind::tensor) continue;
    ++found;
    EXPECT_EQ(call.call.kind, CollectiveKind::allreduce);
    EXPECT_EQ(call.together, 4);
    // Each rank sends half of the sums to the other and gets half: M/2 twice on the link between.
    // Half of that the other way round, as suits a group alone, is as much on each link, of all.
    const double between_s = static_cast<double>(call.call.size_B) / 1e9;
    EXPECT_GE(call.time_s, 0.999 * between_s);
    EXPECT_LE(call.time_s, 1.001 * 4 * between_s / 2);
  }
  EXPECT_GT(found, 0);
}

// The throughput of 8 hosts of a complete network: a block each on its own link.
TEST(Training, takes_all_to_alls_at_the_throughput) {
  TrainingModel model = test::four_layers();
  model.layers[1].experts = workload::Experts{.count = 8};
  TrainingQuestion asked;
  asked.step.parallel = {.replicas = DataParallel::experts, .data = 8};
  asked.flow_alltoall = true;
  const Training training =
      test::trained(model, test::linked_network("complete:8", "1GBps,0s"), asked);
  bool found = false;
  for (const TrainingCall& call : training.calls) {
    if (call.call.kind != CollectiveKind::alltoall) continue;
    found = true;
    EXPECT_EQ(call.schedule, "flow");
    EXPECT_EQ(call.uses, 4);
    EXPECT_EQ(call.call.size_B, 25'000);  // 50,000 numbers of 4 bytes to 8 ranks
    EXPECT_NEAR(call.time_s, 25'000 / 1e9, 1e-12);
    ASSERT_TRUE(call.class_bytes.has_value());
    double bytes = 0;
    for (const auto& [name, of_class] : *call.class_bytes) bytes += of_class;
    EXPECT_NEAR(bytes, 56 * 25'000, 1e-3);  // no block makes a detour
  }
  EXPECT_TRUE(found);
  EXPECT_TRUE(training.class_bytes.has_value());
  test::expect_whole(training);
}

// Two groups of four on eight hosts: the flow of each goes by way of the other's hosts, too.
TEST(Training, refuses_throughputs_of_groups_that_take_links_from_each_other) {
  TrainingModel model = test::four_layers();
  model.layers[1].experts = workload::Experts{.count = 8};
  TrainingQuestion asked;
  asked.step.parallel = {.replicas = DataParallel::experts, .tensor = 2, .data = 4};
  asked.flow_alltoall = true;
  const Network network = test::linked_network("complete:8", "1GBps,0s");
  try {
    test::trained(model, network, asked);
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what())
                  .find("--alltoall flow gives the throughput of a single group, but some of these "
                        "2 groups share links; use schedules instead of flow, or groups isolated"),
              std::string::npos)
        << error.what();
  }
  asked.isolated = true;
  EXPECT_GT(test::trained(model, network, asked).time_s, 0);
}

// 1e18 parameters of 4 bytes over a link of 1 GB/s: a century. Of 2e18 there are 2^63 bytes.
TEST(Training, refuses_what_takes_too_long) {
  const auto said = [](std::int64_t parameters, double forward_s) {
    TrainingModel model = test::four_layers();
    model.layers[2].parameters = parameters;
    LayerTimes times = test::milliseconds(model);
    times.layers.at(1).forward_s = forward_s;
    try {
      train(model, times, test::linked_network("ring:4", "1GBps,1us"), test::data_parallel(4));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said(1'000'000, 1), "nothing");
  EXPECT_EQ(said(1'000'000, 1e12),
            "layer layer.1 takes 1e+12 s, which is too long (at most 9e+06 s)");
  EXPECT_EQ(said(1'000'000'000'000'000'000, 1).find("allreduce of 40000000"), 0);
  EXPECT_NE(said(2'000'000'000'000'000'000, 1).find("too many"), std::string::npos);
}

TEST(Training, tries_each_bucket_and_takes_the_best) {
  const Network network = test::linked_network("torus:3x4", "2GBps,1us");
  const std::vector<std::int64_t> buckets_B = {1'000'000, 10'000'000, 1'000'000'000};
  const Training training =
      test::trained(test::four_layers(), network, test::data_parallel(12, buckets_B));
  ASSERT_EQ(training.buckets.size(), 3);
  double best_s = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(training.buckets[i].bucket_B, buckets_B[i]);
    EXPECT_EQ(training.buckets[i].time_s,
              test::trained(test::four_layers(), network, test::data_parallel(12, {buckets_B[i]}))
                  .time_s);
    best_s = std::min(best_s, training.buckets[i].time_s);
  }
  EXPECT_EQ(training.time_s, best_s);
  for (const BucketTrial& trial : training.buckets)
    if (trial.bucket_B == training.bucket_B) {
      EXPECT_EQ(trial.time_s, best_s);
    }
}

TEST(Training, says_what_cannot_be) {
  const auto said = [](std::string_view parallel, std::int32_t ranks) {
    try {
      (void)parse_parallelism(parallel, ranks);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said("tensor=8,pipeline=2,data=8", 128), "nothing");
  EXPECT_EQ(said("tensor=8,pipeline=2,data=8", 64),
            "tensor=8 times pipeline=2 times data=8 is 128, but there are 64 ranks; use sizes "
            "whose product is 64");
  EXPECT_EQ(said("tensor=3", 64),
            "tensor=3 times pipeline=1 does not divide the 64 ranks; use sizes whose product "
            "divides them");
  EXPECT_EQ(said("tensor=0", 64), "tensor=\"0\" is not a number of ranks; write tensor=8");
  EXPECT_EQ(said("tensor=2,tensor=4", 64), "tensor= is repeated; write it once");
  EXPECT_EQ(said("data,expert", 64),
            "expert cannot be combined with another; use one of data, sharded and expert");
  EXPECT_EQ(said("sequence", 64),
            "sequence has no effect without tensor groups; add tensor=8, or leave it out");
  TrainingQuestion asked = test::data_parallel(8);
  asked.algorithms = {"spread"};
  try {
    test::trained(test::four_layers(), test::linked_network("ring:8", "1GBps,0s"), asked);
    FAIL() << "an allreduce by spread";
  } catch (const InvalidInput& error) {
    EXPECT_TRUE(std::string_view(error.what())
                    .starts_with("no named algorithm can run the allreduce of 8 ranks (spread: it "
                                 "needs switches between ranks"))
        << error.what();
  }
  const Parallelism parsed = parse_parallelism("Sharded, tensor=2, pipeline=4, sequence", 64);
  EXPECT_EQ(text_of(parsed), "sharded, tensor=2, pipeline=4, data=8, sequence");
}

}  // namespace
}  // namespace weft::training
