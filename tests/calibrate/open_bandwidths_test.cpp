// Bandwidths of classes that a measurement leaves open.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "weft/calibrate/calibration.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {
namespace {

const Fitted& bandwidth_of(const Calibration& fit, const std::string& name) {
  for (const FittedClass& each : fit.classes)
    if (each.name == name) return each.bandwidth_Bps;
  throw InvalidInput("no class " + name);
}

// A ping-pong of 11.75 GB/s over a terminal link, a cable and a terminal link says that each is
// that or more. Where the cable has four times the speed by the network it keeps it: the terminal
// loses 6 % of its own, the cable would lose 76 %. Where both have the same, either may be what is
// slow.
TEST(OpenBandwidths, keep_the_speed_of_links_that_nothing_fills) {
  std::string text = "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n";
  for (double size_B = 1; size_B <= 4 << 20; size_B *= 2)
    text += fmt::format("{:.0f} {:.9f}\n", size_B, 1 + size_B / 11.75e3);
  for (const std::int64_t cable_Bps : {50'000'000'000, 12'500'000'000}) {
    const LinkOptions links{
        .all = {},
        .by_class = {{"link", {cable_Bps, 1'000'000}}, {"terminal", {12'500'000'000, 1'000'000}}}};
    const Fabric fabric(build_topology("hosts(2, complete:2)"), links);
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          make_routing("shortest", fabric));
    const auto& hosts = network.topology().hosts();
    const std::vector<PlacedTable> all{
        {read_measured_tables(text, "t.txt").tables.at(0), {hosts[0], hosts[2]}}};
    const Calibration fit = calibrate(all, network);
    const Fitted &terminal = bandwidth_of(fit, "terminal"), &cable = bandwidth_of(fit, "link");
    EXPECT_NEAR(terminal.value, 11.75e9, 1e6);
    EXPECT_NEAR(cable.value, cable_Bps > 20'000'000'000 ? static_cast<double>(cable_Bps) : 11.75e9,
                1e6);
    for (const Fitted* each : {&terminal, &cable}) {
      ASSERT_TRUE(each->interval);
      EXPECT_NEAR(each->interval->low, 11.75e9, 1e6);
    }
    EXPECT_LT(fit.tables[0].max_error, 1e-4);
  }
}

}  // namespace
}  // namespace weft::calibrate
