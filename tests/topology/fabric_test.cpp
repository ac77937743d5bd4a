#include "weft/topology/fabric.hpp"

#include <gtest/gtest.h>

#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

constexpr std::int64_t kGBps = 1'000'000'000;
const std::string kDgx1 = "file:" + test::source_dir() + "/examples/dgx1.edges";

LinkOptions options(std::initializer_list<const char*> texts) {
  LinkOptions result;
  for (const char* text : texts) parse_link_option(text, result);
  return result;
}

TEST(Fabric, links_are_100Gbps_and_1us_unless_told) {
  const Fabric fabric(build_topology("torus:4x4"));
  for (LinkId link : fabric.topology().links()) {
    EXPECT_EQ(fabric.bandwidth_Bps(link), 12'500'000'000);
    EXPECT_EQ(fabric.latency_ps(link), 1'000'000);
  }
  EXPECT_EQ(fabric.node_egress_Bps(), 4 * 12'500'000'000);
}

TEST(Fabric, a_class_goes_before_all_and_all_before_the_file) {
  const LinkId link(0);
  EXPECT_EQ(Fabric(build_topology(kDgx1)).bandwidth_Bps(link), 50 * kGBps);
  EXPECT_EQ(Fabric(build_topology(kDgx1)).latency_ps(link), 1'000'000);
  const Fabric all(build_topology(kDgx1), options({"10GBps,2us"}));
  EXPECT_EQ(all.speed(link), (LinkSpeed{10 * kGBps, 2'000'000}));
  const Fabric own(build_topology(kDgx1), options({"link=5GBps,3us", "10GBps,2us"}));
  EXPECT_EQ(own.speed(link), (LinkSpeed{5 * kGBps, 3'000'000}));
}

TEST(Fabric, classes_have_their_own_speeds) {
  const Fabric fabric(build_topology("dragonfly:a=4,p=2,h=2"), options({"global=4GBps,100ns"}));
  const Topology& t = fabric.topology();
  for (LinkId link : t.links()) {
    const bool global = t.class_names()[t.link_class(link)] == "global";
    EXPECT_EQ(fabric.latency_ps(link), global ? 100'000 : 1'000'000);
  }
}

TEST(Fabric, egress_is_the_largest_of_a_host_unless_links_are_equal) {
  EXPECT_EQ(Fabric(build_topology(kDgx1)).node_egress_Bps(), 150 * kGBps);
  EXPECT_EQ(Fabric(build_topology("hosts(4, ring:8)")).node_egress_Bps(), 12'500'000'000);
  // A self-loop counts: de Bruijn's nominal degree is d at every node.
  EXPECT_EQ(Fabric(build_topology("debruijn:2,3")).node_egress_Bps(), 2 * 12'500'000'000);
  // A failure keeps the nominal degree.
  EXPECT_EQ(Fabric(build_topology("without(cable=0, ring:5)")).node_egress_Bps(),
            2 * 12'500'000'000);
  const Fabric unequal(build_topology("torus:4x4"), options({"x=10GBps,1us", "y=1GBps,1us"}));
  EXPECT_EQ(unequal.node_egress_Bps(), 22 * kGBps);
}

// Two links of more than 2^62 B/s each leave a node of a ring.
TEST(Fabric, names_a_network_whose_bandwidths_add_up_to_too_much) {
  try {
    Fabric(build_topology("ring:3"), options({"9000000000GBps,1us"}));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()).find("ring:3: "), 0U);
  }
}

TEST(Fabric, bad_options_are_named) {
  for (const char* text : {"", "100Gbps", "100Gbps,1us,2", "=100Gbps,1us", "x=,", "1us,100Gbps",
                           "global=0Gbps,1us", "100Gbps,-1us"}) {
    LinkOptions result;
    EXPECT_THROW(parse_link_option(text, result), InvalidInput) << text;
  }
  try {
    Fabric(build_topology("torus:4x4"), options({"global=4GBps,100ns"}));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "torus:4x4 has no link class 'global'; its classes are x, y");
  }
}

}  // namespace
}  // namespace weft::topology
