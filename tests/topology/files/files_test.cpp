#include "weft/topology/files/files.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"
#include "topology/files/file_helpers.hpp"
#include "weft/base/file.hpp"

namespace weft::topology {
namespace {

TEST(Graphml, round_trips_structure_and_speeds) {
  for (const std::string& text : kNetworks) {
    const BuiltTopology built = build_topology(text);
    const BuiltTopology again = parse_topology(format_topology(built, TopologyFormat::graphml),
                                               TopologyFormat::graphml, "net.graphml");
    EXPECT_EQ(structure(built.topology), structure(again.topology)) << text;
    EXPECT_EQ(built.speeds.bandwidth_Bps.size(), again.speeds.bandwidth_Bps.size());
  }
}

TEST(Graphml, reads_foreign_ids_and_the_default_direction) {
  const char* text =
      "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
      "<edge source=\"b\" target=\"a\"/><edge source=\"a\" target=\"b\" directed=\"true\"/>"
      "</graph></graphml>";
  const Topology topology = parse_topology(text, TopologyFormat::graphml, "net.graphml").topology;
  EXPECT_EQ(topology.link_count(), 3);
  EXPECT_EQ(topology.cable_count(), 2);
}

TEST(Graphml, bad_input_is_named) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"", "not XML"},
      {"<graphml>\n<graph>", "net:2: the file is not XML"},
      {"<svg/>", "no <graph>"},
      {"<graphml><graph/></graphml>", "has no nodes"},
      {"<graphml><graph><node id='1'/><node id='1'/></graph></graphml>", "is repeated"},
      {"<graphml><graph><node id='1'/><edge source='1' target='2'/></graph></graphml>",
       "target '2' is not a node of the graph"},
      {"<graphml><graph><node id='1'/><edge source='1' target='1'/></graph></graphml>",
       "1 device but no cable"},
      {"<graphml><graph><node id='1'/><hyperedge/></graph></graphml>", "hyperedges"},
      {"<graphml><key id='k' attr.name='kind'/><graph><node id='1'><data key='k'>host</data></node>"
       "<node id='2'><data key='k'>rack</data></node></graph></graphml>",
       "kind 'rack'"},
      {"<graphml><key id='b' attr.name='bandwidth_Bps'/><graph edgedefault='directed'>"
       "<node id='1'/><edge source='1' target='1'><data key='b'>-5</data></edge></graph></graphml>",
       "bandwidth -5"},
  };
  for (const auto& c : cases)
    EXPECT_NE(message(c.text, TopologyFormat::graphml).find(c.expected), std::string::npos)
        << c.text << "\n"
        << message(c.text, TopologyFormat::graphml);
}

TEST(Dot, draws_cables_without_arrows_and_links_with) {
  const std::string text =
      format_topology(build_topology("hosts(1, uniring:2)"), TopologyFormat::dot);
  EXPECT_NE(text.find("0 -> 1 [class=\"link\"]"), std::string::npos) << text;
  EXPECT_NE(text.find("0 -> 2 [dir=none, class=\"terminal\"]"), std::string::npos) << text;
  EXPECT_THROW(parse_topology(text, TopologyFormat::dot, "net.dot"), InvalidInput);
}

TEST(Files, format_follows_the_extension) {
  EXPECT_EQ(format_of("a.b/net.EDGES"), TopologyFormat::edges);
  EXPECT_EQ(format_of("net.gv"), TopologyFormat::dot);
  for (const char* path : {"net", "a.json/net", "net.txt", "", "."})
    EXPECT_THROW(format_of(path), InvalidInput) << path;
}

TEST(Files, odd_names_are_quoted_and_read_back) {
  const test::ScratchFolder folder;
  const std::string path = folder.path("odd \"na\\me*(1).edges");
  write_topology(build_topology("ring:4"), path);
  const Expression name = file_expression(path);
  EXPECT_EQ(parse_expression(name.to_string()), name);
  const Topology read = make_topology("hosts(2, " + name.to_string() + " * ring:3)");
  EXPECT_EQ(read.switches().size(), 12u);
  EXPECT_EQ(make_topology(read.name()).hash(), read.hash());
}

TEST(Files, speeds_follow_their_links_through_functions) {
  const std::string name = "file:" + test::source_dir() + "/examples/dgx1.edges";
  const BuiltTopology plain = build_topology(name);
  for (const char* text : {"hosts(1, {})", "without(cable=2, {})", "transpose({})"}) {
    const BuiltTopology built = build_topology(fmt::format(fmt::runtime(text), name));
    for (LinkId link : built.topology.links()) {
      const auto twin = plain.topology.find_link(NodeId(built.topology.tail(link).value() % 8),
                                                 built.topology.head(link));
      const bool terminal =
          built.topology.tail(link).value() >= 8 || built.topology.head(link).value() >= 8;
      EXPECT_EQ(built.speeds.bandwidth_Bps[link],
                terminal ? std::nullopt : plain.speeds.bandwidth_Bps[*twin]);
    }
  }
}

std::string refusal(const BuiltTopology& built, TopologyFormat format) {
  try {
    static_cast<void>(format_topology(built, format));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Files, what_is_written_is_read_back_in_every_format) {
  for (const char* text :
       {"ring:2", "ring:5", "biring:4,5", "uniring:4", "uniring:3,4", "torus:4x4", "torus:2x2",
        "kautz:2,2", "genkautz:2,7", "bidirectional(genkautz:2,7)", "bidirectional(debruijn:2,3)",
        "hosts(1, ring:4)", "circulant:16,1,2,3,4,8", "complete:5", "distance-regular:paley-9"})
    for (const auto& [format, path] : {std::pair(TopologyFormat::json, "net.json"),
                                       std::pair(TopologyFormat::edges, "net.edges"),
                                       std::pair(TopologyFormat::arcs, "net.arcs"),
                                       std::pair(TopologyFormat::graphml, "net.graphml")}) {
      const BuiltTopology built = build_topology(text);
      const std::string why = refusal(built, format);
      if (!why.empty()) {
        EXPECT_NE(why.find("cannot store"), std::string::npos) << text << ": " << why;
        EXPECT_NE(why.find("use ."), std::string::npos) << text << ": " << why;
        EXPECT_NE(format, TopologyFormat::json) << text;
        continue;
      }
      const BuiltTopology again = parse_topology(format_topology(built, format), format, path);
      EXPECT_EQ(again.topology.node_count(), built.topology.node_count()) << text << ' ' << path;
      EXPECT_EQ(again.topology.link_count(), built.topology.link_count()) << text << ' ' << path;
    }
}

TEST(Files, a_format_that_cannot_hold_parallel_cables_or_loops_says_which_can) {
  EXPECT_NE(refusal(build_topology("biring:4,5"), TopologyFormat::edges).find("parallel cables"),
            std::string::npos);
  const BuiltTopology loops = build_topology("bidirectional(genkautz:2,7)");
  EXPECT_NE(refusal(loops, TopologyFormat::graphml).find("to itself"), std::string::npos);
  EXPECT_NE(refusal(loops, TopologyFormat::edges).find("use .json"), std::string::npos);
}

TEST(Files, a_missing_file_is_named) {
  try {
    make_topology("file:no/such.edges");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("no/such.edges"), std::string::npos);
  }
}

}  // namespace
}  // namespace weft::topology
