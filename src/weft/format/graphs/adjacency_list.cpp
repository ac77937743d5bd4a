// Lists of neighbours, as nx.write_adjlist has them, and nx.write_multiline_adjlist:
//
//   a b c        a 2
//   b c          b {'capacity': '10 Gbps'}
//   c            c {}
//                b 1
//                c {}
//                c 0
//
// In the second form a node has the number of lines that follow it, one a neighbour.
#include "../text_lines.hpp"
#include "list_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), edges_(source, false), lines_(source.text) {}

  ImportedFabric read() && {
    const bool in_lines = list_kind(source_.text, source_.file) == ListKind::neighbours_in_lines;
    ListLine line;
    while (lines_.next(line)) {
      if (in_lines)
        read_node(line);
      else
        read_neighbours(line);
    }
    require(edges_.graph().node_count() > 0, "{} has no nodes", source_.file);
    return std::move(edges_).build();
  }

 private:
  AttributedGraph::Node node(std::string_view field, std::int64_t line) {
    return edges_.graph().node_of(in_utf8(field), line);
  }

  void read_neighbours(const ListLine& line) {
    if (line.fields.empty() || !line.data.empty())
      refuse_at(source_.file, line.number, "expected a node and its neighbours");
    const auto from = node(line.fields[0], line.number);
    for (std::size_t i = 1; i < line.fields.size(); ++i)
      edges_.add(from, node(line.fields[i], line.number), {}, line.number);
  }

  void read_node(const ListLine& head) {
    const auto count =
        head.fields.size() == 2 ? number_in<std::int64_t>(head.fields[1]) : std::nullopt;
    if (!count || *count < 0)
      refuse_at(source_.file, head.number, "expected a node and the number of its lines");
    const auto from = node(head.fields[0], head.number);
    ListLine line;
    for (std::int64_t i = 0; i < *count; ++i) {
      if (!lines_.next(line) || line.fields.size() != 1)
        refuse_at(source_.file, head.number, "the node has {} neighbours, but {} lines follow",
                  *count, i);
      edges_.add(from, node(line.fields[0], line.number),
                 line.data.empty() ? GraphAttributes{}
                                   : attributes_in(line.data, source_.file, line.number),
                 line.number);
    }
  }

  const FabricSource& source_;
  ListedEdges edges_;
  ListLines lines_;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

}  // namespace

Format adjacency_list() {
  return {.name = "adjacency-list",
          .summary = "lists of neighbours, a line a node, or a line a neighbour: NetworkX",
          .loses = "data other than bandwidths and latencies with their units",
          .read_fabric = read,
          .recognises_file = [](std::string_view text, std::string_view file) {
            const ListKind kind = list_kind(text, file);
            return kind == ListKind::neighbours || kind == ListKind::neighbours_in_lines;
          }};
}

}  // namespace weft::format
