// weft train: what it answers, and what it refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/samples.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

json answer_of(const std::vector<std::string>& words) {
  std::vector<std::string> all = words;
  all.emplace_back("--json");
  const Ran ran = run_weft(all);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? json::parse(ran.out) : json();
}

json answer_of(const std::string& line) {
  return answer_of(words_of(line));
}

double sum_of(const json& shares) {
  double sum = 0;
  for (const auto& [name, seconds] : shares.items()) sum += seconds.get<double>();
  return sum;
}

// 138,357,544 parameters of 4 bytes in one bucket; 3 x 15.47e9 operations an image (Simonyan and
// Zisserman's network has 15.5e9 multiply-adds forward) at 10 % of 15.7e12 a second.
TEST(TrainCommand, adds_one_allreduce_to_computing) {
  const json answer = answer_of(
      "train vgg-16 -t kautz:16,2 --batch 32 --device v100 --precision fp32 --efficiency 0.1 "
      "--link 12.5GBps,1us --buckets 1GB");
  EXPECT_EQ(answer["ranks"], 272);
  EXPECT_EQ(answer["parameters"], 138'357'544);
  ASSERT_EQ(answer["collectives"].size(), 1);
  EXPECT_EQ(answer["collectives"][0]["size"], 4 * 138'357'544);
  const double compute = answer["shares"]["compute"], gradients = answer["shares"]["gradients"];
  EXPECT_NEAR(compute, 32 * 3 * 2 * 15.47e9 / (0.1 * 15.7e12), 0.01 * compute);
  EXPECT_NEAR(gradients, answer["collectives"][0]["time"].get<double>(), 1e-9);
  EXPECT_NEAR(answer["time"].get<double>(), compute + gradients, 1e-9);
  EXPECT_NEAR(answer["compute"]["efficiency"].get<double>(), 0.1, 1e-9);
  EXPECT_NEAR(answer["utilisation"].get<double>(), 0.1 * compute / answer["time"].get<double>(),
              1e-9);
}

TEST(TrainCommand, has_shares_that_add_up_and_a_bound_below) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"train", "gpt-2-large", "-t", "torus:3x4", "--batch", "1"},
           {"train", "gpt-2-small", "-t", "torus:4x4", "--parallel", "sharded"},
           {"train", "dense-8b", "-t", "hosts(8, hamming:2x2)", "--parallel",
            "tensor=8,pipeline=2,data=2", "--micro-batches", "8", "--virtual-stages", "2"},
           {"train", "gpt-2-medium", "-t", "leaf-spine:leaves=4,spines=2,hosts=4", "--parallel",
            "tensor=4,pipeline=2,sequence", "--pipeline-order", "gpipe"},
           {"train", "switch-base-256", "-t", "hypercube:4", "--parallel", "expert", "--algorithms",
            "bfb,spread"}}) {
    const json answer = answer_of(words);
    EXPECT_NEAR(sum_of(answer["shares"]), answer["time"].get<double>(), 1e-10) << words[1];
    EXPECT_GE(answer["over_bound"], 1 - 1e-9) << words[1];
    double bytes = 0;
    for (const auto& [name, sent] : answer["class_bytes"].items()) bytes += sent.get<double>();
    EXPECT_GT(bytes, 0) << words[1];
  }
}

// 2 x as many micro-batches of half the samples: a smaller bubble, (P - 1)/m of the rest.
TEST(TrainCommand, fills_the_pipeline_with_micro_batches) {
  const ScratchFolder folder;
  const std::string times = folder.file("times.csv",
                                        "layer,forward_s,backward_s\nembedding,0,0\n"
                                        "block.*.attention,1e-3,2e-3\n"
                                        "block.*.feed-forward,1e-3,2e-3\nnorm,0,0\nhead,0,0\n");
  const auto time_of = [&](const std::string& micro_batches) {
    return answer_of("train gpt-2-small -t ring:4 --parallel pipeline=4 --layer-times " + times +
                     " --link 100000GBps,0s --micro-batches " + micro_batches)["time"]
        .get<double>();
  };
  // Each stage has 6 of the 24 layers in blocks, 1 ms and 2 ms each.
  EXPECT_NEAR(time_of("4"), 6 * 3e-3 * (1 + 3. / 4), 1e-5);
  EXPECT_NEAR(time_of("24"), 6 * 3e-3 * (1 + 3. / 24), 1e-5);
}

TEST(TrainCommand, writes_the_step_for_perfetto) {
  const ScratchFolder folder;
  const std::string file = folder.path("step.json");
  const json answer = answer_of(
      {"train", "gpt-2-small", "-t", "ring:4", "--parallel", "pipeline=2", "--chrome-trace", file});
  const json trace = json::parse(read_text(file));
  double end_us = 0, computing_us = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    end_us = std::max(end_us, event["ts"].get<double>() + event["dur"].get<double>());
    if (event["tid"] == 0) computing_us += event["dur"].get<double>();
  }
  EXPECT_NEAR(end_us * 1e-6, answer["time"].get<double>(), 1e-9);
  EXPECT_NEAR(computing_us * 1e-6 / 2, answer["shares"]["compute"].get<double>(), 1e-9);
}

// 70,553,706,496 parameters of 2 + 2 + 12 bytes (ZeRO, section 3.1) are 1,129 GB, 14.1 times the 80
// of an A100. The 8,030,261,248 of dense-8b are 128.5 GB, and half as much each of two shards.
TEST(TrainCommand, refuses_models_that_do_not_fit_into_the_device) {
  const Ran refused =
      run_weft({"train", "dense-70b", "-t", "boxes(4, network:dgx-a100)", "--batch", "1"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("dense-70b needs 1129 GB per device"), std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("14.1 times the 80 GB of a100"), std::string::npos) << refused.err;
  const std::string line = "train dense-8b -t ring:2 --batch 1 --model alpha-beta";
  EXPECT_EQ(run_weft(words_of(line)).code, 2);
  const json whole = answer_of(line + " --no-memory-check");
  EXPECT_EQ(whole["memory"]["total"], 16 * whole["parameters"].get<double>());
  EXPECT_EQ(whole["memory"]["optimizer"], 12 * whole["parameters"].get<double>());
  EXPECT_EQ(whole["memory"]["device"], 80e9);
  const json shards = answer_of(line + " --parallel sharded");
  EXPECT_EQ(shards["memory"]["total"], 8 * whole["parameters"].get<double>());
  const Ran told = run_weft(words_of(line + " --parallel sharded"));
  EXPECT_NE(told.out.find("64.24GB per device"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("(80.3 % of the 80GB of a100)"), std::string::npos) << told.out;
}

// Three samples in two micro-batches are one and a half each; a batch of four is silent. Skewed
// experts pad nothing.
TEST(TrainCommand, tells_what_it_takes_for_granted) {
  const std::string step =
      "train gpt-2-small -t ring:2 --device a100 --parallel pipeline=2 --micro-batches 2";
  EXPECT_NE(run_weft(words_of(step + " --batch 3"))
                .err.find("a micro-batch of a replica has 1.5 sequences, which no device can run"),
            std::string::npos);
  EXPECT_EQ(run_weft(words_of(step + " --batch 4")).err, "");
  const std::string experts =
      "train switch-base-256 -t ring:4 --device a100 --parallel expert --batch 4 --capacity 1.25 "
      "--alltoall flow";
  EXPECT_EQ(run_weft(words_of(experts)).err, "");
  EXPECT_NE(run_weft(words_of(experts + " --skew zipf:1.1"))
                .err.find("with --skew experts send and compute only the tokens that they"),
            std::string::npos);
}

// Of the groups of four on hosts 10 to 25 of leaves with 16 each one lies on two leaves, in equal
// parts that others have not: what serves the first group may not serve the next.
TEST(TrainCommand, serves_groups_that_sit_differently) {
  for (const std::string line :
       {"train gpt-2-small -t leaf-spine:leaves=4,spines=2,hosts=16 --parallel tensor=4 --hosts "
        "10-25",
        "train gpt-2-small -t torus:4x4 --hosts 1-8 --parallel tensor=2",
        "train gpt-2-small -t torus:4x4 --hosts 1-8 --parallel tensor=2 -a hierarchical,ring"}) {
    const json answer = answer_of(line);
    EXPECT_GE(answer["time"], answer["bound"]) << line;
  }
}

// Host 0 has lost its only cable: one line names the hosts that are left, which then work.
TEST(TrainCommand, names_the_hosts_that_a_dead_cable_leaves) {
  const std::vector<std::pair<std::string, std::string>> networks = {
      {"without(cable=0, fat-tree:4,3)", "1-63"},
      {"without(cable=0, leaf-spine:leaves=4,spines=2,hosts=4)", "1-15"}};
  for (const auto& [network, left] : test::samples(networks)) {
    const Ran dead = run_weft({"train", "resnet-50", "-t", network});
    EXPECT_EQ(dead.code, 2);
    EXPECT_NE(dead.err.find("(--hosts " + left + " leaves out the disconnected hosts)"),
              std::string::npos)
        << dead.err;
    EXPECT_EQ(run_weft({"train", "resnet-50", "-t", network, "--hosts", left}).code, 0);
  }
}

// Nothing is written before the refusal.
TEST(TrainCommand, refuses_a_trace_of_uneven_tokens_first) {
  const ScratchFolder folder;
  const std::string picture = folder.path("step.json");
  const Ran ran =
      run_weft({"train", "switch-base-256", "-t", "ring:4", "--parallel", "expert", "--skew",
                "zipf:1", "--chrome-trace", picture, "--write-trace", folder.path("step")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("a trace does not support all-to-alls with unequal parts, which"),
            std::string::npos)
      << ran.err;
  EXPECT_FALSE(std::filesystem::exists(picture));
}

// Only switches that may sum and do not leave the bound open; its line says so.
TEST(TrainCommand, says_whose_sums_the_bound_is_of) {
  const auto says_hosts = [](const char* topology, const char* algorithms) {
    const Ran ran = run_weft({"train", "resnet-50", "-t", topology, "--algorithms", algorithms});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out.find(" if only hosts reduce; the step takes ") != std::string::npos;
  };
  const char* leaves = "leaf-spine:leaves=2,spines=1,hosts=4";
  EXPECT_TRUE(says_hosts(leaves, "ring"));
  EXPECT_TRUE(says_hosts(leaves, "ALL"));
  EXPECT_FALSE(says_hosts(leaves, "all,switch-tree"));
  EXPECT_FALSE(says_hosts(leaves, "sharp"));
  EXPECT_FALSE(says_hosts("torus:4x4", "ring"));
}

// Padding takes time and is no work, so that the share of the peak is below the device's.
TEST(TrainCommand, says_that_padding_is_no_work) {
  const auto said = [](const char* capacity) {
    return run_weft({"train", "switch-base-256", "-t", "complete:8", "--parallel", "expert",
                     "--alltoall", "flow", "--capacity", capacity})
               .out.find("padding of experts") != std::string::npos;
  };
  EXPECT_FALSE(said("1"));
  EXPECT_TRUE(said("2"));
}

// A step of nothing has no rates; measured times say which share of the peak they are.
TEST(TrainCommand, says_no_more_than_the_times_tell) {
  const ScratchFolder folder;
  const std::string model = folder.path("none.toml");
  write_file(model,
             "summary = \"none\"\nsource = [\"none\"]\nsample = \"image\"\n[[layers]]\nname = "
             "\"l\"\nkind = \"convolution\"\nparameters = 0\noperations = 0\nactivations = 0\n");
  const Ran none = run_weft({"train", model, "-t", "ring:4"});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_EQ(none.out.find("nan"), std::string::npos) << none.out;
  EXPECT_EQ(none.out.find("inf"), std::string::npos) << none.out;
  const std::string line = "train resnet-50 -t ring:4 --samples-per-second 360";
  const double share = answer_of(line)["compute"]["efficiency"];
  EXPECT_NE(run_weft(words_of(line)).out.find(fmt::format(": {:.1f} % of the", 100 * share)),
            std::string::npos);
}

// A micro-batch is of whole samples where the batch allows it; 8-bit numbers are sent as 16 bits.
TEST(TrainCommand, has_usual_sizes_that_devices_run) {
  const auto batches = [](const std::string& more) {
    return answer_of("train gpt-2-small -t torus:4x4 --parallel " + more)["micro_batches"];
  };
  EXPECT_EQ(batches("data,pipeline=4 --batch 32"), 16);
  EXPECT_EQ(batches("pipeline=16 --batch 32"), 32);
  EXPECT_EQ(batches("data,pipeline=4 --batch 20"), 10);
  EXPECT_EQ(batches("data,pipeline=4 --batch 7"), 7);
  EXPECT_EQ(batches("data,pipeline=4 --batch 20 --virtual-stages 2"), 4);
  EXPECT_EQ(batches("data,pipeline=4 --batch 2"), 4);
  const json fp8 = answer_of("train gpt-2-small -t ring:4 --device h100 --precision fp8");
  EXPECT_EQ(fp8["number_bytes"]["gradient"], 2);
}

// The GPUs of these machines by their vendors; of a torus nothing says which GPU it has.
TEST(TrainCommand, computes_with_the_gpu_that_the_network_or_the_machine_names) {
  const std::string model = "train gpt-2-small --batch 4 -t ";
  for (const auto& [network, device] :
       {std::pair{"network:dgx-1", "v100"}, std::pair{"network:dgx-a100", "a100"},
        std::pair{"network:p4de", "a100"}, std::pair{"network:dgx-h100", "h100"},
        std::pair{"network:p5", "h100"}, std::pair{"network:a3-mega", "h100"},
        std::pair{"network:dgx-b200", "b200"}, std::pair{"network:p6-b200", "b200"},
        std::pair{"network:mi300x", "mi300x"}, std::pair{"network:mi355x", "mi355x"},
        std::pair{"torus:2x4 --machine dgx-h100-ndr", "h100"},
        std::pair{"torus:2x4 --machine mi300x-roce", "mi300x"},
        std::pair{"network:dgx-h100 --machine dgx-a100", "h100"},
        std::pair{"network:dgx-h100 --device a100", "a100"}}) {
    const Ran ran = run_weft(words_of(model + network + " --json"));
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(json::parse(ran.out)["compute"]["device"], device) << network;
    EXPECT_EQ(ran.err.find("--device changes it"), std::string::npos) << ran.err;
  }
  const Ran unknown = run_weft(words_of(model + "torus:2x4 --json"));
  EXPECT_EQ(json::parse(unknown.out)["compute"]["device"], "a100");
  EXPECT_NE(unknown.err.find("computing takes as long as on a100, because neither the network nor "
                             "the machine names a GPU that weft knows; --device changes it"),
            std::string::npos)
      << unknown.err;
  const Ran measured = run_weft(words_of(model + "torus:2x4 --samples-per-second 5"));
  EXPECT_EQ(measured.err.find("--device changes it"), std::string::npos) << measured.err;
}

// 138,357,544 gradients of 2 bytes between two ranks: each sends all of them at 97 % of 50 GB/s,
// 5.7 ms, and nothing waits for sums on GPUs. A processor at 10 GB/s adds up half of them in 13.8
// ms.
TEST(TrainCommand, sums_on_the_gpu_that_computes) {
  const std::string line = "train vgg-16 -t complete:2 --batch 1 --buckets 1GB --machine roce-400 ";
  const double bytes = 2 * 138'357'544.0, links_s = bytes / (0.97 * 50e9);
  const auto time_of = [](const json& answer) {
    return answer["collectives"][0]["time"].get<double>();
  };
  const json on_gpu = answer_of(line + "--device h100 --precision bf16");
  EXPECT_EQ(on_gpu["speeds"]["reduce_bandwidth"], (json{{"value", nullptr}, {"from", "gpus"}}));
  EXPECT_NEAR(time_of(on_gpu), links_s, 0.05 * links_s);
  const json set = answer_of(line + "--device h100 --precision bf16 --reduce-bandwidth 10GBps");
  EXPECT_EQ(set["speeds"]["reduce_bandwidth"]["from"], "--reduce-bandwidth");
  EXPECT_GT(time_of(set), bytes / 2 / 10e9);
  const Ran noted = run_weft(words_of(line + "--device h100"));
  EXPECT_NE(noted.err.find("sums run on h100 and are free, as in machine gpus, because those of "
                           "machine roce-400 run at 10.00GB/s on a processor; --reduce-bandwidth "
                           "sets another rate"),
            std::string::npos)
      << noted.err;
  // A device or a machine of the user's own says for itself.
  const ScratchFolder folder;
  const std::string own = folder.file("m.toml", "[host]\nreduce_bandwidth = \"10GBps\"\n");
  EXPECT_EQ(answer_of("train vgg-16 -t complete:2 --batch 1 --device h100 --machine " +
                      own)["speeds"]["reduce_bandwidth"]["value"],
            10'000'000'000);
}

TEST(TrainCommand, tells_what_is_left_out_and_what_cannot_be_measured) {
  const json experts =
      answer_of("train switch-base-256 -t genkautz:3,16 --parallel expert --batch 2");
  for (const json& call : experts["collectives"]) {
    const std::vector<std::string> left_out = call["not_tried"];
    EXPECT_EQ(std::ranges::find(left_out, "flow") != left_out.end(),
              call["collective"] == "alltoall");
  }
  EXPECT_NE(run_weft(words_of("train resnet-50 -t ring:4 --samples-per-second 1000000"))
                .err.find("times the peak of the device, which is impossible"),
            std::string::npos);
  const std::string tensor = "train gpt-2-small -t ring:8 --parallel tensor=4 --batch 2";
  EXPECT_EQ(answer_of(tensor)["isolated"], false);
  EXPECT_EQ(answer_of(tensor + " --isolated")["isolated"], true);
  EXPECT_NE(run_weft(words_of(tensor + " --isolated"))
                .err.find("with --isolated each group and message is timed as if it shared"),
            std::string::npos);
}

// Two stages are next to each other both ways: messages of 8 samples of 1,024 tokens of 768 numbers
// of 2 bytes, three borders there and three back, and the words that both stages have, summed.
TEST(TrainCommand, counts_the_bytes_between_two_stages_once) {
  const json step = answer_of(
      "train gpt-2-small -t ring:2 --parallel pipeline=2 --batch 8 --micro-batches 4 "
      "--virtual-stages 2");
  double sent_B = 0;
  for (const auto& [name, bytes] : step["class_bytes"].items()) sent_B += bytes.get<double>();
  EXPECT_NEAR(sent_B, 6 * 8 * 1024 * 768 * 2. + 2 * 50'257 * 768 * 2. + 2 * 1024 * 768 * 2., 2e6);
}

TEST(TrainCommand, says_what_release_leaves_alone) {
  const std::string line = "train gpt-2-small -t ring:4 --release injected --parallel ";
  EXPECT_NE(run_weft(words_of(line + "pipeline=4"))
                .err.find("--release affects collectives only; a stage sends its next"),
            std::string::npos);
  EXPECT_EQ(run_weft(words_of(line + "data")).err.find("--release"), std::string::npos);
}

// Half-way round a ring of four a message draws its way, which the fluid model splits.
TEST(TrainCommand, sends_packets_on_a_torus) {
  const std::string line = "train resnet-18 -t torus:4x4 --buckets 1GB -a ring --model ";
  const double packets = answer_of(line + "packet")["time"],
               fluid = answer_of(line + "fluid")["time"];
  EXPECT_NEAR(packets, fluid, 0.05 * fluid);
}

TEST(TrainCommand, refuses_what_cannot_be) {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"train resnet-5 -t ring:4", "unknown model 'resnet-5'; did you mean resnet-50"},
      {"train vgg-16 -t ring:4 --parallel tensor=2", "conv1.1 is a convolution"},
      {"train gpt-2-small -t ring:4 --parallel tensor=3", "does not divide the 4 ranks"},
      {"train gpt-2-small -t ring:8 --parallel pipeline=4 --micro-batches 2",
       "2 micro-batches cannot fill a pipeline of 4 stages"},
      {"train gpt-2-small -t ring:8 --batch 3 --tokens 5",
       "batch, global-batch and tokens set the same value; give one of"},
      {"train gpt-2-small -t ring:8 --device a1000", "unknown device"},
      {"train gpt-2-small -t ring:8 --precision fp9", "has no peak for precision"},
      {"train gpt-2-small -t ring:8 --efficiency 2",
       "is not a share of the peak; write 0.4 for 40 %"},
      {"train gpt-2-small -t ring:8 -a dragonfly-c", "no named algorithm can run the allreduce of"},
      {"train gpt-2-small -t ring:8 --order tensor,data",
       "is not an order of ranks; write tensor,data,pipeline with the"},
      {"train gpt-2-small -t ring:8 --order data,tensor,pipeline", "--order has no effect"},
      {"train gpt-2-small -t ring:8 --alltoall flow",
       "--alltoall flow needs --parallel expert; leave it out"},
      {"train gpt-2-small -t ring:8 --prefetch 2",
       "--prefetch works only with --parallel sharded; leave it out"},
      {"train gpt-2-small -t ring:8 --parallel sharded --buckets 1MB", "--buckets has no effect"},
      {"train switch-base-256 -t hypercube:9 --parallel expert", "256 experts for 512 ranks"},
      {"train gpt-2-small -t ring:8 --parallel expert", "no layer with experts"},
      {"train gpt-2-small -t ring:8 --capacity 1.5", "--capacity has no effect"},
      {"train gpt-2-small -t ring:8 --isolated", "--isolated has no effect"},
      {"train gpt-2-small -t ring:8 --pipeline-order gpipe",
       "--pipeline-order needs a pipeline; add pipeline=2 to --parallel"},
      {"train gpt-2-small -t ring:8 --parallel tensor=2 --model alpha-beta --isolated",
       "--isolated has no effect"},
      {"train gpt-2-small -t ring:8 --parameter-bytes 2",
       "--parameter-bytes needs --parallel sharded; leave it out"},
      {"train gpt-2-small -t ring:8 --samples-per-second 3 --efficiency 0.4", "--efficiency"},
  };
  for (const auto& [line, said] : lines) {
    const Ran ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(said), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

}  // namespace
}  // namespace weft::test
