// Hosts by number: how they are read, and where ranks go on them.
#include "weft/topology/allocation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

using Hosts = std::vector<std::int32_t>;

class Allocation : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  std::string file(const std::string& content) const {
    write_file(path_, content);
    return path_;
  }
  std::string refusal(const std::string& text) const {
    try {
      parse_hosts(text, network_);
    } catch (const InvalidInput& why) {
      return why.what();
    }
    return "";
  }

  const std::string path_ = fmt::format("{}/allocation-{}.txt", testing::TempDir(), getpid());
  const Topology network_ = make_topology("hosts(4, ring:3)");  // switches 0-2, hosts 3-14
};

TEST_F(Allocation, reads_numbers_and_ranges_in_their_order) {
  EXPECT_EQ(parse_hosts("1-4,11", network_), (Hosts{1, 2, 3, 4, 11}));
  EXPECT_EQ(parse_hosts("7", network_), (Hosts{7}));
  EXPECT_EQ(parse_hosts(file("# mine\n9\n3-4, 1 # three\r\n\n0 2"), network_),
            (Hosts{9, 3, 4, 1, 0, 2}));
}

TEST_F(Allocation, says_file_and_line_of_what_is_wrong) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"12", "--hosts: host 12 does not exist; hosts of hosts(4, ring:3) are 0 to 11"},
      {"4-2", "is descending; write 2-4"},
      {"1,3,1", "host 1 is repeated; name each host once"},
      {"1-", "invalid host number"},
      {"99999999999999999999", "does not exist"},
      {",", "names no host"},
      {"0,,1", "--hosts: '0,,1' has an empty item before a comma"},
      {",0", "has an empty item before a comma; write hosts such as 0,2"},
      {"0-2, ", "has an empty item after a comma; write hosts such as 0,2"},
      {"/nowhere/hosts.txt", "/nowhere/hosts.txt"},
      {file("1\n2\n\nnode3\n"), ":4: invalid host number 'node3'"}};
  for (const auto& [text, words] : wrong)
    EXPECT_NE(refusal(text).find(words), std::string::npos) << text << ": " << refusal(text);
  EXPECT_NE(refusal(file("0-2\n2\n")).find(path_ + ":2: host 2 is repeated"), std::string::npos);
  EXPECT_NE(refusal(file("# none\n")).find("names no host"), std::string::npos);
}

// Host h is node 3 + h, on switch h / 4.
TEST_F(Allocation, bounds_every_placement) {
  const Hosts hosts{9, 1, 2, 5, 4};
  const auto placed = [&](const PlacementOptions& options) {
    Hosts result;
    for (const NodeId node : place(network_, options, hosts).nodes)
      result.push_back(node.value() - 3);
    return result;
  };
  EXPECT_EQ(placed({}), hosts);
  EXPECT_EQ(placed({.ranks = 2}), (Hosts{9, 1}));
  EXPECT_EQ(placed({.policy = "round-robin"}), (Hosts{1, 5, 9, 2, 4}));
  Hosts drawn = placed({.policy = "random", .seed = 3});
  EXPECT_NE(drawn, hosts);
  EXPECT_TRUE(std::is_permutation(drawn.begin(), drawn.end(), hosts.begin(), hosts.end()));
  EXPECT_EQ(placed({.policy = "file:" + file("5\n5\n1\n")}), (Hosts{5, 5, 1}));
  EXPECT_THROW(placed({.ranks = 6}), InvalidInput);
  EXPECT_THROW(placed({.policy = "file:" + file("5\n6\n")}), InvalidInput);
}

// Where a host is called 7, --hosts takes 7 for the name: what is printed is read as the same
// hosts.
TEST(NamedAllocation, prints_names_where_numbers_are_names) {
  TopologyBuilder builder(4);
  for (std::int64_t i = 1; i < 4; ++i) builder.add_cable(NodeId(0), NodeId(i));
  Facets facets;
  facets.names = std::make_shared<const Names>(Names{{"10", "7", "desk 0", "a-1"}, {}});
  builder.set_facets(std::move(facets));
  const Topology star = std::move(builder).build({});
  const Hosts hosts{3, 0, 2, 1};
  const std::string text = hosts_text(star, hosts);
  EXPECT_EQ(text, "a-1,10,\"desk 0\",7");
  EXPECT_EQ(parse_hosts(text, star), hosts);
  EXPECT_EQ(hosts_text(make_topology("ring:4"), Hosts{0, 1, 3}), "0-1,3");
}

// Of two groups of two hosts the worst cases leave out what is not allowed.
TEST(DragonflyAllocation, bounds_the_worst_cases) {
  const Topology dragonfly = make_topology("dragonfly:a=2,p=2,h=1");  // 3 groups of 4 hosts
  const Hosts hosts{1, 2, 5, 9};
  const auto first = dragonfly.hosts()[0].value();
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const auto placed = place(dragonfly, {.policy = "lone-root", .seed = seed}, hosts);
    for (const NodeId node : placed.nodes)
      EXPECT_TRUE(std::ranges::count(hosts, node.value() - first));
    const int group = (placed.nodes[0].value() - first) / 4;
    for (std::size_t r = 1; r < placed.nodes.size(); ++r)
      EXPECT_NE((placed.nodes[r].value() - first) / 4, group);
  }
  const auto deepest = place(dragonfly, {.policy = "deepest"}, hosts);
  EXPECT_EQ(deepest.nodes[0].value() - first, 1);
  EXPECT_EQ(deepest.ranks(), 4);
}

// A study tells the line of the option that is to blame.
TEST_F(Allocation, names_the_option_to_blame) {
  const auto blamed = [this](const Topology& topology, const PlacementOptions& options,
                             const Hosts& hosts) -> std::string {
    try {
      place(topology, options, hosts);
    } catch (const InvalidField& why) {
      return why.field();
    }
    return "";
  };
  const Hosts all, two{0, 1};  // of twelve hosts
  EXPECT_EQ(blamed(network_, {.ranks = 12}, all), "");
  EXPECT_EQ(blamed(network_, {.ranks = 13}, all), "ranks");
  EXPECT_EQ(blamed(network_, {.ranks = 3}, two), "ranks");
  EXPECT_EQ(blamed(network_, {.ranks = -1}, all), "ranks");
  EXPECT_EQ(blamed(network_, {.policy = "nowhere"}, all), "placement");
  EXPECT_EQ(blamed(network_, {.policy = "round-robin-group"}, all), "placement");  // no Dragonfly
  EXPECT_EQ(blamed(network_, {.policy = "file:" + file("0\n7\n")}, two), "placement");
  EXPECT_EQ(blamed(network_, {.ranks = 3, .policy = "file:" + file("0\n1\n")}, all), "ranks");
  EXPECT_EQ(blamed(network_, {.per_host = {0}}, all), "per-host");
  EXPECT_EQ(blamed(network_, {.per_host = {1, 2}}, all), "per-host");  // twelve are needed
}

}  // namespace
}  // namespace weft::topology
