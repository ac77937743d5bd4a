// weft schedule, verify and cost: exact prices, files, and what is said of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/process/command_line.hpp"
#include "weft/base/file.hpp"
#include "weft/program/file.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/schedule.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

json answer_of(const std::string& line) {
  const auto ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
  return json::parse(ran.out);
}

struct PriceCase {
  const char* line;
  int steps;
  const char* bandwidth_factor;
  const char* bound;
};

// A one-way ring sends (N-1)/N M over each link, all of a node's bandwidth on uniring and half of
// it on ring. On a Hamming network m x m the all-to-all bound is by distances: a node sends M/N to
// 2(m-1) nodes one link away and (m-1)^2 two links away, over 2(m-1) links: 2(m-1)/m.
// An idle size harms nobody: a note.
TEST(ScheduleCommand, says_that_a_size_changes_nothing) {
  const auto ran = run_weft(words_of("schedule allreduce -t ring:4 -a ring --size 1MiB"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("--size has no effect: the schedule of"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out, run_weft(words_of("schedule allreduce -t ring:4 -a ring")).out);
}

TEST(ScheduleCommand, prices_by_the_papers_formulas) {
  const std::vector<PriceCase> cases{
      {"allgather -t uniring:16 -a ring", 15, "15/16", "15/16"},
      {"allgather -t ring:16 -a ring", 15, "15/8", "15/16"},
      {"allgather -t ring:16 -a bidirectional-ring", 8, "15/16", "15/16"},
      {"reduce-scatter -t ring:16 -a ring", 15, "15/8", "15/16"},
      {"allreduce -t uniring:16 -a ring", 30, "15/8", "15/8"},
      {"allgather -t complete:5 -a direct", 1, "4/5", "4/5"},
      {"alltoall -t complete:5 -a direct", 1, "4/5", "4/5"},
      {"allgather -t genkautz:4,32 -a bfb", 3, "13/8", "31/32"},
      {"allgather -t genkautz:4,32 -a bfb --cost-only", 3, "13/8", "31/32"},
      {"allreduce -t torus:3x3x2 -a bfb", 6, "17/9", "17/9"},
      {"allreduce -t line(bipartite:4,4) -a expand", 6, "2", "31/16"},
      {"allreduce -t 'power(2, diamond)' -a expand", 12, "63/32", "63/32"},
      {"alltoall -t 2dfc:8x8 -a bruck", 6, "", "7/4"},
      {"alltoall -t 2dfc:4x4 -a pairwise", 15, "", "3/2"},
      {"broadcast -t complete:8 -a binomial", 3, "21", "1"},  // 3 steps on one of 7 links
  };
  for (const PriceCase& each : cases) {
    const json answer = answer_of(std::string("schedule ") + each.line);
    EXPECT_EQ(answer["steps"], each.steps) << each.line;
    EXPECT_EQ(answer["bandwidth_factor_bound"], each.bound) << each.line;
    if (*each.bandwidth_factor != 0) {
      EXPECT_EQ(answer["bandwidth_factor"], each.bandwidth_factor) << each.line;
    }
    EXPECT_EQ(answer["verified"], std::string(each.line).find("--cost-only") == std::string::npos);
  }
}

TEST(ScheduleCommand, shows_what_chunks_keep_bfb_from) {
  const json five = answer_of("schedule allgather -t hypercube:5 -a bfb --chunks 5");
  EXPECT_EQ(five["bandwidth_factor"], "31/32");
  EXPECT_FALSE(five.contains("exact_bandwidth_factor"));
  const json best = answer_of("schedule allgather -t hypercube:5 -a bfb --chunks best:7");
  EXPECT_EQ(best["units_per_block"], 5);
  for (const std::string more : {"", " --cost-only"}) {
    const json four = answer_of("schedule allgather -t hypercube:5 -a bfb --chunks 4" + more);
    EXPECT_NE(four["bandwidth_factor"], "31/32");
    EXPECT_EQ(four["exact_bandwidth_factor"], "31/32");
    EXPECT_EQ(four["units_per_block"], 4);
    const auto table =
        run_weft(words_of("schedule allgather -t hypercube:5 -a bfb --chunks 4" + more));
    EXPECT_NE(table.out.find("T_B, any division  31/32"), std::string::npos) << table.out;
  }
  const auto exact = run_weft(words_of("schedule allgather -t hypercube:5 -a bfb"));
  EXPECT_EQ(exact.out.find("any division"), std::string::npos) << exact.out;
}

TEST(ScheduleCommand, answers_with_the_keys_of_the_contract) {
  const json answer = answer_of("schedule allgather -t uniring:16 -a ring");
  EXPECT_EQ(answer["collective"], "allgather");
  EXPECT_EQ(answer["algorithm"], "ring");
  EXPECT_EQ(answer["topology"], "uniring:16");
  EXPECT_EQ(answer["ranks"], 16);
  EXPECT_EQ(answer["messages"], 15 * 16);
  EXPECT_EQ(answer["steps_bound"], 15);
  EXPECT_EQ(answer["moore_steps"], 15);
  EXPECT_EQ(answer["max_link_load"], "15/16");
  EXPECT_EQ(answer["seed"], 1);
  EXPECT_EQ(answer["step_factors"].size(), 15);
}

// From the root at one end of a line of 4 nodes it is 3 steps, from the middle 2.
TEST(ScheduleCommand, bounds_rooted_collectives_by_the_roots_eccentricity) {
  EXPECT_EQ(answer_of("schedule broadcast -t mesh:4 -a binomial")["steps_bound"], 3);
  const json middle = answer_of("schedule broadcast -t mesh:4 -a binomial --root 1");
  EXPECT_EQ(middle["steps_bound"], 2);
  EXPECT_EQ(middle["root"], 1);
}

TEST(ScheduleCommand, serves_fewer_ranks_than_hosts) {
  const json answer = answer_of("schedule allreduce -t 'hosts(4, ring:8)' -a ring --ranks 5");
  EXPECT_EQ(answer["ranks"], 5);
  EXPECT_EQ(answer["steps"], 8);
}

TEST(ScheduleCommand, takes_names_in_any_case) {
  EXPECT_EQ(answer_of("schedule AllReduce -t RING:8 -a Ring")["algorithm"], "ring");
}

TEST(ScheduleCommand, prints_facts_for_people) {
  const auto ran = run_weft(words_of("schedule allgather -t ring:16 -a ring"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("15/8 = 1.875   (optimum 15/16 = 0.9375)"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.err, "");
}

TEST(ScheduleCommand, writes_a_file_that_verify_and_cost_read) {
  const ScratchFolder folder;
  const std::string file = folder.path("bruck.weft");
  const auto ran = run_weft({"schedule", "alltoall", "--topology", "kautz:4,2", "--algorithm",
                             "bruck", "--radix", "3", "-o", file});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "wrote " + file + "\n");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"bruck.weft"});

  const json verified = answer_of("verify " + file);
  EXPECT_EQ(verified["verified"], true);
  EXPECT_EQ(verified["topology"], "kautz:4,2");
  EXPECT_EQ(verified["ranks"], 20);
  EXPECT_EQ(verified["steps"], 3);  // 20 < 27: a step for each of three digits
  EXPECT_EQ(run_weft({"verify", file}).code, 0);
  EXPECT_EQ(run_weft({"verify", file, "--dump"}).out.substr(0, 8), "alltoall");

  json priced = answer_of("cost " + file);
  json built = answer_of("schedule alltoall -t kautz:4,2 -a bruck --radix 3");
  priced.erase("command");
  built.erase("command");
  EXPECT_EQ(priced, built);
}

// What is edited is the network that the file names; the messages stay right.
struct EditedBinding {
  const char* what;
  weft::schedule::Binding binding;
  const char* said;
};

TEST(VerifyCommand, holds_the_placement_against_the_network_that_is_named) {
  const ScratchFolder folder;
  const std::string file = folder.path("ring.weft");
  ASSERT_EQ(run_weft({"schedule", "allgather", "-t", "ring:4", "-a", "ring", "-o", file}).code, 0);
  const weft::Schedule good = weft::schedule::load(file);
  EXPECT_EQ(answer_of("verify " + file)["network_checked"], true);
  const std::uint64_t hash = good.binding().hash;
  std::vector<weft::NodeId> far = good.binding().nodes;
  far[2] = weft::NodeId(4);
  const std::vector<EditedBinding> edits{
      {"a node too many", {"ring:4", hash, far}, "agent 2 is placed on node 4"},
      {"another hash", {"ring:4", hash + 1, good.binding().nodes}, "has the hash"},
      {"differs from the network of the schedule; name that network",
       {"complete:4", hash, good.binding().nodes},
       "complete:4 has the hash"}};
  for (const EditedBinding& edit : edits) {
    weft::schedule::save(good.with_binding(edit.binding), file);
    const auto ran = run_weft({"verify", file});
    EXPECT_EQ(ran.code, 1) << edit.what;
    EXPECT_NE(ran.out.find("incorrect"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(edit.said), std::string::npos) << ran.out;
    const json answer = json::parse(run_weft({"verify", file, "--json"}).out);
    EXPECT_EQ(answer["verified"], false) << edit.what;
    EXPECT_TRUE(answer["fault"]["step"].is_null());
    EXPECT_NE(std::string(answer["fault"]["text"]).find(edit.said), std::string::npos);
  }
}

// The proof holds on any network; that this one could not be looked at is said.
TEST(VerifyCommand, proves_what_names_a_network_that_is_not_here) {
  const ScratchFolder folder;
  const std::string file = folder.path("ring.weft");
  ASSERT_EQ(run_weft({"schedule", "allgather", "-t", "ring:4", "-a", "ring", "-o", file}).code, 0);
  const weft::Schedule good = weft::schedule::load(file);
  weft::schedule::Binding gone = good.binding();
  gone.topology = "file:/nowhere/cluster.json";
  weft::schedule::save(good.with_binding(gone), file);
  const auto ran = run_weft({"verify", file, "--json"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(json::parse(ran.out)["network_checked"], false);
  EXPECT_NE(ran.err.find("was not checked"), std::string::npos) << ran.err;
  EXPECT_EQ(run_weft({"verify", file, "-q"}).err, "");
}

TEST(VerifyCommand, refuses_to_write_out_what_is_too_long) {
  const ScratchFolder folder;
  const std::string file = folder.path("big.weft");
  weft::ScheduleBuilder builder(
      weft::schedule::allgather(1 << 20),
      {.symmetry = weft::Symmetry::translations(std::vector<int>{1 << 20})});
  for (int d = 1; d < 6; ++d) builder.at(0).send(weft::Rank(0), weft::Rank(d), builder.block(0));
  weft::schedule::save(std::move(builder).build(), file);
  EXPECT_EQ(run_weft({"verify", file, "--dump", "--json"}).code, 0);
  const auto ran = run_weft({"verify", file, "--dump", "--expand"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("5242880 messages"), std::string::npos) << ran.err;
  EXPECT_EQ(run_weft({"verify", file, "--expand"}).code, 2);
}

// The ring's messages cross one link of uniring each, and up to 5 of an opposite ring's.
TEST(CostCommand, prices_a_file_on_another_network) {
  const ScratchFolder folder;
  const std::string file = folder.path("ring.weft");
  ASSERT_EQ(run_weft({"schedule", "allgather", "-t", "uniring:6", "-a", "ring", "-o", file}).code,
            0);
  EXPECT_EQ(answer_of("cost " + file)["bandwidth_factor"], "5/6");
  const json other = answer_of("cost " + file + " --topology ring:6");
  EXPECT_EQ(other["topology"], "ring:6");
  EXPECT_EQ(other["bandwidth_factor"], "5/3");
  const json reversed = answer_of("cost " + file + " --topology 'transpose(uniring:6)'");
  EXPECT_EQ(reversed["bandwidth_factor"], "25/6");  // 5 links a message: each carries 5/6 a step
}

TEST(VerifyCommand, refuses_a_file_with_any_byte_changed) {
  const ScratchFolder folder;
  const std::string file = folder.path("ring.weft");
  ASSERT_EQ(run_weft({"schedule", "allgather", "-t", "uniring:6", "-a", "ring", "-o", file}).code,
            0);
  const std::string good = read_text(file);
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const auto ran = run_weft({"verify", folder.file("bad.weft", bad)});
    EXPECT_EQ(ran.code, 2) << "byte " << i;
    EXPECT_EQ(ran.out, "");
  }
}

// Rank 1 passes on block 0 before it has it.
TEST(VerifyCommand, names_the_fault_and_exits_with_1) {
  using namespace weft;
  ScheduleBuilder builder(Collective{CollectiveKind::allgather, 2, Rank(0)});
  const std::vector<schedule::Piece> block{{0, 1}};
  builder.at(0).send(schedule::Agent(1), schedule::Agent(0), block);
  const ScratchFolder folder;
  const std::string file = folder.path("wrong.weft");
  schedule::save(std::move(builder).build(), file);
  const auto text = run_weft({"verify", file});
  EXPECT_EQ(text.code, 1);
  EXPECT_EQ(text.err, "");
  EXPECT_TRUE(text.out.starts_with(file + ": incorrect. ")) << text.out;
  const auto ran = run_weft({"verify", file, "--json"});
  EXPECT_EQ(ran.code, 1);
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["verified"], false);
  EXPECT_EQ(answer["fault"]["step"], 0);
  EXPECT_EQ(answer["fault"]["message"], 0);
  EXPECT_FALSE(answer["fault"]["text"].get<std::string>().empty());
  for (const std::string command : {"cost", "simulate"}) {  // which take proved schedules alone
    const auto refused = run_weft({command, file, "-t", "ring:2"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("has an incorrect schedule"), std::string::npos) << refused.err;
  }
}

// 31 trees enter each node over four links: 8 over one of them at least with a tree a rank, 11 over
// one of the three into node 6 (rank_trees_test.cpp): no tree a rank has less than 11/8.
TEST(ScheduleCommand, says_where_no_so_few_trees_are_better) {
  const auto text_of = [](const std::string& line) {
    return run_weft(words_of("schedule " + line + " -a packing --trees 1")).out;
  };
  const std::string said = "the least of 1 a rank, or fewer";
  const auto plain = [](std::string text) {
    std::string one_line;
    std::istringstream words(text);
    for (std::string word; words >> word;) one_line += (one_line.empty() ? "" : " ") + word;
    return one_line;
  };
  const std::string few = plain(text_of("allgather -t genkautz:4,32"));
  EXPECT_NE(few.find("T_B of the trees 11/8"), std::string::npos) << few;
  EXPECT_NE(few.find(said), std::string::npos) << few;
  // Shares of an allreduce are divided otherwise, too.
  EXPECT_EQ(plain(text_of("allreduce -t genkautz:4,32")).find(said), std::string::npos);
}

// In 64 segments trees of a depth are others than in one: 17/16 where these would have 2.27.
TEST(ScheduleCommand, foretells_no_segments_of_trees_of_a_depth) {
  EXPECT_NE(
      run_weft(words_of("schedule broadcast -t torus:4x4 -a packing")).err.find("lowers T_B to"),
      std::string::npos);
  EXPECT_EQ(run_weft(words_of("schedule broadcast -t torus:4x4 -a packing --depth 5")).err, "");
}

// Paths of a flow over routes go in one step: no number of segments is advised, and the answer is
// the end of it.
TEST(ScheduleCommand, advises_no_segments_that_an_algorithm_refuses) {
  const auto ran = run_weft(words_of("schedule alltoall -t torus:4x4 -a flow"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
}

// What the note says of segments is what they bring, of other trees than those of one segment, too.
TEST(ScheduleCommand, judges_trees_in_many_segments_by_those_of_many) {
  const std::string line =
      "schedule reduce -t leaf-spine:leaves=3,spines=2,hosts=4 -a packing --json";
  const json open = json::parse(run_weft(words_of(line)).out);
  const json many = json::parse(run_weft(words_of(line + " --segments 4096")).out);
  EXPECT_EQ(open.value("bandwidth_factor_limit", json()),
            many.value("bandwidth_factor_limit", json()));
}

// A tree has a message for each rank but the root, whatever its depth.
TEST(ScheduleCommand, keeps_to_the_trees_that_are_asked_for_within_a_depth) {
  const json one = json::parse(
      run_weft(words_of("schedule broadcast -t torus:4x4 -a packing --trees 1 --depth 5 --json"))
          .out);
  EXPECT_EQ(one["messages"], 15);
}

// The cut around all but one of four ranks on a ring: 3/4 of M over two links of B / 2.
TEST(ScheduleCommand, says_what_is_proven_where_time_is_short) {
  const ScratchFolder folder;
  const std::string file = folder.path("late.weft");
  const auto ran = run_weft(
      {"schedule", "allgather", "-t", "ring:4", "-a", "packing", "--time-limit", "0s", "-o", file});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err,
            "weft: the time limit ended before packing had a schedule; proven so far: T_B of "
            "every schedule is at least 3/4 = 0.75; give a longer --time-limit\n");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(VerifyCommand, sends_a_program_to_the_command_that_takes_it) {
  using namespace weft;
  const ScratchFolder folder;
  const std::string file = folder.path("program.weft");
  write_file(file, program::encode(program::ProgramBuilder(2).build()));
  for (const std::string command : {"verify", "cost"}) {
    const auto refused = run_weft({command, file});
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err,
              "weft: '" + file + "' is a program, not a schedule; weft simulate FILE runs it\n");
  }
}

}  // namespace
