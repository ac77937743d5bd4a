// Cabling plans in Graphviz's DOT, as Cumulus' PTM (/etc/ptm.d/topology.dot) and NVIDIA's UFM take
// them:
//
//   graph "plan" {
//     "spine1" [role=spine]
//     "leaf1":"swp49" -- "spine1":"swp1" [speed="100G"]
//     "server1":"eth0" -- "leaf1":"swp1"
//   }
//
// Which devices are hosts the plan says by an attribute (role, function, type, kind or group), else
// by how ports and devices are usually called; a plan of switches alone is a network of them, to
// which hosts(k, file:...) attaches hosts. DOT is written for much else: a digraph without a port,
// a role or a telling name is one of tasks or calls, and refused.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "dot_reader.hpp"
#include "dot_words.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/import/device_kinds.hpp"
#include "weft/topology/import/speed_attributes.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

namespace {

using clusters::DotAttributes;
using clusters::DotEdge;
using clusters::DotEnd;
using clusters::DotNode;
using topology::kind_by_letter;
using topology::kind_by_name;
using topology::kind_by_port;
using topology::kind_by_role;

constexpr auto kHost = NodeKind::host, kSwitch = NodeKind::switch_node;
constexpr std::array kRoleKeys{"role", "function", "type", "kind", "group"};

template <class Keys>
bool has(const Keys& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : file_(source.file),
        graph_(clusters::read_dot(source.text, source.file)),
        builder_(source.file, source.options) {}

  ImportedFabric read() && {
    require(!graph_.edges.empty(),
            "{} has no cables; a cable is \"leaf1\":\"swp1\" -- \"spine1\":\"swp1\"", file_);
    require_plan();
    drop_repeated();
    drop_fakes();
    add_nodes();
    for (const DotEdge& edge : graph_.edges) add_cable(edge);
    note_reading();
    return built(std::move(builder_));
  }

 private:
  const DotNode& node(const DotEnd& end) const { return graph_.nodes[end.node]; }

  static bool is_hairpin(const DotEdge& edge) { return edge.tail.node == edge.head.node; }

  // Tasks may have ports and types, too; a plan has a switch by its role, by a port, or by its name
  // among names that all tell.
  void require_plan() const {
    if (!graph_.directed) return;
    const auto leads_to_switch = [](const DotEdge& edge) {
      return kind_by_port(edge.tail.port) == kSwitch || kind_by_port(edge.head.port) == kSwitch;
    };
    bool known = std::ranges::any_of(graph_.edges, leads_to_switch);
    bool named = true, switches = false;
    for (const DotNode& device : graph_.nodes) {
      known = known || role_of(device) == kSwitch;
      const auto kind = kind_by_name(device.name);
      named = named && kind.has_value();
      switches = switches || kind == kSwitch;
    }
    require(known || (named && switches),
            "{}: the digraph is not a cabling plan, because no port, role or name in it is that "
            "of a switch; a plan is graph {{ \"leaf1\":\"swp1\" -- \"server1\":\"eth0\" }}",
            file_);
  }

  // A port has one cable, which both of its ends may tell.
  void drop_repeated() {
    std::unordered_map<std::string, const DotEdge*> edges;  // of "device\nport"
    const auto known = [&](const DotEnd& end) -> const DotEdge* {
      const auto found = edges.find(node(end).name + '\n' + end.port);
      return end.port.empty() || found == edges.end() ? nullptr : found->second;
    };
    std::vector<DotEdge> all = std::move(graph_.edges);
    graph_.edges.clear();
    graph_.edges.reserve(all.size());
    for (DotEdge& edge : all) {
      const DotEdge *tail = known(edge.tail), *head = known(edge.head);
      if (!is_hairpin(edge) && tail != nullptr && tail == head && !is_hairpin(*tail)) {
        builder_.log().mend("counted once, because the plan repeats the cable",
                            fmt::format("{}:{} - {}:{}", node(edge.tail).name, edge.tail.port,
                                        node(edge.head).name, edge.head.port),
                            edge.line);
        continue;
      }
      for (const auto& [end, other] : {std::pair(&edge.tail, tail), std::pair(&edge.head, head)})
        if (other != nullptr)
          refuse_at(file_, edge.line, "port {} of {} has two cables, the other at line {}",
                    end->port, node(*end).name, other->line);
      graph_.edges.push_back(std::move(edge));
      const DotEdge& kept = graph_.edges.back();
      for (const DotEnd* end : {&kept.tail, &kept.head})
        if (!end->port.empty()) edges.emplace(node(*end).name + '\n' + end->port, &kept);
    }
  }

  // Plans for virtual machines have devices that are none, to which unused ports lead.
  static bool is_fake(const DotNode& device) {
    const std::string* role = said_role(device);
    return role != nullptr && lower(*role) == "fake";
  }

  void drop_fakes() {
    for (const DotNode& device : graph_.nodes)
      if (is_fake(device))
        builder_.log().mend("left out with its cables, because its function is \"fake\"",
                            device.name, device.line);
    std::erase_if(graph_.edges, [&](const DotEdge& edge) {
      return is_fake(node(edge.tail)) || is_fake(node(edge.head));
    });
  }

  static std::optional<NodeKind> role_of(const DotNode& device) {
    for (const char* key : kRoleKeys)
      if (const auto found = device.attributes.find(key); found != device.attributes.end())
        if (const auto kind = kind_by_role(found->second)) return kind;
    return std::nullopt;
  }

  // What should say host or switch; a type, a kind or a group may be anything.
  static const std::string* said_role(const DotNode& device) {
    for (const char* key : {"role", "function"})
      if (const auto found = device.attributes.find(key); found != device.attributes.end())
        return &found->second;
    return nullptr;
  }

  // By what the plan says of devices, else by their ports' names, else by their own.
  std::vector<std::optional<NodeKind>> kinds() {
    std::vector<std::optional<NodeKind>> kinds(graph_.nodes.size());
    for (const DotEdge& edge : graph_.edges)
      for (const DotEnd* end : {&edge.tail, &edge.head})
        if (const auto kind = kind_by_port(end->port); kind && kinds[end->node] != kSwitch)
          kinds[end->node] = kind;
    const bool as_mininet = std::ranges::any_of(
        graph_.nodes, [](const DotNode& each) { return kind_by_letter(each.name) == kHost; });
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const DotNode& device = graph_.nodes[i];
      const auto said = role_of(device);
      if (said) kinds[i] = said;
      if (!kinds[i]) kinds[i] = kind_by_name(device.name);
      if (!kinds[i] && as_mininet) kinds[i] = kind_by_letter(device.name);
      if (const std::string* role = said_role(device);
          !said && role != nullptr && kinds[i] && !is_fake(device))
        builder_.log().mend(
            "the role is neither host nor switch, so the names of ports or of the device decide",
            fmt::format("{} ({}), read as a {}", device.name, *role,
                        kinds[i] == kHost ? "host" : "switch"),
            device.line);
    }
    return kinds;
  }

  std::vector<char> with_cables() const {
    std::vector<char> has_cable(graph_.nodes.size(), 0);
    for (const DotEdge& edge : graph_.edges)
      if (!is_hairpin(edge)) has_cable[edge.tail.node] = has_cable[edge.head.node] = 1;
    return has_cable;
  }

  void add_nodes() {
    const auto kinds = this->kinds();
    const std::vector<char> has_cable = with_cables();
    bool hosts = false;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      hosts = hosts || (kinds[i] == kHost && has_cable[i] != 0);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const DotNode& device = graph_.nodes[i];
      skip_attributes(device.attributes, device.line,
                      [](std::string_view key) { return has(kRoleKeys, key); });
      if (hosts && !kinds[i] && has_cable[i] != 0) refuse_unknown(device);
      const NodeKind kind = hosts ? kinds[i].value_or(kHost) : kHost;
      nodes_.push_back(0);
      if (is_fake(device)) continue;
      nodes_.back() = builder_.node(device.name, device.name, kind, device.line);
    }
    switches_alone_ = !hosts;
  }

  [[noreturn]] void refuse_unknown(const DotNode& device) const {
    topology::require_name(device.name, fmt::format("{}:{}", file_, device.line));
    if (const std::string* role = said_role(device))
      refuse_at(file_, device.line,
                "unknown role '{}' of {}; write role=host, server, switch, leaf, spine or similar",
                *role, device.name);
    refuse_at(file_, device.line,
              "{0} could be a host or a switch; add {0} [role=host] or {0} [role=switch]",
              device.name);
  }

  template <class IsRead>
  void skip_attributes(const DotAttributes& attributes, std::int64_t line, IsRead is_read) {
    for (const auto& [key, value] : attributes)
      if (!is_read(key) && !(key == "label" && from_label_))
        builder_.log().skip(fmt::format("attribute '{}'", printable(key.substr(0, 40))), line);
  }

  using UnitOf = std::optional<std::string> (*)(std::string_view key);
  using ValueIn = std::optional<std::int64_t> (*)(std::string_view text, std::string_view unit);

  // Of the first attribute that is called so; `like` is a value that would be right.
  std::optional<std::int64_t> value_of(const DotEdge& edge, UnitOf unit_of, ValueIn value_in,
                                       std::string_view like) const {
    for (const auto& [key, text] : edge.attributes) {
      const auto unit = unit_of(key);
      if (!unit) continue;
      if (const auto value = value_in(text, *unit)) return value;
      refuse_at(file_, edge.line, "{} '{}' is not a value such as {}", printable(key),
                printable(text), like);
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> speed_of(const DotEdge& edge) {
    from_label_ = false;
    if (const auto said = value_of(edge, topology::unit_of_rate, topology::rate_in, "100G"))
      return said;
    const auto label = edge.attributes.find("label");  // which may be anything
    if (label == edge.attributes.end() || label->second.empty() ||
        std::string_view("MGTs").find(label->second.back()) == std::string_view::npos)
      return std::nullopt;
    const auto speed = topology::rate_in(label->second);
    from_label_ = speed.has_value();
    labels_ += from_label_ ? 1 : 0;
    return speed;
  }

  void add_cable(const DotEdge& edge) {
    const auto speed = speed_of(edge);
    const auto latency = value_of(edge, topology::unit_of_time, topology::time_in, "2us");
    skip_attributes(edge.attributes, edge.line, [](std::string_view key) {
      return topology::unit_of_rate(key) || topology::unit_of_time(key);
    });
    from_label_ = false;
    builder_.cable(nodes_[edge.tail.node], edge.tail.port, nodes_[edge.head.node], edge.head.port,
                   {.bandwidth_Bps = speed, .latency_ps = latency, .line = edge.line});
  }

  void note_reading() {
    if (switches_alone_)
      builder_.log().note(
          "the plan has no hosts, so its devices are the nodes; hosts(k, file:...) attaches k "
          "hosts to each",
          topology::NoteKind::answer);
    if (labels_ > 0)
      builder_.log().note(
          fmt::format("the speed of {} is that of their labels", counted(labels_, "cable")));
  }

  const std::string& file_;
  clusters::DotGraph graph_;
  FabricBuilder builder_;
  std::vector<FabricBuilder::Node> nodes_;  // by node of the graph
  bool switches_alone_ = false;
  bool from_label_ = false;  // the speed of the edge at hand
  std::int64_t labels_ = 0;  // that gave a speed
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  const std::string file;
  try {
    clusters::DotWords words(text, file);
    if (words.is_keyword("strict")) words.take();
    if (!words.is_keyword("graph") && !words.is_keyword("digraph")) return false;
    words.take();
    if (words.next().kind == clusters::DotWord::Kind::name) words.take();
    return words.next().is("{");
  } catch (const InvalidInput&) {  // another format's marks
    return false;
  }
}

}  // namespace

Format cabling_plan() {
  return {
      .name = "cabling-plan",
      .summary = "cabling plans in Graphviz's DOT, as PTM of Cumulus and UFM of NVIDIA take them",
      .loses = "colours and other attributes of devices and cables",
      .read_fabric = read,
      .recognises = recognises};
}

}  // namespace weft::format
