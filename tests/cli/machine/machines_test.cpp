// Which machine an answer uses, what it says of it, and what such a machine costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "support/process/answer.hpp"
#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/set_machine.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

const std::string kTree = "-t xgft:2;16,8;1,8 --size 8B -a recursive-doubling";

// 7 exchanges: 500 ns to start each; 4 of them within a switch of 16 hosts (2 cables of 30 ns, a
// switch of 130 ns), 3 over three switches and four cables; 8 bytes at 97 Gb/s and summed at 10
// GB/s.
TEST(Machines, a_cluster_without_a_profile_is_generic) {
  const SetMachine none(nullptr);
  const json answer = answer_of("simulate allreduce " + kTree);
  const double expected_s =
      7 * 500e-9 + 4 * 190e-9 + 3 * 510e-9 + (4 + 2 * 3) * 8 / 12.125e9 + 7 * 8 / 10e9;
  EXPECT_NEAR(answer["time"], expected_s, 1e-3 * expected_s);
  EXPECT_EQ(answer["speeds"]["machine"], "generic");
  EXPECT_EQ(answer["speeds"]["origin"], "default");
  EXPECT_EQ(answer["speeds"]["startup"]["from"], "generic");
}

std::string note_with(const json& answer, std::string_view text) {
  for (const std::string note : answer["notes"])
    if (note.find(text) != std::string::npos) return note;
  return "";
}

// 8 vectors of 64 MiB need 7 sums of 64 MiB, 7/8 of that in a rank: 58.7 MB at 10 GB/s. Links of
// 400 Gb/s carry 97 % of 50 GB/s, and a host sends 7/8 of 64 MiB twice.
// 4 EiB times four ranks of a host pass 64 bits: the buffer is large all the same, and its sums run
// at the rate beyond the cache.
TEST(Machines, sums_of_the_largest_buffers_run_at_the_rate_of_memory) {
  const json answer = answer_of(
      "simulate allreduce -t complete:2 -a recursive-doubling --per-host 4 --machine lumi "
      "--copy-bandwidth free --link 4000Gbps,1us --size 4000000TiB");
  EXPECT_NE(note_with(answer, "sums, not links").find("6.900GB/s"), std::string::npos)
      << answer["notes"];
}

TEST(Machines, sums_that_limit_an_allreduce_get_a_note) {
  const SetMachine none(nullptr);
  const std::string network =
      "allreduce -t leaf-spine:leaves=2,spines=4,hosts=4 --link 400Gbps,1us ";
  const double sums_s = 7.0 / 8 * 64 * 1048576 / 10e9;
  const json simulated = answer_of("simulate " + network + "-a ring --size 64MiB");
  EXPECT_GT(simulated["time"], sums_s);
  const json compared = answer_of("compare " + network + "-a ring --sizes 1KiB,64MiB");
  for (const json& answer : {simulated, compared})
    EXPECT_EQ(
        note_with(answer, "sums, not links")
            .find(
                "sums, not links, limit the allreduce of 64MiB: a rank adds up data at 10.00GB/s, "
                "which takes at least 5.872ms (links: 2."),
        0U)
        << answer["notes"];
  for (const char* faster : {"--reduce-bandwidth 100GBps", "--machine ideal"})
    EXPECT_EQ(note_with(answer_of("compare " + network + "-a ring --sizes 64MiB " + faster),
                        "sums, not links"),
              "");
  EXPECT_EQ(note_with(answer_of("compare alltoall" + network.substr(9) + "-a spread --sizes 64MiB"),
                      "sums, not links"),
            "");
}

// 7/8 of 100 MiB at 10 GB/s; the links of a node send 2 * 7/8 of it at 4 * 12.125 GB/s.
TEST(Machines, sums_that_limit_a_design_get_a_note) {
  const SetMachine none(nullptr);
  const std::string design = "design -n 8 -d 4 -c alltoall:1KiB,allreduce:100MiB --finalists 1 ";
  EXPECT_EQ(
      note_with(answer_of(design), "sums, not links")
          .find("sums, not links, limit the allreduce of 100MiB: a rank adds up data at 10.00GB/s, "
                "which takes at least 9.175ms (links: 3.784ms)"),
      0U);
  EXPECT_EQ(note_with(answer_of(design + "--machine ideal"), "sums, not links"), "");
}

// One message after the other: 127 start-ups of a spread outweigh the 7 of recursive doubling.
TEST(Machines, a_small_allreduce_is_won_by_recursive_doubling) {
  const SetMachine none(nullptr);
  const json answer = answer_of("compare allreduce -t xgft:2;16,8;1,8 --sizes 8B");
  EXPECT_EQ(answer["winners"][0]["algorithms"][0], "recursive-doubling");
}

TEST(Machines, ideal_costs_what_the_formulas_count) {
  const SetMachine none(nullptr);
  const json answer = answer_of("simulate allreduce " + kTree + " --machine ideal");
  // 2 links in 4 steps, 4 in 3 of them, 1 us each; 8 B at 100 Gb/s, of which 16 hosts share 8
  // cables up.
  EXPECT_NEAR(answer["time"], 20e-6 + (4 + 2 * 3) * 8 / 12.5e9, 1e-12);
  EXPECT_EQ(answer["speeds"]["machine"], "ideal");
}

TEST(Machines, a_network_brings_its_own) {
  const SetMachine none(nullptr);
  const json answer = answer_of("simulate allreduce -t network:dgx-h100 -a ring --size 1GiB");
  EXPECT_EQ(answer["speeds"]["machine"], "dgx-h100-ndr");
  EXPECT_EQ(answer["speeds"]["origin"], "the network");
  // NCCL's ring moves about 370 GB/s over NVLink 4 (nccl-tests issue 212).
  EXPECT_NEAR(answer["bus_bandwidth"], 370e9, 0.03 * 370e9);
}

// A step of a ring over a network takes 2.7 us by NCCL's tables (NVIDIA/nccl, src/graph/tuning.cc),
// whoever made the GPUs: 0.1 us of startup, two cables and a switch.
TEST(Machines, cards_of_boxes_of_amd_have_the_latency_of_a_network) {
  const SetMachine none(nullptr);
  const json answer = answer_of(
      "simulate point-to-point -a direct -t \"boxes(2, network:mi300x)\" --from 0 --to 8 --size "
      "1B");
  EXPECT_EQ(answer["speeds"]["machine"], "xgmi-mi300x");
  const double launch_s = answer["speeds"]["launch"]["value"];
  EXPECT_NEAR(answer["time"].get<double>() - launch_s, 2.7e-6, 0.1e-6);
}

TEST(Machines, files_with_links_between_gpus_have_gpus) {
  const SetMachine none(nullptr);
  const json answer = answer_of("simulate allreduce -t file:" + source_dir() +
                                "/examples/gpu-rails.json -a hierarchical --size 64MiB");
  EXPECT_EQ(answer["speeds"]["machine"], "gpus");
  EXPECT_EQ(answer["speeds"]["reduce_bandwidth"]["value"], nullptr);
}

// A rail:... network is boxes of GPUs: about 370 GB/s inside a box (nccl-tests issue 212) and 48
// GB/s of a card of 400 Gb/s (issue 290). A step over a network takes about 2.7 us with NCCL, of
// which the four cables between GPUs of two boxes and two rails are almost all.
TEST(Machines, rails_have_gpus) {
  const SetMachine none(nullptr);
  for (const std::string topology :
       {"rail:boxes=4,gpus=8,spines=4", "without(cable=0,rail:boxes=4,gpus=8,spines=4)"}) {
    const json answer = answer_of("simulate allreduce -a hierarchical --size 1MiB -t " + topology);
    EXPECT_EQ(answer["speeds"]["machine"], "gpus");
    EXPECT_EQ(answer["speeds"]["origin"], "the network");
    EXPECT_EQ(answer["speeds"]["reduce_bandwidth"]["value"], nullptr);
    std::map<std::string, double> bandwidth_Bps;
    for (const json& links : answer["speeds"]["links"])
      bandwidth_Bps[links["class"]] = links["bandwidth"];
    EXPECT_NEAR(bandwidth_Bps["box"], 370e9, 2e9);
    EXPECT_DOUBLE_EQ(bandwidth_Bps["terminal"], 48e9);
    EXPECT_DOUBLE_EQ(bandwidth_Bps["level1"], 48e9);
  }
  const json step = answer_of(
      "simulate allreduce -a recursive-doubling --size 8B -t rail:boxes=2,gpus=1,spines=1");
  EXPECT_NEAR(step["time"].get<double>() - step["speeds"]["launch"]["value"].get<double>(), 2.7e-6,
              0.15e-6);
}

TEST(Machines, the_user_may_set_one_for_all_commands) {
  const SetMachine set("ib-hdr");
  const json answer = answer_of("simulate allreduce " + kTree);
  EXPECT_EQ(answer["speeds"]["machine"], "ib-hdr");
  EXPECT_EQ(answer["speeds"]["origin"], "WEFT_MACHINE");
  EXPECT_EQ(answer_of("simulate allreduce " + kTree + " --machine ideal")["speeds"]["machine"],
            "ideal");
}

TEST(Machines, options_override_each_value) {
  const SetMachine none(nullptr);
  const json answer = answer_of("simulate allreduce " + kTree + " --link 200Gbps,1us --alpha 2us");
  EXPECT_EQ(answer["speeds"]["links"][0]["bandwidth"], 25'000'000'000);
  EXPECT_EQ(answer["speeds"]["links"][0]["from"][0], "--link");
  EXPECT_EQ(answer["speeds"]["startup"]["from"], "--alpha");
  const json latency = answer_of("simulate allreduce " + kTree + " --latency 130ns");
  EXPECT_EQ(latency["speeds"]["links"][0]["latency"], 130e-9);
}

TEST(Machines, a_default_of_one_class_is_named_where_it_counts) {
  const SetMachine none(nullptr);
  const json answer = answer_of(
      "simulate allreduce -t dragonfly:a=2,p=2,h=1 -a ring --size 1KiB "
      "--link-default local=50Gbps,30ns,130ns,1");
  for (const json& links : answer["speeds"]["links"])
    EXPECT_EQ(links["from"], json({links["class"] == "local" ? "--link-default" : "generic"}));
}

// What a plan says of its network can be typed again, and names no speed that it did not use.
TEST(Machines, plans_name_the_machine) {
  const SetMachine none(nullptr);
  const ScratchFolder folder;
  const std::string file = folder.path("c.plan");
  const Ran ran =
      run_weft(words_of("plan -t torus:4x4 --collectives allreduce --sizes 1KiB:64KiB -o " + file));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string text = read_text(file);
  EXPECT_NE(text.find("\noptions --machine generic\n"), std::string::npos) << text.substr(0, 400);
  EXPECT_EQ(text.find("100Gbps,1us"), std::string::npos);
  EXPECT_TRUE(answer_of("simulate allreduce " + kTree)["link"].empty());
}

// A network's file has line rates and names the profile, whose part of them carries data.
TEST(Machines, other_commands_take_profiles) {
  const SetMachine none(nullptr);
  const ScratchFolder folder;
  const std::string file = folder.path("net.json");
  ASSERT_EQ(run_weft(words_of("topology torus:4x4 --machine ib-hdr -o " + file)).code, 0);
  const json again = answer_of("simulate allreduce -t file:" + file + " -a ring --size 1MiB");
  EXPECT_EQ(again["speeds"]["machine"], "ib-hdr");
  EXPECT_EQ(again["speeds"]["links"][0]["bandwidth"], 24'670'000'000);  // 98.7 % of 200 Gb/s
  EXPECT_EQ(run_weft(words_of("find -n 8 --size 1MiB --machine ib-hdr")).code, 0);
}

// One step of an allgather on two nodes, who swap half of 2,000 bytes: 500 ns to start, 30 ns of
// cable, and 97 % of 100 Gb/s; no switch is on the way.
TEST(Machines, find_times_an_allgather_on_it) {
  const SetMachine none(nullptr);
  const std::string line = "find -n 2 -d 1 --size 2000";
  const json found = answer_of(line);
  EXPECT_EQ(found["speeds"]["machine"], "generic");
  EXPECT_NEAR(found["pareto"][0]["time"].get<double>(), 530e-9 + 1000 / 12.125e9, 1e-12);
  EXPECT_NE(run_weft(words_of(line)).out.find("generic machine: links 12.12GB/s, 30.00ns"),
            std::string::npos);
  const json linked = answer_of(line + " --link 80Gbps,2us");
  EXPECT_EQ(linked["speeds"]["links"][0]["from"], json({"--link"}));
  EXPECT_NEAR(linked["pareto"][0]["time"].get<double>(), 2.5e-6 + 1000 / 10e9, 1e-12);
  const json ideal = answer_of(line + " --machine ideal");
  EXPECT_NEAR(ideal["pareto"][0]["time"].get<double>(), 1e-6 + 1000 / 12.5e9, 1e-12);
  for (const char* exact : {"steps", "bandwidth_factor"})
    EXPECT_EQ(found["pareto"][0][exact], ideal["pareto"][0][exact]) << exact;
  EXPECT_FALSE(answer_of("find -n 2 -d 1").contains("speeds"));  // nothing is timed
  EXPECT_EQ(run_weft(words_of(line + " --link global=80Gbps,2us")).code, 2);
}

TEST(Machines, a_wrong_variable_is_named) {
  const SetMachine set("nowhere");
  const Ran ran = run_weft(words_of("simulate allreduce " + kTree));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("WEFT_MACHINE: unknown machine"), std::string::npos) << ran.err;
}

// Every profile that is shipped is read, has a source and runs.
TEST(Machines, all_profiles_run) {
  const SetMachine none(nullptr);
  const json machines = json::parse(run_weft({"list", "machines", "--json"}).out)["machines"];
  ASSERT_GE(machines.size(), 25U);
  for (const json& machine : machines) {
    const std::string name = machine["name"];
    EXPECT_FALSE(machine["source"].get<std::string>().empty() &&
                 machine["assumption"].get<std::string>().empty())
        << name;
    const json slow = answer_of("simulate allreduce " + kTree + " --machine " + name);
    EXPECT_GT(slow["time"], 0) << name;
    const json packets =
        answer_of("simulate allreduce " + kTree + " --model packet --machine " + name);
    EXPECT_GT(packets["time"], 0) << name;
  }
}

// Links of an xgft are of classes terminal and level1. A table for another class is right for other
// networks, and answers say that it counts for nothing here.
TEST(Machines, tables_of_classes_that_the_network_lacks_have_a_note) {
  const ScratchFolder folder;
  const auto note_of = [&](const std::string& name, const std::string& text) {
    const json answer =
        answer_of("simulate allreduce " + kTree + " --machine " + folder.file(name, text));
    return note_with(answer, "no effect, because");
  };
  const std::string global = "[links.global]\nline_rate = \"50Gbps\"\n";
  EXPECT_NE(
      note_of("only.toml", global)
          .find("only.toml: [links.global] (line 1) has no effect, because xgft:2;16,8;1,8 has "
                "no such links; its link classes are terminal, level1"),
      std::string::npos);
  EXPECT_NE(note_of("both.toml", "[links.local]\nlatency = \"1us\"\n" + global)
                .find("[links.local] (line 1), [links.global] (line 3) have no effect"),
            std::string::npos);
  EXPECT_EQ(note_of("all.toml", "[links.terminal]\nlatency = \"1us\"\n"), "");
  EXPECT_EQ(note_with(answer_of("simulate allreduce " + kTree + " --machine gpus"), "no effect"),
            "");  // a profile serves several networks
}

TEST(Machines, bad_profiles_are_refused_with_their_line) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& text, const std::string& part) {
    const std::string path = folder.path("m.toml");
    std::ofstream(path) << text;
    const Ran ran = run_weft(words_of("simulate allreduce " + kTree + " --machine " + path));
    EXPECT_EQ(ran.code, 2) << text;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  };
  refused("[links.all]\npayload = 1.2\n", "m.toml:2:");
  refused("[links.all]\nline_rate = \"100\"\n", "m.toml:2:");
  refused("[host]\nrendezvous = \"2us\"\n", "m.toml:2:");
  refused("[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\npayload = 0.9\n", "m.toml:4:");
  refused("[host]\nstartups = \"2us\"\n", "startup");
  const Ran unknown = run_weft(words_of("simulate allreduce " + kTree + " --machine ib-ndrr"));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("ib-ndr"), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace weft::test
