// weft plan: what a plan says of itself, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/plan/plan.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

// Hosts of other speeds have other plans, which a reader of the file has to be able to tell apart.
TEST(PlanCommand, keeps_what_was_said_of_network_and_hosts) {
  const ScratchFolder folder;
  const std::string file = folder.path("a.plan");
  const auto made_for = [&](const std::string& more) {
    EXPECT_EQ(run_weft(words_of("plan -q -t leaf-spine:leaves=2,spines=1,hosts=2 --collectives "
                                "allreduce --sizes 1KiB -o " +
                                file + more))
                  .code,
              0);
    return json::parse(run_weft({"plan", "show", file, "--json"}).out)["made_for"];
  };
  EXPECT_EQ(made_for("")["options"], "--machine ideal");  // that of tests
  const json said = made_for(" --alpha 1us --ports 1 --copy-bandwidth 5GBps --per-host 2");
  EXPECT_EQ(said["alpha"], "1us");
  EXPECT_EQ(said["options"], "--copy-bandwidth 5GBps --ports 1 --machine ideal --per-host 2");
}

// Half-way round a torus packets draw their way, as under `weft compare`.
TEST(PlanCommand, times_packets_on_tori) {
  const ScratchFolder folder;
  const Ran ran =
      run_weft(words_of("plan -q -t torus:3x4 --model packet --collectives allreduce "
                        "--sizes 1KiB -a ring -o " +
                        folder.path("a.plan")));
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST(PlanCommand, does_not_depend_on_the_number_of_threads) {
  const ScratchFolder folder;
  const auto made_by = [&](const char* threads) {
    const std::string file = folder.path(threads);
    const Ran ran = run_weft(words_of(
        "plan -q -t leaf-spine:leaves=2,spines=2,hosts=3 --alpha 1us --sizes 64B:4MiB --threads " +
        std::string(threads) + " -o " + file));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return read_text(file);
  };
  const std::string one = made_by("1");
  EXPECT_EQ(one, made_by("4"));
  EXPECT_GT(one.size(), 1000u);
}

TEST(PlanCommand, repeats_ranks_on_each_host) {
  const ScratchFolder folder;
  const auto answer_of = [&](const std::string& more) {
    const Ran ran =
        run_weft(words_of("plan -q --json -t ring:4 --sizes 1KiB --collectives "
                          "allreduce -o " +
                          folder.path("a.plan") + more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out);
  };
  EXPECT_EQ(answer_of(" --per-host 2")["per_host"], 2);
  EXPECT_FALSE(answer_of("").contains("per_host"));
}

TEST(PlanCommand, says_that_start_ups_are_free_where_none_is_given) {
  const ScratchFolder folder;
  const auto says_so = [&](const std::string& more) {
    const Ran ran = run_weft(words_of("plan -t ring:4 --sizes 1KiB --collectives allreduce -o " +
                                      folder.path("a.plan") + more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.err.find("the start-up of a message is 0s here, but about 1us under an") !=
           std::string::npos;
  };
  EXPECT_TRUE(says_so(""));
  for (const char* given : {" --alpha 1us", " --alpha-receive 5us"})
    EXPECT_FALSE(says_so(given)) << given;
}

TEST(PlanCommand, takes_all_beside_names_of_collectives) {
  const ScratchFolder folder;
  const auto collectives_of = [&](const std::string& list) {
    const Ran ran = run_weft(words_of("plan -q --json -t ring:4 --sizes 1KiB --collectives " +
                                      list + " -o " + folder.path("a.plan")));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    std::vector<std::string> names;
    for (const json& range : answer["ranges"]) names.push_back(range["collective"]);
    return names;
  };
  const auto all = collectives_of("all");
  ASSERT_GT(all.size(), 1u);
  const auto named = collectives_of("allreduce,all");
  EXPECT_EQ(named.front(), "allreduce");
  EXPECT_TRUE(std::ranges::is_permutation(all, named));
}

// A ring sums each block from another rank on, so only the block that begins at rank 0 has the
// order of ranks.
TEST(PlanCommand, check_names_schedules_that_do_not_do_what_the_plan_states) {
  const auto ring = [](const schedule::Collective& collective) {
    return plan::planned(schedule::verify_own(algorithm::build_schedule("ring", collective)));
  };
  plan::Plan wrong{.facts = {{"topology", "ring:3"}},
                   .ranks = 3,
                   .hosts = {},
                   .allows_different_bits = false,
                   .schedules = {ring(schedule::allgather(3)), ring(schedule::allreduce(3))},
                   .ranges = {}};
  ASSERT_FALSE(wrong.schedules[1].keeps_order);
  wrong.schedules[1].keeps_order = true;
  const ScratchFolder folder;
  const std::string file = folder.file("a.plan", plan::encode(wrong));
  const std::string fault = "the plan states that it keeps the order of ranks, but it does not";
  const Ran text = run_weft({"plan", "check", file});
  EXPECT_EQ(text.code, 1);
  EXPECT_EQ(text.out, "ring of allreduce: " + fault + '\n');
  const Ran ran = run_weft({"plan", "check", file, "--json"});
  EXPECT_EQ(ran.code, 1);
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["file"], file);
  EXPECT_EQ(answer["checked"], 2);
  EXPECT_EQ(answer["faults"],
            json::array({{{"collective", "allreduce"}, {"algorithm", "ring"}, {"fault", fault}}}));
}

TEST(PlanCommand, refuses_in_one_line_and_writes_nothing) {
  const ScratchFolder folder;
  const std::string file = folder.path("a.plan");
  for (const auto& [line, says] : std::vector<std::pair<std::string, std::string>>{
           {"plan torus:4x4 -o ", "-t TOPOLOGY -o FILE to make a plan"},
           {"plan -t ring:5 -a recursive-doubling --collectives broadcast -o ",
            "recursive-doubling"},
           {"plan -t torus:3x3 -a swing -o ",
            "it needs even extents, because 3 nodes cannot be paired"},
           {"plan -t ring:5 --per-host 4 --ranks 8 -o ", "choose hosts with --hosts"},
           {"plan -t ring:5 --per-host 0 -o ", "expected at least 1"}}) {
    const Ran ran = run_weft(words_of(line + file));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(file)) << line;
  }
}

}  // namespace
}  // namespace weft::test
