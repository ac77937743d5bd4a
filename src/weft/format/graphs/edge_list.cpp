// Lists of edges by names, as NetworkX, SNAP and tables keep them:
//
//   Hamburg Berlin {'capacity': '10 Gbps'}
//   Berlin Dresden 3.5
//   a,b,100Mbps,2ms
//
// A first line "source,target,bandwidth" names the columns; else a number without a unit is a
// weight, which is no speed. weft's own lists (.edges, .arcs) are of this kind.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../text_lines.hpp"
#include "list_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/import/speed_attributes.hpp"

namespace weft::format {

namespace {

// A cell that says that its value is missing, as tables and exports write it.
bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 8> kMissing{"",     "-",    "n/a",     "na",
                                                     "none", "null", "unknown", "?"};
  return std::ranges::find(kMissing, lower(trim(cell))) != kMissing.end();
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source),
        edges_(source, lower(source.file).ends_with(".arcs")),
        lines_(source.text) {}

  ImportedFabric read() && {
    ListLine line;
    const bool counted = begins_with_counts();
    lines_.rewind();
    for (bool first = true; lines_.next(line); first = false) {
      if (first && (counted || is_header(line))) continue;
      read(line);
    }
    require(edges_.graph().node_count() > 0, "{} has no edges; write one \"u v\" on each line",
            source_.file);
    return std::move(edges_).build();
  }

 private:
  // "10 15" before 15 lines with 10 nodes.
  bool begins_with_counts() {
    ListLine line;
    if (!lines_.next(line) || line.fields.size() != 2 || !line.data.empty()) return false;
    const auto nodes = number_in<std::int64_t>(line.fields[0]);
    const auto edges = number_in<std::int64_t>(line.fields[1]);
    if (!nodes || !edges) return false;
    std::int64_t count = 0;
    std::vector<std::string_view> names;
    while (lines_.next(line)) {
      ++count;
      if (count > *edges || line.fields.size() < 2) return false;
      names.insert(names.end(), line.fields.begin(), line.fields.begin() + 2);
    }
    std::ranges::sort(names);
    const auto repeated = std::unique(names.begin(), names.end());
    if (count != *edges || repeated - names.begin() != *nodes) return false;
    edges_.graph().log().note(
        fmt::format("the first line, {} {}, counts nodes and edges", *nodes, *edges));
    return true;
  }

  bool is_header(const ListLine& line) {
    if (!names_columns(line)) return false;
    columns_.assign(line.fields.begin() + 2, line.fields.end());
    return true;
  }

  void read(const ListLine& line) {
    if (line.fields.size() < 2)
      refuse_at(source_.file, line.number, "the line has one node; expected \"u v\", and data");
    GraphAttributes attributes;
    if (!line.data.empty()) attributes = attributes_in(line.data, source_.file, line.number);
    for (std::size_t i = 2; i < line.fields.size(); ++i) {
      std::string value(line.fields[i]);
      // "10 Gbps": the unit is a field of its own.
      if (columns_.empty() && i + 1 < line.fields.size() && number_in<double>(value) &&
          !number_in<double>(line.fields[i + 1]))
        value += std::string(line.fields[++i]);
      attributes.push_back({i - 2 < columns_.size() ? columns_[i - 2] : "weight", value});
    }
    for (const GraphAttribute& attribute : attributes) require_readable(attribute, line.number);
    const auto from = node(line.fields[0], line.number);
    edges_.add(from, node(line.fields[1], line.number), std::move(attributes), line.number);
  }

  // A speed that nobody can read is a mistake; a missing one, or a number without a unit, gets a
  // note where the edge is made.
  void require_readable(const GraphAttribute& attribute, std::int64_t line) const {
    const auto refuse = [&](std::string_view quantity, std::string_view right) {
      refuse_at(source_.file, line, "invalid {} '{}' in column '{}' (expected {})", quantity,
                printable(attribute.value), printable(attribute.key), right);
    };
    if (is_missing(attribute.value) || number_in<double>(trim(attribute.value))) return;
    if (topology::unit_of_rate(attribute.key) && !topology::rate_in(attribute.value))
      refuse("bandwidth", "a number and a unit, such as 100Gbps");
    if (topology::unit_of_time(attribute.key) && !topology::time_in(attribute.value))
      refuse("latency", "a number and a unit, such as 1us");
  }

  AttributedGraph::Node node(std::string_view field, std::int64_t line) {
    if (field.empty()) refuse_at(source_.file, line, "the name of a node is empty");
    return edges_.graph().node_of(in_utf8(field), line);
  }

  const FabricSource& source_;
  ListedEdges edges_;
  ListLines lines_;
  std::vector<std::string> columns_;  // behind the ends, by a header
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

}  // namespace

Format edge_list() {
  return {.name = "edge-list",
          .summary = "lists of edges by name, with data: NetworkX, SNAP, tables (.edgelist, .csv)",
          .loses = "data other than bandwidths and latencies with their units",
          .read_fabric = read,
          .recognises_file = [](std::string_view text, std::string_view file) {
            return list_kind(text, file) == ListKind::edges;
          }};
}

}  // namespace weft::format
