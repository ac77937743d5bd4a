// weft draw: the chord picture, its answer and its refusals; and what weft cost --crossings adds.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "support/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

class Draw : public testing::Test {
 protected:
  /// A broadcast on 9 groups of 4 routers with 2 hosts each.
  std::string schedule(const std::string& algorithm, const std::string& options = "") {
    const std::string file = folder_.path(algorithm + ".weft");
    const auto ran = run_weft(words_of("schedule broadcast -t dragonfly:a=4,p=2,h=2 -a " +
                                       algorithm + " -o " + file + " " + options));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return file;
  }
  ScratchFolder folder_;
};

TEST_F(Draw, writes_a_chord_for_each_message_over_a_global_link) {
  const std::string picture = folder_.path("chord.svg");
  const auto ran = run_weft(
      words_of("draw --json --schedule " + schedule("forest") + " --layout chord -o " + picture));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["messages"], 8);  // one into each remote group
  EXPECT_EQ(answer["chords"], 8);
  const std::string svg = read_text(picture);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count_of(svg, "Q500 570 "), 8u);  // chords bend towards the middle
  EXPECT_NE(svg.find("8 messages over global links"), std::string::npos);
  EXPECT_EQ(count_of(svg, "<circle "), 1u);  // the root
}

TEST_F(Draw, takes_placement_and_topology_of_the_schedule_or_others) {
  const std::string file = schedule("tree", "--placement random --seed 7 --ranks 40");
  const auto own = run_weft(words_of("draw -o - --schedule " + file));
  ASSERT_EQ(own.code, 0) << own.err;
  EXPECT_NE(own.out.find("broadcast by binomial: 40 ranks"), std::string::npos);
  EXPECT_EQ(own.out, run_weft(words_of("draw -o - --schedule " + file)).out);
  const auto linear = run_weft(
      words_of("draw -o - --topology dragonfly:a=4,p=2,h=2 --placement linear --schedule " + file));
  ASSERT_EQ(linear.code, 0) << linear.err;
  EXPECT_NE(own.out, linear.out);
}

TEST_F(Draw, refuses_in_one_line_what_it_cannot_draw) {
  const std::string file = schedule("tree");
  const std::string ring = folder_.path("ring.weft");
  ASSERT_EQ(run_weft(words_of("schedule allgather -t ring:4 -a ring -o " + ring)).code, 0);
  for (const auto& [line, reason] : std::vector<std::pair<std::string, std::string>>{
           {"-o x.svg --routing shortest --schedule " + ring, "is no Dragonfly"},
           {"-o x.png --schedule " + file, "name it FILE.svg"},
           {"-o x.svg --layout cord --schedule " + file, "did you mean chord"},
           {"-o x.svg --size 10 --schedule " + file, "200 to 10000"},
           {"-o no/such/folder/x.svg --schedule " + file, "no/such/folder"},
           {"-o x.svg --routing shortest-split --schedule " + file, "splits messages"},
           {"-o x.svg --schedule none.weft", "none.weft"}}) {
    const auto ran = run_weft(words_of("draw " + line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_NE(ran.err.find(reason), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(Draw, cost_counts_crossings) {
  const auto ran =
      run_weft(words_of("cost --json --crossings --routing minimal " + schedule("forest")));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["link_crossings"]["global"], 8);
  EXPECT_EQ(answer["link_crossings"]["terminal"], 2 * 71);
  EXPECT_EQ(answer["link_data"]["global"], "8");
  EXPECT_GT(answer["makespan_links"], 0);
  const auto table = run_weft(words_of("cost --crossings --routing minimal " + schedule("forest")));
  EXPECT_NE(table.out.find("global"), std::string::npos);
}

TEST_F(Draw, more_ranks_than_hosts_are_refused) {
  for (const char* placement : {"linear", "random", "lone-root", "deepest"}) {
    const auto ran = run_weft(
        words_of(std::string("cost ") + schedule("tree") + " --ranks 73 --placement " + placement));
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("73 ranks are more than the 72 hosts"), std::string::npos) << ran.err;
  }
}

}  // namespace
