// Topologies of REPETITA (.graph):
//
//   NODES 2
//   label x y
//   0_Oslo 10.7 59.9
//   1_Bergen 5.3 60.4
//
//   EDGES 2
//   label src dest weight bw delay
//   edge_0 0 1 10 10000000 250
//   edge_1 1 0 10 10000000 250
//
// Edges are one-way and name their ends by places in the list of nodes. bw is in kbit/s: a
// 9,953,280 of the Topology Zoo's Abilene is its OC-192. Delays are in microseconds ("typically",
// core/Topology.java), though those of the Topology Zoo's files are half of what light takes; 0
// says nothing.
// Source: Gay, Schaus, Vissicchio, "REPETITA: Repeatable Experiments for Performance Evaluation of
// Traffic-Engineering Algorithms", arXiv 1710.08665, and its files.
#include <fmt/format.h>

#include "../text_lines.hpp"
#include "graph_text.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), graph_(source.file, source.options) {}

  ImportedFabric read() && {
    graph_.speeds().set_unit("bw", "kbps");
    graph_.speeds().set_unit("delay", "us");
    std::int64_t number = 0;
    for (const std::string_view text : lines_of(source_.text)) {
      const Line line(source_.file, ++number, text);
      if (line.words() > 0 && !line.word(0).starts_with('#')) read(line);
    }
    check(nodes_, graph_.node_count(), "nodes");
    check(edges_, static_cast<std::size_t>(edge_count_), "edges");
    if (any_delay_)
      graph_.log().note("delays are read as microseconds, which is usual in REPETITA",
                        topology::NoteKind::speed);
    return built(std::move(graph_).fabric());
  }

 private:
  struct Header {
    std::int64_t count = 0, line = 0;
  };

  void read(const Line& line) {
    if (line.word(0) == "NODES" || line.word(0) == "EDGES") {
      if (line.words() != 2) line.refuse("expected {} and their number", line.word(0));
      in_edges_ = line.word(0) == "EDGES";
      const Header header{line.integer(1, 0, INT32_MAX, "count"), line.number()};
      (in_edges_ ? edges_ : nodes_) = header;
    } else if (line.word(0) != "label") {
      in_edges_ ? read_edge(line) : read_node(line);
    }
  }

  // A label may have blanks; the last two words are coordinates.
  void read_node(const Line& line) {
    if (nodes_.line == 0) line.refuse("NODES and their number must come before this");
    if (line.words() < 3) line.refuse("expected a node \"label x y\"");
    std::string label(line.word(0));
    for (std::size_t i = 1; i + 2 < line.words(); ++i) label += " " + std::string(line.word(i));
    const std::string id = std::to_string(graph_.node_count());
    graph_.node(id, {{"label", in_utf8(label)}}, line.number());
  }

  void read_edge(const Line& line) {
    if (line.words() != 6) line.refuse("expected an edge \"label src dest weight bw delay\"");
    const auto most = static_cast<std::int64_t>(graph_.node_count()) - 1;
    const auto from = line.integer(1, 0, most, "node");
    const auto to = line.integer(2, 0, most, "node");
    topology::GraphAttributes attributes{{"bw", std::string(line.word(4))}};
    if (line.word(5) != "0") {
      attributes.push_back({"delay", std::string(line.word(5))});
      any_delay_ = true;
    }
    ++edge_count_;
    graph_.edge({.from = static_cast<AttributedGraph::Node>(from),
                 .to = static_cast<AttributedGraph::Node>(to),
                 .one_way = true,
                 .port_from = {},
                 .port_to = {},
                 .link_class = {},
                 .line = line.number()},
                attributes);
  }

  void check(const Header& header, std::size_t found, std::string_view what) const {
    if (static_cast<std::size_t>(header.count) != found)
      refuse_at(source_.file, std::max<std::int64_t>(header.line, 1),
                "{} {} are announced, but the file has {}", header.count, what, found);
  }

  const FabricSource& source_;
  AttributedGraph graph_;
  Header nodes_, edges_;
  std::int64_t edge_count_ = 0;
  bool in_edges_ = false, any_delay_ = false;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  const std::vector<Line> lines = first_lines(text, 2);
  return lines.size() == 2 && lines[0].words() == 2 && lines[0].word(0) == "NODES" &&
         lines[1].words() == 3 && lines[1].word(0) == "label";
}

}  // namespace

Format repetita() {
  return {.name = "repetita",
          .summary = "topologies of REPETITA (.graph)",
          .loses = "weights of links, coordinates",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
