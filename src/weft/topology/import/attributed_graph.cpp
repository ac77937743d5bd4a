#include "weft/topology/import/attributed_graph.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/import/device_kinds.hpp"

namespace weft::topology {

namespace {

constexpr std::array<std::string_view, 7> kKindKeys{
    "kind", "type", "role", "node_type", "nodetype", "device_type", "devicetype"};

const std::string* value_of(const GraphAttributes& attributes, std::string_view key) {
  for (const GraphAttribute& attribute : attributes)
    if (lower(attribute.key) == key) return &attribute.value;
  return nullptr;
}

// Of a key and its words, the case of which is ignored.
bool is_name_key(std::string_view key) {
  const std::string word = lower(std::string(key));
  return word == "label" || word == "name";
}

bool is_kind_key(std::string_view key) {
  return std::ranges::find(kKindKeys, lower(std::string(key))) != kKindKeys.end();
}

}  // namespace

AttributedGraph::AttributedGraph(std::string file, const ImportOptions& options,
                                 FabricBuilder::Rules rules)
    : builder_(std::move(file), options, rules), speeds_(builder_.log()) {}

AttributedGraph::Node AttributedGraph::node(const std::string& id,
                                            const GraphAttributes& attributes, std::int64_t line) {
  const auto [known, is_new] = by_id_.emplace(id, nodes_.size());
  require(is_new, "{}:{}: node id '{}' is repeated, first on line {}", file(), line, printable(id),
          is_new ? 0 : nodes_[known->second].line);
  Described& node = nodes_.emplace_back();
  node.id = id;
  node.line = line;
  for (const GraphAttribute& attribute : attributes) {
    if (is_name_key(attribute.key)) {
      const std::string_view value = trim(attribute.value);
      if (!value.empty() && (node.name.empty() || lower(attribute.key) == "label"))
        node.name = value;
    } else if (is_kind_key(attribute.key)) {
      node.kinds.push_back({lower(attribute.key), attribute.value});
    } else {
      log().skip(attribute_text(attribute.key), line);
    }
  }
  return nodes_.size() - 1;
}

std::optional<AttributedGraph::Node> AttributedGraph::find(const std::string& id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  return found->second;
}

AttributedGraph::Node AttributedGraph::node_of(const std::string& id, std::int64_t line) {
  const auto known = find(id);
  return known ? *known : node(id, {}, line);
}

void AttributedGraph::edge(Edge edge, const GraphAttributes& attributes) {
  EdgeSpeed speed;
  if (!attributes.empty())
    speed = speeds_.read(attributes, fmt::format("{} - {}", id(edge.from), id(edge.to)), edge.line);
  edges_.push_back({std::move(edge), speed});
}

void AttributedGraph::read_graph_attributes(const GraphAttributes& attributes, std::int64_t line) {
  constexpr std::string_view kUnit = "unit";
  for (const GraphAttribute& attribute : attributes) {
    std::string key = lower(attribute.key);
    if (key.ends_with("units")) key.pop_back();
    if (key.ends_with(kUnit) && key.size() > kUnit.size()) {
      key.resize(key.size() - kUnit.size());
      speeds_.set_unit(key, trim(attribute.value));
    } else if (!is_name_key(key)) {
      log().skip("attributes of the whole graph", line);
    }
  }
}

std::string AttributedGraph::where(const Described& node) const {
  return node.line > 0 ? fmt::format("{}:{}", file(), node.line) : file();
}

// "host" and "switch" are the words of weft's own attribute: nodes without it are hosts, and a
// misspelt one is refused.
bool AttributedGraph::is_own(const std::string& key) const {
  if (key != "kind") return false;
  return std::ranges::any_of(nodes_, [&](const Described& node) {
    const std::string* value = value_of(node.kinds, key);
    return value != nullptr && (*value == "host" || *value == "switch");
  });
}

// Where each node has a value that is known and one is a host.
std::optional<std::vector<NodeKind>> AttributedGraph::kinds_by(const std::string& key) const {
  std::vector<NodeKind> kinds;
  bool any_host = false;
  const bool own = is_own(key);
  for (const Described& node : nodes_) {
    const std::string* value = value_of(node.kinds, key);
    auto kind = value == nullptr ? std::nullopt : kind_by_role(*value);
    if (own && value == nullptr) kind = NodeKind::host;
    require(!own || kind, "{}: kind '{}' is neither host nor switch", where(node),
            value == nullptr ? "" : printable(*value));
    if (!kind) return std::nullopt;
    kinds.push_back(*kind);
    any_host = any_host || *kind == NodeKind::host;
  }
  if (!any_host && !own) return std::nullopt;
  return kinds;
}

std::vector<NodeKind> AttributedGraph::kinds() {
  std::optional<std::vector<NodeKind>> found;
  for (const std::string_view key : kKindKeys) {
    const std::string name(key);
    if (!found) {
      found = kinds_by(name);
      if (found) continue;
    }
    for (const Described& node : nodes_)
      if (value_of(node.kinds, name) != nullptr) log().skip(attribute_text(name), node.line);
  }
  return found.value_or(std::vector<NodeKind>(nodes_.size(), NodeKind::host));
}

// The id, unless it is how another is called.
std::vector<std::string> AttributedGraph::fallbacks() const {
  constexpr int kMostPrefixes = 8;
  std::unordered_map<std::string_view, std::vector<Node>> named;
  for (Node i = 0; i < nodes_.size(); ++i)
    if (!nodes_[i].name.empty()) named[nodes_[i].name].push_back(i);
  std::vector<std::string> names;
  names.reserve(nodes_.size());
  std::unordered_set<std::string> used;
  for (Node i = 0; i < nodes_.size(); ++i) {
    std::string name(trim(nodes_[i].id));
    if (name.empty()) name = fmt::format("node-{}", i);
    const auto taken = [&] {
      const auto same = named.find(name);
      const bool of_other = same != named.end() && same->second != std::vector<Node>{i};
      const auto id = by_id_.find(name);
      return of_other || used.contains(name) || (id != by_id_.end() && id->second != i);
    };
    for (int tries = 0; taken(); ++tries)  // hostile files have ever more of the same name
      if (tries == kMostPrefixes)
        name = fmt::format("node-{}", i);
      else
        name.insert(0, "node-");
    used.insert(name);
    names.push_back(std::move(name));
  }
  return names;
}

namespace {

// The ends of an edge, the lesser node first, and its speed.
using Key = std::tuple<std::size_t, std::size_t, std::int64_t, std::int64_t>;

}  // namespace

// Each one-way edge and its opposite become one cable, if that leaves none.
void AttributedGraph::pair_opposites() {
  std::map<Key, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> sides;
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Edge& edge = edges_[i].edge;
    if (!edge.one_way) return;
    if (edge.from == edge.to) continue;
    const auto [low, high] = std::minmax(edge.from, edge.to);
    auto& side = sides[{low, high, edges_[i].speed.bandwidth_Bps.value_or(-1),
                        edges_[i].speed.latency_ps.value_or(-1)}];
    (edge.from == low ? side.first : side.second).push_back(i);
  }
  for (const auto& [key, side] : sides)
    if (side.first.size() != side.second.size()) return;
  if (sides.empty()) return;
  std::vector<char> gone(edges_.size(), 0);
  for (const auto& [key, side] : sides)
    for (std::size_t i = 0; i < side.first.size(); ++i) {
      const auto [first, second] = std::minmax(side.first[i], side.second[i]);
      Edge& edge = edges_[first].edge;
      edge.one_way = false;
      if (edge.port_to.empty()) edge.port_to = edges_[second].edge.port_from;
      gone[second] = 1;
    }
  std::size_t at = 0;
  std::erase_if(edges_, [&](const Sped&) { return gone[at++] != 0; });
  log().note("each one-way edge and its opposite are read as one cable");
}

bool AttributedGraph::all_reached(bool backwards) const {
  std::vector<std::vector<Node>> next(nodes_.size());
  for (const Sped& each : edges_)
    next[backwards ? each.edge.to : each.edge.from].push_back(backwards ? each.edge.from
                                                                        : each.edge.to);
  std::vector<char> seen(nodes_.size(), 0);
  std::vector<Node> front;
  if (!edges_.empty()) front.push_back(edges_.front().edge.from);
  for (std::size_t i = 0; i < front.size(); ++i) {
    if (std::exchange(seen[front[i]], 1) != 0) continue;
    front.insert(front.end(), next[front[i]].begin(), next[front[i]].end());
  }
  // Nodes without an edge are the builder's to judge.
  return std::ranges::all_of(edges_, [&](const Sped& each) {
    return seen[each.edge.from] != 0 && seen[each.edge.to] != 0;
  });
}

// Editors write every edge as directed. Where none has an opposite and the arrows lead to places
// that none leaves, they are cables.
void AttributedGraph::pair_single_directions() {
  std::unordered_set<std::string> arrows;
  for (const Sped& each : edges_) {
    if (!each.edge.one_way) return;
    arrows.insert(fmt::format("{} {}", each.edge.from, each.edge.to));
  }
  for (const Sped& each : edges_)
    if (each.edge.from != each.edge.to &&
        arrows.contains(fmt::format("{} {}", each.edge.to, each.edge.from)))
      return;
  if (edges_.empty() || (all_reached(false) && all_reached(true))) return;
  if (log().strict())
    reject(
        "{}: some one-way edges have no opposite; make the graph undirected, or remove "
        "--strict to read each edge as a cable",
        file());
  for (Sped& each : edges_) each.edge.one_way = false;
  log().note("the graph is directed and no edge has an opposite; each edge is read as a cable",
             NoteKind::answer);
}

FabricBuilder AttributedGraph::fabric() && {
  require(!nodes_.empty(), "{} has no nodes", file());
  const std::vector<NodeKind> kinds = this->kinds();
  const std::vector<std::string> fallbacks = this->fallbacks();
  pair_opposites();
  pair_single_directions();
  for (Node i = 0; i < nodes_.size(); ++i) {
    const Described& node = nodes_[i];
    builder_.node(node.name.empty() ? fallbacks[i] : node.name, fallbacks[i], kinds[i], node.line);
  }
  for (Sped& each : edges_)
    builder_.cable(each.edge.from, std::move(each.edge.port_from), each.edge.to,
                   std::move(each.edge.port_to),
                   {.bandwidth_Bps = each.speed.bandwidth_Bps,
                    .latency_ps = each.speed.latency_ps,
                    .link_class = std::move(each.edge.link_class),
                    .one_way = each.edge.one_way,
                    .line = each.edge.line});
  return std::move(builder_);
}

std::size_t chosen_graph(const std::vector<std::string>& names, const std::string& file,
                         ImportOptions& options) {
  if (names.size() <= 1) return 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (options.part != names[i] && options.part != std::to_string(i + 1)) continue;
    options.part.clear();
    return i;
  }
  constexpr std::size_t kMostNamed = 6;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    shown.push_back(names[i].empty() ? std::to_string(i + 1) : printable(names[i]));
  if (names.size() > shown.size())
    shown.push_back(fmt::format("{} more", names.size() - shown.size()));
  reject("{} has {} graphs ({}); choose one with --part {}", file, names.size(),
         fmt::join(shown, ", "), shown.front());
}

}  // namespace weft::topology
