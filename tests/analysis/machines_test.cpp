// Machine files against figures that vendors and operators publish. Where they give both directions
// together, half of it is one.
#include "weft/topology/machines/machines.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "weft/analysis/bisection/known_bisection.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

constexpr double kGB = 1e9;

struct MachineUnderTest {
  explicit MachineUnderTest(const std::string& name)
      : machine(topology::read_machine(name)), fabric(machine.network) {}

  const Topology& graph() const { return machine.network.topology; }
  double egress_Bps(NodeId node) const {
    double sum = 0;
    for (const LinkId link : graph().out_links(node))
      sum += static_cast<double>(fabric.bandwidth_Bps(link));
    return sum;
  }
  // Of each host, where all are alike.
  double injection_Bps() const {
    const double first = egress_Bps(graph().hosts().front());
    for (const NodeId host : graph().hosts()) EXPECT_DOUBLE_EQ(egress_Bps(host), first);
    return first;
  }
  double cards_Bps() const {
    return machine.cards->count * static_cast<double>(*machine.cards->bandwidth_Bps);
  }
  // From one half of the hosts to the other, every half tried; a switch stands on the side from
  // which more links lead to it (there are no cables between switches).
  double bisection_Bps() const {
    const auto hosts = static_cast<unsigned>(graph().hosts().size());
    EXPECT_LE(hosts, 16u);
    double least = 1e300;
    for (unsigned half = 0; half < 1u << hosts; ++half)
      if (std::popcount(half) == static_cast<int>(hosts / 2))
        least = std::min(least, cut_Bps(half));
    return least;
  }
  double cut_Bps(unsigned half) const {
    const auto in = [&](NodeId host) { return (half >> host.value() & 1u) != 0; };
    double cut = 0;
    for (const NodeId host : graph().hosts())
      for (const LinkId link : graph().out_links(host))
        if (const NodeId head = graph().head(link); graph().is_host(head) && in(host) && !in(head))
          cut += static_cast<double>(fabric.bandwidth_Bps(link));
    for (const NodeId node : graph().switches()) {
      double inside = 0, outside = 0;
      for (const LinkId link : graph().out_links(node))
        (in(graph().head(link)) ? inside : outside) +=
            static_cast<double>(fabric.bandwidth_Bps(link));
      cut += std::min(inside, outside);
    }
    return cut;
  }

  topology::Machine machine;
  topology::Fabric fabric;
};

// WP-08437-001: 8 GPUs, 300 GB/s each in both directions by six links of 25 GB/s; 4 EDR cards.
TEST(Machines, dgx_1_has_the_figures_of_its_white_paper) {
  const MachineUnderTest dgx("dgx-1");
  EXPECT_EQ(dgx.graph().node_count(), 8);
  EXPECT_DOUBLE_EQ(dgx.injection_Bps(), 300 * kGB / 2);
  EXPECT_DOUBLE_EQ(dgx.injection_Bps(), 6 * 25 * kGB);
  EXPECT_DOUBLE_EQ(dgx.cards_Bps(), 4 * 12.5 * kGB);
}

// NVIDIA's posts on the DGX A100 (600 GB/s a GPU, 12 links, 6 switches, 4.8 TB/s of all, in both
// directions) and on the third NVSwitch (bisection 2,400 and 3,600 GB/s, 900 GB/s and 18 links a
// GPU of an H100, in both directions); DGX B200 user guide (14.4 TB/s of all, 2 switches).
TEST(Machines, dgx_boxes_have_the_figures_of_nvidia) {
  const struct {
    const char* name;
    int switches, links;
    double link_GBps, GBps, cards_GBps, bisection_GBps;  // one direction
  } boxes[] = {{"dgx-a100", 6, 12, 25, 600.0 / 2, 8 * 25.0, 2400.0 / 2},
               {"dgx-h100", 4, 18, 25, 900.0 / 2, 8 * 50.0, 3600.0 / 2},
               {"dgx-b200", 2, 18, 50, 14400.0 / 8 / 2, 8 * 50.0, 4 * 1800.0 / 2}};
  for (const auto& box : boxes) {
    SCOPED_TRACE(box.name);
    const MachineUnderTest dgx(box.name);
    EXPECT_EQ(dgx.graph().hosts().size(), 8u);
    EXPECT_EQ(std::ssize(dgx.graph().switches()), box.switches);
    EXPECT_DOUBLE_EQ(dgx.injection_Bps(), box.links * box.link_GBps * kGB);
    EXPECT_DOUBLE_EQ(dgx.injection_Bps(), box.GBps * kGB);
    EXPECT_DOUBLE_EQ(dgx.cards_Bps(), box.cards_GBps * kGB);
    EXPECT_DOUBLE_EQ(dgx.bisection_Bps(), box.bisection_GBps * kGB);
  }
}

// 72 GPUs, 1.8 TB/s each and 130 TB/s (129.6) in all in both directions; 9 trays of 2 switches.
TEST(Machines, nvl72_has_the_figures_of_nvidia) {
  const MachineUnderTest rack("gb200-nvl72");
  EXPECT_EQ(rack.graph().hosts().size(), 72u);
  EXPECT_EQ(rack.graph().switches().size(), 9u * 2u);
  for (const NodeId node : rack.graph().switches()) EXPECT_EQ(rack.graph().out_degree(node), 72);
  EXPECT_DOUBLE_EQ(rack.injection_Bps(), 1800 * kGB / 2);
  EXPECT_NEAR(72 * rack.injection_Bps() * 2, 130e12, 0.5e12);
  EXPECT_DOUBLE_EQ(rack.cards_Bps(), 18 * 4 * 50 * kGB);  // 4 ConnectX-7 a compute tray
}

// AMD: 50 GB/s a link and direction, a MI250's two dies joined by 4 of them (200 GB/s) and 6 to
// other GPUs; the platform of MI300X 896 GB/s a GPU in both directions, each joined to each.
TEST(Machines, instinct_boxes_have_the_figures_of_amd) {
  const MachineUnderTest mi250("mi250");
  EXPECT_EQ(mi250.graph().node_count(), 8 * 2);
  for (int gpu = 0; gpu < 8; ++gpu) {
    const NodeId one(2 * gpu), other(2 * gpu + 1);
    const auto link = mi250.graph().find_link(one, other);
    ASSERT_TRUE(link);
    const double within = static_cast<double>(mi250.fabric.bandwidth_Bps(*link));
    EXPECT_DOUBLE_EQ(within, 4 * 50 * kGB);
    EXPECT_DOUBLE_EQ(mi250.egress_Bps(one) + mi250.egress_Bps(other) - 2 * within, 6 * 50 * kGB);
  }
  EXPECT_DOUBLE_EQ(mi250.cards_Bps(), 8 * 25 * kGB);
  const MachineUnderTest mi300x("mi300x");
  EXPECT_EQ(mi300x.graph().node_count(), 8);
  EXPECT_DOUBLE_EQ(mi300x.injection_Bps(), 896 * kGB / 2);
  EXPECT_DOUBLE_EQ(mi300x.bisection_Bps(), 4 * 4 * 64 * kGB);
  EXPECT_DOUBLE_EQ(mi300x.cards_Bps(), 8 * 50 * kGB);
}

// WP-Aries01-1112: 96 routers of 4 nodes; 15 links within the chassis, 15 to the other five.
TEST(Machines, a_group_of_aries_has_the_ports_of_its_white_paper) {
  const MachineUnderTest group("aries-group");
  EXPECT_EQ(group.graph().hosts().size(), 384u);
  EXPECT_EQ(group.graph().switches().size(), 96u);
  for (const NodeId router : group.graph().switches())
    EXPECT_EQ(group.graph().out_degree(router), 15 + 15 + 4);
  // 3 lanes of 14 Gb/s
  const auto link = group.graph().find_link(NodeId(0), NodeId(1));
  ASSERT_TRUE(link);
  EXPECT_DOUBLE_EQ(static_cast<double>(group.fabric.bandwidth_Bps(*link)), 3 * 14e9 / 8);
}

// SC 2023: 74 groups of 128 nodes with 4 cards of 25 GB/s; 270 TB/s between groups in a direction,
// of which the file has 9 / 9.125.
TEST(Machines, frontier_has_the_figures_of_its_paper) {
  const MachineUnderTest frontier("frontier");
  EXPECT_EQ(frontier.graph().hosts().size(), 74u * 128u * 4u);
  EXPECT_EQ(frontier.graph().switches().size(), 74u * 32u);
  EXPECT_DOUBLE_EQ(frontier.egress_Bps(frontier.graph().hosts().front()), 25 * kGB);
  double global_Bps = 0;  // both directions
  for (const LinkId link : frontier.graph().links())
    if (frontier.graph().class_names()[frontier.graph().link_class(link)] == "global")
      global_Bps += static_cast<double>(frontier.fabric.bandwidth_Bps(link));
  EXPECT_NEAR(global_Bps / 2, 270e12 * 9 / 9.125, 0.001 * 270e12);
}

// SC 2020, section II-B: 545 groups, 279,040 endpoints, all 64 ports in use.
TEST(Machines, the_largest_slingshot_has_the_figures_of_its_paper) {
  const MachineUnderTest largest("slingshot-largest");
  EXPECT_EQ(largest.graph().hosts().size(), 279'040u);
  EXPECT_EQ(largest.graph().switches().size(), 545u * 32u);
  for (const NodeId node : largest.graph().switches())
    ASSERT_EQ(largest.graph().out_degree(node), 64);
}

// CLUSTER 2018: 6.8 GB/s a link, 40.8 GB/s by six interfaces; a rack has 384 of 158,976 nodes in
// units of 12. A node's links: 1 + 2 + 1 within the unit, 1 + 1 + 2 to other units.
TEST(Machines, a_rack_of_fugaku_has_the_figures_of_tofu_d) {
  const MachineUnderTest rack("fugaku-rack");
  EXPECT_EQ(rack.graph().hosts().size(), 384u);
  EXPECT_EQ(158'976 % 384, 0);
  for (const NodeId node : rack.graph().switches())  // its own host, too
    EXPECT_EQ(rack.graph().out_degree(node), 8 + 1);
  EXPECT_DOUBLE_EQ(rack.injection_Bps(), 40.8 * kGB);
}

// ISCA 2023: 4,096 chips, six links of 50 GB/s. Google Cloud publishes 24 TB/s across the
// bisection, 6 % below two cables of each of 16 x 16 rings.
TEST(Machines, tpu_v4_has_the_figures_of_its_paper) {
  const MachineUnderTest pod("tpu-v4");
  EXPECT_EQ(pod.graph().node_count(), 4096);
  EXPECT_DOUBLE_EQ(pod.injection_Bps(), 6 * 50 * kGB);
  const auto bisection = known_bisection(pod.graph());
  ASSERT_TRUE(bisection && bisection->exact());
  EXPECT_NEAR(static_cast<double>(bisection->lower) * 50 * kGB, 24e12, 0.07 * 24e12);
  const MachineUnderTest twisted("tpu-v4-twisted");
  EXPECT_EQ(twisted.graph().node_count(), 2048);
  EXPECT_DOUBLE_EQ(twisted.injection_Bps(), 6 * 50 * kGB);
}

TEST(Machines, all_are_listed_with_summary_and_source) {
  std::size_t count = 0;
  for (const auto& machine : topology::machines()) {
    ++count;
    EXPECT_FALSE(machine.summary.empty() || machine.sources.empty()) << machine.name;
    EXPECT_NO_THROW(topology::read_machine(machine.name)) << machine.name;
  }
  EXPECT_EQ(count, 18u);
}

}  // namespace
}  // namespace weft::analysis
