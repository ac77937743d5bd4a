#include <gtest/gtest.h>

#include <algorithm>

#include "support/graphs.hpp"
#include "topology/files/file_helpers.hpp"
#include "topology/structure.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

// a x b boards, x x y of them: a b x y accelerators of 4 ports, a x column and b y row switches of
// 2 y and 2 x. Cables: half of the accelerators' 4 ports on boards, the others to switches.
TEST(HammingMesh, has_the_ports_of_its_definition) {
  const struct {
    const char* text;
    int a, b, x, y;
  } cases[] = {{"hammingmesh:2x2,4x4", 2, 2, 4, 4},
               {"hammingmesh:2x3,4x1", 2, 3, 4, 1},
               {"hammingmesh:4x4,3x2", 4, 4, 3, 2},
               {"hammingmesh:1x1,5x2", 1, 1, 5, 2}};
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    const int accelerators = c.a * c.b * c.x * c.y;
    ASSERT_EQ(std::ssize(t.hosts()), accelerators) << c.text;
    ASSERT_EQ(std::ssize(t.switches()), c.b * c.y + c.a * c.x) << c.text;
    for (const NodeId host : t.hosts()) EXPECT_EQ(t.out_degree(host), 4) << c.text;
    for (int row = 0; row < c.b * c.y; ++row)
      EXPECT_EQ(t.out_degree(NodeId(accelerators + row)), 2 * c.x) << c.text;
    for (int column = 0; column < c.a * c.x; ++column)
      EXPECT_EQ(t.out_degree(NodeId(accelerators + c.b * c.y + column)), 2 * c.y) << c.text;
    const int to_switches = 2 * c.b * c.x * c.y + 2 * c.a * c.x * c.y;
    EXPECT_EQ(t.cable_count(), (4 * accelerators - to_switches) / 2 + to_switches) << c.text;
    EXPECT_EQ(t.nominal_degree(), 4);
    EXPECT_EQ(t.name(), c.text);
    expect_sound_reverses(t);
  }
}

// Every accelerator of 2x2 is at an edge in both dimensions: a switch for the row and one for the
// column, two cables each. On 4x4 the inner ones are one cable from an edge at either end: two
// cables more in each dimension. (The paper's table II: 4 and 8.)
TEST(HammingMesh, has_the_diameter_of_its_paper) {
  const auto between_hosts = [](const char* text) {
    const Topology t = make_topology(text);
    int most = 0;
    const auto distances = support::naive_distances(t);
    for (const NodeId from : t.hosts())
      for (const NodeId to : t.hosts()) most = std::max(most, distances[from.index()][to.index()]);
    return most;
  };
  EXPECT_EQ(between_hosts("hammingmesh:2x2,4x4"), 4);
  EXPECT_EQ(between_hosts("hammingmesh:4x4,2x2"), 8);
}

TEST(HammingMesh, boards_are_groups_also_through_a_file) {
  const BuiltTopology built = build_topology("hammingmesh:2x3,2x2");
  const Topology again =
      parse_topology(format_topology(built, TopologyFormat::json), TopologyFormat::json, "net.json")
          .topology;
  const auto groups = as_host_groups(again);
  ASSERT_TRUE(groups);
  EXPECT_EQ(groups->count, 4);
  for (const NodeId host : again.hosts()) {
    EXPECT_EQ(groups->of[host], host.value() / 6);
    for (const LinkId link : again.out_links(host)) {
      const bool board = again.class_names()[again.link_class(link)] == "board";
      EXPECT_EQ(board, again.is_host(again.head(link)));
      if (board) {
        EXPECT_EQ(groups->of[again.head(link)], groups->of[host]);
      }
    }
  }
}

TEST(HammingMesh, bad_parameters_are_named) {
  for (const char* text :
       {"hammingmesh:2x2", "hammingmesh:2,4x4", "hammingmesh:2x2,4x4,1", "hammingmesh:0x2,4x4",
        "hammingmesh:2x2,4xq", "hammingmesh:1000x1000,1000x1000"})
    EXPECT_THROW(make_topology(text), InvalidInput) << text;
}

}  // namespace
}  // namespace weft::topology
