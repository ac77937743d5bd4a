// Cabling plans in Graphviz's DOT, as Cumulus' PTM (/etc/ptm.d/topology.dot) and NVIDIA's UFM take
// them:
//
//   graph "plan" {
//     "spine1" [role=spine]
//     "leaf1":"swp49" -- "spine1":"swp1" [speed="100G"]
//     "server1":"eth0" -- "leaf1":"swp1"
//   }
//
// Which devices are hosts the plan says by an attribute (role, type, kind or function), else by
// how ports and devices are usually called; a plan of switches alone is a network of them, to which
// hosts(k, file:...) attaches hosts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "dot_reader.hpp"
#include "dot_words.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

namespace {

using clusters::DotAttributes;
using clusters::DotEdge;
using clusters::DotEnd;
using clusters::DotNode;

// What a word says of a device, by how it begins; the longest that fits counts.
struct Prefix {
  std::string_view text;
  NodeKind kind;
};
constexpr auto kHost = NodeKind::host, kSwitch = NodeKind::switch_node;
constexpr std::array kRoles{
    Prefix{"host", kHost},       Prefix{"server", kHost},       Prefix{"compute", kHost},
    Prefix{"gpu", kHost},        Prefix{"hca", kHost},          Prefix{"ca", kHost},
    Prefix{"dgx", kHost},        Prefix{"storage", kHost},      Prefix{"nic", kHost},
    Prefix{"oob-server", kHost}, Prefix{"oob-switch", kSwitch}, Prefix{"internet", kSwitch},
    Prefix{"switch", kSwitch},   Prefix{"leaf", kSwitch},       Prefix{"spine", kSwitch},
    Prefix{"core", kSwitch},     Prefix{"tor", kSwitch},        Prefix{"aggregation", kSwitch},
    Prefix{"agg", kSwitch},      Prefix{"super", kSwitch},      Prefix{"border", kSwitch},
    Prefix{"exit", kSwitch},     Prefix{"edge", kSwitch},       Prefix{"router", kSwitch},
    Prefix{"fabric", kSwitch},   Prefix{"access", kSwitch},     Prefix{"distribution", kSwitch}};
// Ports of switches: Cumulus, SONiC and Arista, Juniper. Ports of servers: Linux, InfiniBand.
constexpr std::array kPorts{
    Prefix{"swp", kSwitch}, Prefix{"ethernet", kSwitch}, Prefix{"et-", kSwitch},
    Prefix{"xe-", kSwitch}, Prefix{"ge-", kSwitch},      Prefix{"sw", kSwitch},
    Prefix{"eth", kHost},   Prefix{"ens", kHost},        Prefix{"enp", kHost},
    Prefix{"eno", kHost},   Prefix{"ib", kHost},         Prefix{"mlx", kHost},
    Prefix{"hca", kHost},   Prefix{"nic", kHost},        Prefix{"hsn", kHost},
    Prefix{"roce", kHost},  Prefix{"bond", kHost},       Prefix{"rdma", kHost}};
constexpr std::array kNames{
    Prefix{"host", kHost},     Prefix{"server", kHost},  Prefix{"srv", kHost},
    Prefix{"node", kHost},     Prefix{"compute", kHost}, Prefix{"gpu", kHost},
    Prefix{"dgx", kHost},      Prefix{"cn", kHost},      Prefix{"nid", kHost},
    Prefix{"login", kHost},    Prefix{"storage", kHost}, Prefix{"leaf", kSwitch},
    Prefix{"spine", kSwitch},  Prefix{"core", kSwitch},  Prefix{"tor", kSwitch},
    Prefix{"sw", kSwitch},     Prefix{"agg", kSwitch},   Prefix{"superspine", kSwitch},
    Prefix{"border", kSwitch}, Prefix{"exit", kSwitch},  Prefix{"edge", kSwitch},
    Prefix{"router", kSwitch}, Prefix{"rtr", kSwitch},   Prefix{"isl", kSwitch}};

template <class Prefixes>
std::optional<NodeKind> kind_by(const Prefixes& prefixes, std::string_view word) {
  const std::string text = lower(word);
  const Prefix* longest = nullptr;
  for (const Prefix& each : prefixes)
    if (text.starts_with(each.text) &&
        (longest == nullptr || each.text.size() > longest->text.size()))
      longest = &each;
  return longest == nullptr ? std::nullopt : std::optional(longest->kind);
}

// eth1/1 and Eth1/1/1 are ports of switches.
std::optional<NodeKind> kind_by_port(std::string_view port) {
  const bool has_slot = port.find('/') != std::string_view::npos;
  if (has_slot || kind_by(kPorts, port) == kSwitch) return kSwitch;
  return kind_by(kPorts, port);
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : file_(source.file),
        graph_(clusters::read_dot(source.text, source.file)),
        builder_(source.file, source.options) {}

  ImportedFabric read() && {
    require(!graph_.edges.empty(),
            "{} has no cables; write \"leaf1\":\"swp1\" -- \"spine1\":\"swp1\"", file_);
    check_ports();
    add_nodes();
    for (const DotEdge& edge : graph_.edges) add_cable(edge);
    ImportedFabric fabric = built(std::move(builder_));
    note_remarks(fabric);
    return fabric;
  }

 private:
  const DotNode& node(const DotEnd& end) const { return graph_.nodes[end.node]; }

  void check_ports() const {
    std::unordered_map<std::string, std::int64_t> lines;  // of "device\nport"
    for (const DotEdge& edge : graph_.edges) {
      for (const DotEnd* end : {&edge.tail, &edge.head}) {
        if (end->port.empty()) continue;
        const auto [known, is_new] = lines.emplace(node(*end).name + '\n' + end->port, edge.line);
        if (!is_new)
          refuse_at(file_, edge.line, "port {} of {} has two cables, the other at line {}",
                    end->port, node(*end).name, known->second);
      }
    }
  }

  std::optional<NodeKind> said_kind(const DotNode& device) const {
    const std::string* unknown = nullptr;  // a type may be a model as well
    for (const char* key : {"role", "function", "type", "kind"}) {
      const auto found = device.attributes.find(key);
      if (found == device.attributes.end()) continue;
      if (const auto kind = kind_by(kRoles, found->second)) return kind;
      if (unknown == nullptr && *key != 't' && *key != 'k') unknown = &found->second;
    }
    if (unknown != nullptr)
      refuse_at(
          file_, device.line,
          "\"{}\" is no role of {} that says whether it is a host or a switch; write role=host, "
          "server, switch, leaf, spine or the like",
          *unknown, device.name);
    return std::nullopt;
  }

  // By what the plan says of devices, else by their ports' names, else by their own.
  std::vector<std::optional<NodeKind>> kinds() const {
    std::vector<std::optional<NodeKind>> kinds(graph_.nodes.size());
    for (const DotEdge& edge : graph_.edges)
      for (const DotEnd* end : {&edge.tail, &edge.head})
        if (const auto kind = kind_by_port(end->port); kind && kinds[end->node] != kSwitch)
          kinds[end->node] = kind;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (const auto said = said_kind(graph_.nodes[i])) kinds[i] = said;
      if (!kinds[i]) kinds[i] = kind_by(kNames, graph_.nodes[i].name);
    }
    return kinds;
  }

  void add_nodes() {
    const auto kinds = this->kinds();
    const bool hosts = std::ranges::find(kinds, std::optional(kHost)) != kinds.end();
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const DotNode& device = graph_.nodes[i];
      if (hosts && !kinds[i])
        refuse_at(
            file_, device.line,
            "is {0} a host or a switch? Its name and ports do not tell; add {0} [role=host] or "
            "[role=switch]",
            device.name);
      nodes_.push_back(
          builder_.node(device.name, device.name, hosts ? *kinds[i] : kHost, device.line));
    }
    switches_alone_ = !hosts;
  }

  std::optional<std::int64_t> speed_of(const DotEdge& edge) const {
    for (const char* key : {"speed", "bandwidth", "rate"}) {
      const auto found = edge.attributes.find(key);
      if (found == edge.attributes.end()) continue;
      std::string text = found->second;
      if (!text.empty() && std::string_view("MGT").find(text.back()) != std::string_view::npos)
        text += "bps";  // 100G, as switches say it
      try {
        return parse_bandwidth(text);
      } catch (const InvalidInput& error) {
        refuse_at(file_, edge.line, "{}", error.what());
      }
    }
    return std::nullopt;
  }

  void add_cable(const DotEdge& edge) {
    builder_.cable(nodes_[edge.tail.node], edge.tail.port, nodes_[edge.head.node], edge.head.port,
                   {.bandwidth_Bps = speed_of(edge), .line = edge.line});
  }

  void note_remarks(ImportedFabric& fabric) const {
    if (switches_alone_)
      fabric.remarks.emplace_back(
          "the plan names no hosts, so that its devices are the nodes; hosts(k, file:...) attaches "
          "k "
          "hosts to each");
  }

  const std::string& file_;
  clusters::DotGraph graph_;
  FabricBuilder builder_;
  std::vector<FabricBuilder::Node> nodes_;  // by node of the graph
  bool switches_alone_ = false;
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
      .loses = "labels, colours and other attributes of devices and cables",
      .read_fabric = read,
      .recognises = recognises};
}

}  // namespace weft::format
