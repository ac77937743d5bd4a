// Cables, links and nodes as people call them, and what without() makes of that.
#include "weft/topology/cables.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// Hosts h1 and h2; leaf~1 and spine, between which three cables lead: two in ports that their names
// allow to be said, the third in one with a bracket.
Topology fabric() {
  TopologyBuilder builder(4);
  builder.set_kind(NodeId(2), NodeKind::switch_node);
  builder.set_kind(NodeId(3), NodeKind::switch_node);
  Names names{{"h1", "h2", "leaf~1", "spine"}, {}};
  const auto cable = [&](int a, const char* port_a, int b, const char* port_b) {
    builder.add_cable(NodeId(a), NodeId(b));
    names.ports.insert(names.ports.end(), {port_a, port_b});
  };
  cable(0, "eth0", 2, "1");
  cable(1, "eth0", 3, "1");
  cable(2, "swp7", 3, "swp8");
  cable(2, "swp9", 3, "swp2");
  cable(2, "x]", 3, "swp3");
  Facets facets;
  facets.names = std::make_shared<const Names>(std::move(names));
  builder.set_facets(std::move(facets));
  return std::move(builder).build({"fabric", "", {}});
}

std::string refusal(const Topology& topology, std::string_view text) {
  try {
    const NodesByText nodes(topology);
    (void)find_cable(nodes, text);
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

TEST(Cables, are_found_by_what_they_are_called) {
  for (const Topology& topology :
       {fabric(), make_topology("biring:4,3"), make_topology("names(hosts=n[1-3], biring:4,3)"),
        make_topology("names(hosts=n[1-4], uniring:4)"), make_topology("hosts(2, complete:3)")}) {
    const NodesByText nodes(topology);
    for (const LinkId link : topology.links())
      EXPECT_EQ(find_cable(nodes, cable_text(topology, link)), topology.cable(link))
          << cable_text(topology, link);
  }
}

TEST(Cables, are_called_by_names_and_ports) {
  const Topology topology = fabric();
  std::vector<std::string> texts(static_cast<std::size_t>(topology.cable_count()));
  for (const LinkId link : topology.links())
    if (link < *topology.reverse(link))
      texts[topology.cable(link).index()] = cable_text(topology, link);
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "h1[eth0] - leaf~1[1]", "h2[eth0] - spine[1]", "leaf~1[swp7] - spine[swp8]",
                       "leaf~1[swp9] - spine[swp2]", "leaf~1 - spine[swp3]"}));
  EXPECT_EQ(cable_text(make_topology("ring:3"), LinkId(0)), "0~1");
}

TEST(Cables, are_found_by_ends_in_any_form) {
  const Topology topology = fabric();
  const NodesByText nodes(topology);
  const CableId second = find_cable(nodes, "leaf~1[swp9] - spine[swp2]");
  for (const char* text : {"leaf~1~spine#2", "spine - leaf~1#2", "2~3#2", "leaf~1[swp9]~spine",
                           "spine[swp2] - 2", " 3 ~ leaf~1 # 2 "})
    EXPECT_EQ(find_cable(nodes, text), second) << text;
  EXPECT_EQ(topology.tail(find_link(nodes, "spine~leaf~1")), NodeId(3));
}

TEST(Cables, that_are_not_there_are_refused_with_what_is) {
  const Topology topology = fabric();
  EXPECT_EQ(refusal(topology, "h1 - spine"),
            "no cable joins h1 and spine in fabric (h1 has links to leaf~1); name one of those");
  EXPECT_EQ(refusal(topology, "h1[eth1] - leaf~1"),
            "no cable joins h1[eth1] and leaf~1 in fabric (h1 has links to leaf~1[1] by port "
            "eth0); name one of those");
  EXPECT_EQ(refusal(topology, "h3 - spine"), "unknown node 'h3' of fabric; did you mean h1, h2?");
  EXPECT_EQ(refusal(topology, "qqqqqqq - spine"),
            "unknown node 'qqqqqqq' of fabric; they are called h1 and so on");
  EXPECT_EQ(refusal(topology, "leaf~1 - spine#4"),
            "cable leaf~1 - spine#4 does not exist in fabric (there are 3); use a number from 1 to "
            "3");
  EXPECT_EQ(refusal(make_topology("ring:4"), "0~x"),
            "invalid node 'x': ring:4 has no node names; give a number from 0 to 3");
}

// Names and numbers give one network, whose name has the numbers.
TEST(Cables, fail_by_name_in_expressions) {
  const std::string named = "names(hosts=node[01-16], torus:4x4)";
  const auto name = [&](const std::string& what) {
    return make_topology("without(" + what + ", " + named + ")").name();
  };
  EXPECT_EQ(name("cable=node01 - node02"), name("cable=0~1"));
  EXPECT_EQ(name("node=node03, cable=node16~node15"), name("node=2, cable=15~14"));
  EXPECT_EQ(name("link=node02~node01"), name("link=1~0"));
  EXPECT_EQ(
      make_topology("without(node=box1:2, boxes(2, names(hosts=GPU[0-3], ring:4)))").hosts().size(),
      7u);
}

}  // namespace
}  // namespace weft::topology
