// What the builder puts right for every reader, and what it refuses.
#include "weft/topology/import/fabric_builder.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {
namespace {

using Texts = std::vector<std::string>;
constexpr std::int64_t kGigabyte = 1'000'000'000;

// Two leaves of two hosts; a spine above them where `joined`.
FabricBuilder two_leaves(bool joined, const ImportOptions& options = {}) {
  FabricBuilder builder("f", options);
  std::vector<FabricBuilder::Node> leaves;
  for (const char* name : {"leaf1", "leaf2"})
    leaves.push_back(builder.node(name, name, NodeKind::switch_node));
  for (int i = 0; i < 4; ++i) {
    const std::string name = "h" + std::to_string(i);
    builder.cable(builder.node(name, name, NodeKind::host), "", leaves[i / 2], "",
                  {.bandwidth_Bps = kGigabyte, .line = 10 + i});
  }
  if (!joined) return builder;
  const auto spine = builder.node("spine", "spine", NodeKind::switch_node);
  for (const auto leaf : leaves) builder.cable(leaf, "", spine, "", {.bandwidth_Bps = kGigabyte});
  return builder;
}

Texts notes_of(const FabricBuilder::Built& built) {
  Texts texts;
  for (const ImportNote& note : built.notes) texts.push_back(note.text);
  return texts;
}

std::string refusal(FabricBuilder builder) {
  try {
    std::move(builder).build();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(FabricBuilder, says_nothing_of_a_file_that_says_all) {
  const auto built = two_leaves(true).build();
  EXPECT_EQ(built.network.topology.cable_count(), 6);
  EXPECT_TRUE(built.notes.empty());
}

TEST(FabricBuilder, leaves_out_cables_to_the_same_device_and_devices_without_one) {
  FabricBuilder builder = two_leaves(true);
  builder.cable(0, "swp1", 0, "swp2", {.line = 7});
  const auto lonely = builder.node("lonely", "lonely", NodeKind::host, 8);
  const auto built = std::move(builder).build();
  EXPECT_EQ(built.network.topology.cable_count(), 6);
  EXPECT_EQ(built.numbers[lonely], std::nullopt);
  EXPECT_EQ(
      notes_of(built),
      (Texts{
          "cable leaf1[swp1] to leaf1[swp2] (line 7): left out, because both ends are one device",
          "lonely (line 8): left out, because no cable leads there"}));
}

TEST(FabricBuilder, names_the_parts_takes_one_or_joins_them) {
  EXPECT_EQ(refusal(two_leaves(false)),
            "f: no cable connects its 2 parts, leaf1 (2 hosts), leaf2 (2 hosts); choose one with "
            "--part leaf1, or join all with --join");
  const auto part = two_leaves(false, {.part = "h2"}).build();
  EXPECT_EQ(part.network.topology.hosts().size(), 2u);
  EXPECT_EQ(name_of(part.network.topology, NodeId(0)), "h2");
  EXPECT_EQ(notes_of(part), Texts{"only the part with h2 is used, of 2 parts"});
  const auto joined = two_leaves(false, {.join = true}).build();
  EXPECT_EQ(joined.network.topology.cable_count(), 4 + 2);
  EXPECT_EQ(joined.notes.front().text,
            "the file does not connect its 2 parts; one switch, between-parts, with a cable to "
            "each part is assumed");
  EXPECT_EQ(joined.notes.front().kind, NoteKind::answer);
  EXPECT_EQ(refusal(two_leaves(false, {.part = "leaf3"})),
            "f: --part leaf3 is not a device of the file; did you mean leaf1, leaf2?");
  EXPECT_EQ(refusal(two_leaves(false, {.part = "leaf1", .join = true})),
            "--part and --join cannot be combined; remove one");
}

// 100,000 parts of a switch and a host, some of which are three deep. Where the head of each part
// takes a walk along all cables, this takes minutes.
FabricBuilder many_parts(const ImportOptions& options) {
  FabricBuilder builder("f", options);
  for (int i = 0; i < 100'000; ++i) {
    const std::string number = std::to_string(i);
    const auto leaf = builder.node("leaf" + number, "leaf" + number, NodeKind::switch_node);
    const auto host = builder.node("h" + number, "h" + number, NodeKind::host);
    builder.cable(host, "", leaf, "", {});
    if (i % 1000 != 0) continue;
    const auto top = builder.node("top" + number, "top" + number, NodeKind::switch_node);
    builder.cable(leaf, "", top, "", {});
  }
  return builder;
}

TEST(FabricBuilder, names_many_parts_without_delay) {
  const std::string text = refusal(many_parts({.part = "top99000x"}));
  EXPECT_NE(text.find("--part top99000x is not a device of the file; did you mean top99000"),
            std::string::npos)
      << text;
  const auto joined = many_parts({.join = true}).build();
  EXPECT_EQ(joined.network.topology.cable_count(), 100'000 + 100 + 100'000);
}

TEST(FabricBuilder, says_which_cables_have_no_speed) {
  FabricBuilder builder = two_leaves(true);
  builder.cable(0, "", 1, "", {.line = 9});
  const auto built = std::move(builder).build();
  ASSERT_EQ(built.notes.size(), 1u);
  EXPECT_EQ(built.notes[0].kind, NoteKind::speed);
  EXPECT_EQ(built.notes[0].text,
            "the file lacks the speeds of 1 of 7 cables (leaf1 - leaf2, line 9); --link or the "
            "default is used for them");
}

TEST(FabricBuilder, calls_nodes_of_one_name_by_what_tells_them_apart) {
  FabricBuilder builder("f");
  const auto a = builder.node("gpu node", "H-1", NodeKind::host, 1);
  const auto b = builder.node("gpu node", "H-2", NodeKind::host, 2);
  const auto c = builder.node("desk 0", "H-3", NodeKind::host, 3);
  for (const auto other : {b, c}) builder.cable(a, "", other, "", {.bandwidth_Bps = kGigabyte});
  const auto built = std::move(builder).build();
  const Topology& topology = built.network.topology;
  EXPECT_EQ(topology.facets().names->nodes, (Texts{"H-1", "H-2", "desk 0"}));
  EXPECT_EQ(notes_of(built), Texts{"\"gpu node\" to H-1 (line 1), \"gpu node\" to H-2 (line 2): "
                                   "renamed, because several devices have the name"});
}

TEST(FabricBuilder, refuses_what_is_no_network) {
  FabricBuilder alone("f");
  alone.node("h", "h", NodeKind::host);
  EXPECT_EQ(refusal(std::move(alone)), "f has 1 device but no cable (h); a network needs cables");
  FabricBuilder switches("f");
  const auto a = switches.node("a", "a", NodeKind::switch_node);
  switches.cable(a, "", switches.node("b", "b", NodeKind::switch_node), "", {});
  EXPECT_EQ(refusal(std::move(switches)), "f has no hosts");
  EXPECT_EQ(refusal(FabricBuilder("f")), "f has no hosts");
}

TEST(FabricBuilder, mends_nothing_where_reading_is_strict) {
  FabricBuilder builder = two_leaves(true, {.strict = true});
  builder.cable(0, "", 0, "", {.line = 7});
  EXPECT_EQ(refusal(std::move(builder)),
            "f:7: cable from leaf1 to itself would be left out, because both ends are one device, "
            "which --strict refuses");
}

// Nodes and links stay in the order of the file, numbers are no names, and nothing is left out.
TEST(FabricBuilder, keeps_a_graph_as_it_is) {
  FabricBuilder builder("f", {}, {.hosts_first = false, .keep_all = true, .note_speeds = false});
  for (int i = 0; i < 4; ++i)
    builder.node(std::to_string(i), std::to_string(i),
                 i == 0 ? NodeKind::switch_node : NodeKind::host);
  builder.cable(3, "", 1, "", {});
  builder.cable(0, "", 1, "", {.one_way = true});
  const auto built = std::move(builder).build();
  const Topology& topology = built.network.topology;
  EXPECT_EQ(topology.node_count(), 4);
  EXPECT_FALSE(topology.is_host(NodeId(0)));
  EXPECT_EQ(topology.link_count(), 3);
  EXPECT_EQ(topology.facets().names, nullptr);
  EXPECT_TRUE(built.notes.empty());
}

TEST(ImportNotes, are_kept_in_json) {
  FabricBuilder::Built built = two_leaves(true).build();
  Facets facets = built.network.topology.facets();
  facets.import_notes = std::make_shared<const std::vector<ImportNote>>(std::vector<ImportNote>{
      {"a \"note\"", NoteKind::answer}, {"no speeds", NoteKind::speed}, {"once"}});
  built.network.topology = with_facets(built.network.topology, facets, Expression{"file", "f", {}});
  const std::string text = format_topology(built.network, TopologyFormat::json);
  const Topology again = parse_topology(text, TopologyFormat::json, "net.json").topology;
  ASSERT_NE(again.facets().import_notes, nullptr);
  EXPECT_EQ(*again.facets().import_notes, *facets.import_notes);
}

}  // namespace
}  // namespace weft::topology
