// Rows of a step of training: what counts for them, and what they give.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "rows/rows_of.hpp"
#include "weft/base/error.hpp"
#include "weft/training/training_spec.hpp"

namespace weft::rows {
namespace {

const std::string kVgg =
    "workload = \"vgg-16\"\ntopology = \"ring:8\"\nlink = \"12.5GBps,0s\"\ndevice = \"v100\"\n"
    "model = \"alpha-beta\"\n";

Row row(const std::string& grid) {
  return rows_of(grid, "train").at(0);
}

double number(const Values& values, const std::string& name) {
  return fields::to_number(values.at(name)).value();
}

// 138,357,544 parameters of 4 bytes in one bucket, 7/4 of them over two links of 12.5 GB/s; 32
// images at 1000 a second.
TEST(TrainRow, adds_one_allreduce_to_computing) {
  const Values found =
      measure(row(kVgg + "buckets = \"1GB\"\ngradient-bytes = 4\nalgorithms = \"bfb\"\n"
                         "samples-per-second = 1000\n"));
  const double sum_s = 7. / 4 * 4 * 138'357'544 / 25e9;
  EXPECT_NEAR(number(found, "compute"), 0.032, 1e-9);
  EXPECT_NEAR(number(found, "exposed_gradients"), sum_s, 1e-6);
  EXPECT_NEAR(number(found, "allreduce_time"), sum_s, 1e-6);
  EXPECT_NEAR(number(found, "time"), 0.032 + sum_s, 1e-6);
  EXPECT_NEAR(number(found, "samples_per_second"), 8 * 32 / (0.032 + sum_s), 1);
  EXPECT_EQ(number(found, "bucket"), 1e9);
  EXPECT_EQ(number(found, "alltoall_time"), 0);
}

// zipf:0 is the even step where experts have no room to spare, which is padded in it alone.
TEST(TrainRow, skews_tokens_over_experts) {
  const std::string grid =
      "workload = \"switch-base-256\"\ntopology = \"hypercube:4\"\nparallel = \"expert\"\n"
      "algorithms = \"spread,bfb\"\nmodel = \"alpha-beta\"\n";
  const Row even = row(grid), skewed = row(grid + "skew = \"zipf:1\"\n");
  EXPECT_NE(skewed.key, even.key);
  EXPECT_EQ(number(measure(even), "dropped"), 0);
  const auto time_s = [&](const char* more) { return number(measure(row(grid + more)), "time"); };
  EXPECT_EQ(time_s("skew = \"zipf:0\"\n"), time_s(""));
  EXPECT_EQ(time_s("skew = \"zipf:0\"\ncapacity = 2\n"), time_s(""));
  EXPECT_GT(time_s("capacity = 2\n"), time_s(""));
  EXPECT_GT(number(measure(skewed), "dropped"), 0);
}

// Experts with half the room compute half: that half of their tokens is dropped is no saving, and
// what devices reach is what they are said to, over the time that they compute.
TEST(TrainRow, counts_what_is_computed_where_tokens_are_dropped) {
  const Values found = measure(
      row("workload = \"switch-base-256\"\ntopology = \"hypercube:4\"\nparallel = \"expert\"\n"
          "algorithms = \"spread,bfb\"\nmodel = \"alpha-beta\"\ncapacity = 0.5\n"
          "efficiency = 0.25\n"));
  EXPECT_EQ(number(found, "dropped"), 0.5);
  EXPECT_NEAR(number(found, "utilisation"), 0.25 * number(found, "compute") / number(found, "time"),
              1e-6);
}

TEST(TrainRow, has_parts_that_add_up_over_its_bounds) {
  for (const std::string& grid :
       {kVgg,
        std::string("workload = \"switch-base-256\"\ntopology = \"genkautz:4,64\"\nparallel "
                    "= \"expert\"\nalltoall = \"flow\"\nalgorithms = \"bfb\"\nlink = "
                    "\"25Gbps,10us\"\nmodel = \"alpha-beta\"\n"),
        std::string("workload = \"gpt-2-small\"\ntopology = \"torus:4x4\"\nparallel = "
                    "\"tensor=2,pipeline=2\"\n")}) {
    const Values found = measure(row(grid));
    double sum_s = 0;
    for (const char* part :
         {"compute", "exposed_gradients", "exposed_alltoall", "exposed_other", "idle"})
      sum_s += number(found, part);
    EXPECT_NEAR(sum_s, number(found, "time"), 1e-9) << grid;
    EXPECT_LE(number(found, "least_time"), number(found, "time") * (1 + 1e-9)) << grid;
    if (fields::is_nothing(found.at("ideal_time"))) continue;
    EXPECT_LE(number(found, "ideal_time"), number(found, "time") * (1 + 1e-9)) << grid;
  }
}

// In a complete graph all are one link away, and its schedules are the best of all networks.
TEST(TrainRow, tells_what_no_network_betters) {
  const std::string grid =
      "workload = \"switch-base-256\"\nparallel = \"expert\"\nalltoall = \"flow\"\nlink = "
      "\"25Gbps,10us\"\nmodel = \"alpha-beta\"\nalgorithms = \"bfb\"\nbuckets = \"10GB\"\n";
  const Values best = measure(row(grid + "topology = \"complete:8\"\n"));
  EXPECT_NEAR(number(best, "over_ideal"), 1, 1e-3);
  EXPECT_GT(number(measure(row(grid + "topology = \"ring:8\"\n")), "over_ideal"), 1.01);
  // Of groups and of switches nothing is known.
  for (const std::string other :
       {"topology = \"ring:8\"\nparallel = \"tensor=2\"\n", "topology = \"hosts(1, ring:8)\"\n"})
    EXPECT_TRUE(fields::is_nothing(measure(row("workload = \"gpt-2-small\"\nalgorithms = \"ring\"\n"
                                               "model = \"alpha-beta\"\n" +
                                               other))
                                       .at("ideal_time")))
        << other;
}

// Twice the tokens for each expert: twice as long on the way, and twice the experts' operations.
TEST(TrainRow, gives_experts_room) {
  const auto found = [](const std::string& capacity) {
    return measure(
        row("workload = \"switch-base-256\"\ntopology = \"ring:8\"\nparallel = "
            "\"expert\"\nalltoall = \"flow\"\nalgorithms = \"bfb\"\nmodel = "
            "\"alpha-beta\"\ncapacity = " +
            capacity + "\n"));
  };
  const Values once = found("1"), twice = found("2");
  EXPECT_NEAR(number(twice, "alltoall_time"), 2 * number(once, "alltoall_time"), 1e-6);
  EXPECT_GT(number(twice, "compute"), number(once, "compute"));
}

TEST(TrainRow, key_holds_what_counts) {
  const auto key = [](const std::string& more) { return row(kVgg + more).key; };
  const std::string plain = key("");
  for (const std::string same :
       {"batch = 32\n", "parallel = \"Data\"\n", "parallel = \"data=8\"\n",
        "precision = \"FP16\"\n", "gradient-bytes = 2\n", "activation-bytes = 1\n",
        "parameter-bytes = 8\n", "buckets = \"1MB,10MB,100MB,1GB\"\n", "prefetch = 3\n",
        "first-come = true\n", "alltoall = \"flow\"\n", "isolated = true\n",
        "order = \"data,tensor,pipeline\"\n", "virtual-stages = 2\n", "algorithms = \"all\"\n",
        "capacity = 2\n", "sync = \"lockstep\"\n"})
    EXPECT_EQ(key(same), plain) << same;
  for (const std::string other :
       {"batch = 16\n", "precision = \"fp32\"\n", "gradient-bytes = 4\n", "buckets = \"1MB\"\n",
        "parallel = \"sharded\"\n", "algorithms = \"ring\"\n", "efficiency = 0.4\n",
        "samples-per-second = 100\n", "global-batch = 256\n"})
    EXPECT_NE(key(other), plain) << other;
  // Measured times have their own efficiency.
  EXPECT_EQ(key("samples-per-second = 100\nefficiency = 0.4\n"), key("samples-per-second = 100\n"));
  EXPECT_EQ(key("algorithms = \"ring\"\nradix = 4\n"), key("algorithms = \"ring\"\n"));
}

// What stands in the files counts, and a change between key and answer is told.
TEST(TrainRow, key_holds_the_content_of_files) {
  const std::string path = fmt::format("{}/times-{}.csv", testing::TempDir(), getpid());
  const std::string model = fmt::format("{}/model-{}.toml", testing::TempDir(), getpid());
  std::ofstream(model) << "summary = \"s\"\nsource = \"o\"\nnote = \"n\"\n[[layers]]\nname = "
                          "\"one\"\nkind = \"linear\"\nparameters = 1000\noperations = "
                          "1e9\nactivations = 10\n";
  const auto timed = [&](const std::string& seconds) {
    std::ofstream(path) << "layer,forward_s,backward_s\none," << seconds << ",2e-3\n";
    return row("workload = \"" + model + "\"\ntopology = \"ring:4\"\nlayer-times = \"" + path +
               "\"\n");
  };
  const Row first = timed("1e-3");
  EXPECT_EQ(timed("1e-3").key, first.key);
  const Row second = timed("3e-3");
  EXPECT_NE(second.key, first.key);
  EXPECT_NEAR(number(measure(second), "compute"), 5e-3, 1e-9);
  EXPECT_THROW(measure(first), InvalidInput);
  std::remove(path.c_str());
  std::remove(model.c_str());
}

// Rows that share what was priced are as those that were priced alone.
TEST(TrainRow, is_the_same_with_what_other_rows_left) {
  const std::string grid =
      "workload = [\"gpt-2-small\", \"gpt-2-medium\"]\ntopology = \"torus:3x4\"\nbatch = [1, 8]\n"
      "gradient-bytes = [2, 4]\nalgorithms = \"bfb,ring\"\n";
  const auto rows = rows_of(grid, "train");
  ASSERT_EQ(rows.size(), 8u);
  Workspace shared;
  for (const Row& each : rows) {
    Workspace alone;
    EXPECT_EQ(each.kind->answer(each, shared), each.kind->answer(each, alone));
  }
}

TEST(TrainRow, writes_parallelism_in_one_way) {
  EXPECT_EQ(training::canonical_parallelism(" Sequence , tensor=8"), "tensor=8,sequence");
  EXPECT_EQ(training::canonical_parallelism("pipeline=2,expert,tensor=1,data=4"),
            "expert,pipeline=2,data=4");
  EXPECT_EQ(training::canonical_parallelism("data"), "data");
}

// As weft train does (TrainCommand.sums_on_the_gpu_that_computes): the default device is a GPU, and
// sums of machine gpus are free. Layer times alone name no device.
TEST(TrainRow, sums_on_the_gpu_that_computes) {
  const std::string grid = "workload = \"vgg-16\"\ntopology = \"ring:8\"\nmachine = \"roce-400\"\n";
  const auto rate_of = [](const Row& each) {
    return fields::text_in(each.parameters, "reduce-bandwidth");
  };
  EXPECT_EQ(rate_of(row(grid)), "free");
  EXPECT_NE(rate_of(row(grid + "reduce-bandwidth = \"10GBps\"\n")), "free");
  EXPECT_NE(rate_of(row(grid + "samples-per-second = 1000\n")), "free");
  EXPECT_EQ(rate_of(row(grid + "samples-per-second = 1000\ndevice = \"h100\"\n")), "free");
}

// As weft train does (named_device.hpp): what the network names, then what the machine names.
TEST(TrainRow, computes_on_the_gpu_that_network_or_machine_names) {
  const auto device_of = [](const std::string& more) {
    return fields::text_in(row("workload = \"vgg-16\"\n" + more).parameters, "device");
  };
  const std::string ring = "topology = \"ring:8\"\n", box = "topology = \"network:dgx-h100\"\n",
                    h100 = "machine = \"dgx-h100-ndr\"\n", a100 = "device = \"a100\"\n";
  EXPECT_EQ(device_of(ring), "a100");
  EXPECT_EQ(device_of(ring + h100), "h100");
  EXPECT_EQ(device_of(box), "h100");
  EXPECT_EQ(device_of(box + "machine = \"dgx-a100\"\n"), "h100");
  EXPECT_EQ(device_of(box + h100 + a100), "a100");
}

TEST(TrainRow, refuses_what_cannot_be) {
  for (const std::string more :
       {"workload = \"vgg-17\"\n", "workload = \"vgg-16\"\nbatch = 0\n",
        "workload = \"vgg-16\"\nbatch = 8\ntokens = 100\n",
        "workload = \"vgg-16\"\nparallel = \"tensor=3\"\n",
        "workload = \"vgg-16\"\nprecision = \"fp9\"\n", "workload = \"vgg-16\"\nisolated = 3\n",
        "workload = \"vgg-16\"\nalgorithms = \"rings\"\n",
        "workload = \"vgg-16\"\nefficiency = 1.5\n", "workload = \"vgg-16\"\nsize = \"1KiB\"\n"})
    EXPECT_THROW(rows_of("topology = \"ring:8\"\n" + more, "train"), InvalidInput) << more;
}

// 8.03e9 parameters of 16 bytes are 128 GB, and half of that in each of two shards; an A100 has 80.
TEST(TrainRow, refuses_models_that_do_not_fit_into_the_device) {
  const std::string grid =
      "workload = \"dense-8b\"\ntopology = \"ring:2\"\nbatch = 1\nmodel = \"alpha-beta\"\n";
  EXPECT_THROW(rows_of(grid, "train"), InvalidInput);
  EXPECT_NO_THROW(rows_of(grid + "parallel = \"sharded\"\n", "train"));
  const auto rows = rows_of(grid + "no-memory-check = true\n", "train");
  EXPECT_FALSE(rows.at(0).parameters.contains("no-memory-check")) << "the answer is the same";
}

}  // namespace
}  // namespace weft::rows
