// GML, as the Topology Zoo, TopoHub, NetworkX, igraph and Gephi write it:
//
//   graph [
//     directed 0
//     node [ id 0 label "Hamburg" ]
//     node [ id 1 label "Berlin" ]
//     edge [ source 0 target 1 LinkSpeedRaw 10000000000.0 ]
//   ]
//
// A file is a list of keys, each with a number, a text or a list in brackets. Lists within nodes
// and edges (graphics) say nothing of the network.
// Source: M. Himsolt, "GML: A portable Graph File Format", 1997.
#include <algorithm>
#include <cctype>

#include "../text_lines.hpp"
#include "graph_text.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

// The words of a file: keys, numbers, texts without their quotes, brackets.
class Words {
 public:
  enum class Kind : std::uint8_t { end, word, text, open, close };

  Words(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    take();
  }

  Kind kind() const { return kind_; }
  std::string_view word() const { return word_; }
  std::int64_t line() const { return line_; }

  void take() {
    skip_blanks();
    line_ = next_line_;
    if (at_ == text_.size()) {
      kind_ = Kind::end;
      return;
    }
    const char c = text_[at_];
    if (c == '[' || c == ']') {
      kind_ = c == '[' ? Kind::open : Kind::close;
      ++at_;
    } else if (c == '"') {
      take_text();
    } else {
      const std::size_t begin = at_;
      while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '[' && text_[at_] != ']')
        ++at_;
      kind_ = Kind::word;
      word_ = text_.substr(begin, at_ - begin);
    }
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') ++next_line_;
      if (text_[at_] == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (is_blank(text_[at_])) {
        ++at_;
      } else {
        return;
      }
    }
  }

  void take_text() {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos)
      refuse_at(file_, line_, "a text that starts here is not closed; close it with \"");
    kind_ = Kind::text;
    word_ = text_.substr(at_ + 1, end - at_ - 1);
    next_line_ += std::count(word_.begin(), word_.end(), '\n');
    at_ = end + 1;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1, next_line_ = 1;
  Kind kind_ = Kind::end;
  std::string_view word_;
};

// A node or an edge.
struct Record {
  std::string_view id, source, target;
  GraphAttributes attributes;
  std::int64_t line = 0;
};

struct RawGraph {
  std::string name;
  bool directed = false;
  GraphAttributes attributes;
  std::vector<Record> nodes, edges;
  std::int64_t line = 0;
};

class Reader {
 public:
  explicit Reader(const FabricSource& source) : source_(source), words_(source.text, source.file) {}

  ImportedFabric read() && {
    while (words_.kind() != Words::Kind::end) {
      const std::string key = take_key();
      if (lower(key) == "graph" && words_.kind() == Words::Kind::open)
        read_graph();
      else
        skip_value();
    }
    require(!graphs_.empty(), "{} has no graph [ ... ]; check that it is GML", source_.file);
    std::vector<std::string> names;
    for (const RawGraph& graph : graphs_) names.push_back(graph.name);
    topology::ImportOptions options = source_.options;
    const RawGraph& graph = graphs_[topology::chosen_graph(names, source_.file, options)];
    AttributedGraph built_graph(source_.file, options);
    fill(graph, built_graph);
    return built(std::move(built_graph).fabric());
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(std::int64_t line, fmt::format_string<Args...> format,
                           Args&&... args) const {
    refuse_at(source_.file, line, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  std::string take_key() {
    if (words_.kind() != Words::Kind::word)
      refuse(words_.line(), "expected a key such as node or label{}",
             words_.kind() == Words::Kind::close ? ", but ] closes nothing"
             : words_.kind() == Words::Kind::end ? "; the file ends within a list"
                                                 : "");
    std::string key(words_.word());
    words_.take();
    return key;
  }

  // The end of a list is left to the caller.
  bool in_list() {
    if (words_.kind() == Words::Kind::end)
      refuse(words_.line(), "the file ends within a list; close it with ]");
    return words_.kind() != Words::Kind::close;
  }

  // A number or a text; nothing for a list, which is passed over.
  std::optional<std::string_view> take_value() {
    if (words_.kind() == Words::Kind::open) {
      skip_value();
      return std::nullopt;
    }
    if (words_.kind() != Words::Kind::word && words_.kind() != Words::Kind::text)
      refuse(words_.line(), "expected a value");
    const std::string_view value = words_.word();
    words_.take();
    return value;
  }

  void skip_value() {
    std::int64_t depth = 0;
    do {
      if (words_.kind() == Words::Kind::end)
        refuse(words_.line(), "the file ends where a value is expected");
      if (words_.kind() == Words::Kind::open) ++depth;
      if (words_.kind() == Words::Kind::close && --depth < 0)
        refuse(words_.line(), "] closes nothing; expected a value");
      words_.take();
    } while (depth > 0);
  }

  void read_graph() {
    RawGraph& graph = graphs_.emplace_back();
    graph.line = words_.line();
    words_.take();
    while (in_list()) {
      const std::int64_t line = words_.line();
      const std::string key = take_key();
      const bool list = words_.kind() == Words::Kind::open;
      if (list && (key == "node" || key == "edge")) {
        (key == "node" ? graph.nodes : graph.edges).push_back(take_record(line));
        continue;
      }
      if (list && key == "graph")
        refuse(line, "a graph within a graph is not supported; flatten it");
      const auto value = take_value();
      if (key == "directed")
        graph.directed = value == "1";
      else if (key == "label" || (key == "name" && graph.name.empty()))
        graph.name = in_utf8(value.value_or(""));
      else if (key != "multigraph")
        graph.attributes.push_back({key, std::string(value.value_or(""))});
    }
    words_.take();
  }

  Record take_record(std::int64_t line) {
    Record record;
    record.line = line;
    words_.take();
    while (in_list()) {
      std::string key = take_key();
      const auto value = take_value();
      const auto set = [&](std::string_view& field) {
        if (!value) refuse(line, "{} is a list (expected a number)", key);
        field = *value;
      };
      if (key == "id")
        set(record.id);
      else if (key == "source")
        set(record.source);
      else if (key == "target")
        set(record.target);
      else if (key != "key")
        record.attributes.push_back({std::move(key), in_utf8(value.value_or(""))});
    }
    words_.take();
    return record;
  }

  void fill(const RawGraph& graph, AttributedGraph& into) const {
    into.read_graph_attributes(graph.attributes, graph.line);
    for (const Record& node : graph.nodes) {
      if (node.id.empty()) refuse(node.line, "a node has no id; add id 0");
      into.node(std::string(node.id), node.attributes, node.line);
    }
    for (const Record& edge : graph.edges) {
      const auto end = [&](std::string_view id, std::string_view what) {
        if (id.empty()) refuse(edge.line, "an edge has no {}; add {} 0", what, what);
        const auto node = into.find(std::string(id));
        if (!node) refuse(edge.line, "{} {} is not a node of the graph", what, printable(id));
        return *node;
      };
      const auto from = end(edge.source, "source");
      into.edge({.from = from,
                 .to = end(edge.target, "target"),
                 .one_way = graph.directed,
                 .port_from = {},
                 .port_to = {},
                 .link_class = {},
                 .line = edge.line},
                edge.attributes);
    }
  }

  const FabricSource& source_;
  Words words_;
  std::vector<RawGraph> graphs_;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

// "graph [" behind comments and keys as Creator "..." and Version 1.
bool recognises(std::string_view text) {
  constexpr int kMostKeys = 20;
  const std::string file;
  try {
    Words words(text.substr(0, 100'000), file);
    for (int i = 0; i < kMostKeys && words.kind() == Words::Kind::word; ++i) {
      const std::string key = lower(std::string(words.word()));
      words.take();
      if (key == "graph") return words.kind() == Words::Kind::open;
      if (words.kind() != Words::Kind::word && words.kind() != Words::Kind::text) return false;
      words.take();
    }
  } catch (const InvalidInput&) {  // a text that does not end
  }
  return false;
}

}  // namespace

Format gml() {
  return {.name = "gml",
          .summary = "GML graphs: Topology Zoo, TopoHub, NetworkX, igraph, Gephi",
          .loses = "attributes other than names, kinds, bandwidths and latencies",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
