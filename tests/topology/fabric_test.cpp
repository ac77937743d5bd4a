#include "weft/topology/fabric.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/machines/machines.hpp"
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

// DGX-1's GPUs have 2 cables of one NVLink and 2 of two each: 6 links.
BuiltTopology cube_mesh(const std::string& speeds) {
  return parse_machine(
             "summary = \"a box\"\nsource = [\"a paper\"]\nhosts = 8\n"
             "[[cables]]\nclass = \"nvlink\"\n"
             "pairs = [[0, 2], [0, 3], [1, 2], [1, 5], [3, 7], [4, 6], [4, 7], [5, 6]]\n"
             "[[cables]]\nclass = \"nvlink-x2\"\n"
             "pairs = [[0, 1], [0, 4], [1, 3], [2, 3], [2, 6], [4, 5], [5, 7], [6, 7]]\n" +
                 speeds,
             "box", "box.toml")
      .network;
}

// By class: the speed of its links, one for all.
std::map<std::string, LinkSpeed> speeds_by_class(const BuiltTopology& built,
                                                 std::initializer_list<const char*> defaults) {
  LinkOptions options;
  for (const char* text : defaults) parse_link_default(text, options.defaults);
  const Fabric fabric(built, options);
  std::map<std::string, LinkSpeed> all;
  for (const LinkId link : built.topology.links()) {
    const std::string& name = built.topology.class_names()[built.topology.link_class(link)];
    EXPECT_EQ(all.try_emplace(name, fabric.speed(link)).first->second, fabric.speed(link)) << name;
  }
  return all;
}

// Names that bundle no links: each has its own default or that of all.
TEST(Fabric, other_classes_with_an_x_bundle_nothing) {
  for (const char* name : {"pci-x", "pci-xl", "-x4", "pci-x0", "pci-x-2"}) {
    TopologyBuilder builder(2);
    builder.add_cable(NodeId(0), NodeId(1), builder.link_class(name));
    const BuiltTopology built{std::move(builder).build({"file", "a", {}}), {}};
    EXPECT_EQ(speeds_by_class(built, {"7GBps,2us,0s,1", "pci=50GBps,700ns,0s,1"}).at(name),
              (LinkSpeed{7 * kGBps, 2'000'000}));
  }
}

// The file says 25 and 50 GB/s, of which a payload of 0.8 leaves 20 and 40: the 50 are of both
// links already. Other classes have the profile's other entry.
TEST(Fabric, default_of_one_link_serves_bundles_of_the_file) {
  const auto speeds =
      speeds_by_class(cube_mesh("[speeds]\nnvlink = \"25GBps\"\nnvlink-x2 = \"50GBps\"\n"),
                      {"50GBps,1us,0s,0.5", "nvlink=450GBps,250ns,0s,0.8"});
  EXPECT_EQ(speeds.at("nvlink"), (LinkSpeed{20 * kGBps, 250'000}));
  EXPECT_EQ(speeds.at("nvlink-x2"), (LinkSpeed{40 * kGBps, 250'000}));
}

TEST(Fabric, own_default_of_a_bundle_goes_before_that_of_its_links) {
  const auto speeds = speeds_by_class(
      cube_mesh(""), {"nvlink=150GBps,250ns,0s,0.8", "nvlink-x2=60GBps,100ns,0s,0.5"});
  EXPECT_EQ(speeds.at("nvlink-x2"), (LinkSpeed{30 * kGBps, 100'000}));
}

// One link of the file has 25 GB/s, so that two have 50.
TEST(Fabric, bundle_without_speed_has_that_of_one_link_in_the_file) {
  const auto speeds = speeds_by_class(cube_mesh("[speeds]\nnvlink = \"25GBps\"\n"),
                                      {"nvlink=450GBps,250ns,0s,0.8"});
  EXPECT_EQ(speeds.at("nvlink"), (LinkSpeed{20 * kGBps, 250'000}));
  EXPECT_EQ(speeds.at("nvlink-x2"), (LinkSpeed{40 * kGBps, 250'000}));
}

// 150 GB/s are all six NVLinks of a V100, 25 each; xGMI's rate in a profile is that of one link.
TEST(Fabric, bundle_without_any_speed_has_its_part_of_the_profile) {
  const auto speeds = speeds_by_class(cube_mesh(""), {"nvlink=150GBps,250ns,0s,0.8"});
  EXPECT_EQ(speeds.at("nvlink"), (LinkSpeed{20 * kGBps, 250'000}));
  EXPECT_EQ(speeds.at("nvlink-x2"), (LinkSpeed{40 * kGBps, 250'000}));
  TopologyBuilder builder(2);
  builder.add_cable(NodeId(0), NodeId(1), builder.link_class("xgmi-x4"));
  const BuiltTopology dies{std::move(builder).build({"file", "dies", {}}), {}};
  EXPECT_EQ(speeds_by_class(dies, {"xgmi=50GBps,700ns,0s,0.72"}).at("xgmi-x4"),
            (LinkSpeed{4 * 36 * kGBps, 700'000}));
}

TEST(Fabric, refuses_defaults_for_a_class_that_no_network_has) {
  LinkOptions options;
  parse_link_default("terminal=100Gbps,30ns,130ns,0.97", options.defaults);  // of other networks
  (void)Fabric(build_topology("ring:4"), options);
  parse_link_default("banana=100Gbps,30ns,130ns,0.97", options.defaults);
  try {
    (void)Fabric(build_topology("ring:4"), options);
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "link default 'banana': unknown link class; the classes of ring:4 are link");
  }
}

}  // namespace
}  // namespace weft::topology
