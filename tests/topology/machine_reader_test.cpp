#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "support/process/scratch_folder.hpp"
#include "topology/files/file_helpers.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

const std::string kHead = "summary = \"a box\"\nsource = [\"a paper\", \"a manual\"]\n";

Machine read(const std::string& text) {
  return parse_machine(kHead + text, "box", "box.toml");
}

std::string refused(const std::string& text) {
  try {
    parse_machine(text, "box", "box.toml");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(accepted)";
}

// 3 hosts, 0 and 2 of them on switch 3 by 2 cables each, 0 and 1 joined.
TEST(MachineFile, has_cables_by_ranges_and_pairs) {
  const Machine machine = read(
      "hosts = 3\nswitches = 2\n"
      "[[cables]]\nclass = \"up\"\nbetween = [[0, 2], [3, 4]]\nparallel = 2\n"
      "[[cables]]\nclass = \"side\"\npairs = [[0, 1]]\n"
      "[speeds]\nup = \"25GBps,300ns\"\n[cards]\ncount = 3\nbandwidth = \"100Gbps\"\n");
  const Topology& t = machine.network.topology;
  EXPECT_EQ(t.name(), "network:box");
  EXPECT_EQ(t.hosts().size(), 3u);
  EXPECT_EQ(t.switches().size(), 2u);
  EXPECT_EQ(t.cable_count(), 3 * 2 * 2 + 1);
  EXPECT_EQ(t.out_degree(NodeId(3)), 6);
  EXPECT_EQ(t.out_degree(NodeId(2)), 4);
  EXPECT_TRUE(t.find_link(NodeId(0), NodeId(1)));
  const Fabric fabric(machine.network);
  for (const LinkId link : t.links()) {
    const bool up = !t.is_host(t.head(link)) || !t.is_host(t.tail(link));
    EXPECT_EQ(fabric.speed(link), (up ? LinkSpeed{25'000'000'000, 300'000} : LinkSpeed{}));
  }
  ASSERT_TRUE(machine.cards);
  EXPECT_EQ(machine.cards->count, 3);
  EXPECT_EQ(machine.cards->bandwidth_Bps, 12'500'000'000);
  EXPECT_EQ(machine.info.summary, "a box");
  EXPECT_EQ(machine.info.sources, (std::vector<std::string>{"a paper", "a manual"}));
}

TEST(MachineFile, of_an_expression_keeps_what_it_is) {
  const Machine machine = read("topology = \"torus:4x4\"\n[speeds]\nx = \"1GBps\"\n");
  EXPECT_EQ(machine.network.topology.hash(), make_topology("torus:4x4").hash());
  EXPECT_EQ(machine.network.topology.name(), "network:box");
  EXPECT_TRUE(as_torus(machine.network.topology));
  LinkOptions options;  // the user's word stands over the file's
  parse_link_option("x=2GBps,1us", options);
  EXPECT_EQ(Fabric(machine.network, options).node_egress_Bps(),
            2 * (2'000'000'000 + 12'500'000'000));
}

// What the machine is made of has speeds of its own; those of the file come over them.
TEST(MachineFile, of_an_expression_keeps_its_speeds) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("net.edges", "0 1 10Gbps\n1 2 20Gbps\n");
  const Machine machine = read("topology = \"hosts(1, file:" + path + ")\"\n");
  const Fabric fabric(machine.network);
  std::multiset<std::int64_t> speeds;
  for (const LinkId link : machine.network.topology.links())
    if (!machine.network.topology.is_host(machine.network.topology.tail(link)) &&
        !machine.network.topology.is_host(machine.network.topology.head(link)))
      speeds.insert(fabric.bandwidth_Bps(link));
  EXPECT_EQ(speeds, (std::multiset<std::int64_t>{1'250'000'000, 1'250'000'000, 2'500'000'000,
                                                 2'500'000'000}));
}

TEST(MachineFile, errors_name_line_and_remedy) {
  const std::string cables = "[[cables]]\nclass = \"up\"\n";
  const struct {
    std::string text, expected;
  } cases[] = {
      {"summary = 3", "box.toml:1: "},
      {"summary = \"x", "box.toml:1: "},
      {"summary = \"x\"\nhosts = 2\n" + cables + "pairs = [[0, 1]]\n", "the machine has no source"},
      {kHead, "the machine has no hosts"},
      {kHead + "nodes = 2\n", "box.toml:3: unknown key 'nodes' in the machine; "},
      {kHead + "topology = \"rnig:4\"\n", "box.toml:3: unknown topology family 'rnig'"},
      {kHead + "topology = \"ring:4\"\nhosts = 4\n",
       "box.toml:4: hosts cannot be combined with topology; remove one of them"},
      {kHead + "hosts = 0\n", "box.toml:3: hosts is not an integer from 1 to 1000000"},
      {kHead + "hosts = \"8\"\n", "hosts is not an integer"},
      {kHead + "hosts = 2\n", "the machine has no cables"},
      {kHead + "hosts = 2\ncables = 3\n",
       "box.toml:4: cables of the machine is a number (expected tables, [[cables]])"},
      {kHead + "hosts = 2\n" + cables, "cables need between or pairs"},
      {kHead + "hosts = 2\n" + cables + "pairs = [[0, 2]]\n",
       "box.toml:6: a pair is not an integer from 0 to 1"},
      {kHead + "hosts = 2\n" + cables + "pairs = [[0]]\n", "a pair does not have two numbers"},
      {kHead + "hosts = 2\n" + cables + "between = [[0, 1]]\n",
       "between does not have two ranges of nodes"},
      {kHead + "hosts = 2\n" + cables + "pairs = [[1, 1]]\n",
       "box.toml:6: a cable joins node 1 to itself"},
      {kHead + "hosts = 4\n" + cables + "between = [[1, 0], [2, 3]]\n",
       "box.toml:6: the range of nodes from 1 to 0 is descending"},
      {kHead + "hosts = 1000000\n" + cables + "between = [[0, 9999], [10000, 999999]]\n",
       "too large"},
      {kHead + "hosts = 2\n" + cables + "pairs = [[0, 1]]\nparallel = 0\n",
       "parallel is not an integer"},
      {kHead + "hosts = 2\n" + cables + "pairs = [[0, 1]]\n[speeds]\ndown = \"1GBps\"\n",
       "box.toml:8: unknown key 'down' in [speeds]; known: up"},
      {kHead + "hosts = 2\n" + cables + "pairs = [[0, 1]]\n[speeds]\nup = \"fast\"\n",
       "box.toml:8: "},
      {kHead + "hosts = 2\n" + cables + "pairs = [[0, 1]]\n[speeds]\nup = 25\n",
       "box.toml:8: bandwidth '25' has no unit"},
      {kHead + "topology = \"ring:4\"\n[cards]\ncount = 3\nbandwidth = \"1GBps\"\n",
       "3 cards cannot be divided evenly among 4 hosts"},
      {kHead + "topology = \"ring:4\"\n[cards]\ncount = 4\n", "[cards] has no bandwidth"}};
  for (const auto& each : cases) {
    const std::string message = refused(each.text);
    EXPECT_TRUE(message.starts_with("box.toml:")) << message;
    EXPECT_NE(message.find(each.expected), std::string::npos) << message;
  }
}

TEST(Machines, unknown_ones_are_told_by_the_nearest) {
  try {
    make_topology("network:dgx-h10");
    FAIL();
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("unknown network 'dgx-h10'; did you mean dgx-h100")) << message;
  }
  EXPECT_THROW(make_topology("network:../prices/infiniband-2025"), InvalidInput);
}

// One's own files, in the folder that WEFT_NETWORKS names.
class OwnMachines : public ::testing::Test {
 protected:
  OwnMachines() { ::setenv("WEFT_NETWORKS", folder_.path().c_str(), 1); }
  ~OwnMachines() override { ::unsetenv("WEFT_NETWORKS"); }

  void add(const std::string& name, const std::string& topology) const {
    write_file(path_of(name), kHead + "topology = \"" + topology + "\"\n");
  }
  std::string path_of(const std::string& name) const { return folder_.path(name + ".toml"); }
  static std::string refused(const std::string& expression) {
    try {
      make_topology(expression);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "(accepted)";
  }

 private:
  const test::ScratchFolder folder_;
};

TEST_F(OwnMachines, may_have_capital_letters) {
  add("MyCluster", "ring:5");
  for (const char* name : {"network:MyCluster", "network:mycluster"}) {
    EXPECT_EQ(make_topology(name).node_count(), 5) << name;
    EXPECT_EQ(make_topology(name).name(), "network:MyCluster") << name;
  }
  add("mycluster", "ring:7");  // the very name comes before one in another case
  EXPECT_EQ(make_topology("network:MyCluster").node_count(), 5);
  EXPECT_EQ(make_topology("network:mycluster").node_count(), 7);
}

TEST_F(OwnMachines, that_lead_to_themselves_are_refused_once) {
  add("loop", "hosts(2, network:loop)");
  EXPECT_EQ(refused("network:loop"),
            path_of("loop") +
                ":3: network:loop is made of itself; make it of another network, or of hosts and "
                "cables");
  add("one", "network:two");
  add("two", "network:one");
  EXPECT_EQ(
      refused("network:one")
          .find(path_of("one") + ":3: " + path_of("two") + ":3: network:one is made of itself"),
      0u);
  add("pair", "ring:3 * ring:4");
  EXPECT_EQ(refused("network:pair * network:pair"), "(accepted)");  // twice, and not within itself
}

// A card of two GPUs is a switch of its box, behind which the network begins; links without a speed
// are as fast as the cards.
TEST(Boxes, have_the_cards_of_their_machine) {
  const BuiltTopology built =
      build_topology("boxes(2, network:dgx-1, leaf-spine:leaves=2,spines=1,hosts=4)");
  const Topology& t = built.topology;
  EXPECT_EQ(t.name(), "boxes(2, network:dgx-1, leaf-spine:leaves=2,spines=1,hosts=4)");
  ASSERT_EQ(t.hosts().size(), 16u);
  ASSERT_EQ(t.switches().size(), 8u + 3u);  // 4 cards a box, 2 leaves, a spine
  for (int gpu = 0; gpu < 16; ++gpu)
    EXPECT_TRUE(t.find_link(NodeId(gpu), NodeId(16 + gpu / 2))) << gpu;
  for (int card = 16; card < 24; ++card) {
    EXPECT_EQ(t.out_degree(NodeId(card)), 3);
    EXPECT_TRUE(t.find_link(NodeId(card), NodeId(24 + (card - 16) / 4)));
  }
  const Fabric fabric(built);
  for (const LinkId link : t.links()) {
    const std::string& name = t.class_names()[t.link_class(link)];
    const std::int64_t GBps = 1'000'000'000;
    EXPECT_EQ(fabric.bandwidth_Bps(link), name == "nvlink"      ? 25 * GBps
                                          : name == "nvlink-x2" ? 50 * GBps
                                                                : 12'500'000'000)
        << name;
  }
}

TEST(Boxes, hang_by_as_many_cards_as_gpus_directly) {
  const Topology t =
      make_topology("boxes(2, network:dgx-a100, leaf-spine:leaves=2,spines=2,hosts=8)");
  EXPECT_EQ(t.switches().size(), 2u * 6u + 4u);
  for (const NodeId host : t.hosts()) EXPECT_EQ(t.out_degree(host), 6 + 1);
}

// A file that says what it is a box of has its cards; what a function made of it has lost them.
TEST(Boxes, know_the_cards_of_a_machine_or_say_so) {
  const test::ScratchFolder folder;
  const std::string path = folder.path("box.json");
  write_topology(build_topology("network:dgx-1"), path);
  const Topology t = make_topology("boxes(2, file:" + path + ")");
  EXPECT_EQ(t.hash(), make_topology("boxes(2, network:dgx-1)").hash());
  EXPECT_THROW(make_topology("boxes(2, without(node=0, network:dgx-1))"), InvalidInput);
  EXPECT_THROW(make_topology("boxes(2, transpose(network:dgx-1))"), InvalidInput);
  EXPECT_NO_THROW(make_topology("boxes(2, without(node=0, network:dgx-a100))"));
  EXPECT_NO_THROW(make_topology("without(node=0, boxes(2, network:dgx-1))"));
}

}  // namespace
}  // namespace weft::topology
