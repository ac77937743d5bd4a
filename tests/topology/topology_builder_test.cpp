#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {
namespace {

TEST(TopologyBuilder, rejects_nodes_that_do_not_exist) {
  TopologyBuilder builder(3);
  for (const int node : {-1, -5, 3, 4}) {
    EXPECT_THROW(builder.add_link(NodeId(node), NodeId(0)), InvalidInput) << node;
    EXPECT_THROW(builder.add_link(NodeId(0), NodeId(node)), InvalidInput) << node;
    EXPECT_THROW(builder.add_cable(NodeId(node), NodeId(0)), InvalidInput) << node;
    EXPECT_THROW(builder.set_kind(NodeId(node), NodeKind::switch_node), InvalidInput) << node;
  }
  EXPECT_EQ(builder.link_count(), 0);
}

TEST(TopologyBuilder, rejects_classes_and_links_that_do_not_exist) {
  TopologyBuilder builder(2);
  EXPECT_THROW(builder.add_link(NodeId(0), NodeId(1), ClassId(1)), InvalidInput);
  EXPECT_THROW(builder.add_link(NodeId(0), NodeId(1), ClassId(-1)), InvalidInput);
  const TopologyBuilder::Handle link = builder.add_link(NodeId(0), NodeId(1));
  EXPECT_THROW(builder.pair(link, 1), InvalidInput);
  EXPECT_THROW(builder.pair(-1, link), InvalidInput);
}

}  // namespace
}  // namespace weft::topology
