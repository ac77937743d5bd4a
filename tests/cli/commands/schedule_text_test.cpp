// weft schedule --text, --as-trees and --from-text: schedules that people edit.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"
#include "weft/base/file.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/schedule/transforms.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

std::string out_of(const std::string& line) {
  const auto ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
  return ran.out;
}

void expect_refused(const std::string& line, const std::string& message) {
  const auto ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 2) << line;
  EXPECT_NE(ran.err.find(message), std::string::npos) << line << ": " << ran.err;
  EXPECT_EQ(ran.out, "") << line;
}

TEST(ScheduleTextCommand, text_and_binary_hold_the_same_schedule) {
  const ScratchFolder folder;
  for (const std::string question :
       {"allreduce -t ring:4 -a ring", "alltoall -t kautz:2,2 -a bruck",
        "allgather -t torus:3x3 -a packing", "broadcast -t dragonfly:a=2,p=2,h=1 -a packing",
        "allreduce -t xgft:2;2,2;1,2 -a switch-tree",
        "point-to-point -t torus:3x3 -a multipath --from 0 --to 4"}) {
    const std::string binary = folder.path("a.weft"), text = folder.path("a.txt"),
                      back = folder.path("back.weft");
    out_of("schedule " + question + " -o " + binary);
    out_of("schedule " + question + " --text -o " + text);
    out_of("schedule --from-text " + text + " -o " + back);
    const weft::Schedule whole = weft::schedule::load(binary);
    const weft::Schedule read = weft::schedule::load(back);
    // Routes of a symmetric schedule need its network to be written out; then the price tells.
    if (whole.route_count() == 0 || whole.symmetry().is_trivial()) {
      EXPECT_TRUE(read == weft::expand_symmetry(whole)) << question;
    }
    const auto price = [&](const std::string& file) {
      return json::parse(out_of("cost " + file + " --json")).at("bandwidth_factor");
    };
    EXPECT_EQ(price(back), price(binary)) << question;
    out_of("schedule " + question + " --text --keep-symmetry -o " + text);
    out_of("schedule --from-text " + text + " -o " + back);
    EXPECT_TRUE(weft::schedule::load(back) == whole) << question;
    // Printed from the binary file and from the question it is the same text.
    EXPECT_EQ(out_of("schedule --from-text " + binary + " --text"),
              out_of("schedule " + question + " --text"));
  }
}

TEST(ScheduleTextCommand, a_packing_is_written_as_trees) {
  const ScratchFolder folder;
  for (const std::string question :
       {"allgather -t torus:3x3 -a packing", "reduce-scatter -t hypercube:3 -a packing",
        "broadcast -t torus:3x3 -a packing --segments 4", "allreduce -t ring:5 -a packing"}) {
    const std::string trees = folder.path("a.txt"), back = folder.path("back.weft");
    out_of("schedule " + question + " --as-trees -o " + trees);
    EXPECT_NE(weft::read_file(trees).find("\ntree root 0 share "), std::string::npos);
    out_of("schedule --from-text " + trees + " -o " + back);
    const json asked = json::parse(out_of("schedule " + question + " --json"));
    const json priced = json::parse(out_of("cost " + back + " --json"));
    for (const char* key : {"steps", "bandwidth_factor", "max_link_load"})
      EXPECT_EQ(priced.at(key), asked.at(key)) << question << ' ' << key;
  }
  expect_refused("schedule allreduce -t hypercube:3 -a recursive-doubling --as-trees",
                 "the schedule is not a packing of trees");
}

TEST(ScheduleTextCommand, a_wrong_schedule_is_told_by_its_line_and_not_written) {
  const ScratchFolder folder;
  // In line 6 rank 1 passes on block 0, which it gets in the same step only.
  const std::string text = folder.file(
      "a.txt",
      "weft schedule 1\ncollective broadcast\nranks 3\nstep 0\n0 > 1 copy 0-2\n1 > 2 copy 0-2\n");
  const std::string output = folder.path("a.weft");
  const auto ran = run_weft(words_of("schedule --from-text " + text + " -o " + output));
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out.find(text + ":6: incorrect. "), 0U) << ran.out;
  EXPECT_FALSE(std::filesystem::exists(output));
  const auto asked = run_weft(words_of("schedule --from-text " + text + " --json"));
  EXPECT_EQ(asked.code, 1);
  const json answer = json::parse(asked.out);
  EXPECT_EQ(answer.at("verified"), false);
  EXPECT_EQ(answer.at("fault").at("line"), 6);
  // The end state is no message's fault.
  const std::string lacking = folder.file(
      "b.txt", "weft schedule 1\ncollective broadcast\nranks 3\nstep 0\n0 > 1 copy 0-2\n");
  const auto end = run_weft(words_of("schedule --from-text " + lacking));
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(end.out.find(lacking + ": incorrect. "), 0U) << end.out;
}

TEST(ScheduleTextCommand, the_hash_of_a_network_is_computed_where_it_is_missing) {
  const ScratchFolder folder;
  const std::string head = "weft schedule 1\ncollective allgather\nranks 2\ntopology complete:2\n";
  const std::string steps = "step 0\n0 > 1 copy 0\n1 > 0 copy 1\n";
  const std::string output = folder.path("a.weft");
  out_of("schedule --from-text " + folder.file("a.txt", head + steps) + " -o " + output);
  EXPECT_NE(weft::schedule::load(output).binding().hash, 0U);
  const auto ran =
      run_weft(words_of("schedule --from-text " + folder.file("b.txt", head + "hash 1\n" + steps)));
  EXPECT_EQ(ran.code, 1) << ran.err;
}

TEST(ScheduleTextCommand, refuses_what_does_not_fit) {
  const ScratchFolder folder;
  const std::string bad = folder.file("bad.txt", "weft schedule 1\ncollectiv allgather\n");
  expect_refused("schedule --from-text " + bad,
                 bad + ":2: unknown name 'collectiv' above the first step");
  expect_refused("schedule --from-text " + bad + " -a ring", "--algorithm has no effect with");
  expect_refused("schedule allreduce --from-text " + bad, "collective has no effect with");
  expect_refused("schedule allreduce -t ring:4 -a ring --keep-symmetry",
                 "--keep-symmetry needs --text; give both");
  expect_refused("schedule allreduce -t ring:4 -a ring --text --json", "--json has no effect");
  expect_refused("schedule allgather -t ring:4 -a bfb --cost-only --text", "--cost-only");
  expect_refused("schedule", "COLLECTIVE is required");
  // A few letters that ask for much: refused, or judged without taking memory for them.
  const std::string huge =
      folder.file("huge.txt", "weft schedule 1\ncollective allreduce\nranks 2147483647\nstep 0\n");
  EXPECT_NE(run_weft(words_of("schedule --from-text " + huge)).code, 0);
}

}  // namespace
