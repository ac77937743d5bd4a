// Edge lists, lists of neighbours, graph6 and sparse6. Texts are what NetworkX 2.8 writes of the
// graphs named, with other names.
#include "graph_tests.hpp"

namespace weft::format {
namespace {

Cables cables(const char* format, const std::string& text) {
  return cables_of(import(format, text).network.topology);
}

TEST(EdgeList, reads_names_and_dictionaries) {
  const ImportedFabric fabric =
      import("edge-list",
             "Oslo Moss {'weight': 3, 'capacity': '10 Gbps', 'x': [1, {'y': 2}]}\n"
             "Moss Skien {}\n");
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"Moss-Oslo", "Moss-Skien"}));
  EXPECT_EQ(GBps(fabric, "Oslo", "Moss"), 1.25);
  EXPECT_EQ(GBps(fabric, "Moss", "Skien"), 0);
}

TEST(EdgeList, reads_columns) {
  EXPECT_EQ(GBps(import("edge-list", "a b 100Gbps 2us\nb c 100Gbps 2us\n"), "a", "b"), 12.5);
  EXPECT_EQ(GBps(import("edge-list", "a b 10 Gbps\nb c 10 Gbps\n"), "a", "b"), 1.25);
  EXPECT_NE(notes_of(import("edge-list", "a b 3\nb c 1.5\n"))
                .find("attribute 'weight', whose numbers have no unit"),
            std::string::npos);
  const ImportedFabric table =
      import("edge-list", "source,target,bandwidth_gbps\nNew York,Oslo,8\nOslo,Moss,16\n");
  EXPECT_EQ(cables_of(table.network.topology), (Cables{"Moss-Oslo", "New York-Oslo"}));
  EXPECT_EQ(GBps(table, "Oslo", "Moss"), 2.0);
}

TEST(EdgeList, refuses_speeds_that_cannot_be_read) {
  EXPECT_EQ(refusal_of("edge-list", "source,target,bandwidth\na,b,100Gbps\nb,c,fast\n"),
            "f:3: invalid bandwidth 'fast' in column 'bandwidth' (expected a number and a unit, "
            "such as 100Gbps)");
  EXPECT_EQ(refusal_of("edge-list", "source,target,delay\na,b,3 furlongs\n"),
            "f:2: invalid latency '3 furlongs' in column 'delay' (expected a number and a unit, "
            "such as 1us)");
  EXPECT_EQ(refusal_of("edge-list", "a b {'capacity': '10 parsecs'}\n").substr(0, 34),
            "f:1: invalid bandwidth '10 parsecs");
}

// One note for all cells of a column; an empty cell needs none.
TEST(EdgeList, skips_cells_that_say_that_a_speed_is_missing) {
  for (const std::string cell : {"-", "n/a", "NA", "none", "None", "null", "Unknown", "?", " - "}) {
    const ImportedFabric fabric =
        import("edge-list", "source,target,bandwidth,delay\na,b,100Gbps,2us\nb,c," + cell + "," +
                                cell + "\nc,d," + cell + "," + cell + "\n");
    EXPECT_EQ(GBps(fabric, "a", "b"), 12.5) << cell;
    EXPECT_EQ(GBps(fabric, "b", "c"), 0) << cell;
    for (const std::string column :
         {"'bandwidth' where its value is no speed", "'delay' where its value is no time"}) {
      const std::string notes = notes_of(fabric);
      EXPECT_NE(notes.find(column), std::string::npos) << notes;
      EXPECT_EQ(notes.find(column), notes.rfind(column)) << notes;
    }
  }
  EXPECT_EQ(GBps(import("edge-list", "source,target,bandwidth\na,b,100Gbps\nb,c,\n"), "b", "c"), 0);
  EXPECT_EQ(GBps(import("edge-list", "a b {'capacity': 'n/a'}\nb c {}\n"), "a", "b"), 0);
}

TEST(EdgeList, an_edge_listed_from_both_ends_is_one_cable) {
  EXPECT_EQ(cables("edge-list", "a b\nb a\nb c\nc b\n"), (Cables{"a-b", "b-c"}));
  const ImportedFabric some = import("edge-list", "a b\nb a\nb c\n");
  EXPECT_EQ(cables_of(some.network.topology), (Cables{"a-b", "b-c"}));
  EXPECT_NE(notes_of(some).find("b - a (line 2): left out, because the list repeats the pair"),
            std::string::npos)
      << notes_of(some);
}

// As in NetworkX's Graph; the note names the first of them, and counts all.
TEST(EdgeList, counts_pairs_that_are_repeated) {
  const ImportedFabric fabric =
      import("edge-list", "a b {}\nb c {}\na b {}\nb a {}\nc b {}\na b {}\na b {}\n");
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"a-b", "b-c"}));
  EXPECT_NE(notes_of(fabric).find("a - b (line 3), b - a (line 4), c - b (line 5) and 2 more: left "
                                  "out, because the list repeats the pair"),
            std::string::npos)
      << notes_of(fabric);
}

TEST(EdgeList, skips_comments_and_a_line_of_counts) {
  EXPECT_EQ(cables("edge-list", "# SNAP\n% other\n0 1\n1 2\n"), (Cables{"0-1", "1-2"}));
  EXPECT_EQ(cables("edge-list", "3 2\n0 1\n1 2\n"), (Cables{"0-1", "1-2"}));
}

TEST(EdgeList, numbers_keep_their_order) {
  const Topology topology = import("edge-list", "10 9\n9 8\n8 2\n2 10\n").network.topology;
  EXPECT_EQ(topology::node_text(topology, NodeId(0)), "2");
  EXPECT_EQ(topology::node_text(topology, NodeId(3)), "10");
}

TEST(EdgeList, names_what_is_wrong) {
  EXPECT_EQ(refusal_of("edge-list", "a b\nc\n"),
            "f:2: the line has one node; expected \"u v\", and data");
  EXPECT_NE(refusal_of("edge-list", "a b {'w'}\n").find("f:1: the data is not a Python dictionary"),
            std::string::npos);
  EXPECT_NE(refusal_of("edge-list", "a b {'w': {\n}\n").find("f:"), std::string::npos);
}

TEST(AdjacencyList, reads_lines_of_neighbours) {
  EXPECT_EQ(cables("adjacency-list", "#/usr/bin/x.py\n# GMT Mon Jan  1\n#\na b c\nb c\nc\n"),
            (Cables{"a-b", "a-c", "b-c"}));
}

TEST(AdjacencyList, reads_a_line_for_each_neighbour) {
  const ImportedFabric fabric =
      import("adjacency-list", "a 2\nb {'capacity': '8 Gbps'}\nc {}\nb 1\nc {}\nc 0\n");
  EXPECT_EQ(cables_of(fabric.network.topology), (Cables{"a-b", "a-c", "b-c"}));
  EXPECT_EQ(GBps(fabric, "a", "b"), 1.0);
  EXPECT_NE(refusal_of("adjacency-list", "a 2\nb {}\nc 5\n").find("f:"), std::string::npos);
}

// Examples of McKay's document: graph6 of the edges 0-2, 0-4, 1-3, 3-4 of 5 nodes is DQc, sparse6
// of 0-1, 0-2, 1-2, 5-6 of 7 nodes is :Fa@x^.
TEST(Graph6, reads_the_examples_of_its_description) {
  EXPECT_EQ(cables("graph6", "DQc\n"), (Cables{"0-2", "0-4", "1-3", "3-4"}));
  EXPECT_EQ(cables("graph6", ">>graph6<<DQc\n"), (Cables{"0-2", "0-4", "1-3", "3-4"}));
  EXPECT_NE(refusal_of("graph6", ":Fa@x^\n").find("parts"), std::string::npos);
  const ImportedFabric part =
      find_format("graph6").read_fabric({":Fa@x^\n", "f", {}, {.part = "5"}});
  EXPECT_EQ(cables_of(part.network.topology), (Cables{"5-6"}));
}

TEST(Graph6, several_graphs_are_taken_by_number) {
  EXPECT_EQ(refusal_of("graph6", "DQc\nBw\n"), "f has 2 graphs (1, 2); choose one with --part 1");
  const ImportedFabric second =
      find_format("graph6").read_fabric({"DQc\nBw\n", "f", {}, {.part = "2"}});
  EXPECT_EQ(cables_of(second.network.topology), (Cables{"0-1", "0-2", "1-2"}));
}

TEST(Graph6, names_what_is_wrong) {
  EXPECT_EQ(refusal_of("graph6", "DQ\n"),
            "f:1: 5 nodes need 2 characters of edges, but the line has 1");
  EXPECT_NE(refusal_of("graph6", ":~~~~~~~\n").find("nodes"), std::string::npos);
}

TEST(ListFiles, are_recognised_where_nothing_else_is) {
  const std::pair<const char*, std::string> cases[] = {{"edge-list", "a b\nb c\n"},
                                                       {"edge-list", "a b 2.5\nb c 1\n"},
                                                       {"edge-list", "0 1 {}\n1 2 {}\n"},
                                                       {"adjacency-list", "a b c\nb c\nc\n"},
                                                       {"adjacency-list", "a 1\nb {}\nb 0\n"},
                                                       {"graph6", "DQc\n"},
                                                       {"graph6", ":Fa@x^\n"}};
  for (const auto& [name, text] : cases) EXPECT_EQ(recognise(text, "f").name, name) << text;
  // Weights, or neighbours? The name of the file tells.
  const std::string either = "0 1 2\n1 2 0\n2 0 1\n";
  EXPECT_THROW(recognise(either, "f.txt"), InvalidInput);
  EXPECT_EQ(recognise(either, "f.edgelist").name, "edge-list");
  EXPECT_EQ(recognise(either, "f.adjlist").name, "adjacency-list");
  for (const char* other :
       {"host1 slots=8\nhost2 slots=8\n", "a = 1\nb = 2\n", "This is a text.\nIt has two lines.\n"})
    EXPECT_THROW(recognise(other, "f.txt"), InvalidInput) << other;
}

}  // namespace
}  // namespace weft::format
