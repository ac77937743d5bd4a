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
  EXPECT_FALSE(made_for("").contains("options"));
  const json said = made_for(" --alpha 1us --ports 1 --copy-bandwidth 5GBps --per-host 2");
  EXPECT_EQ(said["alpha"], "1us");
  EXPECT_EQ(said["options"], "--copy-bandwidth 5GBps --ports 1 --per-host 2");
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

TEST(PlanCommand, refuses_in_one_line_and_writes_nothing) {
  const ScratchFolder folder;
  const std::string file = folder.path("a.plan");
  for (const auto& [line, says] : std::vector<std::pair<std::string, std::string>>{
           {"plan torus:4x4 -o ", "-t TOPOLOGY -o FILE to make a plan"},
           {"plan -t ring:5 -a recursive-doubling --collectives broadcast -o ",
            "recursive-doubling"},
           {"plan -t ring:5 --per-host 0 -o ", "give 1 or more"}}) {
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
