// Graphs in JSON as NetworkX writes them, and D3 and many others like it:
//
//   {"directed": false, "multigraph": false, "graph": {},
//    "nodes": [{"id": "a"}, {"id": "b"}],
//    "links": [{"source": "a", "target": "b", "bandwidth": "10 Gbps"}]}
//
// The list of links is called "links" or "edges". Where nodes have no id, a link names its ends by
// their names or by their places in the list. "adjacency" in place of links (nx.adjacency_data)
// holds a list for each node, and "elements" (Cytoscape) both lists, each entry within "data".
// Source: networkx.readwrite.json_graph (3.x and before).
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "../json_fault.hpp"
#include "../text_lines.hpp"
#include "graph_text.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

using Json = nlohmann::json;

constexpr int kMostDepth = 30;

std::string place(const char* list, std::size_t index) {
  return fmt::format("{}[{}]", list, index);
}

// As people write it: a text as it is, all else as JSON; lists and objects say nothing here.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null() || value.is_object()) return {};
  if (!value.is_array()) return value.dump();
  std::string list;  // NetworkX's nodes may be tuples
  for (const Json& each : value)
    if (each.is_primitive()) list += (list.empty() ? "" : ", ") + text_of(each);
  return "(" + list + ")";
}

// Before the parser sees it: its callbacks would take the square of the list's length.
bool nests_deeper(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text) {
      if (c == '\\') ++at;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMostDepth) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), graph_(source.file, source.options) {}

  ImportedFabric read() && {
    root_ = parsed();
    const Json* elements = member(root_, "elements");
    const Json& lists = elements != nullptr ? *elements : root_;
    if (const Json* whole = member(root_, "graph"))
      graph_.read_graph_attributes(attributes_of(*whole, {}), 1);
    one_way_ = flag("directed");
    const Json& nodes = list(lists, "nodes");
    for (std::size_t i = 0; i < nodes.size(); ++i) read_node(unwrapped(nodes[i]), i);
    if (const Json* adjacency = member(root_, "adjacency"))
      read_adjacency(*adjacency, nodes);
    else
      read_links(lists);
    return built(std::move(graph_).fabric());
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    reject("{}: {}", source_.file, fmt::format(format, std::forward<Args>(args)...));
  }

  Json parsed() const {
    require(!nests_deeper(source_.text), "{}: the file nests deeper than {} levels", source_.file,
            kMostDepth);
    try {
      return Json::parse(source_.text);
    } catch (const Json::parse_error& error) {
      const auto end = std::min(source_.text.size(), error.byte);
      refuse_at(source_.file,
                1 + std::count(source_.text.begin(),
                               source_.text.begin() + static_cast<std::ptrdiff_t>(end), '\n'),
                "the file is not JSON: {}", json_fault(source_.text, error.byte));
    } catch (const Json::out_of_range&) {
      refuse("a number is too large");
    }
  }

  static const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  bool flag(const char* key) const {
    const Json* value = member(root_, key);
    return value != nullptr && value->is_boolean() && value->get<bool>();
  }

  const Json& list(const Json& from, const char* key) const {
    const Json* found = member(from, key);
    if (found == nullptr || !found->is_array()) refuse("'{}' is not a list of the file", key);
    return *found;
  }

  static const Json& unwrapped(const Json& entry) {
    const Json* data = member(entry, "data");
    return data != nullptr && data->is_object() ? *data : entry;
  }

  static GraphAttributes attributes_of(const Json& object,
                                       std::initializer_list<std::string_view> but) {
    GraphAttributes found;
    if (!object.is_object()) return found;
    for (const auto& [key, value] : object.items())
      if (std::ranges::find(but, std::string_view(key)) == but.end())
        found.push_back({key, text_of(value)});
    return found;
  }

  // The text, which 1 and "1" have in common; NetworkX tells them apart, so the first wins.
  static std::string id_of(const Json& value) { return text_of(value); }

  void read_node(const Json& node, std::size_t index) {
    const Json* id = node.is_object() ? member(node, "id") : &node;
    if (id != nullptr && id->is_null()) id = nullptr;
    has_ids_ = has_ids_ || id != nullptr;
    const Json* name = id == nullptr ? member(node, "name") : nullptr;
    std::string text = id != nullptr ? id_of(*id) : name != nullptr ? id_of(*name) : "";
    if (text.empty()) text = std::to_string(index);
    if (graph_.find(text))
      refuse("{}: node {} is repeated", place("nodes", index), printable(text));
    graph_.node(text, attributes_of(node, {"id"}), 0);
  }

  AttributedGraph::Node end_of(const Json* value, const std::string& where,
                               const char* what) const {
    if (value == nullptr) refuse("{} has no '{}'", where, what);
    if (value->is_object()) value = member(*value, "id");  // D3 puts in the node
    if (value == nullptr) refuse("{}: its '{}' has no id", where, what);
    if (!has_ids_ && value->is_number_integer()) {
      const auto index = value->get<std::int64_t>();
      if (index < 0 || index >= std::ssize(nodes()))
        refuse("{}: {} {} is not an index in the list of {}", where, what, index,
               counted(std::ssize(nodes()), "node"));
      return static_cast<AttributedGraph::Node>(index);
    }
    const auto node = graph_.find(id_of(*value));
    if (!node) refuse("{}: {} {} is not a node of the file", where, what, printable(id_of(*value)));
    return *node;
  }

  const Json& nodes() const {
    const Json* elements = member(root_, "elements");
    return elements != nullptr ? (*elements)["nodes"] : root_["nodes"];
  }

  void read_links(const Json& lists) {
    const char* key = member(lists, "links") != nullptr ? "links" : "edges";
    const Json& links = list(lists, key);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Json& link = unwrapped(links[i]);
      const std::string where = place(key, i);
      if (link.is_array() && link.size() >= 2)
        add(end_of(&link[0], where, "source"), end_of(&link[1], where, "target"),
            link.size() > 2 ? attributes_of(link[2], {}) : GraphAttributes{});
      else
        add(end_of(member(link, "source"), where, "source"),
            end_of(member(link, "target"), where, "target"),
            attributes_of(link, {"source", "target", "key", "id", "index"}));
    }
  }

  void add(AttributedGraph::Node from, AttributedGraph::Node to,
           const GraphAttributes& attributes) {
    graph_.edge({.from = from,
                 .to = to,
                 .one_way = one_way_,
                 .port_from = {},
                 .port_to = {},
                 .link_class = {},
                 .line = 0},
                attributes);
  }

  // An undirected edge is in the lists of both its ends; the first is taken.
  void read_adjacency(const Json& adjacency, const Json& nodes) {
    if (!adjacency.is_array() || adjacency.size() != nodes.size())
      refuse("\"adjacency\" is not a list with an entry for each node");
    for (std::size_t from = 0; from < adjacency.size(); ++from)
      for (const Json& each : adjacency[from]) {
        const auto to = end_of(member(each, "id"), place("adjacency", from), "id");
        if (one_way_ || to >= from) add(from, to, attributes_of(each, {"id", "key"}));
      }
  }

  const FabricSource& source_;
  AttributedGraph graph_;
  Json root_;
  bool one_way_ = false, has_ids_ = false;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

// Whether a key of some object is called so.
bool has_key(std::string_view text, std::string_view key) {
  const std::string quoted = fmt::format("\"{}\"", key);
  for (std::size_t at = text.find(quoted); at != std::string_view::npos;
       at = text.find(quoted, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + quoted.size());
    if (next != std::string_view::npos && text[next] == ':') return true;
  }
  return false;
}

bool recognises(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  const bool links = has_key(text, "links") || has_key(text, "edges") || has_key(text, "adjacency");
  const bool other = has_key(text, "instances") || has_key(text, "gpus") ||
                     text.find("\"weft-topology\"") != std::string_view::npos;
  return links && has_key(text, "nodes") && !other;
}

}  // namespace

Format node_link_json() {
  return {.name = "node-link-json",
          .summary = "graphs in JSON: nodes and links of NetworkX, D3, TopoHub, Cytoscape",
          .loses = "attributes other than names, kinds, bandwidths and latencies",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
