// Lines of lists of edges and of neighbours, of which each names nodes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph_text.hpp"

namespace weft::format {

/// A line: its fields, and a dictionary as Python writes it, {'weight': 3}, where it ends with one.
struct ListLine {
  std::vector<std::string_view> fields;
  std::string_view data;
  std::int64_t number = 0;
};

/// The lines that have fields, one after another. Comments begin with # or %.
class ListLines {
 public:
  explicit ListLines(std::string_view text);

  /// The next line; false at the end.
  bool next(ListLine& line);
  void rewind();

 private:
  bool take_line(std::string_view& line);
  void choose_separator();

  std::string_view text_, rest_;
  std::int64_t number_ = 0;
  char separator_ = ' ';  // a blank stands for any number of blanks and tabs
};

/// Whether the line names columns: "source,target,bandwidth".
bool names_columns(const ListLine& line);

/// What a dictionary says. Throws InvalidInput, with the line, for what is none.
GraphAttributes attributes_in(std::string_view data, std::string_view file, std::int64_t line);

enum class ListKind : std::uint8_t { none, edges, neighbours, neighbours_in_lines };

/// What the lines are, by a sample of them and, where both would fit, the name of the file.
ListKind list_kind(std::string_view text, std::string_view file);

/// Edges of a list, put together. An edge that stands there in both directions is one cable.
class ListedEdges {
 public:
  ListedEdges(const FabricSource& source, bool one_way)
      : graph_(source.file, source.options, {}), one_way_(one_way) {}

  AttributedGraph& graph() { return graph_; }
  void add(AttributedGraph::Node from, AttributedGraph::Node to, GraphAttributes attributes,
           std::int64_t line);
  ImportedFabric build() &&;

 private:
  struct Listed {
    AttributedGraph::Node from, to;
    std::int64_t line;
    GraphAttributes attributes;
  };

  bool all_in_both_directions() const;

  AttributedGraph graph_;
  bool one_way_;
  std::vector<Listed> edges_;
};

}  // namespace weft::format
