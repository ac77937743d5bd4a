// weft simulate and weft compare: times, rows, charts, and results that depend on nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

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

// A one-way ring allreduce of S bytes on N ranks takes 2(N-1) steps of latency + S/(N bandwidth),
// with either model: no link is shared. algorithm bandwidth is S/time; bus, 2(N-1)/N times it.
TEST(SimulateCommand, times_a_ring_allreduce_by_its_closed_form) {
  for (const std::string model : {"alpha-beta", "fluid"}) {
    const json answer = answer_of(
        "simulate allreduce -t uniring:8 -a ring --size 8MB --link 10GBps,2us --model " + model);
    const double time = 14 * (2e-6 + 1e6 / 10e9);
    EXPECT_NEAR(answer["time"], time, 1e-9 * time) << model;
    EXPECT_NEAR(answer["algorithm_bandwidth"], 8e6 / time, 1);
    EXPECT_NEAR(answer["bus_bandwidth"], 14.0 / 8 * 8e6 / time, 1);
    EXPECT_EQ(answer["messages"], 14 * 8);
    EXPECT_EQ(answer["size"], 8'000'000);
    EXPECT_EQ(answer["model"], model);
  }
}

TEST(SimulateCommand, adds_the_start_up_to_each_step) {
  const json answer = answer_of(
      "simulate allreduce -t uniring:8 -a ring --size 8B --link 10GBps,2us --alpha 3us --model "
      "alpha-beta");
  EXPECT_NEAR(answer["time"], 14 * (5e-6 + 1e-10), 1e-12);  // a byte a step
  EXPECT_DOUBLE_EQ(answer["alpha"], 3e-6);
}

// complete:16: 15 start-ups of 1 us, 1 us of latency and 2 us at the receiver; together, one of
// each.
TEST(SimulateCommand, starts_messages_one_after_the_other) {
  const std::string line =
      "simulate alltoall -t complete:16 -a spread --size 0B --link 100Gbps,1us --alpha 1us ";
  EXPECT_EQ(answer_of(line)["time"], 0);  // nothing is sent
  const std::string byte = "simulate alltoall -t complete:16 -a spread --size 1B --alpha 1us ";
  EXPECT_NEAR(answer_of(byte)["time"], 16e-6, 1e-9);
  EXPECT_NEAR(answer_of(byte + "--alpha-per step")["time"], 2e-6, 1e-9);
  const json received = answer_of(byte + "--alpha-per step --alpha-receive 2us");
  EXPECT_NEAR(received["time"], 4e-6, 1e-9);
  EXPECT_EQ(received["alpha_per"], "step");
  EXPECT_DOUBLE_EQ(received["alpha_receive"], 2e-6);
  EXPECT_EQ(answer_of(byte)["alpha_per"], "message");
  EXPECT_EQ(answer_of(byte + "--model alpha-beta")["alpha_per"], "step");
}

// Times and the turning point as in comparison_test.cpp.
TEST(CompareCommand, says_who_wins_with_a_start_up) {
  const std::string line = "compare alltoall -t complete:16 -a spread,bruck --sizes 1KiB:8KiB";
  const std::string said =
      "with a start-up of 1us per message (--alpha 1us) bruck wins up to 2KiB; give your machine's "
      "--alpha\n";
  for (const std::string more : {"", " --winners"})
    EXPECT_NE(run_weft(words_of(line + more)).out.find(said), std::string::npos) << more;
  for (const std::string more : {" --alpha 0s", " --csv"})
    EXPECT_EQ(run_weft(words_of(line + more)).out.find("start-up"), std::string::npos) << more;
  const json check = answer_of(line)["startup_check"];
  EXPECT_DOUBLE_EQ(check["alpha"], 1e-6);
  EXPECT_EQ(check["winners"],
            json::parse(R"([{"from": 1024, "to": 2048, "algorithms": ["bruck"]}])"));
  EXPECT_FALSE(answer_of(line + " --alpha 0s").contains("startup_check"));
}

TEST(SimulateCommand, times_a_file_as_it_times_the_collective) {
  const ScratchFolder folder;
  const std::string file = folder.path("bruck.weft");
  ASSERT_EQ(run_weft({"schedule", "alltoall", "-t", "kautz:4,2", "-a", "bruck", "--radix", "3",
                      "-o", file})
                .code,
            0);
  const std::string options = " --size 1MiB --model fluid --sync per-rank --links top:10";
  const json of_file = answer_of("simulate " + file + options);
  const json built = answer_of("simulate alltoall -t kautz:4,2 -a bruck --radix 3" + options);
  EXPECT_EQ(of_file, built);
  ASSERT_EQ(of_file["link_loads"].size(), 10);
  for (std::size_t i = 0; i < 10; ++i) {
    const json& link = of_file["link_loads"][i];
    EXPECT_LE(link["utilisation"], 1 + 1e-9);
    EXPECT_EQ(link["class"], "link");
    if (i > 0) {
      EXPECT_LE(link["bytes"], of_file["link_loads"][i - 1]["bytes"]) << "busiest first";
    }
  }
}

// Making one of two classes faster can't make an all-to-all slower.
// 0 and 100 are of type 1: a path of 2 links and 15 of 3, (M / b + 47 us) / 16.
TEST(SimulateCommand, times_a_message_over_the_paths_that_suit_its_size) {
  const ScratchFolder folder;
  const std::string file = folder.path("paths.weft");
  const std::string ends = " point-to-point -t kautz:16,2 --from 0 --to 100 -a multipath";
  const json answer = answer_of("simulate" + ends + " --size 64MiB");
  const double time = ((64 << 20) / 12.5e9 + 47e-6) / 16;
  EXPECT_NEAR(answer["time"], time, 1e-5 * time);
  EXPECT_EQ(answer["messages"], 16);
  EXPECT_EQ(answer_of("simulate" + ends + " --size 1KiB")["messages"], 1);
  EXPECT_EQ(answer_of("simulate" + ends + " --size 64MiB --paths 4")["messages"], 4);

  answer_of("schedule" + ends + " --size 64MiB -o " + file);
  EXPECT_EQ(answer_of("simulate " + file + " --size 64MiB")["time"], answer["time"]);
  EXPECT_EQ(run_weft({"verify", file}).code, 0);
  const json rows = answer_of("compare" + ends + " --sizes 64MiB")["rows"];
  EXPECT_EQ(rows[0]["time"], answer["time"]);
}

// The same message: its paths are in both answers, and their shares are the whole.
TEST(SimulateCommand, tells_paths_and_shares) {
  const std::string ends = " point-to-point -t kautz:4,2 --from 0 --to 13 -a multipath";
  const json simulated = answer_of("simulate" + ends + " --size 64MiB");
  const json built = answer_of("schedule" + ends);
  EXPECT_EQ(simulated["from"], 0);
  EXPECT_EQ(simulated["to"], 13);
  ASSERT_EQ(built["paths"].size(), 4u);
  for (const json& path : built["paths"]) {
    EXPECT_EQ(path["share"], "1/4");
    EXPECT_EQ(path["nodes"].front(), 0);
    EXPECT_EQ(path["nodes"].back(), 13);
  }
  EXPECT_EQ(simulated["paths"].size(), 4u);
  EXPECT_NE(run_weft(words_of("schedule" + ends)).out.find("0 > 16 > 13"), std::string::npos);
  EXPECT_FALSE(answer_of("simulate broadcast -t ring:4 -a tree").contains("paths"));
}

// Other messages on the same links can only delay these broadcasts of trees.
TEST(SimulateCommand, tells_what_each_of_two_jobs_takes_alone) {
  const std::string one =
      "simulate broadcast -t dragonfly:a=4,p=2,h=2 --ranks 32 -a forest "
      "--placement random --size 64KiB --model packet --routing minimal";
  const json both = answer_of(one + " --beside tree");
  EXPECT_EQ(both["time_alone"], answer_of(one)["time"]);
  EXPECT_GE(both["time"].get<double>(), both["time_alone"].get<double>());
  EXPECT_GE(both["beside"]["time"].get<double>(), both["beside"]["time_alone"].get<double>());
  EXPECT_EQ(both["root"], 0);
  // 31 messages of 64 KiB leave a host and enter one, by terminal links.
  EXPECT_EQ(both["class_bytes"]["terminal"], 2 * 31 * 65536);
}

TEST(SimulateCommand, takes_speeds_by_class) {
  const json slow = answer_of(
      "simulate alltoall -t 2dfc:3x3 -a spread --size 1MB --link x=1GBps,0s --link y=10GBps,0s");
  const json even = answer_of("simulate alltoall -t 2dfc:3x3 -a spread --size 1MB --link 1GBps,0s");
  EXPECT_GT(even["time"].get<double>(), 0);
  EXPECT_LE(slow["time"].get<double>(), even["time"].get<double>() * (1 + 1e-9));
  EXPECT_EQ(slow["link"], (json{"x=1GBps,0s", "y=10GBps,0s"}));
}

// Ranks 0 and 1 of the DGX-1 share 50 GB/s, 0 and 2 share 25 GB/s: a binomial step of S bytes.
TEST(SimulateCommand, uses_the_unequal_links_of_the_dgx1) {
  const std::string head = "simulate broadcast -t file:" + weft::test::source_dir() +
                           "/examples/dgx1.edges -a direct --model alpha-beta --ranks ";
  const json near = answer_of(head + "2 --size 50MB");
  EXPECT_NEAR(near["time"], 1e-3 + 1e-6, 1e-9);
}

TEST(SimulateCommand, places_ranks_as_asked) {
  const std::string head = "simulate allreduce -t 'hosts(2, ring:8)' -a ring --size 1MiB";
  const json linear = answer_of(head + " --placement linear");
  EXPECT_EQ(linear["placement"], "linear");
  EXPECT_EQ(linear, answer_of(head + " --placement linear --seed 1"));
  const double random = answer_of(head + " --placement random --seed 5")["time"];
  EXPECT_EQ(random, answer_of(head + " --placement random --seed 5")["time"].get<double>());
  EXPECT_GE(random, linear["time"].get<double>());
  EXPECT_EQ(answer_of(head + " --placement round-robin --ranks 5")["ranks"], 5);

  const ScratchFolder folder;
  const std::string file = folder.file("ranks.txt", "8\n10\n12\n");
  EXPECT_EQ(answer_of(head + " --placement file:" + file)["ranks"], 3);
}

TEST(SimulateCommand, places_a_schedule_from_a_file_as_it_was_made) {
  const ScratchFolder folder;
  const std::string file = folder.path("ring.weft");
  const std::string built = "allreduce -t ring:8 -a ring --placement random --seed 5";
  ASSERT_EQ(run_weft(words_of("schedule " + built + " -o " + file)).code, 0);
  const json answer = answer_of("simulate " + file);
  EXPECT_EQ(answer["placement"], "schedule");
  EXPECT_EQ(answer["time"], answer_of("simulate " + built)["time"]);
  EXPECT_EQ(answer_of("simulate " + file + " --placement linear")["placement"], "linear");
}

// A packet climbs a channel with each link where there are enough, else by an order of links.
TEST(SimulateCommand, needs_few_channels_for_long_paths) {
  const auto alltoall = [](const std::string& rest) {
    return run_weft(
        words_of("simulate alltoall --algorithm pairwise --size 1KiB --model packet " + rest));
  };
  EXPECT_EQ(alltoall("-t ring:20 --routing shortest --vcs 2").code, 0);
  EXPECT_EQ(alltoall("-t xgft:3;4,2,2;1,2,2 --routing d-mod-k --vcs 1").code, 0);
  EXPECT_EQ(alltoall("-t xgft:2;4,4;1,4 --routing s-mod-k --vcs 1 --release acknowledged").code, 0);
  EXPECT_EQ(alltoall("-t mesh:4x4 --routing shortest --vcs 3 --release acknowledged").code, 0);
  const auto refused = alltoall("-t ring:20 --routing shortest --vcs 1");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("give --vcs 2"), std::string::npos) << refused.err;
  EXPECT_EQ(run_weft(words_of("simulate allgather -t ring:520 --algorithm ring --size 1KiB "
                              "--model packet --quiet"))
                .code,
            0);
}

// 65,536^2 messages in one step: a terabyte, said before the first of them.
TEST(SimulateCommand, says_before_the_run_that_it_does_not_fit) {
  const auto ran = run_weft(
      words_of("simulate alltoall -t hypercube:16 --algorithm spread --size 64B --model packet "
               "--routing dimension-order"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("messages at once need"), std::string::npos) << ran.err;
}

// Other traffic than the job's has no paths.
TEST(SimulateCommand, wants_a_routing_of_packets_for_other_traffic) {
  const auto ran = run_weft(words_of(
      "simulate broadcast -t dragonfly:a=4,p=2,h=2 --ranks 16 --algorithm tree --size 1KiB "
      "--model packet --background uniform --routing shortest"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("background traffic needs a packet routing, but"), std::string::npos)
      << ran.err;
}

// On all 72 hosts of a network there is no room for a second job either: the model comes first.
TEST(SimulateCommand, refuses_other_traffic_that_would_not_run) {
  const std::string job = "simulate broadcast -t dragonfly:a=4,p=2,h=2 -a tree --size 1KiB ";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--model fluid --beside tree", "the fluid model supports one job"},
      {"--model packet --background-size 2KiB", "--background"},
      {"--model packet --background-interval 1us", "--background"},
      {"--model packet --background-payload 1MiB", "--background"},
  };
  for (const auto& [options, says] : cases) {
    const auto ran = run_weft(words_of(job + options));
    EXPECT_EQ(ran.code, 2) << options;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

TEST(SimulateCommand, shows_when_each_rank_is_done) {
  const json answer = answer_of("simulate broadcast -t mesh:4 -a chain --size 4KiB --rank-times");
  ASSERT_EQ(answer["rank_times"].size(), 4);
  EXPECT_EQ(*std::max_element(answer["rank_times"].begin(), answer["rank_times"].end()),
            answer["time"]);
  const auto text = run_weft(words_of("simulate broadcast -t mesh:4 -a chain --rank-times"));
  EXPECT_NE(text.out.find("rank  node"), std::string::npos) << text.out;
}

TEST(CompareCommand, has_a_row_for_each_algorithm_and_size) {
  const json answer =
      answer_of("compare allreduce -t 2dfc:4x4 --sizes 1KiB,1MiB --link 100Gbps,1us --effort full");
  EXPECT_EQ(answer["command"], "compare");
  EXPECT_EQ(answer["bandwidth_factor_bound"], "15/8");
  const std::size_t algorithms = answer["algorithms"].size();
  ASSERT_GE(algorithms, 5);
  ASSERT_EQ(answer["rows"].size(), 2 * algorithms);
  for (const std::int64_t size : {1024, 1 << 20}) {
    double least = 1e9;
    for (const json& row : answer["rows"])
      if (row["size"] == size) least = std::min(least, row["time"].get<double>());
    int winners = 0;  // one, within 0.1 % of the least
    for (const json& row : answer["rows"])
      if (row["size"] == size && row["best"]) {
        ++winners;
        EXPECT_LE(row["time"].get<double>(), least * 1.001) << row;
      }
    EXPECT_EQ(winners, 1);
  }
  for (const json& algorithm : answer["algorithms"]) EXPECT_EQ(algorithm["verified"], true);
}

TEST(CompareCommand, takes_the_algorithms_that_are_named) {
  const json answer =
      answer_of("compare allreduce -t ring:8 --algorithms ring,binomial --sizes 4KiB");
  ASSERT_EQ(answer["rows"].size(), 2);
  EXPECT_EQ(answer["rows"][0]["algorithm"], "ring");
  EXPECT_EQ(answer["rows"][1]["algorithm"], "binomial");
}

// RFC 4180: a heading, the same number of fields on every line.
TEST(CompareCommand, writes_csv) {
  const ScratchFolder folder;
  const std::string head = "compare alltoall -t 2dfc:3x3 --sizes 1KiB:4KiB --csv";
  const auto ran = run_weft(words_of(head));
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "algorithm,size,time,bus_bandwidth,algorithm_bandwidth,segments,steps,messages,best,"
            "bound");
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 9);
  EXPECT_EQ(rows % 3, 0);
  ASSERT_EQ(run_weft(words_of(head + " " + folder.path("rows.csv"))).code, 0);
  EXPECT_EQ(read_text(folder.path("rows.csv")), ran.out);
}

TEST(CompareCommand, shows_winners_by_range) {
  const auto ran = run_weft(words_of("compare allreduce -t ring:8 --sizes 1KiB:1MiB --winners"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("sizes  fastest"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("- 1MiB"), std::string::npos) << ran.out;
}

TEST(CompareCommand, draws_charts_as_svg_and_png) {
  const ScratchFolder folder;
  for (const auto& [name, magic] :
       {std::pair<std::string, std::string>{"c.svg", "<?xml"}, {"c.png", "\x89PNG\r\n"}}) {
    const auto ran = run_weft({"compare", "allreduce", "-t", "ring:8", "--sizes", "1KiB:16KiB",
                               "--chart", folder.path(name)});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "wrote " + folder.path(name) + "\n");
    EXPECT_EQ(read_text(folder.path(name)).substr(0, magic.size()), magic);
  }
  EXPECT_NE(read_text(folder.path("c.svg")).find("</svg>"), std::string::npos);
  const auto bad = run_weft({"compare", "allreduce", "-t", "ring:8", "--sizes", "1KiB", "--chart",
                             folder.path("none/c.svg")});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.out, "");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"c.png", "c.svg"}));
}

TEST(Commands, answer_the_same_with_any_number_of_threads) {
  for (const std::string& line : std::vector<std::string>{
           "topology hosts(4,random-regular:64,8,seed=7)", "topology kautz:4,3",
           "compare alltoall -t kautz:4,2 --sizes 1KiB:64KiB",
           "compare allreduce -t 2dfc:4x4 --sizes 64KiB --sync lockstep --routing shortest-random "
           "--seed 9",
           "simulate allreduce -t 2dfc:4x4 -a double-binary-tree --placement random --links all",
           "schedule allreduce -t 2dfc:4x4 -a bidirectional-ring"}) {
    const auto one = run_weft(words_of(line + " --json --threads 1"));
    const auto four = run_weft(words_of(line + " --json --threads 4"));
    EXPECT_EQ(one.code, 0) << line << ": " << one.err;
    EXPECT_EQ(one.out, four.out) << line;
  }
}

TEST(Commands, repeat_the_seed) {
  EXPECT_EQ(answer_of("schedule allreduce -t ring:4 -a ring --seed 18446744073709551615")["seed"],
            18446744073709551615u);
}

TEST(Commands, say_nothing_beside_the_answer_when_quiet) {
  const ScratchFolder folder;
  for (const std::string& line : std::vector<std::string>{
           "compare allreduce -t ring:8 --sizes 1KiB --chart " + folder.path("c.svg"),
           "schedule allreduce -t ring:8 -a ring -o " + folder.path("s.weft"),
           "topology ring:8 -o " + folder.path("t.json")}) {
    const auto ran = run_weft(words_of(line + " --quiet"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "") << line;
    EXPECT_EQ(ran.out, "") << line;
  }
  EXPECT_NE(run_weft(words_of("compare allreduce -t ring:8 --sizes 1KiB -q --json")).out, "");
  EXPECT_NE(run_weft(words_of("compare allreduce -t ring:8 --sizes 1KiB -q --csv -")).out, "");
  EXPECT_NE(run_weft(words_of("topology ring:8 -q -o -")).out, "");
  EXPECT_NE(run_weft(words_of("schedule allreduce -t ring:4 -a ring -q --text")).out, "");
  EXPECT_NE(run_weft(words_of("compare allreduc -t ring:8 -q")).err, "");
}

TEST(Commands, explain_themselves) {
  for (const std::string command :
       {"", "topology", "schedule", "verify", "cost", "simulate", "compare", "list"}) {
    const auto ran = run_weft(words_of(command + " --help"));
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_NE(ran.out.find(command.empty() ? "Usage: weft" : "Usage: weft " + command),
              std::string::npos)
        << ran.out;
  }
  EXPECT_EQ(run_weft({"--version"}).out.substr(0, 5), "weft ");
}

}  // namespace
