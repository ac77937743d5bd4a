#include "weft/schedule/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/every_schedule.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {
namespace {

// A schedule with all that a text can hold but symmetry: routes, helpers, places, odd names.
Schedule with_everything() {
  ScheduleBuilder builder(
      broadcast(3, Rank(1)),
      {.algorithm = " odd \"name\" #1\n",
       .units_per_block = 4,
       .helpers = 2,
       .segments = {3, 2},
       .binding = {.topology = "without(cable=n1 - n2#1, ring:5)",
                   .hash = 0xfedcba9876543210,
                   .nodes = {NodeId(4), NodeId(5), NodeId(6), NodeId(0), NodeId(2)}}});
  static_cast<void>(builder.add_route({}));
  const RouteId route = builder.add_route(std::vector<LinkId>{LinkId(4), LinkId(1)});
  builder.at(0).send(Rank(1), Agent(3), std::vector<Piece>{{0, 1}, {2, 5}, {8, 4}}, Arrival::copy,
                     route);
  builder.at(2).send(Agent(4), Rank(1), builder.block(2), Arrival::reduce);
  return std::move(builder).build();
}

Schedule with_symmetry() {
  const int n = 6;
  ScheduleBuilder builder(
      alltoall(n),
      {.algorithm = "sample", .units_per_block = 2, .symmetry = Symmetry::translations({2, 3})});
  for (int d = 1; d < n; ++d) builder.at(d - 1).send(Rank(0), Rank(d), builder.block(d));
  return std::move(builder).build();
}

// The message of the error that reading this text ends in.
std::string refusal(const std::string& text) {
  try {
    static_cast<void>(read_text(text, "x.txt"));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing was refused";
}

void expect_refused(const std::string& text, const std::string& beginning) {
  const std::string message = refusal(text);
  EXPECT_TRUE(message.starts_with(beginning)) << message << "\nof\n" << text;
}

const std::string kHead = "weft schedule 1\ncollective allgather\nranks 3\n";

TEST(ScheduleText, reads_back_what_was_written) {
  for (const Schedule& schedule : {with_everything(), with_symmetry()}) {
    const std::string text = write_text(schedule);
    EXPECT_EQ(read_text(text, "x").schedule, schedule) << text;
  }
}

TEST(ScheduleText, says_what_a_person_would) {
  // Unit 2 of 4 units a block is in block 0, unit 6 the third of block 1; 8 to 11 are block 2.
  const std::string text = write_text(with_everything());
  EXPECT_NE(text.find("\n  1 > h0 copy 0.0, 0.2-1.2, 2 via 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nnodes 4-6, 0, 2\n"), std::string::npos) << text;
  // Block 3 of an all-to-all of 6 ranks is what rank 0 has for rank 3.
  EXPECT_NE(write_text(with_symmetry()).find("step 2\n  0 > 3 copy 0:3\n"), std::string::npos);
}

TEST(ScheduleText, takes_free_blanks_comments_and_steps_without_numbers) {
  ScheduleBuilder expected(allgather(3), {.algorithm = "my own#1"});
  expected.at(0).send(Rank(0), Rank(1), expected.blocks(0, 2));
  expected.at(1).send(Rank(1), Rank(2), std::vector<Piece>{{0, 1}, {2, 1}}, Arrival::reduce);
  EXPECT_EQ(read_text("\n# by hand\n weft\tschedule 1 # version\r\nranks 3 # three\n"
                      "algorithm my own#1  # mine\ncollective All_Gather\n\nstep\n"
                      "0>1 copy 0 - 1\nstep # the next\n 1 >2reduce 0 ,2 # both\n",
                      "x")
                .schedule,
            std::move(expected).build());
}

TEST(ScheduleText, messages_know_their_lines) {
  const TextSchedule read = read_text(kHead +
                                          "step 1\n"          // 4
                                          "  0 > 1 copy 2\n"  // 5
                                          "step 0\n"
                                          "\n"
                                          "  0 > 1 copy 0\n"  // 8
                                          "  1 > 2 copy 1\n",
                                      "x");
  EXPECT_EQ(read.lines, (std::vector<std::int64_t>{8, 9, 5}));
}

TEST(ScheduleText, refuses_bad_heads_with_the_line) {
  expect_refused("", "x.txt: the file is empty; write 'weft schedule 1'");
  expect_refused("collective allgather\n",
                 "x.txt:1: unexpected 'collective' in place of 'weft' (expected ");
  expect_refused("weft schedule 2\n", "x.txt:1: version of the text 2 is invalid");
  expect_refused("weft schedule 1\nranks 3\n", "x.txt: 'collective' is missing above");
  expect_refused("weft schedule 1\ncollective allgather\nstep 0\n", "x.txt: 'ranks' is missing");
  expect_refused("weft schedule 1\ncollective algather\n", "x.txt:2: ");
  expect_refused(kHead + "ranks 3\n", "x.txt:4: 'ranks' is given again, after line 3");
  expect_refused(kHead + "rots 3\n", "x.txt:4: unknown name 'rots' above the first step; did you");
  expect_refused(kHead + "0 > 1 copy 0\n", "x.txt:4: a message is above the first step");
  expect_refused(kHead + "root 1\n", "x.txt:4: allgather has no 'root'; remove the line");
  expect_refused("weft schedule 1\ncollective broadcast\nranks 3\nroot 3\n",
                 "x.txt:4: 'root 3' is not a rank (expected 0 to 2)");
  expect_refused("weft schedule 1\ncollective point-to-point\nranks 3\nfrom 0\n",
                 "x.txt: 'to' is missing");
  expect_refused(kHead + "nodes 0-1\n", "x.txt:4: 2 nodes are given for 3 agents");
  expect_refused(kHead + "symmetry Z2\n", "x.txt:4: a symmetry of order 2 cannot act freely");
  expect_refused(kHead + "symmetry Y2\n", "x.txt:4: ");
  expect_refused(kHead + "hash xyz\n", "x.txt:4: hash 'xyz' is invalid (expected up to 16");
  expect_refused(kHead + "route 1 0\n", "x.txt:4: route 1 comes where route 0 is expected");
  expect_refused(kHead + "segments 0\n", "x.txt:4: number of segments 0 is invalid");
  expect_refused(kHead + "algorithm \"a\n", "x.txt:4: the quote of the algorithm is not closed");
  expect_refused(kHead + "algorithm \"\\q\"\n", "x.txt:4: unknown '\\q' in the algorithm");
}

TEST(ScheduleText, refuses_bad_messages_with_the_line) {
  const std::string head = kHead + "step 0\n";
  expect_refused(head + "0 > 3 copy 0\n",
                 "x.txt:5: receiver 3 is invalid (expected a number from 0 to");
  expect_refused(head + "0 > h0 copy 0\n", "x.txt:5: the schedule has 0 helpers, so h0 does not");
  expect_refused(head + "0 > x copy 0\n",
                 "x.txt:5: 'x' is not a receiver (expected a rank from 0 to 2, or h0, h1, ...");
  expect_refused(head + "0 1 copy 0\n",
                 "x.txt:5: unexpected '1' in place of '>' (expected a message as '0 > 1");
  expect_refused(head + "0 > 1 coyp 0\n", "x.txt:5: unexpected 'coyp' in place of 'copy'");
  expect_refused(head + "0 > 1 copy\n",
                 "x.txt:5: the block is missing (expected a number from 0 to");
  expect_refused(head + "0 > 1 copy 3\n",
                 "x.txt:5: block 3 is invalid (expected a number from 0 to");
  expect_refused(head + "0 > 1 copy 1.1\n",
                 "x.txt:5: unit 1 is invalid (expected a number from 0 to");
  expect_refused(head + "0 > 1 copy 2-1\n", "x.txt:5: the range of blocks ends before it begins");
  expect_refused(head + "0 > 1 copy 0 2\n",
                 "x.txt:5: unexpected '2' at the end of the line; remove it");
  expect_refused(head + "0 > 1 copy 0#\n",
                 "x.txt:5: unexpected '#' at the end of the line; remove it");
  expect_refused(head + "0 > 1 copy 0 via 0\n", "x.txt:5: the text has no routes; write 'route 0'");
  expect_refused(head + "ranks 3\n", "x.txt:5: 'ranks' is not a sender");
  expect_refused("weft schedule 1\ncollective alltoall\nranks 3\nstep\n0 > 1 copy 1\n",
                 "x.txt:5: the line ends before ':' (expected SOURCE:DESTINATION, such as 2:5,");
}

TEST(ScheduleText, hostile_sizes_are_refused_before_memory_is_taken) {
  expect_refused(kHead + "step 2000000000\n", "x.txt:4: number of the step 2000000000 is invalid");
  expect_refused(kHead + "nodes 0-2147483647\n", "x.txt:4: the line places more than 4194304");
  expect_refused(kHead + "ranks 99999999999999999999\n", "x.txt:4: 'ranks' is given again");
  expect_refused("weft schedule 1\nranks 99999999999999999999\n", "x.txt:2: number of ranks 999");
  expect_refused("weft schedule 1\ncollective alltoall\nranks 2147483647\nunits-per-block 1000\n",
                 "x.txt:4: ");
  expect_refused(kHead + "segments 1048576 stride 100\n", "x.txt:4: ");
}

TEST(ScheduleText, trees_become_messages) {
  // Rank 0's block goes by two trees, units 0 and 1-2 of it; those of the others by one each.
  const TextSchedule read = read_text(kHead +
                                          "tree root 0 share 1/3\n"  // 4
                                          "  0 > 1\n"
                                          "  1 > 2\n"
                                          "tree root 0 share 2/3\n"
                                          "  0 > 2\n"  // 8
                                          "  0 > 1\n"  // 9: joined with line 5
                                          "tree root 1 share 1\n"
                                          "  1 > 0\n"
                                          "  0 > 2 at 3\n"
                                          "tree root 2 share 1\n"
                                          "  2 > 1\n"
                                          "  1 > 0\n",
                                      "x");
  ScheduleBuilder expected(allgather(3), {.units_per_block = 3});
  expected.at(0).send(Rank(0), Rank(1), Piece{0, 3});
  expected.at(0).send(Rank(0), Rank(2), Piece{1, 2});
  expected.at(0).send(Rank(1), Rank(0), Piece{3, 3});
  expected.at(0).send(Rank(2), Rank(1), Piece{6, 3});
  expected.at(1).send(Rank(1), Rank(2), Piece{0, 1});
  expected.at(1).send(Rank(1), Rank(0), Piece{6, 3});
  expected.at(3).send(Rank(0), Rank(2), Piece{3, 3});
  EXPECT_EQ(read.schedule, std::move(expected).build());
  EXPECT_EQ(read.lines, (std::vector<std::int64_t>{5, 8, 11, 14, 6, 15, 12}));
  EXPECT_TRUE(verify(read.schedule));
}

TEST(ScheduleText, trees_of_an_allreduce_go_in_and_out) {
  const TextSchedule read = read_text(
      "weft schedule 1\ncollective allreduce\nranks 3\n"
      "tree root 0 share 1/2\n 2 > 1 reduce\n 1 > 0 reduce\n 0 > 1\n 1 > 2\n"
      "tree root 2 share 1/2\n 0 > 1 reduce\n 1 > 2 reduce\n 2 > 1\n 1 > 0\n",
      "x");
  // Two steps in and two out; half of three blocks is 3 of 6 units.
  EXPECT_EQ(read.schedule.stored_steps(), 4);
  EXPECT_EQ(read.schedule.units_per_block(), 2);
  EXPECT_TRUE(verify(read.schedule));
}

TEST(ScheduleText, refuses_bad_trees_with_the_line) {
  expect_refused(kHead + "tree root 0 share 1/3\n0 > 1\n", "x.txt:4: the shares so far add up");
  expect_refused(kHead + "tree root 0 share 2/3\n0 > 1\ntree root 0 share 2/3\n0 > 2\n",
                 "x.txt:6: the shares so far add up to 4/3, more than 1");
  expect_refused(kHead + "tree root 0 share 3\n", "x.txt:4: the line ends before '/'");
  expect_refused(kHead + "tree root 0 share 3/2\n", "x.txt:4: denominator of the share 2 is");
  expect_refused(kHead + "tree root 0 share 1 units 0-1\n",
                 "x.txt:4: share 1 does not match the units, which are 2 of a block; change "
                 "one of them");
  expect_refused(kHead + "tree root 0 share 1\n1 > 2\n",
                 "x.txt:5: 1 sends copies, and no arc joins it to the root 0");
  expect_refused(kHead + "tree root 0 share 1\n0 > 1\n1 > 2\n2 > 1\n",
                 "x.txt:4: arcs of this tree form a circle");
  expect_refused(kHead + "step 0\ntree root 0 share 1\n", "x.txt:5: a tree follows steps");
  expect_refused(kHead + "tree root 0 share 1\nstep 0\n", "x.txt:5: a step follows trees");
  expect_refused(kHead + "tree root 0 share 1\n0 > 1\ntree root 1 share 1 units 1\n",
                 "x.txt:6: some trees have 'units' and some have none");
}

}  // namespace
}  // namespace weft::schedule
