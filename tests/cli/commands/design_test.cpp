// weft design: its answer, its folder and its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

// Its row; null where there is none.
json chosen_of(const json& answer) {
  for (const json& row : answer["rows"])
    if (row["topology"] == answer["chosen"]) return row;
  return nullptr;
}

class DesignCommand : public testing::Test {
 protected:
  void SetUp() override {
    setenv("WEFT_CATALOGUE", (weft::test::source_dir() + "/share/catalogue").c_str(), 1);
    setenv("WEFT_PRICES", (weft::test::source_dir() + "/share/prices").c_str(), 1);
    setenv("XDG_CACHE_HOME", folder_.path("cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("WEFT_CATALOGUE");
    unsetenv("WEFT_PRICES");
    unsetenv("XDG_CACHE_HOME");
  }
  const ScratchFolder folder_;

  // Refused by one line with these words, and nothing is written.
  void refuses(const std::string& line, const std::string& words) const {
    const std::vector<std::string> before = folder_.files();
    const auto ran = run_weft(words_of("design " + line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_EQ(folder_.files(), before) << line;
  }
};

// The network of the folder is the one of the answer, its cabling has all cables, and its
// schedules prove right.
TEST_F(DesignCommand, writes_what_it_takes_to_build_it) {
  const std::string plan = folder_.path("plan");
  const auto ran = run_weft(words_of(
      "design --nodes 12 --degree 4 --collective allreduce:1MiB:10 --collective alltoall:64KiB "
      "--link 25Gbps,10us --json -o " +
      plan));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["nodes"], 12);
  EXPECT_EQ(answer["degree"], 4);
  EXPECT_EQ(answer["schedules"], json({"allreduce-1MiB.weft", "alltoall-64KiB.weft"}));
  const json chosen = chosen_of(answer);
  ASSERT_FALSE(chosen.is_null());
  EXPECT_EQ(chosen["calls"][0]["calls"], 10);
  const std::string cabling = read_text(plan + "/cabling.csv");
  EXPECT_EQ(std::ranges::count(cabling, '\n'), 1 + chosen["cables"].get<int>());
  EXPECT_TRUE(cabling.starts_with("node_a,port_a,node_b,port_b,class"));
  const json written = json::parse(read_text(plan + "/topology.json"));
  EXPECT_EQ(written["bandwidth_Bps"],
            json(std::vector<std::int64_t>(written["links"].size(), 3'125'000'000)));
  const auto network = run_weft({"topology", "file:" + plan + "/topology.json", "--json"});
  const auto named = run_weft({"topology", answer["chosen"].get<std::string>(), "--json"});
  EXPECT_EQ(json::parse(network.out)["hash"], json::parse(named.out)["hash"]);
  for (const std::string file : answer["schedules"])
    EXPECT_EQ(run_weft({"verify", plan + "/" + file}).code, 0) << file;
  const std::string page = read_text(plan + "/report.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  for (const char* part : {"allreduce-1MiB.weft", "cabling.csv", "topology.json", "<svg"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  auto files = folder_.files();
  std::erase(files, "cache");
  EXPECT_EQ(files, std::vector<std::string>{"plan"});  // nothing beside it
}

// A leaf-spine of 24 hosts for 20: what is handed over has 20, and pays for no more.
TEST_F(DesignCommand, builds_the_hosts_that_are_asked_for_alone) {
  const std::string plan = folder_.path("plan");
  const auto ran = run_weft(words_of(
      "design -n 20 --build switches --radix 8 --only-radix -c allreduce:1MiB --json -o " + plan));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  bool has_spare = false;
  for (const json& row : answer["rows"]) {
    EXPECT_EQ(row["hosts"], 20) << row["topology"];
    const std::string topology = row["topology"];
    EXPECT_EQ(row["room"] > 20, topology.starts_with("without(node=")) << topology;
    has_spare = has_spare || row["room"] > 20;
    EXPECT_EQ(json::parse(run_weft({"topology", topology, "--json"}).out)["hosts"], 20);
  }
  EXPECT_TRUE(has_spare);
  const auto written =
      json::parse(run_weft({"topology", "file:" + plan + "/topology.json", "--json"}).out);
  EXPECT_EQ(written["hosts"], 20);
  const std::string cabling = read_text(plan + "/cabling.csv");
  const json chosen = chosen_of(answer);
  EXPECT_EQ(std::ranges::count(cabling, '\n'), 1 + chosen["cables"].get<int>());
  std::istringstream lines(cabling);
  int to_hosts = 0;  // the others join two switches
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with(",electrical,host,switch") || line.ends_with(",electrical,switch,host"))
      ++to_hosts;
    else
      EXPECT_TRUE(line.ends_with(",medium,kind_a,kind_b") || line.ends_with(",switch,switch"))
          << line;
  EXPECT_EQ(to_hosts, 20);
  EXPECT_EQ(run_weft({"verify", plan + "/allreduce-1MiB.weft"}).code, 0);
}

// What is laid goes from nodes to a panel, as many cables as panel ports are paid; each port of a
// panel has one, and the circuits join them to the network.
TEST_F(DesignCommand, lays_cables_to_panels) {
  const std::string plan = folder_.path("plan");
  const auto ran = run_weft(
      words_of("design -n 12 -d 4 --build patch-panel -c allreduce:1MiB --json -o " + plan));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  const json chosen = chosen_of(answer);
  const auto lines_of = [&](const std::string& file) {
    std::vector<std::vector<std::string>> lines;
    std::istringstream text(read_text(plan + "/" + file));
    for (std::string line; std::getline(text, line);) {
      std::istringstream cells(line);
      lines.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) lines.back().push_back(cell);
    }
    lines.erase(lines.begin());  // the heading
    return lines;
  };
  const auto laid = lines_of("cabling.csv"), circuits = lines_of("circuits.csv");
  EXPECT_EQ(std::ssize(laid), chosen["panel_ports"].get<std::int64_t>());
  EXPECT_EQ(std::ssize(circuits), chosen["cables"].get<std::int64_t>());
  using End = std::pair<std::string, std::string>;
  std::map<End, End> node_at;  // by panel and its port
  std::set<End> nodes;
  for (const auto& line : laid) {
    EXPECT_TRUE(node_at.emplace(End(line[2], line[3]), End(line[0], line[1])).second);
    EXPECT_TRUE(nodes.emplace(line[0], line[1]).second);
  }
  std::multiset<std::pair<int, int>> wired, joined;
  for (const auto& line : circuits) {
    EXPECT_EQ(node_at.at({line[0], line[1]}), End(line[3], line[4]));
    EXPECT_EQ(node_at.at({line[0], line[2]}), End(line[5], line[6]));
    const int a = std::stoi(line[3]), b = std::stoi(line[5]);
    joined.emplace(std::min(a, b), std::max(a, b));
  }
  const auto cables =
      run_weft({"topology", "file:" + plan + "/topology.json", "-o", plan + "/direct.csv"});
  ASSERT_EQ(cables.code, 0) << cables.err;
  for (const auto& line : lines_of("direct.csv")) {
    const int a = std::stoi(line[0]), b = std::stoi(line[2]);
    wired.emplace(std::min(a, b), std::max(a, b));
  }
  EXPECT_EQ(joined, wired);
}

// A network is efficient if no other is as good in both numbers of its row and better in one. In
// the alpha-beta model torus:3x3 would be efficient; as simulated it is not.
TEST_F(DesignCommand, judges_efficient_networks_by_the_times_of_its_rows) {
  const auto ran =
      run_weft(words_of("design -n 9 -d 4 -c broadcast:1MiB,alltoall:16KiB --json --quiet"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json rows = json::parse(ran.out)["rows"];
  for (const json& row : rows) {
    const bool is_dominated = std::ranges::any_of(rows, [&](const json& other) {
      return other["time"] <= row["time"] && other["dollars"] <= row["dollars"] &&
             (other["time"] < row["time"] || other["dollars"] < row["dollars"]);
    });
    EXPECT_EQ(row["efficient"], !is_dominated) << row["topology"];
  }
}

TEST_F(DesignCommand, says_what_time_ran_out_for) {
  const auto ran =
      run_weft(words_of("design -n 16 -d 4 -c allreduce:1MiB --time-limit 1us --json"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("the time limit was reached; "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("networks not timed; 1 finalist neither simulated"), std::string::npos)
      << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["rows"].size(), 1u);
  EXPECT_EQ(answer["unjudged"], 1);
  EXPECT_FALSE(answer["untimed"].empty());
  EXPECT_EQ(answer["chosen"], answer["rows"][0]["topology"]);
  refuses("-n 8 -c allreduce:1MiB --time-limit 0s", "invalid --time-limit 0 (expected 1s or more");
}

// A card a host, four ports without switches; 25 Gb/s links at the price of the list's 100 Gb/s.
TEST_F(DesignCommand, says_what_it_assumes) {
  const auto switched = run_weft(words_of(
      "design -n 20 --build switches --radix 8 --only-radix -c allreduce:1MiB --link 25Gbps,1us "
      "--json"));
  ASSERT_EQ(switched.code, 0) << switched.err;
  const json answer = json::parse(switched.out);
  EXPECT_EQ(answer["degree"], 1);
  EXPECT_EQ(answer["hosts_per_rack"], 32);
  EXPECT_TRUE(answer["per_rack"].is_null());
  EXPECT_EQ(answer["radix"], 8);
  EXPECT_EQ(answer["placement"], "round-robin-router");
  EXPECT_NE(answer["reason"].get<std::string>().find("simulated networks"), std::string::npos);
  EXPECT_EQ(answer["priced_bandwidth_Bps"], 12'500'000'000);
  EXPECT_TRUE(answer["switch_part"].is_null());
  const auto direct = run_weft(words_of("design -n 8 -c allreduce:1MiB --link 25Gbps,1us"));
  ASSERT_EQ(direct.code, 0) << direct.err;
  std::istringstream wrapped(direct.out);
  std::string text;
  for (std::string word; wrapped >> word;) text += (text.empty() ? "" : " ") + word;
  for (const char* words :
       {"8 nodes with 4 ports each", "25Gbps cables have the price of its 100Gbps cables",
        "32 nodes per rack", "is the same network as"})
    EXPECT_NE(text.find(words), std::string::npos) << words << '\n' << direct.out;
}

// Of eight nodes each sends to the seven others at once, over bipartite networks, where nothing
// says that a start-up costs.
TEST_F(DesignCommand, says_that_start_ups_cost_nothing) {
  const std::string line = "design -n 8 -d 4 -c alltoall:1MiB";
  const auto free = run_weft(words_of(line));
  EXPECT_NE(free.out.find("start-up       0: the 7 messages of each rank"), std::string::npos)
      << free.out;
  const auto paid = run_weft(words_of(line + " --alpha 1us"));
  EXPECT_EQ(paid.out.find("start-up "), std::string::npos) << paid.out;
}

// Two nodes that exchange 1,000 bytes: 500 ns to start, 30 ns of cable, 1,000 bytes at 97 % of
// 100 Gb/s. An allreduce of 2,000 bytes exchanges them all and sums them at 10 GB/s.
TEST_F(DesignCommand, takes_the_speeds_of_a_generic_machine) {
  setenv("WEFT_MACHINE", "", 1);  // as if it were not set
  const auto ran = run_weft(words_of("design -n 2 -d 1 -c allgather:1000,allreduce:2000 --json"));
  const auto text = run_weft(words_of("design -n 2 -d 1 -c allgather:1000"));
  setenv("WEFT_MACHINE", "ideal", 1);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["speeds"]["machine"], "generic");
  EXPECT_EQ(answer["speeds"]["origin"], "default");
  const json chosen = chosen_of(answer);
  EXPECT_NEAR(chosen["calls"][0]["time"].get<double>(), 530e-9 + 1000 / 12.125e9, 1e-12);
  EXPECT_NEAR(chosen["calls"][1]["time"].get<double>(), 530e-9 + 2000 / 12.125e9 + 2000 / 10e9,
              1e-12);
  EXPECT_NEAR(answer["bounds"][0]["time"].get<double>(), 530e-9, 1e-15);  // one way is longer
  EXPECT_NE(text.out.find("generic machine: "), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("have the price of"), std::string::npos) << text.out;  // 100 Gb/s is its
}

// 4,000 bytes at half of 80 Gb/s; 1 us of cable, 1 us to start, 1 us of copies. The exact costs are
// those of every machine.
TEST_F(DesignCommand, takes_what_messages_of_a_size_cost) {
  const std::string links =
      "[links.all]\nline_rate = \"80Gbps\"\npayload = 0.5\nlatency = \"1us\"\n";
  const std::string file =
      folder_.file("m.toml", "[host]\nstartup = \"1us\"\neager_copy = \"8KiB,4GBps\"\n" + links);
  const std::string line = "design -n 2 -d 1 -c allgather:4000 --json --machine ";
  const json chosen = chosen_of(json::parse(run_weft(words_of(line + file)).out));
  EXPECT_NEAR(chosen["calls"][0]["time"].get<double>(), 3.8e-6, 1e-12);
  const std::string sized = folder_.file(
      "sized.toml", links + "[[links.all.sizes]]\nfrom = \"1KiB\"\nlatency = 2\nbandwidth = 0.5\n");
  refuses("-n 2 -d 1 -c allgather:4000 --machine " + sized, "factors by message size");
  const json ideal = chosen_of(json::parse(run_weft(words_of(line + "ideal")).out));
  EXPECT_NEAR(ideal["calls"][0]["time"].get<double>(), 1e-6 + 4000 / 12.5e9, 1e-12);
  for (const char* exact : {"steps", "bandwidth_factor"})
    EXPECT_EQ(chosen["calls"][0][exact], ideal["calls"][0][exact]) << exact;
}

// Each network by itself has the speeds that the design names, from its expression and its file.
TEST_F(DesignCommand, has_the_speeds_of_other_commands) {
  const std::string plan = folder_.path("plan");
  const auto ran = run_weft(words_of(
      "design -n 8 --build switches --radix 4 --only-radix -c allreduce:1MiB --finalists 1 "
      "--machine ib-hdr --json -o " +
      plan));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  const auto simulated = [&](const std::string& network) {
    return json::parse(run_weft({"simulate", "allreduce", "-t", network, "-a", "ring", "--size",
                                 "1KiB", "--machine", "ib-hdr", "--json"})
                           .out)["speeds"];
  };
  EXPECT_EQ(answer["speeds"], simulated(answer["chosen"]));
  const json from_file = simulated("file:" + plan + "/topology.json");
  ASSERT_EQ(from_file["links"].size(), answer["speeds"]["links"].size());
  for (std::size_t i = 0; i < from_file["links"].size(); ++i)
    for (const char* speed : {"class", "bandwidth", "latency"})
      EXPECT_EQ(from_file["links"][i][speed], answer["speeds"]["links"][i][speed]) << speed;
  EXPECT_NE(read_text(plan + "/report.html").find("ib-hdr machine: "), std::string::npos);
}

TEST_F(DesignCommand, options_override_the_machine) {
  const auto ran = run_weft(
      words_of("design -n 2 -d 1 -c allgather:1000 --machine generic --link 80Gbps,2us --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["speeds"]["links"][0]["from"], json({"--link"}));
  EXPECT_EQ(answer["speeds"]["startup"]["from"], "generic");
  EXPECT_NEAR(chosen_of(answer)["time"].get<double>(), 2.5e-6 + 1000 / 10e9, 1e-12);
}

TEST_F(DesignCommand, refuses_machines_with_other_links) {
  const std::string file =
      folder_.file("m.toml", "[links.local]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n");
  refuses("-n 2 -d 1 -c allgather:2000 --machine " + file, "m.toml: [links.local] has a speed");
  refuses("-n 2 -d 1 -c allgather:2000 --machine nowhere", "nowhere");
}

TEST_F(DesignCommand, keeps_out_of_folders_with_files) {
  folder_.file("notes.txt", "mine");
  refuses("-n 8 -d 4 -c allreduce:1MiB -o " + folder_.path(),
          "is not empty; name one that is new or empty");
  EXPECT_EQ(read_text(folder_.path("notes.txt")), "mine");
  refuses("-n 8 -d 4 -c allreduce:1MiB -o " + folder_.path("notes.txt"), "is a file");
  refuses("-n 8 -d 4 -c allreduce:1MiB -o " + folder_.path("no/where"), "does not exist");
}

// Before the minutes that an answer may take.
TEST_F(DesignCommand, refuses_links_that_lead_nowhere) {
  std::filesystem::create_symlink("loop", folder_.path("loop"));
  std::filesystem::create_symlink("nothing", folder_.path("dangling"));
  const std::string line = "design -n 8 -d 4 -c allreduce:1MiB -o ";
  const auto loop = run_weft(words_of(line + folder_.path("loop")));
  EXPECT_EQ(loop.code, 2);
  EXPECT_NE(loop.err.find("cannot write"), std::string::npos) << loop.err;
  EXPECT_NE(loop.err.find("symbolic links"), std::string::npos) << loop.err;
  const auto dangling = run_weft(words_of(line + folder_.path("dangling")));
  EXPECT_EQ(dangling.code, 2);
  EXPECT_NE(dangling.err.find("it is a broken link; name a folder that is new or empty"),
            std::string::npos)
      << dangling.err;
}

TEST_F(DesignCommand, refuses_what_is_no_question) {
  refuses("-n 1 -d 4 -c allreduce:1MiB", "1 node cannot be a network (expected 2 to 100000 nodes)");
  refuses("-n 9 -d 1 -c allreduce:1MiB", "nearest size");
  refuses("-n 8 -d 4 -c allreduce", "allreduce:1MiB:10");
  refuses("-n 8 -d 4 -c allredce:1MiB", "allreduce");
  for (const char* degree : {"inf", "3.9", "4x", "0", "65", "99999999999"})
    refuses(std::string("-n 6 -c allreduce:1MiB -d ") + degree, "--degree");
  refuses("-n 8 -d 4 -c allreduce:1MiB --radix 8", "--build switches");
  refuses("-n 8 --build switches -c allreduce:1MiB --only-radix", "--radix");
  refuses("-n 8 -c allreduce:1MiB --hosts-per-rack 8 --switches-per-rack 8", "--hosts-per-rack");
  refuses("-n 8 -d 4 -c allreduce:1MiB --link global=25Gbps,1us", "every link");
  refuses("-n 8 -d 4 -c allreduce:1MiB --build switches --one-way", "two-way");
  refuses("-n 8 -d 4 -c allreduce:1MiB --build patchpanel", "patch-panel");
  refuses("-n 99999 -d 1 --build switches --radix 8 --only-radix -c allreduce:1MiB", "--radix");
}

}  // namespace
