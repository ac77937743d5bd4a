// weft draw: the chord picture, its answer and its refusals; and what weft cost --crossings adds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"

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

// Two groups of one router with two hosts each: groups are opposite, on the right and on the left.
// The sum goes over the global link one way and the result the other, from router to router, which
// are in the middle of their groups: 422 pixels from the centre of the circle at (500, 570).
TEST_F(Draw, places_routers_in_the_middle_of_their_hosts) {
  const std::string file = folder_.path("sums.weft"), picture = folder_.path("sums.svg");
  ASSERT_EQ(
      run_weft(words_of("schedule allreduce -t dragonfly:a=1,p=2,h=1 -a switch-tree -o " + file))
          .code,
      0);
  const auto ran =
      run_weft(words_of("draw --json --schedule " + file + " --layout chord -o " + picture));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["messages"], 2);
  EXPECT_EQ(answer["chords"], 2);
  const std::string svg = read_text(picture);
  EXPECT_EQ(count_of(svg, "M922 570Q500 570 78 570\""), 1U) << svg;
  EXPECT_EQ(count_of(svg, "M78 570Q500 570 922 570\""), 1U) << svg;
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
           {"-o x.svg --layout chord --routing shortest --schedule " + ring,
            "is not a Dragonfly, whose global links"},
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

TEST_F(Draw, draws_any_network_with_every_node_and_cable) {
  struct Expected {
    const char *topology, *layout;
    std::size_t hosts, switches, cables;
  };
  for (const Expected& e : std::vector<Expected>{{"torus:4x4x4", "grid", 64, 0, 192},
                                                 {"fat-tree:4,2", "rows", 16, 8, 32},
                                                 {"dragonfly:a=4,p=2,h=2", "groups", 72, 36, 162},
                                                 {"kautz:3,2", "circle", 12, 0, 36},
                                                 {"ring:8", "circle", 8, 0, 8},
                                                 {"2dfc:8x8", "grid", 64, 0, 448},
                                                 {"hosts(2, torus:3x3)", "grid", 18, 9, 36}}) {
    const std::string file = folder_.path("net.svg");
    const auto ran = run_weft({"draw", "-t", e.topology, "-o", file, "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(json::parse(ran.out)["layout"], e.layout) << e.topology;
    const std::string svg = read_text(file);
    EXPECT_EQ(count_of(svg, "<title>host node "), e.hosts) << e.topology;
    EXPECT_EQ(count_of(svg, "<title>switch node "), e.switches) << e.topology;
    EXPECT_EQ(count_of(svg, "<title>cable ") + count_of(svg, "<title>link "), e.cables)
        << e.topology;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << e.topology;
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
  }
}

// Centres and sizes of what stands for nodes: discs, and squares by their middle.
struct Mark {
  double x, y, r;
};
std::vector<Mark> marks_of(const std::string& svg) {
  std::vector<Mark> marks;
  const auto value = [&](std::size_t from, const std::string& key) {
    return std::stod(svg.substr(svg.find(key + "=\"", from) + key.size() + 2));
  };
  for (std::size_t title = svg.find(" node "); title != std::string::npos;
       title = svg.find(" node ", title + 1)) {
    const std::size_t mark = svg.rfind('\n', title) + 1;
    if (svg.compare(mark, 7, "<circle") == 0)
      marks.push_back({value(mark, "cx"), value(mark, "cy"), value(mark, " r")});
    else if (svg.compare(mark, 5, "<rect") == 0) {
      const double half = value(mark, "width") / 2;
      marks.push_back({value(mark, " x") + half, value(mark, " y") + half, half});
    }
  }
  return marks;
}

TEST_F(Draw, lets_no_node_cover_another) {
  for (const char* topology :
       {"torus:4x4x4", "torus:8x8", "fat-tree:4,3", "dragonfly:a=4,p=2,h=2", "kautz:4,2",
        "complete:64", "hosts(4, torus:4x4)", "hosts(2, kautz:3,2)", "slimfly:5", "xgft:2;16,8;1,8",
        "dragonfly-plus:l=2,s=2,p=2,h=2"}) {
    const auto ran = run_weft({"draw", "-t", topology, "-o", "-"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto marks = marks_of(ran.out);
    ASSERT_GE(marks.size(), 12U) << topology;
    for (std::size_t i = 0; i < marks.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_GT(std::hypot(marks[i].x - marks[j].x, marks[i].y - marks[j].y),
                  marks[i].r + marks[j].r - 0.2)
            << topology << ' ' << i << ' ' << j;
  }
}

TEST_F(Draw, colours_links_by_what_a_schedule_puts_on_them) {
  // One-way ring allgather of 4: every one of the 4 links forward carries 3/4 M, those back none;
  // cables show their busier direction, so that all are the busiest.
  const std::string ring = folder_.path("ring.weft");
  ASSERT_EQ(run_weft(words_of("schedule allgather -t ring:4 -a ring -o " + ring)).code, 0);
  const auto own = run_weft(words_of("draw -o - --schedule " + ring));
  ASSERT_EQ(own.code, 0) << own.err;
  EXPECT_NE(own.out.find("allgather by ring on ring:4"), std::string::npos);
  EXPECT_NE(own.out.find("busiest link: 3/4 = 0.75 M"), std::string::npos) << own.out;
  EXPECT_EQ(count_of(own.out, "100 % of the busiest"), 4U);
  // A broadcast along a path from its end: all three links alike, none on the chord back.
  const std::string chain = folder_.path("chain.weft");
  ASSERT_EQ(
      run_weft(words_of("schedule broadcast -t ring:4 -a chain --segments 1 -o " + chain)).code, 0);
  const auto path = run_weft(words_of("draw -o - -t ring:4 --schedule " + chain));
  EXPECT_EQ(count_of(path.out, "100 % of the busiest"), 3U);
  EXPECT_EQ(count_of(path.out, ", 0 % of the busiest"), 1U);
}

TEST_F(Draw, leaves_other_networks_to_graphviz_and_says_where_it_is_missing) {
  const auto drawn = run_weft(
      words_of("draw --json -t random-regular:12,3,seed=2 -o " + folder_.path("force.svg")));
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(json::parse(drawn.out)["layout"], "force");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder_.path("nowhere").c_str(), 1);
  const auto missing = run_weft(words_of("draw -t random-regular:12,3,seed=2 -o -"));
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("neato is not installed (Debian: graphviz)"), std::string::npos)
      << missing.err;
}

TEST_F(Draw, refuses_networks_that_no_picture_shows) {
  for (const auto& [line, reason] : std::vector<std::pair<std::string, std::string>>{
           {"-t torus:100x100 -o x.svg", "too large for a picture (10000 nodes"},
           {"-o x.svg", "nothing to draw"},
           {"-t ring:4 -o x.svg --layout chord", "--schedule FILE"},
           {"-t kautz:3,2 -o x.svg --layout rows", "layout rows does not fit"},
           {"-t ring:4 -o x.svg --layout circel", "did you mean circle"}}) {
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
    EXPECT_NE(ran.err.find("73 ranks do not fit the 72 hosts of"), std::string::npos) << ran.err;
  }
}

}  // namespace
