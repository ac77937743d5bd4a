// One name for one thing: what people type is taken, or what they meant is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process/command_line.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

Ran run_line(const std::string& line) {
  return run_weft(words_of(line));
}

void expect_said(const std::string& line, const std::string& says) {
  const Ran ran = run_line(line);
  EXPECT_EQ(ran.code, 2) << line << ran.out;
  EXPECT_NE(ran.err.find(says), std::string::npos) << line << ": " << ran.err;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << line << ": " << ran.err;
}

void expect_same(const std::string& line, const std::string& other) {
  const Ran first = run_line(line), second = run_line(other);
  EXPECT_EQ(first.code, 0) << line << ": " << first.err;
  EXPECT_EQ(first.out, second.out) << line << " and " << other << ": " << second.err;
}

TEST(Words, a_topology_stands_behind_t_or_by_itself) {
  expect_same("topology ring:4", "topology -t ring:4");
  expect_same("throughput ring:4", "throughput --topology ring:4");
  expect_same("economics \"hosts(2, ring:4)\"", "economics -t \"hosts(2, ring:4)\"");
  expect_same("schedule allreduce -a ring ring:4", "schedule allreduce -a ring -t ring:4");
  expect_same("compare allreduce ring:4 --sizes 1KiB", "compare allreduce -t ring:4 --sizes 1KiB");
  expect_same("simulate allreduce ring:4 -a ring", "simulate allreduce -t ring:4 -a ring");
  expect_same("synthesize allgather ring:3 --chunks 1 --steps 1",
              "synthesize allgather -t ring:3 --chunks 1 --steps 1");
  expect_same("order broadcast \"hosts(1, ring:8)\" --attempts 9",
              "order broadcast -t \"hosts(1, ring:8)\" --attempts 9");
  const std::string loads = " --loads 0.1 --warmup 10 --measure 100 --resolution 0.5";
  expect_same("load-curve ring:4" + loads, "load-curve -t ring:4" + loads);
  expect_said("compare allreduce ring:4 -t ring:4", "--topology is given more than once");
}

TEST(Words, one_of_a_thing_is_in_the_singular) {
  const Ran direct = run_line("simulate alltoall -t complete:4 -a direct --size 1KiB");
  EXPECT_NE(direct.out.find("alltoall of 4 ranks, by direct, 1 step\n"), std::string::npos)
      << direct.out;
  expect_said("topology ring:1", "a ring of 1 node is too small");
  expect_said("optimum allgather -t ring:8 --steps 1..1", "no schedule has 1 step (the diameter");
  expect_said("synthesize allgather -t ring:8 --steps 1..1", "no schedule has 1 step (the");
  expect_said("design --nodes 1 --degree 4 --collective allreduce:1MiB", "1 node cannot be");
}

TEST(Words, size_and_algorithm_are_one_word_in_singular_and_plural) {
  expect_same("compare allreduce -t ring:4 --size 1KiB,4KiB --algorithm ring",
              "compare allreduce -t ring:4 --sizes 1KiB,4KiB --algorithms ring");
  expect_same("simulate allreduce -t ring:4 --sizes 1KiB --algorithms ring",
              "simulate allreduce -t ring:4 --size 1KiB --algorithm ring");
  expect_same("schedule allreduce -t ring:4 --algorithms ring",
              "schedule allreduce -t ring:4 --algorithm ring");
  for (const char* line : {"simulate allreduce -t ring:4 -a ring --size 1KiB:1MiB",
                           "simulate allreduce -t ring:4 -a ring --sizes 1KiB,2KiB",
                           "order broadcast -t ring:4 --size 1KiB,2KiB"})
    expect_said(line, "--size takes one size here, not");
  for (const char* line : {"simulate allreduce -t ring:4 -a ring,binomial",
                           "schedule allreduce -t ring:4 -a ring,binomial"})
    expect_said(line, "takes one algorithm here, such as ring, not 'ring,binomial'");
}

TEST(Words, ranges_are_written_alike_everywhere) {
  const auto sizes = [](const std::string& range) {
    const Ran ran = run_line("compare allreduce -t ring:4 -a ring --json --sizes " + range);
    std::vector<int> found;
    const json answer = json::parse(ran.out);
    for (const json& row : answer["rows"]) found.push_back(row["size"]);
    return found;
  };
  EXPECT_EQ(sizes("1KiB:4KiB"), (std::vector<int>{1024, 2048, 4096}));
  EXPECT_EQ(sizes("1KiB:4KiB:1KiB"), (std::vector<int>{1024, 2048, 3072, 4096}));
  EXPECT_EQ(sizes("8,1KiB:2KiB"), (std::vector<int>{8, 1024, 2048}));
  const std::string synthesize = "synthesize allgather ring:3 --steps 1 --chunks ";
  expect_same(synthesize + "1:2:1", synthesize + "1,2");
  expect_said(synthesize + "1:4", "has no step of chunks between 2 and 4");
  const auto nodes = [](const std::string& range) {
    const Ran ran = run_line("find -d 2 --json --nodes " + range);
    const json answer = json::parse(ran.out);
    std::vector<int> found;
    for (const json& front : answer["sizes"]) found.push_back(front["nodes"]);
    return found;
  };
  EXPECT_EQ(nodes("4:16"), (std::vector<int>{4, 8, 16}));
  EXPECT_EQ(nodes("6,4"), (std::vector<int>{4, 6}));
  EXPECT_EQ(nodes("4:8:2"), (std::vector<int>{4, 6, 8}));
}

// Every command's help shows nothing that it refuses or does not heed.
TEST(Words, options_that_a_command_cannot_use_are_refused) {
  for (const auto& [line, option] : std::vector<std::pair<std::string, std::string>>{
           {"order broadcast -t ring:4", "--placement linear"},
           {"synthesize allgather -t ring:3", "--root 0"},
           {"synthesize allgather -t ring:3", "--from 0"},
           {"synthesize allgather -t ring:3", "--to 0"},
           {"synthesize allgather -t ring:3", "--alpha 1us"},
           {"synthesize allgather -t ring:3", "--ports 1"},
           {"synthesize allgather -t ring:3", "--copy-bandwidth 1GBps"},
           {"synthesize allgather -t ring:3", "--layout kept"},
           {"synthesize allgather -t ring:3", "--reduce-bandwidth 1GBps"},
           {"synthesize allgather -t ring:3", "--routing shortest"},
           {"synthesize allgather -t ring:3", "--ranks 3"},
           {"synthesize allgather -t ring:3", "--hosts 1-2"},
           {"schedule allgather -t ring:3 -a ring", "--alpha 1us"},
           {"schedule allgather -t ring:3 -a ring", "--copy-bandwidth 1GBps"},
           {"schedule allgather -t ring:3 -a ring", "--layout kept"},
           {"schedule allgather -t ring:3 -a ring", "--reduce-bandwidth 1GBps"},
           {"cost a.weft", "--alpha 1us"},
           {"cost a.weft", "--alpha-receive 1us"},
           {"cost a.weft", "--alpha-per step"},
           {"cost a.weft", "--ports 1"},
           {"cost a.weft", "--copy-bandwidth 1GBps"},
           {"cost a.weft", "--layout kept"},
           {"cost a.weft", "--reduce-bandwidth 1GBps"},
           {"draw --schedule a.weft -o a.svg", "--alpha 1us"},
           {"draw --schedule a.weft -o a.svg", "--ports 1"},
           {"draw --schedule a.weft -o a.svg", "--copy-bandwidth 1GBps"},
           {"draw --schedule a.weft -o a.svg", "--reduce-bandwidth 1GBps"}}) {
    const std::string name = option.substr(0, option.find(' '));
    expect_said(line + " " + option, "unknown option '" + name + "'");
    const std::string help = run_line(line.substr(0, line.find(' ')) + " --help-all").out;
    EXPECT_EQ(help.find("\n  " + name + " "), std::string::npos) << line << ' ' << name;
  }
}

TEST(Words, help_and_version_are_commands_too) {
  expect_same("help", "--help");
  expect_same("help compare", "compare --help");
  expect_same("version", "--version");
  expect_same("-V", "--version");
  expect_said("help compar", "did you mean compare?");
}

TEST(Words, what_people_type_is_taken_or_named) {
  expect_same("simulate allreduce -t ring:4 -a ring --link 200gbps,1\u00b5s",
              "simulate allreduce -t ring:4 -a ring --link 200gbps,1\u03bcs");
  const auto time = [](const std::string& link) {
    const Ran ran = run_line("simulate allreduce ring:4 -a ring --json --link " + link);
    return json::parse(ran.out)["time"].get<double>();
  };
  EXPECT_EQ(time("200gbps,1\u00b5s"), time("200Gbps,1us"));
  expect_same(
      "simulate allgather torus:4x4 -a Bidirectional_Ring --routing Dimension_Order_Up "
      "--placement Round_Robin",
      "simulate allgather torus:4x4 -a bidirectional-ring --routing dimension-order-up "
      "--placement round-robin");
  expect_said("simulate allreduce ring:4 -a ring --size 64K", "did you mean 64KiB");
  expect_said("find -n 64 --ports 4",
              "unknown option '--ports' of weft find; did you mean --degree?");
  expect_said("compare allreduce ring:4 --nodes 4", "did you mean --ranks?");
  expect_said("train vgg-16 --bucket 1MB", "of weft train; did you mean --buckets");
  expect_said("load-curve -t ring:4 --traffic hotspot",
              "unknown traffic 'hotspot'; write hot-spot:SHARE, such as hot-spot:0.1");
}

TEST(Words, errors_name_what_would_be_right) {
  expect_said("topology ring:4 -o x.jsn", "and .csv as a list of cables");
  expect_said("simulate allreduce -t ring:4 -a all", "runs all that fit by default");
  expect_said("compare allreduce ring:4 --efort full", "of weft compare; did you mean --effort?");
  expect_said("compare allreduce ring:4 -o x.csv", "'-o' of weft compare; see weft compare --help");
  expect_said("compare allreduce ring:4 --copy-bandwidth 10", "has no unit; write 10Gbps");
  for (const char* code : {"0 done", "1 a negative", "2 wrong input", "3 an error in weft", "130"})
    EXPECT_NE(run_line("--help").out.find(code), std::string::npos) << code;
}

// Windows' editors write EF BB BF before a text.
TEST(Words, a_byte_order_mark_is_no_part_of_a_file) {
  const ScratchFolder folder;
  const std::string mark = "\xef\xbb\xbf";
  const auto hosts = [&](const std::string& name, const std::string& content) {
    const Ran ran = run_line("topology --json file:" + folder.file(name, mark + content));
    EXPECT_EQ(ran.code, 0) << name << ": " << ran.err;
    return ran.code == 0 ? json::parse(ran.out)["hosts"].get<int>() : 0;
  };
  EXPECT_EQ(hosts("a.edges", "0 1\n1 2\n"), 3);
  EXPECT_EQ(
      hosts("a.json", R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1],[1,0]]})"),
      2);
  const std::string toml =
      folder.file("a.toml", mark +
                                "[experiment]\ntitle = \"t\"\n[grid]\ntopology = \"ring:4\"\n"
                                "collective = \"allreduce\"\nalgorithm = \"ring\"\n");
  EXPECT_EQ(run_line("sweep --dry-run " + toml).code, 0);
  const std::string csv = folder.file("a.csv", mark +
                                                   "steps,bandwidth_factor,size,time\n"
                                                   "14,15/8,1KB,208us\n8,15/8,1KB,128us\n"
                                                   "14,15/8,1GB,0.19\n");
  EXPECT_EQ(run_line("fit " + csv).code, 0);
}

TEST(ListCommand, says_what_fits_a_network_and_why_not_the_rest) {
  const Ran ran = run_line("list algorithms allreduce -t torus:3x3 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::size_t no = 0, yes = 0;
  const json answer = json::parse(ran.out);
  for (const json& row : answer["algorithms"]) {
    EXPECT_EQ(row["fits"] == "no", row["why_not"] != "") << row;
    (row["fits"] == "no" ? no : yes)++;
    if (row["name"] == "ring") {
      EXPECT_EQ(row["fits"], "yes");
    }
    if (row["name"] == "expand") {
      EXPECT_EQ(row["why_not"], "it would be bfb here");
    }
  }
  EXPECT_GT(no, 0U);
  // What fits is what compare takes.
  const json compared =
      json::parse(run_line("compare allreduce -t torus:3x3 --sizes 1KiB --json").out);
  EXPECT_EQ(yes, compared["algorithms"].size());
  expect_said("list algorithms -t torus:3x3",
              "the collective is missing; write weft list algorithms allreduce");
  expect_said("list models -t torus:3x3",
              "--topology works with weft list algorithms COLLECTIVE, not with");
}

TEST(ListCommand, shows_one_entry_in_full) {
  const Ran ran = run_line("list topologies torus");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("name ")) << ran.out;
  EXPECT_NE(ran.out.find("parameters"), std::string::npos);
  const json one = json::parse(run_line("list topologies torus --json").out);
  ASSERT_EQ(one["topologies"].size(), 1U);
  EXPECT_EQ(one["topologies"][0]["name"], "torus");
  const json serving = json::parse(run_line("list algorithms alltoall --json").out);
  for (const json& row : serving["algorithms"])
    EXPECT_NE(row["collectives"].get<std::string>().find("alltoall"), std::string::npos) << row;
  expect_said("list topologies tours", "did you mean torus?");
}

// Characters of the longest line; bytes of UTF-8 that continue a character do not count.
std::size_t widest(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    widest = std::max(widest, static_cast<std::size_t>(std::ranges::count_if(
                                  line, [](char c) { return (c & 0xc0) != 0x80; })));
  return widest;
}

TEST(Screen, every_list_fits_80_columns) {
  for (const char* kind :
       {"topologies", "algorithms", "collectives", "models", "routings", "traffic",
        "algorithms allreduce -t torus:3x3", "topologies dragonfly"}) {
    const Ran ran = run_line(std::string("list ") + kind);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_LE(widest(ran.out), 80U) << ran.out;
  }
}

TEST(Screen, compare_shows_six_on_80_columns_and_all_when_asked) {
  const std::string line = "compare allreduce -t 2dfc:4x4 --sizes 1KiB:1MiB";
  const Ran best = run_line(line), all = run_line(line + " --all");
  const std::size_t algorithms = json::parse(run_line(line + " --json").out)["algorithms"].size();
  ASSERT_GT(algorithms, 6U);
  const std::string tables = best.out.substr(best.out.find("\n\n") + 2);  // below the bounds
  EXPECT_LE(widest(tables.substr(0, tables.find("* fastest"))), 80U) << best.out;  // not the advice
  const std::size_t all_option = tables.find(" more algorithms: --all\n");
  ASSERT_NE(all_option, std::string::npos) << best.out;
  const std::size_t more = tables.rfind("; ", all_option);
  const std::size_t left = std::stoul(tables.substr(more + 2));
  EXPECT_GE(left, algorithms - 6);
  EXPECT_LT(left, algorithms);
  EXPECT_EQ(all.out.find("--all"), std::string::npos);
  EXPECT_GT(all.out.size(), best.out.size());
  EXPECT_EQ(best.out.find('\033'), std::string::npos);  // no colours in a pipe
}

}  // namespace
}  // namespace weft::test
