// Machine files: what they say, and what stands before it.
#include <gtest/gtest.h>

#include <string>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/members.hpp"
#include "weft/topology/registry.hpp"

namespace weft::fields {
namespace {

constexpr const char* kMachine = R"([host]
startup = "1.5us"
reduce_bandwidth = "8GBps"
[links.all]
bandwidth = "100Gbps"
latency = "500ns"
[[links.all.sizes]]
from = "16KiB"
latency = 3.25
bandwidth = 0.5
[links.link]
bandwidth = "40GBps"
latency = "200ns"
[measured]
where = "two nodes"
files = ["a.txt"]
from = "1B"
to = "4MiB"
[intervals]
startup = ["0s", "1.9us"]
)";

TEST(MachineModel, stands_for_options) {
  const MachineModel machine = parse_machine_model(kMachine, "m.toml");
  Values said;
  EXPECT_TRUE(put_beneath(machine, said).empty());
  const NetworkSpec spec = network_in(said);
  EXPECT_EQ(spec.host.startup_ps, 1'500'000);
  EXPECT_EQ(spec.host.reduce_bandwidth_Bps, 8'000'000'000);
  EXPECT_EQ(spec.links.all, (LinkSpeed{12'500'000'000, 500'000}));
  EXPECT_EQ(spec.links.by_class.at("link"), (LinkSpeed{40'000'000'000, 200'000}));
  const auto options = simulation_options_in(said);
  ASSERT_NE(options.factors, nullptr);
  EXPECT_EQ(options.factors->all, (simulation::FactorsBySize{{16384, 3.25, 0.5}}));
  EXPECT_EQ(machine.where, "two nodes");
}

TEST(MachineModel, stands_behind_what_was_said) {
  const MachineModel machine = parse_machine_model(kMachine, "m.toml");
  Values said{{"alpha", std::string("7us")}, {"link", std::string("link=1GBps,9us")}};
  EXPECT_EQ(put_beneath(machine, said), (std::vector<std::string>{"alpha", "link"}));
  NetworkSpec spec = network_in(said);
  EXPECT_EQ(spec.host.startup_ps, 7'000'000);
  EXPECT_EQ(spec.links.all, (LinkSpeed{12'500'000'000, 500'000}));
  EXPECT_EQ(spec.links.by_class.at("link"), (LinkSpeed{1'000'000'000, 9'000'000}));
  said = {{"link", std::string("1GBps,9us")}};
  (void)put_beneath(machine, said);
  spec = network_in(said);
  EXPECT_EQ(spec.links.all, (LinkSpeed{1'000'000'000, 9'000'000}));
  EXPECT_TRUE(spec.links.by_class.empty());
}

// 100 Gb/s, 97 % of it payload, are what generic.toml says of all links.
TEST(MachineModel, classes_without_a_table_have_the_speed_of_generic) {
  const std::string path = testing::TempDir() + "/weft_classes_without_a_table.toml";
  write_file(path, "[links.global]\nline_rate = \"50Gbps\"\nlatency = \"30ns\"\n");
  Values said;
  (void)put_beneath(find_machine(path), said);
  const topology::LinkDefaults defaults = network_in(said).links.defaults;
  EXPECT_EQ(defaults.all.line.bandwidth_Bps, 12'500'000'000);
  EXPECT_EQ(defaults.all.payload, 0.97);
  EXPECT_EQ(defaults.all.switch_latency_ps, 130'000);
  EXPECT_EQ(defaults.by_class.at("global").line.bandwidth_Bps, 6'250'000'000);
  EXPECT_EQ(defaults.by_class.at("global").payload, 1);
  write_file(path, "[links.all]\nlatency = \"30ns\"\n[links.global]\nlatency = \"1us\"\n");
  said.clear();
  (void)put_beneath(find_machine(path), said);
  EXPECT_EQ(network_in(said).links.defaults.all.payload, 1);
}

TEST(MachineModel, classes_have_what_they_lack_from_all_links) {
  const MachineModel machine = parse_machine_model(
      "[links.global]\nlatency = \"1us\"\n"
      "[links.all]\nline_rate = \"40Gbps\"\npayload = 0.5\nlatency = \"30ns\"\n"
      "switch_latency = \"130ns\"\n[links.local]\nline_rate = \"8Gbps\"\npayload = 1\n",
      "m.toml");
  Values said;
  (void)put_beneath(machine, said);
  const topology::LinkDefaults defaults = network_in(said).links.defaults;
  const auto& global = defaults.by_class.at("global");
  EXPECT_EQ(global.line, (LinkSpeed{5'000'000'000, 1'000'000}));
  EXPECT_EQ(global.payload, 0.5);
  EXPECT_EQ(global.switch_latency_ps, 130'000);
  const auto& local = defaults.by_class.at("local");
  EXPECT_EQ(local.line, (LinkSpeed{1'000'000'000, 30'000}));
  EXPECT_EQ(local.payload, 1);
}

// As tables of line rates do.
TEST(MachineModel, measured_classes_have_what_they_lack_from_measured_links) {
  const MachineModel machine = parse_machine_model(
      "[links.global]\nbandwidth = \"40Gbps\"\n"
      "[links.all]\nbandwidth = \"80Gbps\"\nlatency = \"500ns\"\n"
      "[links.local]\nlatency = \"200ns\"\n",
      "m.toml");
  Values said;
  (void)put_beneath(machine, said);
  const LinkOptions links = network_in(said).links;
  EXPECT_EQ(links.by_class.at("global"), (LinkSpeed{5'000'000'000, 500'000}));
  EXPECT_EQ(links.by_class.at("local"), (LinkSpeed{10'000'000'000, 200'000}));
  EXPECT_FALSE(said.contains("link-default"));
}

TEST(MachineModel, latency_replaces_that_of_measured_links) {
  const MachineModel machine = parse_machine_model(kMachine, "m.toml");
  Values said{{"latency", std::string("1us")}};
  EXPECT_EQ(put_beneath(machine, said), (std::vector<std::string>{"latency"}));
  const LinkOptions links = network_in(said).links;
  EXPECT_EQ(links.all, (LinkSpeed{12'500'000'000, 1'000'000}));
  EXPECT_EQ(links.by_class.at("link"), (LinkSpeed{40'000'000'000, 1'000'000}));
}

TEST(MachineModel, default_of_one_class_leaves_those_of_others) {
  Values said{{"link-default", std::string("global=50Gbps,30ns,130ns,1")}};
  (void)put_beneath(find_machine("generic"), said);
  const topology::LinkDefaults defaults = network_in(said).links.defaults;
  EXPECT_EQ(defaults.all.payload, 0.97);
  EXPECT_EQ(defaults.by_class.at("global").payload, 1);
  said = {{"link-default", std::string("50Gbps,30ns,130ns,1")}};
  (void)put_beneath(find_machine("generic"), said);
  EXPECT_EQ(network_in(said).links.defaults.all.payload, 1);
}

TEST(MachineModel, tells_of_messages_that_were_not_measured) {
  std::string measured = kMachine;
  measured.replace(measured.find("\"1B\""), 4, "\"64B\"");
  const MachineModel machine = parse_machine_model(measured, "m.toml");
  const auto text = [&](const std::vector<SentAt>& sent) { return outside_text(machine, sent); };
  constexpr std::int64_t kMi = 1 << 20;
  EXPECT_EQ(text({{64 * kMi, {64, 4 * kMi}}, {1, {0, 0}}}), "");
  EXPECT_EQ(text({{64 * kMi, {64, 8 * kMi}}}),
            "messages up to 8MiB are outside the range that m.toml was measured for (64B to 4MiB)");
  EXPECT_EQ(
      text(
          {{1024, {1, 1024}}, {64, {8, 64}}, {16 * kMi, {64, 5 * kMi}}, {32 * kMi, {64, 8 * kMi}}}),
      "messages down to 1B (at sizes up to 1KiB) and up to 8MiB (at sizes from 16MiB on) "
      "are outside the range that m.toml was measured for (64B to 4MiB)");
}

TEST(MachineModel, fits_networks_with_its_classes) {
  const MachineModel machine = parse_machine_model(kMachine, "m.toml");
  require_classes(machine, build_topology("hosts(1, ring:4)").topology);
  EXPECT_THROW(require_classes(machine, build_topology("2dfc:4x4").topology), InvalidInput);
}

std::string refusal_of(const std::string& text, const std::string& topology) {
  try {
    require_classes(parse_machine_model(text, "m.toml"), build_topology(topology).topology);
    return "";
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

TEST(MachineModel, refuses_link_classes_that_no_network_has) {
  const std::string foo = "[links.all]\nlatency = \"1us\"\n[links.foo]\nline_rate = \"1Gbps\"\n";
  EXPECT_EQ(
      refusal_of(foo, "ring:4"),
      "m.toml:3: unknown link class 'foo' (the link classes of ring:4 are link); write one of "
      "them, or [links.all] for all links");
  EXPECT_EQ(refusal_of("[links.termnal]\nline_rate = \"1Gbps\"\n", "ring:4"),
            "m.toml:1: unknown link class 'termnal' (the link classes of ring:4 are link); did you "
            "mean terminal?");
  EXPECT_EQ(refusal_of("[links.termnal]\nline_rate = \"1Gbps\"\n", "xgft:2;4,4;1,2"),
            "m.toml:1: unknown link class 'termnal' (the link classes of xgft:2;4,4;1,2 are "
            "terminal, level1); did you mean terminal?");
  // Profiles serve several networks, so a default may be for a class of another one.
  EXPECT_EQ(refusal_of("[links.terminal]\nline_rate = \"1Gbps\"\n", "ring:4"), "");
  EXPECT_EQ(refusal_of("[links.terminal]\nbandwidth = \"1Gbps\"\nlatency = \"1us\"\n", "ring:4"),
            "m.toml:1: unknown link class 'terminal' (the link classes of ring:4 are link); write "
            "one of them, or [links.all] for all links");
}

TEST(MachineModel, profiles_of_weft_fit_every_network) {
  const Topology ring = build_topology("ring:4").topology;
  for (const MachineModel& machine : machine_profiles()) require_classes(machine, ring);
}

TEST(MachineModel, says_where_a_file_is_wrong) {
  const auto expect = [](const std::string& text, const std::string& says) {
    try {
      (void)parse_machine_model(text, "m.toml");
      ADD_FAILURE() << text;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  expect("", "m.toml:1: the file is empty; a machine has [host] or [links.all]");
  expect("[host]\nstartup = \"1us\"\nstartup = \"2us\"\n", "m.toml:3: ");
  for (const char* key :
       {"rendezvous", "eager_copy", "copy_large", "reduce_large", "first_touch", "exchange"})
    expect("[host]\n" + std::string(key) + " = \"3\"\n",
           "m.toml:2: invalid " + std::string(key) + " '3' (expected SIZE,");
  expect("source = \"a\"\nsummary = 3\n",
         "m.toml:2: summary of the machine is a number (expected a text in quotes)");
  expect("[measured]\nwhere = 3\n",
         "m.toml:2: where of [measured] is a number (expected a text in quotes)");
  expect("[host]\nstartpu = \"1us\"\n",
         "m.toml:2: unknown key 'startpu' in [host]; did you mean startup");
  expect("[hots]\nstartup = \"1us\"\n", "did you mean host");
  expect("[host]\nstartup = \"1 parsec\"\n", "m.toml:2: startup: ");
  expect("[host]\nstartup = 1.5\n", "m.toml:2: startup: ");
  expect("[links.all]\nbandwidth = \"1GBps\"\n", "[links.all] has no latency");
  expect("[links.all]\nbandwidth = \"0GBps\"\nlatency = \"0s\"\n", "m.toml:2: bandwidth: ");
  const std::string link = "[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n";
  const std::string piece = "[[links.all.sizes]]\nfrom = \"1KiB\"\n";
  expect(link + piece + "latency = 1\n", "[[links.all.sizes]] has no bandwidth");
  expect(link + piece + "latency = -1\nbandwidth = 1\n",
         "m.toml:6: latency of [[links.all.sizes]] is -1 (expected a number from 1e-06 to 1e+06)");
  expect(link + piece + "latency = 0\nbandwidth = 1\n",
         "m.toml:6: latency of [[links.all.sizes]] is 0 (expected a number from 1e-06 to 1e+06)");
  expect(link + piece + "latency = nan\nbandwidth = 1\n",
         "m.toml:6: latency of [[links.all.sizes]] is nan");
  expect(link + piece + "latency = 1\nbandwidth = 1\n" + piece + "latency = 1\nbandwidth = 1\n",
         "are repeated or not in ascending order; write them in order");
  expect(link + "[links.all.sizes]\nfrom = \"1KiB\"\n",
         "m.toml:4: sizes of [links.all] is a table (expected tables, [[sizes]])");
  expect(link + "[links.global]\nline_rate = \"1GBps\"\n",
         "m.toml:4: this class has no effect next to the bandwidth of [links.all]; give bandwidth "
         "and latency here too");
  expect("[links.all]\nlatency = \"30ns\"\n[links.global]\nbandwidth = \"1GBps\"\n",
         "m.toml:3: [links.global] has no latency");  // that of [links.all] is of a cable alone
  // 97 % of the line rate times 1.5 is 1.455 of it; 1 / 0.97 = 1.030927...
  const std::string rated = "[links.all]\nline_rate = \"1GBps\"\npayload = 0.97\n";
  const auto faster = [&](const std::string& name, const std::string& bandwidth) {
    return "[[links." + name + ".sizes]]\nfrom = \"1KiB\"\nlatency = 1\nbandwidth = " + bandwidth +
           '\n';
  };
  expect(rated + faster("all", "1.5"),
         "m.toml:7: bandwidth 1.5 exceeds the line rate of [links.all]: with payload 0.97 messages "
         "of this size would run at 1.455 times the line rate; the maximum is 1.030927");
  expect(faster("all", "1.5"), "m.toml:4: bandwidth 1.5 exceeds the line rate of [links.all]");
  expect("[links.all]\npayload = 0.5\n" + faster("all", "2") + "[links.global]\npayload = 1\n",
         "m.toml:6: bandwidth 2 exceeds the line rate of [links.global]");
  expect("[links]\nall = 3\n", "m.toml:2: [links.all] is a number (expected a table)");
  expect("[measured]\nfrom = \"1KiB\"\n", "[measured] has no to");
  expect("[measured]\nfrom = \"1KiB\"\nto = \"1B\"\n",
         "m.toml:3: the measured sizes are descending");
  expect("[intervals]\nstartup = [\"1us\"]\n", "is not an interval of two numbers");
}

// A factor that fills the line is right, and so is any of a measured link: it scales what was
// measured.
TEST(MachineModel, takes_sizes_up_to_the_line_rate) {
  for (const char* links :
       {"[links.all]\npayload = 0.97\n[[links.all.sizes]]\nfrom = \"1KiB\"\nlatency = 1\n"
        "bandwidth = 1.0309278\n[links.global]\npayload = 1\n[[links.global.sizes]]\n"
        "from = \"1KiB\"\nlatency = 1\nbandwidth = 0.9\n",
        "[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n[[links.all.sizes]]\n"
        "from = \"1KiB\"\nlatency = 1\nbandwidth = 1.5\n"})
    EXPECT_TRUE(parse_machine_model(links, "m.toml").values.contains("factors")) << links;
}

}  // namespace
}  // namespace weft::fields
