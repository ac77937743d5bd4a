// weft find: its answers, its files and its refusals.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/find/find_fixture.hpp"
#include "support/process/command_line.hpp"
#include "weft/base/rational.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

class FindCommand : public weft::test::FindFixture {
 protected:
  static json find(const std::string& line) {
    const auto ran = run_weft(words_of("find " + line + " --json"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out);
  }
};

// Table 7, N = 1024: circulant:16,3,4 has 3 steps and 15/16; three line graphs add 3 steps and
// 1/16 + 1/64 + 1/256: 15/16 + 21/256 = 261/256.
TEST_F(FindCommand, answers_by_the_contract) {
  const json answer = find("--nodes 1024 --degree 4 --one-way");
  EXPECT_EQ(answer["command"], "find");
  EXPECT_EQ(answer["nodes"], 1024);
  EXPECT_EQ(answer["bounds"]["steps"], 5);
  EXPECT_EQ(answer["bounds"]["bandwidth_factor"], "1023/1024");
  EXPECT_NEAR(answer["bounds"]["throughput"].get<double>(), 8.57e-4, 5e-7);
  ASSERT_FALSE(answer["pareto"].empty());
  bool low = false;
  for (const json& line : answer["pareto"]) {
    for (const char* key :
         {"topology", "wiring", "ports", "steps", "bandwidth_factor", "diameter", "distance_bound"})
      EXPECT_TRUE(line.contains(key)) << key;
    EXPECT_LE(line["diameter"], line["steps"]);
    const std::string factor = line["bandwidth_factor"];
    const double value = std::stod(factor) / std::stod(factor.substr(factor.find('/') + 1));
    low = low || (line["steps"] <= 6 && value <= 261.0 / 256);
  }
  EXPECT_TRUE(low);
}

// Two-way cables unless one-way links are asked for: 1 + 4 (1 + 3 + 9 + 27 + 81) = 485 nodes are
// within 5 hops of a node of 4 ports, so 1024 nodes need 6 steps or more.
TEST_F(FindCommand, looks_for_two_way_networks) {
  const json answer = find("--nodes 1024 --degree 4");
  EXPECT_EQ(answer["direction"], "bidirectional");
  EXPECT_EQ(answer["bounds"]["steps"], 6);
  ASSERT_FALSE(answer["pareto"].empty());
  for (const json& line : answer["pareto"]) {
    EXPECT_EQ(line["wiring"], "two-way");
    EXPECT_EQ(line["ports"], 4);
    EXPECT_GE(line["steps"], 6);
  }
  const auto shown = run_weft(words_of("find --nodes 1024 --degree 4"));
  EXPECT_NE(shown.out.find("two-way"), std::string::npos);
  EXPECT_NE(shown.out.find("--one-way"), std::string::npos);
}

// A cable has two ends, so the ports of all nodes are twice the cables that weft economics prices:
// those of line(complete:3) are 4 a node, for a degree of 2.
TEST_F(FindCommand, counts_the_ports_that_economics_prices) {
  int one_way = 0;
  for (const std::string line : {"--nodes 12 --degree 2 --one-way", "--nodes 64",
                                 "--nodes 64 --one-way", "--nodes 1024 --one-way"}) {
    const json answer = find(line);
    for (const json& found : answer["pareto"]) {
      const auto priced = run_weft({"economics", found["topology"].get<std::string>(), "--json"});
      ASSERT_EQ(priced.code, 0) << priced.err;
      EXPECT_EQ(2 * json::parse(priced.out)["cables"].get<int>(),
                found["ports"].get<int>() * answer["nodes"].get<int>())
          << found["topology"];
      one_way += found["wiring"] == "one-way" ? 1 : 0;
      EXPECT_EQ(found["wiring"] == "two-way", found["ports"] == answer["degree"]);
    }
  }
  EXPECT_GT(one_way, 0);
}

// Every size that can be has a two-way network in the catalogue that ships.
TEST_F(FindCommand, has_a_two_way_network_of_every_size) {
  for (const auto& [degree, last] : {std::pair(4, 400), {8, 200}}) {
    const json answer = find("--nodes " + std::to_string(degree + 1) + ".." + std::to_string(last) +
                             " --degree " + std::to_string(degree));
    for (const json& size : answer["sizes"]) EXPECT_FALSE(size["pareto"].empty()) << size["nodes"];
  }
}

TEST_F(FindCommand, adds_throughput_and_time) {
  const json answer = find("--nodes 16 --throughput --size 1MiB --link 25Gbps,10us");
  for (const json& line : answer["pareto"]) {
    EXPECT_LE(line["throughput"], line["upper_bound"]);
    EXPECT_GT(line["throughput"], 0);
    EXPECT_LE(line["upper_bound"].get<double>(),
              line["distance_bound"].get<double>() * (1 + 1e-12));
    // steps * 10 us + T_B * 2^20 B / (4 * 25 Gb/s); T_B < 2.
    EXPECT_GT(line["time"].get<double>(), line["steps"].get<double>() * 10e-6 + 15e-6);
    EXPECT_LT(line["time"].get<double>(), line["steps"].get<double>() * 10e-6 + 168e-6);
  }
}

TEST_F(FindCommand, keeps_throughputs) {
  const json first = find("--nodes 12 --throughput");
  const std::string kept = read_text(cache_.path("weft/throughput.txt"));
  EXPECT_TRUE(kept.starts_with("# weft-throughput 1 "));
  EXPECT_EQ(find("--nodes 12 --throughput")["pareto"], first["pareto"]);
  EXPECT_EQ(read_text(cache_.path("weft/throughput.txt")), kept);
}

TEST_F(FindCommand, answers_ranges_as_json_and_csv) {
  const json answer = find("--nodes 5..8 --degree 2");
  ASSERT_EQ(answer["sizes"].size(), 4U);
  EXPECT_EQ(answer["sizes"][1]["nodes"], 6);
  EXPECT_EQ(answer["sizes"][1]["pareto"][0]["topology"], "ring:6");
  EXPECT_TRUE(answer["sizes"][1]["pareto"][0]["diameter"].is_null());
  const ScratchFolder folder;
  const auto ran =
      run_weft(words_of("find --nodes 5..8 --degree 2 --one-way --csv " + folder.path("all.csv")));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(read_text(folder.path("all.csv")).starts_with("nodes,topology,steps,"));
}

// Moore: of 2 links out 6 nodes take 2 steps, and no allgather has less than (N - 1)/N. The curve
// of each network is what weft optimum has of it.
TEST_F(FindCommand, has_the_curve_of_each_network) {
  const json pareto = find("--nodes 6 --degree 2 --one-way --steps 2..3")["pareto"];
  ASSERT_FALSE(pareto.empty());
  for (const json& line : pareto) {
    const std::string steps = line["steps"] == 2 ? " --steps 2..3" : " --steps 3..3";
    const auto alone = run_weft(words_of("optimum allgather -t " +
                                         line["topology"].get<std::string>() + steps + " --json"));
    EXPECT_EQ(line["curve"], json::parse(alone.out)["curve"]);
    EXPECT_EQ(line["curve"].back()["steps"], 3);
    for (const json& point : line["curve"]) {
      const weft::Rational best =
          weft::parse_rational(point["bandwidth_factor"].get<std::string>());
      EXPECT_GE(best, weft::Rational(5, 6));
      EXPECT_GE(best, weft::parse_rational(point["bandwidth_factor_bound"].get<std::string>()));
    }
  }
}

// Of 16 nodes with 4 ports none reaches the 15 others in one step, and rings of cables do in more.
TEST_F(FindCommand, says_that_no_network_has_so_few_steps) {
  const std::string chart = cache_.path("none.svg");
  for (const char* more : {"", " --json"}) {
    const auto ran =
        run_weft(words_of("find --nodes 16 --degree 4 --steps 1..1 --steps-chart " + chart + more));
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(ran.err.find("weft: no allgather takes --steps 1..1 on any of these"),
              std::string::npos)
        << ran.err;
    EXPECT_FALSE(std::filesystem::exists(chart));
  }
  const auto wide = run_weft(words_of("find --nodes 16 --degree 4 --steps 1..4"));
  EXPECT_EQ(wide.code, 0) << wide.err;
}

TEST_F(FindCommand, draws_curves_and_refuses_them_where_they_have_no_place) {
  const std::string chart = cache_.path("curves.svg");
  const auto ran =
      run_weft(words_of("find --nodes 6 --degree 2 --one-way --steps 2.. --steps-chart " + chart));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("wrote " + chart), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(chart));
  EXPECT_NE(ran.out.find("T_L at most"), std::string::npos);
  for (const auto& [line, part] :
       {std::pair("find --nodes 6..8 --steps 2..",
                  "--steps supports one size of up to 128 nodes, not"),
        {"find --nodes 256 --steps 2..", "not 256"},
        {"find --nodes 6 --steps 2.. --csv -", "no effect on the lines of --csv"},
        {"find --nodes 6 --steps 5..3", "the range 5..3 of steps decreases; write 3..5"},
        {"find --nodes 6 --steps-chart a.svg", "write --steps 3.."}}) {
    const auto refused = run_weft(words_of(line));
    EXPECT_EQ(refused.code, 2) << line;
    EXPECT_NE(refused.err.find(part), std::string::npos) << refused.err;
  }
}

TEST_F(FindCommand, keeps_what_a_search_finds) {
  const ScratchFolder folder;
  setenv("WEFT_CATALOGUE", folder.path("").c_str(), 1);
  const std::string file = " --catalogue " + folder.path("found.csv");
  const json found = find("--nodes 27 --one-way --search 0.2" + file);
  EXPECT_NE(read_text(folder.path("found.csv")).find("27,4,one-way"), std::string::npos);
  EXPECT_EQ(find("--nodes 27 --one-way" + file)["pareto"], found["pareto"]);
  const auto ran = run_weft(words_of("find --nodes 9..10 --search 1" + file));
  EXPECT_EQ(ran.code, 2);
}

// 64 nodes with T_L 1 and T_B 1/7 are impossible; circulant:8,1,3 has diameter 2.
TEST_F(FindCommand, refuses_finds_that_are_not_what_they_say) {
  const ScratchFolder folder;
  const std::string heading = "nodes,degree,direction,steps,bandwidth_factor,how,seed,expression\n";
  const auto refusal = [&](const std::string& line, const std::string& nodes) {
    const std::string file = folder.file("found.csv", heading + line + "\n");
    const auto ran = run_weft(words_of("find --one-way --nodes " + nodes + " --catalogue " + file));
    EXPECT_EQ(ran.code, 2) << ran.out;
    return ran.err;
  };
  EXPECT_NE(refusal("64,4,one-way,1,1/7,cayley,1,\"cayley:Z64;1,2,3,4\"", "64").find("impossible"),
            std::string::npos);
  EXPECT_NE(refusal("8,4,one-way,1,7/8,cayley,1,\"circulant:8,1,3\"", "8").find("remove the line"),
            std::string::npos);
}

// Five nodes of five ports have 25 ends of cables, an odd number: a port stays idle. All are joined
// by 4 ports each: a step and 4/5, which is 4/5 * 5/4 = 1 of what five ports carry.
TEST_F(FindCommand, leaves_a_port_idle_where_cables_cannot_fill_all) {
  const auto ran = run_weft(words_of("find --nodes 5 --degree 5 --json"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("4 nodes"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("--one-way"), std::string::npos) << ran.err;
  const json line = json::parse(ran.out)["pareto"][0];
  EXPECT_EQ(line["topology"], "idle(1, complete:5)");
  EXPECT_EQ(line["idle_ports"], 1);
  EXPECT_EQ(line["ports"], 4);
  EXPECT_EQ(line["steps"], 1);
  EXPECT_EQ(line["bandwidth_factor"], "1");
  const auto made =
      run_weft({"schedule", "allgather", "-t", "idle(1, complete:5)", "-a", "expand", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(json::parse(made.out)["bandwidth_factor"], "1");
  const auto shown = run_weft(words_of("find --nodes 5 --degree 5"));
  EXPECT_NE(shown.out.find("idle: ports of every node without a cable"), std::string::npos);
}

// Cables of one port a node join pairs.
TEST_F(FindCommand, says_where_no_network_exists) {
  const auto ran = run_weft(words_of("find --nodes 9 --degree 1 --json"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("2 nodes"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("--one-way"), std::string::npos) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["nodes"], 9);
  EXPECT_EQ(answer["pareto"], json::array());
  EXPECT_TRUE(answer["bounds"].is_null());
  EXPECT_EQ(run_weft(words_of("find --nodes 9 --degree 1")).out, "");
}

// 2018 = 2 * 1009 nodes are beyond the catalogue. What is drawn is kept, and drawn again where
// somebody touched the file.
TEST_F(FindCommand, searches_sizes_beyond_the_catalogue_and_keeps_them) {
  const json first = find("--nodes 2018 --degree 3 --search 0");
  ASSERT_FALSE(first["pareto"].empty());
  EXPECT_LE(first["pareto"][0]["steps"], first["bounds"]["steps"].get<int>() + 4);
  const std::string kept = read_text(cache_.path("weft/samples.csv"));
  EXPECT_TRUE(kept.starts_with("# weft-samples 2 ")) << kept;
  EXPECT_EQ(find("--nodes 2018 --degree 3 --search 0"), first);
  std::string touched = kept;
  touched.replace(touched.find(",3,bidirectional,"), 3, ",3,bidirectional,1");
  cache_.file("weft/samples.csv", touched);
  EXPECT_EQ(find("--nodes 2018 --degree 3 --search 0"), first);
  EXPECT_EQ(read_text(cache_.path("weft/samples.csv")), kept);
}

// The upper bound of a search is below the one by distances, which needs a word.
TEST_F(FindCommand, says_what_its_two_bounds_on_throughput_are) {
  const std::string line = "two bounds on the throughput of each network";
  EXPECT_NE(run_weft(words_of("find --nodes 16 --throughput")).out.find(line), std::string::npos);
  EXPECT_EQ(run_weft(words_of("find --nodes 16")).out.find(line), std::string::npos);
}

// A stored value needs no time, and one line says so.
TEST_F(FindCommand, says_where_a_time_limit_came_first_or_has_no_effect) {
  const auto first = run_weft(words_of("find --nodes 16 --throughput --time-limit 0 --json"));
  EXPECT_EQ(first.code, 1);
  EXPECT_NE(first.err.find("before a throughput was found for"), std::string::npos) << first.err;
  const json lines = json::parse(first.out)["pareto"];
  ASSERT_FALSE(lines.empty());
  for (const json& line : lines) {
    EXPECT_EQ(line.at("throughput"), nullptr);
    EXPECT_NEAR(line["upper_bound"], line["distance_bound"], 1e-12);
  }
  EXPECT_EQ(run_weft(words_of("find --nodes 16 --throughput --time-limit 0")).out.find("inf"),
            std::string::npos);

  const auto hasty = run_weft(words_of("find --nodes 64 --throughput --time-limit 1us --json"));
  EXPECT_EQ(hasty.code, 1);
  EXPECT_NE(hasty.err.find("within 1% of the upper bound for 1 of 1 network"), std::string::npos)
      << hasty.err;

  find("--nodes 16 --throughput");
  const auto again = run_weft(words_of("find --nodes 16 --throughput --time-limit 0 --json"));
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("--time-limit has no effect on"), std::string::npos) << again.err;
  const json uncached = json::parse(again.out);
  for (const json& line : uncached["pareto"]) EXPECT_GT(line["throughput"], 0);
}

// A folder in the place of the cache's file can be neither read nor written, by root either.
TEST_F(FindCommand, answers_without_its_cache) {
  std::filesystem::create_directories(cache_.path("weft/samples.csv"));
  EXPECT_FALSE(find("--nodes 2018 --degree 3 --search 0")["pareto"].empty());
}

// The gap and the time limit are the throughput's, the link is that of the time for a size.
TEST_F(FindCommand, refuses_options_without_effect) {
  for (const auto& [line, needed] : {std::pair("find --nodes 8 --gap 0.1", "--throughput"),
                                     {"find --nodes 8 --time-limit 3s", "--throughput"},
                                     {"find --nodes 8 --link 25Gbps,10us", "--size"},
                                     {"find --nodes 8 --build-degrees 3", "--build-catalogue"}}) {
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(needed), std::string::npos) << ran.err;
  }
}

// Cables of one port a node join pairs.
TEST_F(FindCommand, answers_a_range_without_networks) {
  const auto ran = run_weft(words_of("find --nodes 3..5 --degree 1 --json"));
  EXPECT_EQ(ran.code, 1);
  const json answer = json::parse(ran.out);
  ASSERT_EQ(answer["sizes"].size(), 3U);
  for (const json& size : answer["sizes"]) EXPECT_EQ(size["pareto"], json::array());
}

TEST_F(FindCommand, refuses_nonsense) {
  for (const char* line :
       {"find --nodes 0", "find --nodes 8..4", "find --nodes x", "find --nodes 2..", "find",
        "find --nodes 8 --degree 0", "find --nodes 8 --size 1MiB --link 25Gbps",
        "find --nodes 8 --search -1", "find --nodes 99999999",
        "find --nodes 8 --throughput --gap nan", "find --nodes 8 --json --csv -",
        "find --nodes 8 --throughput --time-limit soon"}) {
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
  }
}

TEST_F(FindCommand, refuses_a_catalogue_that_is_no_folder) {
  setenv("WEFT_CATALOGUE", "/nowhere", 1);
  EXPECT_EQ(run_weft(words_of("find --nodes 8")).code, 2);
}

TEST_F(FindCommand, does_without_data) {
  const ScratchFolder folder;
  setenv("WEFT_CATALOGUE", folder.path("").c_str(), 1);
  EXPECT_FALSE(find("--nodes 64")["pareto"].empty());
}

// 998 = 2 * 499 has few networks of degree 3 by rule: the best takes 250 steps, the Moore bound of
// a cubic graph is 9 (1 + 3 (2^8 - 1) = 766 < 998). The shipped catalogue comes near it.
TEST_F(FindCommand, says_where_few_networks_are_known) {
  for (const char* line : {"find --nodes 1024 --degree 4", "find --nodes 998 --degree 3"}) {
    const auto well = run_weft(words_of(line));
    EXPECT_EQ(well.out.find("far above"), std::string::npos) << well.out;
  }
  const ScratchFolder folder;
  setenv("WEFT_CATALOGUE", folder.path("").c_str(), 1);
  const auto thin = run_weft(words_of("find --nodes 998 --degree 3 --search 0"));
  EXPECT_NE(thin.out.find("far above the bound of 9"), std::string::npos) << thin.out;
}

}  // namespace
