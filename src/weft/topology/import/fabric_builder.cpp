#include "weft/topology/import/fabric_builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/union_find.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {

namespace {

constexpr std::size_t kMostPartsNamed = 6;

// By link; empty where nothing is known of any.
std::vector<std::optional<std::int64_t>> column(
    const std::vector<const FabricBuilder::Facts*>& facts, const std::vector<LinkId>& ids,
    std::optional<std::int64_t> FabricBuilder::Facts::*member) {
  std::vector<std::optional<std::int64_t>> values;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!(facts[i]->*member)) continue;
    values.resize(ids.size());
    values[ids[i].index()] = facts[i]->*member;
  }
  return values;
}

std::int32_t index(std::size_t node) {
  return static_cast<std::int32_t>(node);
}

}  // namespace

FabricBuilder::FabricBuilder(std::string file, const ImportOptions& options)
    : FabricBuilder(std::move(file), options, Rules{}) {}

FabricBuilder::FabricBuilder(std::string file, const ImportOptions& options, Rules rules)
    : options_(options), rules_(rules), log_(std::move(file), options.strict) {}

FabricBuilder::Node FabricBuilder::node(std::string name, std::string fallback, NodeKind kind,
                                        std::int64_t line) {
  nodes_.push_back({std::move(name), std::move(fallback), kind, line});
  return nodes_.size() - 1;
}

void FabricBuilder::cable(Node a, std::string port_a, Node b, std::string port_b, Facts facts) {
  cables_.push_back({{a, std::move(port_a)}, {b, std::move(port_b)}, std::move(facts)});
}

std::string FabricBuilder::where(Node node) const {
  const std::int64_t line = nodes_[node].line;
  return line > 0 ? fmt::format("{}:{}", file(), line) : file();
}

// From here on `name` is what a node is called.
void FabricBuilder::settle_names() {
  std::unordered_map<std::string_view, int> times;
  for (const NamedNode& node : nodes_) ++times[node.name];
  std::vector<char> keeps;
  for (const NamedNode& node : nodes_)
    keeps.push_back(is_name(node.name) && times[node.name] == 1 ? 1 : 0);
  for (Node i = 0; i < nodes_.size(); ++i) {
    NamedNode& node = nodes_[i];
    if (keeps[i] == 0 && node.name != node.fallback && !node.name.empty())
      log_.mend(is_name(node.name) ? "renamed, because several devices have the name"
                                   : "renamed, because names cannot have control characters",
                fmt::format("\"{}\" to {}", printable(node.name), node.fallback), node.line);
    if (keeps[i] == 0) node.name = node.fallback;
  }
  std::unordered_map<std::string_view, Node> first;
  for (Node i = 0; i < nodes_.size(); ++i) {
    require_name(nodes_[i].name, where(i));
    const auto [known, is_new] = first.emplace(nodes_[i].name, i);
    require(is_new, "{}: {} is repeated, first at {}; name each device once", where(i),
            nodes_[i].name, where(known->second));
  }
}

void FabricBuilder::drop_cables_to_self() {
  std::erase_if(cables_, [&](const Cable& cable) {
    if (cable.a.node != cable.b.node) return false;
    const std::string& name = nodes_[cable.a.node].name;
    const bool ports = !cable.a.port.empty() && !cable.b.port.empty();
    log_.mend("left out, because both ends are one device",
              ports ? fmt::format("cable {}[{}] to {}[{}]", name, cable.a.port, name, cable.b.port)
                    : fmt::format("cable from {} to itself", name),
              cable.facts.line);
    return true;
  });
}

void FabricBuilder::drop_lone_devices() {
  std::vector<char> has_cable(nodes_.size(), 0);
  for (const Cable& cable : cables_) has_cable[cable.a.node] = has_cable[cable.b.node] = 1;
  require(!cables_.empty() || nodes_.empty(),
          "{} has {} but no cable ({}{}); a network needs cables", file(),
          counted(std::ssize(nodes_), "device"), nodes_.empty() ? "" : nodes_.front().name,
          nodes_.size() > 1 ? ", ..." : "");
  for (Node i = 0; i < nodes_.size(); ++i) {
    if (has_cable[i] != 0) continue;
    nodes_[i].stays = false;
    log_.mend("left out, because no cable leads there", nodes_[i].name, nodes_[i].line);
  }
}

std::vector<FabricBuilder::Part> FabricBuilder::parts() const {
  UnionFind sets(nodes_.size());
  for (const Cable& cable : cables_) sets.join(index(cable.a.node), index(cable.b.node));
  std::vector<Part> parts;
  std::unordered_map<std::int32_t, std::size_t> part_of;  // by the least node
  for (Node i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].stays) continue;
    const auto [known, is_new] = part_of.emplace(sets.find(index(i)), parts.size());
    if (is_new) parts.emplace_back();
    Part& part = parts[known->second];
    part.nodes.push_back(i);
    part.hosts += nodes_[i].kind == NodeKind::host ? 1 : 0;
  }
  if (parts.size() > 1 || !options_.part.empty()) find_heads(parts);
  return parts;
}

// By node, the cables to the nearest host; 0 where no host is in the part.
std::vector<std::int32_t> FabricBuilder::distances_from_hosts() const {
  std::vector<std::vector<Node>> beside(nodes_.size());
  for (const Cable& cable : cables_) {
    beside[cable.a.node].push_back(cable.b.node);
    beside[cable.b.node].push_back(cable.a.node);
  }
  std::vector<std::int32_t> distance(nodes_.size(), 0);
  std::vector<Node> front;
  std::vector<char> reached(nodes_.size(), 0);
  for (Node i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].kind == NodeKind::host) {
      front.push_back(i);
      reached[i] = 1;
    }
  for (std::size_t i = 0; i < front.size(); ++i)
    for (const Node next : beside[front[i]]) {
      if (reached[next] != 0) continue;
      reached[next] = 1;
      distance[next] = distance[front[i]] + 1;
      front.push_back(next);
    }
  return distance;
}

// What each part is known by, and joined by: of its switches the one farthest from all hosts, the
// first of several; where it has no switch, its first host.
void FabricBuilder::find_heads(std::vector<Part>& parts) const {
  const std::vector<std::int32_t> distance = distances_from_hosts();
  for (Part& part : parts) {
    part.head = part.nodes.front();
    bool found = false;
    for (const Node node : part.nodes) {
      if (nodes_[node].kind == NodeKind::host) continue;
      if (!found || distance[node] > distance[part.head]) part.head = node;
      found = true;
    }
  }
}

std::string FabricBuilder::parts_text(const std::vector<Part>& parts) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(parts.size(), kMostPartsNamed); ++i)
    texts.push_back(
        fmt::format("{} ({})", nodes_[parts[i].head].name, counted(parts[i].hosts, "host")));
  if (parts.size() > texts.size())
    texts.push_back(fmt::format("{} more", parts.size() - texts.size()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void FabricBuilder::take(const std::vector<Part>& parts) {
  const auto named = [&](Node node) { return nodes_[node].name == options_.part; };
  const auto chosen = std::ranges::find_if(
      parts, [&](const Part& part) { return std::ranges::any_of(part.nodes, named); });
  if (chosen == parts.end()) {
    std::vector<std::string> known;
    for (const Part& part : parts) known.push_back(nodes_[part.head].name);
    reject("{}: --part {} is not a device of the file; {}", file(), options_.part,
           suggest(options_.part, known));
  }
  for (const Part& part : parts) {
    if (&part == &*chosen) continue;
    for (const Node node : part.nodes) nodes_[node].stays = false;
  }
  std::erase_if(cables_, [&](const Cable& cable) { return !nodes_[cable.a.node].stays; });
  if (parts.size() > 1)
    log_.note(
        fmt::format("only the part with {} is used, of {} parts", options_.part, parts.size()));
}

void FabricBuilder::join(const std::vector<Part>& parts) {
  std::vector<Node> heads;
  for (const Part& part : parts) heads.push_back(part.head);
  std::string name = "between-parts";
  while (std::ranges::find(nodes_, name, &NamedNode::name) != nodes_.end()) name += "-";
  const Node top = node(name, name, NodeKind::switch_node);
  for (const Node head : heads) cable(head, {}, top, {}, {});
  log_.note(fmt::format(
                "the file does not connect its {} parts; one switch, {}, with a cable to each part "
                "is assumed",
                parts.size(), name),
            NoteKind::answer);
}

void FabricBuilder::choose_part() {
  const std::vector<Part> all = parts();
  if (!options_.part.empty()) {
    require(!options_.join, "--part and --join cannot be combined; remove one");
    return take(all);
  }
  if (all.size() <= 1) return;
  if (options_.join) return join(all);
  if (options_.keep_parts)
    return log_.note(
        fmt::format(
            "no cable connects the {} parts of {}: {}; choose one with --hosts or weft import "
            "--part, or join all with weft import --join",
            all.size(), file(), parts_text(all)),
        NoteKind::answer);
  reject(
      "{}: no cable connects its {} parts, {}; choose one with --part {}, or join all with "
      "--join",
      file(), all.size(), parts_text(all), nodes_[all.front().head].name);
}

void FabricBuilder::note_missing_speeds() {
  std::int64_t unknown = 0;
  const Cable* first = nullptr;
  for (const Cable& cable : cables_) {
    if (cable.facts.bandwidth_Bps) continue;
    if (unknown++ == 0) first = &cable;
  }
  if (unknown == 0) return;
  const bool all = unknown == std::ssize(cables_);
  log_.note(
      all ? std::string("the file has no link speeds; --link or the default is used")
          : fmt::format("the file lacks the speeds of {} of {} cables ({} - {}{}); --link or the "
                        "default is "
                        "used for them",
                        unknown, cables_.size(), nodes_[first->a.node].name,
                        nodes_[first->b.node].name,
                        first->facts.line > 0 ? fmt::format(", line {}", first->facts.line) : ""),
      NoteKind::speed);
}

std::vector<FabricBuilder::Node> FabricBuilder::in_order() const {
  std::vector<Node> order;
  for (Node i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].stays) order.push_back(i);
  if (!rules_.hosts_first) return order;
  std::ranges::stable_sort(order, [&](Node a, Node b) {
    if (nodes_[a].kind != nodes_[b].kind) return nodes_[a].kind == NodeKind::host;
    return nodes_[a].kind == NodeKind::host && counts_before(nodes_[a].name, nodes_[b].name);
  });
  return order;
}

// By the ports of the node that is numbered first, then those of the other.
void FabricBuilder::sort_cables(const std::vector<std::optional<NodeId>>& numbers) {
  if (!rules_.hosts_first) return;
  for (Cable& cable : cables_)
    if (!cable.facts.one_way && *numbers[cable.b.node] < *numbers[cable.a.node])
      std::swap(cable.a, cable.b);
  std::ranges::stable_sort(cables_, [&](const Cable& x, const Cable& y) {
    if (x.a.node != y.a.node) return *numbers[x.a.node] < *numbers[y.a.node];
    return counts_before(x.a.port, y.a.port);
  });
}

FabricBuilder::Built FabricBuilder::build() && {
  settle_names();
  drop_cables_to_self();
  if (!rules_.keep_all) {
    drop_lone_devices();
    choose_part();
  }
  if (rules_.note_speeds) note_missing_speeds();
  const std::vector<Node> order = in_order();
  require(
      std::ranges::any_of(order, [&](Node node) { return nodes_[node].kind == NodeKind::host; }),
      "{} has no hosts", file());
  std::vector<std::optional<NodeId>> numbers(nodes_.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    numbers[order[i]] = NodeId(static_cast<std::int64_t>(i));
  sort_cables(numbers);

  Names all;
  bool named = false;  // by more than their numbers
  TopologyBuilder builder(static_cast<std::int64_t>(order.size()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const NamedNode& node = nodes_[order[i]];
    builder.set_kind(NodeId(static_cast<std::int64_t>(i)), node.kind);
    named = named || node.name != std::to_string(i);
    all.nodes.push_back(node.name);
  }
  std::vector<const Facts*> facts;  // by handle
  for (const Cable& cable : cables_) {
    const bool terminal = nodes_[cable.a.node].kind != nodes_[cable.b.node].kind;
    const std::string_view usual = terminal ? "terminal" : "link";
    const ClassId link_class =
        builder.link_class(cable.facts.link_class.empty() ? usual : cable.facts.link_class);
    const NodeId from = *numbers[cable.a.node], to = *numbers[cable.b.node];
    if (cable.facts.one_way)
      builder.add_link(from, to, link_class);
    else
      builder.add_cable(from, to, link_class);
    for (const End* end : {&cable.a, &cable.b}) {
      if (cable.facts.one_way && end == &cable.b) continue;
      all.ports.push_back(end->port);
      named = named || !end->port.empty();
      facts.push_back(&cable.facts);
    }
  }
  Facets facets;
  if (named) facets.names = std::make_shared<const Names>(std::move(all));
  builder.set_facets(std::move(facets));
  std::vector<LinkId> ids;
  Topology built = std::move(builder).build(file_expression(file()), &ids);
  return {{std::move(built),
           {column(facts, ids, &Facts::bandwidth_Bps), column(facts, ids, &Facts::latency_ps)}},
          std::move(numbers),
          log_.notes()};
}

}  // namespace weft::topology
