// Names of nodes and ports: how they are read, and what becomes of them when networks change.
#include "weft/topology/names.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <numeric>

#include "topology/files/file_helpers.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

using Texts = std::vector<std::string>;

std::string refusal(auto action) {
  try {
    action();
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

// A network whose every link's port is "TAIL.NUMBER", by its nodes' names a, b, c, ...
Topology with_ports(const char* expression) {
  const Topology plain = make_topology(expression);
  Names names;
  for (const NodeId node : plain.nodes())
    names.nodes.push_back(std::string(1, char('a' + node.value())));
  for (const LinkId link : plain.links())
    names.ports.push_back(
        fmt::format("{}.{}", names.nodes[plain.tail(link).index()],
                    link.value() - (*plain.out_links(plain.tail(link)).begin()).value()));
  return with_names(plain, names, plain.expression(), "test");
}

TEST(Names, expand_as_schedulers_write_them) {
  EXPECT_EQ(expand_names("n[08-11,3],login", "x"),
            (Texts{"n08", "n09", "n10", "n11", "n3", "login"}));
  EXPECT_EQ(expand_names("r[1-2]n[0-1]-ib", "x"),
            (Texts{"r1n0-ib", "r1n1-ib", "r2n0-ib", "r2n1-ib"}));
}

// libslurm (github.com/SchedMD/slurm, src/common/hostlist.c, _push_range_list()) expands the last
// brackets before the last group in its outer loop, and calls itself for those before them.
TEST(Names, expand_several_brackets_in_the_order_of_libslurm) {
  EXPECT_EQ(
      expand_names("a[1-2]b[1-2]c[1-2]", "x"),
      (Texts{"a1b1c1", "a1b1c2", "a2b1c1", "a2b1c2", "a1b2c1", "a1b2c2", "a2b2c1", "a2b2c2"}));
  const Texts four = expand_names("a[1-2]b[1-2]c[1-2]d[1-2]", "x");
  ASSERT_EQ(four.size(), 16U);
  EXPECT_EQ(Texts(four.begin(), four.begin() + 9),
            (Texts{"a1b1c1d1", "a1b1c1d2", "a2b1c1d1", "a2b1c1d2", "a1b2c1d1", "a1b2c1d2",
                   "a2b2c1d1", "a2b2c1d2", "a1b1c2d1"}));
}

// As many brackets as a text may hold, and names longer than any is.
TEST(Names, hostile_lists_are_refused_at_once) {
  std::string brackets;
  for (int i = 0; i < 200'000; ++i) brackets += "[1]";
  EXPECT_NE(refusal([&] { expand_names(brackets, "x"); }).find("longer than 255 characters"),
            std::string::npos);
  EXPECT_NE(refusal([] {
              expand_names("n[1-999]r[1-9999]", "x", 1'000'000);
            }).find(": 'n[1-999]r[1-9999]' expands to more than 1000000 names; check its ranges"),
            std::string::npos);
}

TEST(Names, numbers_reach_the_largest) {
  EXPECT_EQ(expand_names("n[9223372036854775806-9223372036854775807]", "test"),
            (std::vector<std::string>{"n9223372036854775806", "n9223372036854775807"}));
}

TEST(Names, broken_lists_are_named) {
  for (const char* broken : {"n[1-2", "n1]", "n[[1]]", "n[]", "n[1-]", "n[a-b]", "n[-3]", "a,,b",
                             "", "n[0-99999999999999999999]", "n[0-16777216]"})
    EXPECT_TRUE(refusal([&] { expand_names(broken, "here"); }).starts_with("here")) << broken;
  EXPECT_NE(refusal([] { expand_names("n[7-3]", "x"); }).find("is descending; write 3-7"),
            std::string::npos);
}

TEST(Names, are_any_text_that_can_be_shown) {
  for (const char* good : {"node01", "MF0;sw:MQM8700/U1", "12", "1-40", "two words", "a,b", "a#b",
                           "n[1]", "f(x)", "\"q\"", "Z\xc3\xbcrich"})
    EXPECT_TRUE(is_name(good)) << good;
  for (const char* bad : {"", " a", "a ", "tab\t1", "\x01", "\xff", "\xc3"})
    EXPECT_FALSE(is_name(bad)) << bad;
  EXPECT_TRUE(is_name(std::string(255, 'x')));
  EXPECT_FALSE(is_name(std::string(256, 'x')));
}

TEST(Names, in_quotes_are_taken_as_they_are) {
  EXPECT_EQ(expand_names("\"desk 0\",n[1-2], \"a,[b]\"", "x"),
            (Texts{"desk 0", "n1", "n2", "a,[b]"}));
  EXPECT_EQ(expand_names("\"say \\\"hi\\\"\"", "x"), Texts{"say \"hi\""});
  for (const char* name : {"desk 0", "a,[b]", "say \"hi\"", "back\\slash", "plain"})
    EXPECT_EQ(expand_names(quoted_name(name), "x"), Texts{name});
  EXPECT_NE(
      refusal([] { expand_names("\"desk 0", "x"); }).find("has no closing quote; write \"desk 0"),
      std::string::npos);
  EXPECT_NE(refusal([] {
              expand_names("\"a\"b", "x");
            }).find("has text after a closing quote; separate names with commas"),
            std::string::npos);
}

// Names that are numbers stand before the numbers of hosts, which # marks.
TEST(Names, of_digits_choose_hosts_before_numbers) {
  const Topology network = make_topology("names(hosts=[07-10], ring:4)");
  using Hosts = std::vector<std::int32_t>;
  EXPECT_EQ(parse_hosts("08,10", network), (Hosts{1, 3}));
  EXPECT_EQ(parse_hosts("08-10", network), (Hosts{1, 2, 3}));
  EXPECT_EQ(parse_hosts("#0-1", network), (Hosts{0, 1}));
  EXPECT_NE(refusal([&] { parse_hosts("3", network); }).find("unknown host '3' of "),
            std::string::npos);
}

TEST(Names, of_other_systems_change_where_they_must) {
  BuiltTopology built = build_topology("ring:4");
  const Topology named = with_names(built.topology, {{"desk 0", "say \"hi\"", "", "host1"}, {}},
                                    Expression{"ring", "4", {}}, "x");
  const auto [names, renamed] = exported_names(named, {.forbidden = "\"\\", .longest = 63});
  EXPECT_EQ(names, (Texts{"desk 0", "host1-", "host2", "host1"}));
  EXPECT_EQ(renamed, Texts{"\"say \"hi\"\" as host1-"});
  EXPECT_TRUE(exported_names(named, {}).renamed.empty());
}

TEST(Names, stand_in_expressions) {
  const Topology named = make_topology("names(hosts=node[08-11], hosts(2, ring:2))");
  EXPECT_EQ(named.name(), "names(hosts=node[08-11], hosts(2, ring:2))");
  EXPECT_EQ(named.hash(), make_topology("hosts(2, ring:2)").hash());
  EXPECT_EQ(node_text(named, NodeId(1)), "1");  // a switch
  EXPECT_EQ(node_text(named, NodeId(5)), "node11");
  EXPECT_EQ(NodeNames(named).find("node09"), NodeId(3));
  EXPECT_EQ(NodeNames(named).find("node12"), std::nullopt);
  const Topology several = make_topology("names(hosts=login, hosts=n[1-2,4], ring:4)");
  EXPECT_EQ(several.name(), "names(hosts=login, hosts=n[1-2,4], ring:4)");
  EXPECT_EQ(NodeNames(several).find("n4"), NodeId(3));
  EXPECT_NE(
      refusal([] { make_topology("names(hosts=n[1-3], ring:4)"); }).find("3 names for the 4 hosts"),
      std::string::npos);
  EXPECT_NE(
      refusal([] { make_topology("names(hosts=n[1-2,2-3], ring:4)"); }).find("n2 is repeated"),
      std::string::npos);
  EXPECT_NE(refusal([] { make_topology("names(7, ring:4)"); }).find("hosts= or file="),
            std::string::npos);
}

TEST(Names, of_a_file_are_refused_by_line) {
  const std::string path = fmt::format("{}/names-{}.txt", testing::TempDir(), getpid());
  write_file(path, "a b # both\n\nc[1-2]\n");
  EXPECT_EQ(read_names(path), (Texts{"a", "b", "c1", "c2"}));
  EXPECT_EQ(make_topology("names(file=" + path + ", ring:4)").facets().names->nodes,
            read_names(path));
  write_file(path, "a\nb\nc a\n");
  EXPECT_NE(
      refusal([&] { read_names(path); }).find(path + ":3: a is repeated; name each node once"),
      std::string::npos);
  write_file(path, "17\n");
  EXPECT_EQ(read_names(path), Texts{"17"});
  write_file(path, "\"desk 0\" a # \"\n\"#1\"\n");
  EXPECT_EQ(read_names(path), (Texts{"desk 0", "a", "#1"}));
  write_file(path, "# nothing\n");
  EXPECT_NE(refusal([&] { read_names(path); }).find("has no names"), std::string::npos);
  std::remove(path.c_str());
}

TEST(Names, go_where_their_nodes_and_links_go) {
  const BuiltTopology whole{with_ports("ring:5"), {}};
  // Node 1 and cable 3-4 gone: c, d, e are numbers 1, 2, 3.
  const Topology left = build_topology("without(node=1, cable=3~4, ring:5)").topology;
  const Expression without = left.expression();
  Registry registry = standard_registry();
  for (Family& family : registry.families)
    if (family.name == "ring") family.build = [&](std::string_view) { return whole; };
  const Topology named = build_topology(without, registry).topology;
  ASSERT_EQ(named.hash(), left.hash());
  EXPECT_EQ(named.facets().names->nodes, (Texts{"a", "c", "d", "e"}));
  for (const LinkId link : named.links())
    EXPECT_EQ(port_of(named, link).substr(0, 1), name_of(named, named.tail(link)));
  // hosts(): the switches keep theirs, and a host's link comes behind them.
  const Topology hosts = build_topology(parse_expression("hosts(1, ring:5)"), registry).topology;
  EXPECT_EQ(name_of(hosts, NodeId(4)), "e");
  EXPECT_EQ(name_of(hosts, NodeId(5)), "");
  for (const LinkId link : hosts.links()) {
    const bool terminal = hosts.is_host(hosts.tail(link)) || hosts.is_host(hosts.head(link));
    EXPECT_EQ(port_of(hosts, link).empty(), terminal);
    if (!terminal) {
      EXPECT_EQ(port_of(hosts, link).substr(0, 1), name_of(hosts, hosts.tail(link)));
    }
  }
  for (const char* same_nodes :
       {"transpose(ring:5)", "bidirectional(ring:5)", "idle(1, ring:5)", "splice(cable=0, ring:5)"})
    EXPECT_EQ(name_of(build_topology(parse_expression(same_nodes), registry).topology, NodeId(3)),
              "d")
        << same_nodes;
  for (const char* others : {"line(ring:5)", "power(2, ring:5)", "degree(2, ring:5)"})
    EXPECT_FALSE(build_topology(parse_expression(others), registry).topology.facets().names)
        << others;
}

TEST(Names, come_back_from_files) {
  const BuiltTopology built{with_ports("hosts(1, ring:4)"), {}};
  const std::string json = format_topology(built, TopologyFormat::json);
  const Topology again = parse_topology(json, TopologyFormat::json, "net.json").topology;
  EXPECT_EQ(again.name(), "hosts(1, ring:4)");
  EXPECT_EQ(*again.facets().names, *built.topology.facets().names);
  const std::string dot = format_topology(built, TopologyFormat::dot);
  EXPECT_NE(dot.find("  4 [label=\"e\"];"), std::string::npos);
  const auto refused = [&](std::string_view from, std::string_view to) {
    std::string edited = json;
    edited.replace(edited.find(from), from.size(), to);
    return message(edited, TopologyFormat::json);
  };
  EXPECT_NE(refused("\"b\"", "\"a\"").find("a is repeated"), std::string::npos);
  EXPECT_NE(refused("\"b\"", "\"b \"").find("invalid name"), std::string::npos);
  EXPECT_NE(refused("\"b\",", "").find("is not an array of 8 entries"), std::string::npos);
  EXPECT_NE(refused("\"b\"", "7").find("has 7, which is not a text"), std::string::npos);
  EXPECT_EQ(refused("\"b\"", "null"), "(accepted)");
}

TEST(Names, of_hosts_choose_them) {
  const Topology network = make_topology("names(hosts=n[01-12], hosts(4, ring:3))");
  using Hosts = std::vector<std::int32_t>;
  EXPECT_EQ(parse_hosts("n[02-04],n12,n01", network), (Hosts{1, 2, 3, 11, 0}));
  EXPECT_EQ(parse_hosts("#1-2,n05,7", network), (Hosts{1, 2, 4, 7}));
  EXPECT_EQ(parse_hosts("1-2", network), (Hosts{1, 2}));
  EXPECT_NE(refusal([&] { parse_hosts("n13", network); }).find("unknown host 'n13' of "),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              parse_hosts("n01,#0", network);
            }).find("host 0 is repeated; name each host once"),
            std::string::npos);
}

TEST(Names, of_a_file_place_ranks) {
  const Topology network = make_topology("names(hosts=n[01-12], hosts(4, ring:3))");
  const std::string path = fmt::format("{}/place-{}.txt", testing::TempDir(), getpid());
  write_file(path, "n12\nn01 # twice\nn01\n");
  EXPECT_EQ(place(network, {.policy = "hosts:" + path}).nodes,
            (std::vector{NodeId(14), NodeId(3), NodeId(3)}));
  EXPECT_NE(refusal([&] {
              place(make_topology("ring:4"), {.policy = "hosts:" + path});
            }).find("needs host names, and"),
            std::string::npos);
  write_file(path, "n12\nn99\n");
  EXPECT_NE(refusal([&] { place(network, {.policy = "hosts:" + path}); }).find(path + ":2: "),
            std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace weft::topology
