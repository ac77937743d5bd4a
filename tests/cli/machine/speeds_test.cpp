// What answers say of the speeds that they used, next to the numbers that follow from them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/process/answer.hpp"
#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

const std::string kMeasured = "[links.all]\nbandwidth = \"200Gbps\"\nlatency = \"500ns\"\n";

// Two hosts that swap 8 bytes over one link: latency + 8 B / bandwidth, and nothing else if the
// machine has no [host].
const std::string kSwap = "simulate allreduce -t complete:2 -a recursive-doubling --size 8B ";
// Links of three classes: local, global and terminal.
const std::string kDragonfly = "simulate allreduce -t dragonfly:a=2,p=2,h=1 -a ring --size 1KiB ";

json links_by_class(const json& answer) {
  json links;
  for (const json& each : answer["speeds"]["links"]) links[each["class"]] = each;
  return links;
}

struct From {
  Texts bandwidth, latency;
};
void expect_from(const json& answer, const std::map<std::string, From>& classes) {
  const json links = links_by_class(answer);
  EXPECT_EQ(links.size(), classes.size()) << links;
  for (const auto& [name, from] : classes) {
    EXPECT_EQ(links[name]["bandwidth_from"], json(from.bandwidth)) << name;
    EXPECT_EQ(links[name]["latency_from"], json(from.latency)) << name;
    for (const Texts& origins : {from.bandwidth, from.latency})
      for (const std::string& origin : origins)
        EXPECT_EQ(std::ranges::count(links[name]["from"], json(origin)), 1) << name;
  }
}

Ran refused(const std::string& line, const std::string& reason) {
  Ran ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 2) << line;
  EXPECT_EQ(ran.out, "") << line;
  EXPECT_NE(ran.err.find(reason), std::string::npos) << line << ": " << ran.err;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << line << ": " << ran.err;
  return ran;
}

// Long lines are broken at the width of the screen.
std::string in_one_line(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  for (std::string word; in >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

TEST(Speeds, latency_replaces_that_of_measured_links) {
  const ScratchFolder folder;
  const std::string machine = folder.file("m.toml", kMeasured);
  const json measured = answer_of(kSwap + "--machine " + machine);
  EXPECT_NEAR(measured["time"], 500e-9 + 8 / 25e9, 1e-12);
  expect_from(measured, {{"link", {{machine}, {machine}}}});
  const json own = answer_of(kSwap + "--latency 130ns --machine " + machine);
  EXPECT_NEAR(own["time"], 130e-9 + 8 / 25e9, 1e-12);
  expect_from(own, {{"link", {{machine}, {"--latency"}}}});
  EXPECT_EQ(own["machine"]["overridden"], json({"latency"}));
}

// 97 % of 100 Gb/s is the generic machine's; 500 ns start a message, and 8 bytes are summed at 10
// GB/s.
TEST(Speeds, latency_alone_leaves_the_bandwidth_of_the_machine) {
  const json answer = answer_of(kSwap + "--machine generic --latency 130ns");
  EXPECT_NEAR(answer["time"], 500e-9 + 130e-9 + 8 / 12.125e9 + 8 / 10e9, 1e-12);
  expect_from(answer, {{"link", {{"generic"}, {"--latency"}}}});
  const Ran ran = run_weft(words_of(kSwap + "--machine generic --latency 130ns"));
  EXPECT_NE(in_one_line(ran.out).find(
                "generic machine: links 12.12GB/s, 130.0ns (--latency); 500.0ns per message"),
            std::string::npos)
      << ran.out;
}

// The file has 100 Gb/s and 1 us; --machine ideal takes nothing off the rate.
TEST(Speeds, options_come_before_the_file_of_the_network) {
  const ScratchFolder folder;
  const std::string file = folder.path("net.json");
  ASSERT_EQ(run_weft(words_of("topology complete:2 --link 100Gbps,1us -o " + file)).code, 0);
  const std::string line =
      "simulate allreduce -t file:" + file + " -a recursive-doubling --size 8B --machine ideal ";
  const json of_file = answer_of(line);
  EXPECT_NEAR(of_file["time"], 1e-6 + 8 / 12.5e9, 1e-12);
  expect_from(of_file, {{"link", {{"the network"}, {"the network"}}}});
  const json own = answer_of(line + "--latency 3us");
  EXPECT_NEAR(own["time"], 3e-6 + 8 / 12.5e9, 1e-12);
  expect_from(own, {{"link", {{"the network"}, {"--latency"}}}});
  const json both = answer_of(line + "--link 50Gbps,2us");
  EXPECT_NEAR(both["time"], 2e-6 + 8 / 6.25e9, 1e-12);
  expect_from(both, {{"link", {{"--link"}, {"--link"}}}});
  EXPECT_EQ(both["notes"],
            json({"--link overrides the speeds in the network's file, of link class link"}));
}

// A subnet of InfiniBand has rates and no latencies.
TEST(Speeds, a_file_with_rates_alone_has_the_latency_of_the_machine) {
  const json answer = answer_of("simulate allreduce -t file:" + source_dir() +
                                "/examples/leaf-spine.ibnet -a ring --size 1KiB --machine generic");
  expect_from(answer, {{"terminal", {{"the network"}, {"generic"}}},
                       {"link", {{"the network"}, {"generic"}}}});
  EXPECT_EQ(links_by_class(answer)["link"]["latency"], 160e-9);
}

TEST(Speeds, link_of_a_class_leaves_measured_links_to_the_machine) {
  const ScratchFolder folder;
  const std::string machine = folder.file("m.toml", kMeasured);
  const json answer = answer_of(kDragonfly + "--link global=50Gbps,1us --machine " + machine);
  expect_from(answer, {{"local", {{machine}, {machine}}},
                       {"terminal", {{machine}, {machine}}},
                       {"global", {{"--link"}, {"--link"}}}});
  const json links = links_by_class(answer);
  EXPECT_EQ(links["global"]["bandwidth"], 6'250'000'000);
  EXPECT_EQ(links["local"]["bandwidth"], 25'000'000'000);
  EXPECT_EQ(answer["link"], json({"global=50Gbps,1us"}));
}

TEST(Speeds, a_file_without_links_has_those_of_generic) {
  const ScratchFolder folder;
  const std::string machine = folder.file("m.toml", "[host]\nstartup = \"2us\"\n");
  const json answer = answer_of(kSwap + "--machine " + machine);
  EXPECT_NEAR(answer["time"], 2e-6 + 30e-9 + 8 / 12.125e9, 1e-12);  // no sums: [host] has none
  expect_from(answer, {{"link", {{"generic"}, {"generic"}}}});
  EXPECT_EQ(answer["notes"][0], machine + " has no [links.all]: links have the speed of generic");
  const json found = answer_of("find -n 2 -d 1 --size 2000 --machine " + machine);
  EXPECT_EQ(found["speeds"]["links"][0]["from"], json({"generic"}));
  EXPECT_NEAR(found["pareto"][0]["time"].get<double>(), 2030e-9 + 1000 / 12.125e9, 1e-12);
}

TEST(Speeds, values_that_a_file_leaves_open_are_defaults) {
  const ScratchFolder folder;
  const std::string rates = folder.file("r.toml", "[links.all]\nline_rate = \"200Gbps\"\n");
  const json of_rates = answer_of(kSwap + "--machine " + rates);
  EXPECT_NEAR(of_rates["time"], 8 / 25e9, 1e-12);
  expect_from(of_rates, {{"link", {{rates}, {"default"}}}});
  const std::string latency = folder.file("l.toml", "[links.all]\nlatency = \"300ns\"\n");
  const json of_latency = answer_of(kSwap + "--machine " + latency);
  EXPECT_NEAR(of_latency["time"], 300e-9 + 8 / 12.5e9, 1e-12);
  expect_from(of_latency, {{"link", {{"default"}, {latency}}}});
  const std::string some = folder.file(
      "s.toml", "[links.all]\nlatency = \"300ns\"\n[links.global]\nline_rate = \"40Gbps\"\n");
  expect_from(answer_of(kDragonfly + "--machine " + some), {{"local", {{"default"}, {some}}},
                                                            {"terminal", {{"default"}, {some}}},
                                                            {"global", {{some}, {some}}}});
}

TEST(Speeds, link_lists_what_the_user_gave) {
  const ScratchFolder folder;
  const std::string machine = folder.file("m.toml", kMeasured);
  for (const std::string& name : {machine, std::string("ideal"), std::string("generic")}) {
    EXPECT_EQ(answer_of(kSwap + "--machine " + name)["link"], json::array()) << name;
    EXPECT_EQ(answer_of(kSwap + "--link 1Gbps,1us --machine " + name)["link"], json({"1Gbps,1us"}))
        << name;
  }
}

// By the rule in the meaning of the key: an option is listed if the file has what it replaced.
TEST(Speeds, overridden_lists_options_that_replaced_a_value_of_the_file) {
  const ScratchFolder folder;
  const std::string host = folder.file("h.toml", "[host]\nstartup = \"2us\"\n");
  const std::string measured = folder.file("m.toml", kMeasured);
  const std::string global = folder.file("g.toml", "[links.global]\nline_rate = \"40Gbps\"\n");
  const std::vector<std::tuple<std::string, std::string, Texts>> cases{
      {host, "--alpha 3us", {"alpha"}},
      {host, "--link 50Gbps,1us", {}},
      {host, "--latency 1us", {}},
      {host, "--reduce-bandwidth 1GBps", {}},
      {measured, "--alpha 3us", {}},
      {measured, "--link 50Gbps,1us", {"link"}},
      {measured, "--link local=50Gbps,1us", {"link"}},
      {measured, "--latency 1us", {"latency"}},
      {global, "--link local=50Gbps,1us", {}},
      {global, "--link global=50Gbps,1us", {"link"}},
      {global, "--link-default global=50Gbps,1us,0s,1", {"link-default"}},
      {global, "--link-default local=50Gbps,1us,0s,1", {}},
      {global, "--latency 1us", {}},
      {"generic", "--link 50Gbps,1us --alpha 0", {"alpha", "link"}},
      {"generic", "--latency 1us", {"latency"}},
      {"generic", "--link-default 50Gbps,1us,0s,1", {"link-default"}}};
  for (const auto& [machine, options, overridden] : cases) {
    const json answer = answer_of(kDragonfly + options + " --machine " + machine);
    EXPECT_EQ(answer["machine"]["overridden"], json(overridden)) << machine << ' ' << options;
    const auto has_note = std::ranges::any_of(answer["notes"], [](const json& note) {
      return note.get<std::string>().find("on the command line") != std::string::npos;
    });
    EXPECT_EQ(has_note, !overridden.empty()) << answer["notes"];
  }
}

TEST(Speeds, options_of_links_without_effect_are_refused) {
  const ScratchFolder folder;
  const std::string measured = folder.file("m.toml", kMeasured);
  refused(kDragonfly + "--link 50Gbps,1us --latency 3us",
          "--latency has no effect, because --link sets the latency of all links");
  refused(kDragonfly + "--link-default 50Gbps,1us,0s,1 --machine " + measured,
          "--link-default 50Gbps,1us,0s,1 has no effect, because " + measured +
              " has a measured speed for these links; override it by --link BW,LAT");
  refused(kDragonfly + "--link-default global=50Gbps,1us,0s,1 --machine " + measured,
          "override it by --link global=BW,LAT");
  refused(kDragonfly + "--link-default global=50Gbps,1us,0s,1 --link global=1Gbps,1us",
          "because --link sets the speed of these links; leave one out");
  refused(kDragonfly + "--link-default xgmi=50Gbps,1us,0s,1",
          "has no link class 'xgmi'; its classes are local, global, terminal");
  refused(kDragonfly + "--link-default =50Gbps,1us,0s,1", "names no class");
}

TEST(Speeds, link_default_is_repeatable_as_link_is) {
  const json answer = answer_of(kDragonfly +
                                "--link-default global=50Gbps,1us,0s,1 "
                                "--link-default local=1Gbps,2us,0s,1 --machine generic");
  const json links = links_by_class(answer);
  EXPECT_EQ(links["global"]["bandwidth"], 6'250'000'000);
  EXPECT_EQ(links["global"]["latency"], 1e-6);
  EXPECT_EQ(links["local"]["bandwidth"], 125'000'000);
  EXPECT_EQ(links["local"]["latency"], 2e-6);
  EXPECT_EQ(links["terminal"]["from"], json({"generic"}));
}

// Each command that times something prints the speeds that it used.
TEST(Speeds, tables_have_a_line_of_speeds) {
  for (const char* line :
       {"compare allreduce -t ring:4 -a ring --sizes 1KiB", "simulate allreduce -t ring:4 -a ring",
        "degrade allreduce -t ring:4 -a ring", "order allreduce -t ring:4 -a ring --attempts 2",
        "train gpt-2-small -t ring:4 -a ring"}) {
    const Ran ran = run_weft(words_of(line + std::string(" --machine generic --link 8Gbps,1us")));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(
        in_one_line(ran.out).find("generic machine: links 1.000GB/s, 1.000us (--link); 500.0ns"),
        std::string::npos)
        << ran.out;
  }
}

// A plan can be made again from what it says.
TEST(Speeds, plans_repeat_the_options_of_the_user) {
  const ScratchFolder folder;
  const std::string machine = folder.file("m.toml", kMeasured);
  const std::string plan = folder.path("c.plan");
  const auto text_of = [&](const std::string& options) {
    const Ran ran = run_weft(
        words_of("plan -t ring:4 --collectives allreduce --sizes 1KiB " + options + " -o " + plan));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return read_text(plan);
  };
  const std::string own =
      text_of("--latency 1us --link-default link=50Gbps,1us,0s,1 --machine generic");
  EXPECT_NE(own.find("--latency 1us --link-default link=50Gbps,1us,0s,1 --machine generic\n"),
            std::string::npos)
      << own.substr(0, 400);
  EXPECT_EQ(text_of("--machine " + machine).find("\nlink "), std::string::npos);
  EXPECT_NE(text_of("--machine ideal").find("\noptions --machine ideal\n"), std::string::npos);
}

// The sizes in the file, for each cost that counts for some sizes alone.
TEST(Speeds, name_the_sizes_that_a_cost_counts_for) {
  const ScratchFolder folder;
  const std::string machine =
      folder.file("m.toml",
                  "[host]\nrendezvous = \"16KiB,4us\"\neager_copy = \"8KiB,2GBps\"\n"
                  "exchange = \"4MiB,25GBps\"\n" +
                      kMeasured);
  const json speeds = answer_of(kSwap + "--machine " + machine)["speeds"];
  EXPECT_EQ(speeds["rendezvous"]["from_size"], 16 * 1024);
  EXPECT_EQ(speeds["eager_copy"]["below_size"], 8 * 1024);
  EXPECT_EQ(speeds["exchange"]["from_size"], 4 * 1024 * 1024);
  EXPECT_EQ(speeds["exchange"]["value"], 25'000'000'000);
  EXPECT_EQ(speeds["first_touch"]["from_size"], json());
  for (const auto& [name, cost] : speeds.items())  // "size" would not say on which side it counts
    if (cost.is_object()) {
      EXPECT_FALSE(cost.contains("size")) << name;
    }
  EXPECT_FALSE(speeds["launch"].contains("size"));
  const Ran ran = run_weft(words_of(kSwap + "--machine " + machine));
  EXPECT_NE(in_one_line(ran.out).find(
                "4.000us per rendezvous from 16KiB; eager copies 2.000GB/s below 8KiB"),
            std::string::npos)
      << ran.out;
}

// 15 MB over one link of 10 GB/s that messages of any size fill at 1.5 times its rate: 1 ms, below
// which no time lies. Without factors the bound is 1.5 ms.
TEST(Speeds, bounds_count_the_best_factor_of_sizes) {
  const ScratchFolder folder;
  const std::string measured = folder.file(
      "m.toml",
      "[links.all]\nbandwidth = \"10GBps\"\nlatency = \"1us\"\n[[links.all.sizes]]\nfrom = \"0B\"\n"
      "latency = 1.0\nbandwidth = 1.5\n");
  for (const std::string& speeds :
       {std::string("--machine ideal --link 10GBps,1us --factors 0B:1,1.5"),
        std::string("--machine ideal --link-default 10GBps,1us,0s,1 --factors 0B:1,1.5"),
        "--machine " + measured}) {
    const json fastest =
        answer_of("compare broadcast -t complete:2 --sizes 15MB " + speeds)["fastest"][0];
    EXPECT_NEAR(fastest["least_time"].get<double>(), 1e-3, 1e-9) << speeds;
    EXPECT_NEAR(fastest["time"].get<double>(), 1e-3 + 1e-6, 1e-9) << speeds;
    const Ran ran =
        run_weft(words_of("simulate broadcast -t complete:2 -a direct --size 15MB " + speeds));
    EXPECT_NE(in_one_line(ran.out).find("lower bound 1.000ms by bandwidth"), std::string::npos)
        << ran.out;
  }
}

TEST(Speeds, are_part_of_an_order) {
  const json answer = answer_of("order allgather -t ring:4 -a ring --latency 130ns");
  EXPECT_EQ(links_by_class(answer)["link"]["latency_from"], json({"--latency"}));
}

}  // namespace
}  // namespace weft::test
