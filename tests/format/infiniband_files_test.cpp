// ibnetdiscover's output as people have it: grouped, with messages of errors, with slow cables, as
// a list of ports; and what is taken for it. The cases have their values from public reports.
#include <gtest/gtest.h>

#include "format/import_cases.hpp"
#include "support/fabrics.hpp"

namespace weft::format {
namespace {

using test::case_file;
using test::GBps;
using test::has_note;
using test::import;
using test::refusal_of;

constexpr const char* kFormat = "ibnetdiscover";

std::string size_of(const ImportedFabric& fabric) {
  const Topology& topology = fabric.network.topology;
  return fmt::format("{} {} {}", topology.hosts().size(), topology.switches().size(),
                     topology.cable_count());
}

TEST(InfinibandFiles, reads_groups_and_names_slow_ends) {
  const std::string text = case_file("grouped.ibnet");
  EXPECT_EQ(recognise(text, "f").name, kFormat);
  const ImportedFabric fabric = import(kFormat, text);
  EXPECT_EQ(size_of(fabric), "4 2 7");
  EXPECT_TRUE(test::answers_repeat(
      fabric,
      "the ends of 2 cables disagree on the rate; the lower rate is used: big box Acme[13] "
      "(4xSDR) - little Acme[5] (1xSDR), big box Acme[4] (4xSDR) - H-000a000000000030[1] "
      "(1xSDR)"));
  // 1xSDR is 2 Gb/s of data: 0.25 GB/s; the other cables have 1 GB/s.
  int slow = 0;
  for (const auto& bandwidth : fabric.network.speeds.bandwidth_Bps)
    slow += bandwidth == 250'000'000 ? 1 : 0;
  EXPECT_EQ(slow, 4);  // both directions of two
}

TEST(InfinibandFiles, skips_messages_and_leaves_out_loops) {
  const std::string text = case_file("dirty.ibnet");
  EXPECT_EQ(recognise(text, "f").name, kFormat);
  const ImportedFabric fabric = import(kFormat, text);
  EXPECT_EQ(size_of(fabric), "2 2 3");
  EXPECT_TRUE(has_note(
      fabric, "umad (DR path slid 0; dlid 0; 0,1,1,31 ' (line 1): skipped, because the line"));
  EXPECT_TRUE(has_note(fabric, "[1] to SwitchIB Mellanox Technologies[2] (line 12)"));
  EXPECT_TRUE(has_note(fabric, "[19] to SwitchIB Mellanox Technologies[21] (line 15)"));
}

TEST(InfinibandFiles, refuses_an_adapter_without_cable) {
  EXPECT_EQ(refusal_of(kFormat, case_file("lonely.ibnet")),
            "f has 1 device but no cable (n-07); a network needs cables");
}

// A switch with adapters at these rates, all of one model.
std::string star(const std::vector<std::string>& rates) {
  std::string text = "switchguid=0x1(1)\nSwitch 40 \"S-1\" # \"sw1\" base port 0 lid 1 lmc 0\n";
  for (std::size_t i = 1; i <= rates.size(); ++i)
    text +=
        fmt::format("[{0}] \"H-{0}\"[1] # \"n{0} mlx5_0\" lid {1} {2}\n", i, i + 1, rates[i - 1]);
  for (std::size_t i = 1; i <= rates.size(); ++i)
    text += fmt::format(
        "devid=0x1021\nCa 1 \"H-{0}\" # \"n{0} mlx5_0\"\n[1] \"S-1\"[{0}] # lid {1} lmc 0 "
        "\"sw1\" lid 1 {2}\n",
        i, i + 1, rates[i - 1]);
  return text;
}

TEST(InfinibandFiles, names_a_card_at_half_speed) {
  EXPECT_TRUE(test::answers_repeat(
      import(kFormat, star({"4xHDR", "4xHDR", "2xHDR", "4xHDR"})),
      "slower than most adapters of device id 0x1021, which have 4xHDR: n3 mlx5_0[1] at "
      "2xHDR"));
  EXPECT_FALSE(has_note(import(kFormat, star({"4xHDR", "4xHDR", "4xHDR"})), "slower"));
  EXPECT_FALSE(has_note(import(kFormat, star({"4xHDR", "2xHDR"})), "slower"));  // which is usual?
}

TEST(InfinibandFiles, names_slow_cables_between_switches) {
  const std::string net =
      "Switch 8 \"a\"\n[1] \"b\"[1] # lid 0 4xHDR\n[2] \"b\"[2] # lid 0 1xHDR\n"
      "[3] \"b\"[3] # lid 0 4xHDR\n[4] \"h\"[1] # lid 0 4xHDR\n\nSwitch 8 \"b\"\n\nHca 1 \"h\"\n";
  EXPECT_TRUE(test::answers_repeat(
      import("ibsim", net),
      "slower than most cables between switches, which have 4xHDR: a[2] - b[2] at 1xHDR"));
}

// ibnetdiscover -p of a switch and two hosts; the third port of the switch has no cable.
const std::string kPorts =
    "SW     6  4 0x0000000000000100 4x EDR                                    'sw one'\n"
    "SW     6  2 0x0000000000000100 4x EDR - CA     4  2 0x0000000000000202 ( 'sw one' - 'h2 "
    "HCA-1' )\n"
    "SW     6  1 0x0000000000000100 4x EDR - CA     3  1 0x0000000000000201 ( 'sw one' - 'h2 "
    "HCA-1' )\n"
    "SW     6  3 0x0000000000000100 1x EDR - CA     5  1 0x0000000000000301 ( 'sw one' - 'h3 "
    "HCA-1' )\n"
    "CA     4  2 0x0000000000000202 4x EDR - SW     6  2 0x0000000000000100 ( 'h2 HCA-1' - 'sw "
    "one' )\n"
    "CA     3  1 0x0000000000000201 4x EDR - SW     6  1 0x0000000000000100 ( 'h2 HCA-1' - 'sw "
    "one' )\n"
    "CA     5  1 0x0000000000000301 4x EDR - SW     6  3 0x0000000000000100 ( 'h3 HCA-1' - 'sw "
    "one' )\n";

TEST(InfinibandFiles, reads_a_list_of_ports) {
  EXPECT_EQ(recognise(kPorts, "f").name, kFormat);
  const ImportedFabric fabric = import(kFormat, kPorts);
  EXPECT_EQ(size_of(fabric), "2 1 3");
  EXPECT_EQ(test::cables_of(fabric.network.topology),
            (std::multiset<std::string>{"h2-sw one", "h2-sw one", "h3-sw one"}));
  EXPECT_EQ(GBps(fabric, "h2", "sw one"), 12.5);   // 100 Gb/s
  EXPECT_EQ(GBps(fabric, "h3", "sw one"), 3.125);  // one of four lanes
  EXPECT_TRUE(test::answers_repeat(fabric, "the ends of 1 cable disagree on the rate"));
  EXPECT_EQ(fabric.local_ids.at(4).node, NodeId(0));
}

TEST(InfinibandFiles, refuses_broken_lists_of_ports) {
  const auto cut = [](std::string_view from) { return kPorts.substr(0, kPorts.find(from)); };
  EXPECT_EQ(refusal_of(kFormat, cut("CA     5  1 0x0000000000000301 4x EDR -")),
            "f:4: the cable leads to port 1 of 'h3 HCA-1', which is not in the list");
  EXPECT_EQ(refusal_of(kFormat, kPorts.substr(0, kPorts.size() - 20)),
            "f:7: the names of the two ends are missing; the line may be truncated");
  std::string text = kPorts;
  text.replace(text.find("1x EDR"), 6, "4x FOO");
  EXPECT_EQ(refusal_of(kFormat, text), "f:4: '4x FOO' is not a width and speed, such as 4x EDR");
}

TEST(InfinibandFiles, names_other_lists_for_what_they_are) {
  const std::string devices =
      "Ca\t : 0x0008f10403961354 ports 2 devid 0x5a44 vendid 0x2c9 \"h2 HCA-1\"\n";
  EXPECT_EQ(recognise(devices, "f").name, kFormat);
  EXPECT_EQ(refusal_of(kFormat, devices),
            "f: the file has a list of devices (ibnetdiscover -l, -H, -S or -R), which has no "
            "cables; give the output of ibnetdiscover without options");
  const std::string links =
      "CA: h2 HCA-1:\n      0x0008f10403961355      3    1[  ] ==( 4X          10.0 Gbps Active/  "
      "LinkUp)==>       6   36[  ] \"sw one\" ( )\n";
  EXPECT_EQ(recognise(links, "f").name, kFormat);
  EXPECT_EQ(refusal_of(kFormat, links),
            "f: the file has the output of iblinkinfo, which is not supported; give the output of "
            "ibnetdiscover without options");
}

// By ibsim's manual: a peer's port is 1 where none is given, and w= and s= ask for widths and
// speeds.
TEST(InfinibandFiles, reads_nets_of_ibsim_as_ibsim_does) {
  const std::string net =
      "Switch 8 \"s1\"\n[1] \"h1\"\n[2] \"h2\"[1] w=4 s=1\n[3] \"s1\"[4]\n\nHca 1 \"h1\"\n[1] "
      "\"s1\"[1]\n\nHca 1 \"h2\"\n";
  EXPECT_EQ(recognise(net, "f").name, "ibsim");
  const ImportedFabric fabric = import("ibsim", net);
  EXPECT_EQ(size_of(fabric), "2 1 2");
  EXPECT_TRUE(has_note(fabric, "option 'w' (line 3), option 's' (line 3)"));
  EXPECT_TRUE(has_note(fabric, "cable s1[3] to s1[4] (line 4): left out"));
  EXPECT_EQ(refusal_of("ibsim", "include \"more\"\n" + net),
            "f:1: 'include \"more\"' is an abbreviation, which weft cannot read; write it in "
            "full");
}

}  // namespace
}  // namespace weft::format
