// Nets for the simulator of InfiniBand's management. That ibsim and OpenSM take them is judged in
// tests/oracle/imported_fabric_test.py.
#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::format {
namespace {

std::string net(const char* expression, std::int64_t bandwidth_Bps = 12'500'000'000) {
  const Topology topology = make_topology(expression);
  const Fabric fabric(topology, {.bandwidth_Bps = bandwidth_Bps});
  const Network network(fabric, topology::place(topology, {}), {}, make_routing("auto", fabric));
  const auto files = find_format("ibsim").write_network(network, {.path = "tree.net"});
  EXPECT_EQ(files.size(), 1u);
  EXPECT_EQ(files.front().path, "tree.net");
  return files.front().content;
}

std::string refusal(const char* expression) {
  try {
    net(expression);
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

// xgft:1;2;1 is two hosts, nodes 0 and 1, under switch 2: by the grammar of ibsim's own examples.
TEST(Ibsim, tells_each_cable_at_both_ends) {
  EXPECT_EQ(net("xgft:1;2;1"),
            "# xgft:1;2;1\n"
            "\nSwitch 2 \"switch2\"\n"
            "[1] \"host0\"[1] # lid 0 4xEDR\n"
            "[2] \"host1\"[1] # lid 0 4xEDR\n"
            "\nHca 1 \"host0\"\n"
            "[1] \"switch2\"[1] # lid 0 4xEDR\n"
            "\nHca 1 \"host1\"\n"
            "[1] \"switch2\"[2] # lid 0 4xEDR\n");
}

// Four lanes of 2.5, 5 and 10 Gb/s, 8 of 10 bits data; 25.78 and 53.1 Gb/s sold as 100 and 200.
TEST(Ibsim, takes_the_fastest_speed_that_is_no_faster) {
  const struct {
    std::int64_t bandwidth_Bps;
    const char* speed;
  } cases[] = {{1, "4xSDR"},
               {1'000'000'000, "4xSDR"},
               {1'999'999'999, "4xSDR"},
               {2'000'000'000, "4xDDR"},
               {4'000'000'000, "4xQDR"},
               {12'499'999'999, "4xFDR\n"},
               {12'500'000'000, "4xEDR"},
               {25'000'000'000, "4xHDR"},
               {90'000'000'000, "4xHDR"}};
  for (const auto& [bandwidth_Bps, speed] : cases)
    EXPECT_NE(net("xgft:1;2;1", bandwidth_Bps).find(speed), std::string::npos) << bandwidth_Bps;
}

TEST(Ibsim, refuses_what_no_fabric_of_InfiniBand_is) {
  EXPECT_NE(refusal("torus:3x3").find("has no switches"), std::string::npos);
  EXPECT_NE(refusal("hosts(1, uniring:4)").find("one-way"), std::string::npos);
  EXPECT_NE(refusal("xgft:1;255;1").find("255 ports"), std::string::npos);
  EXPECT_EQ(refusal("xgft:1;254;1"), "(accepted)");
}

}  // namespace
}  // namespace weft::format
