// Labs of containerlab (.clab.yml):
//
//   name: two-racks
//   topology:
//     defaults: { kind: nokia_srlinux }
//     nodes:
//       leaf1:
//       h1: { kind: linux }
//     links:
//       - endpoints: ["h1:eth1", "leaf1:e1-1"]
//
// A node's kind is its own, its group's or the default. linux and a few kinds of machines are
// hosts, all others switches; a lab of switches alone is read as one of hosts. Links that leave the
// lab (host, mgmt-net, macvlan, vxlan) are left out. A lab has no speeds.
// Source: containerlab.dev, "Topology definition".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "../yaml_tree.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr std::array<std::string_view, 8> kHostKinds{
    "linux",      "host",    "ext-container", "k8s-kind",
    "generic_vm", "freebsd", "openbsd",       "keysight_ixia-c-one"};
constexpr std::array<std::string_view, 5> kOutside{"host", "mgmt-net", "macvlan", "dummy", "vxlan"};

struct End {
  std::string node, port;
};

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), builder_(source.file, source.options) {}

  ImportedFabric read() && {
    const YamlNode root = read_yaml(source_.text, source_.file);
    const YamlNode* topology = root.find("topology");
    require(topology != nullptr && topology->find("nodes") != nullptr,
            "{} has no nodes in a topology; check that it is a lab of containerlab", source_.file);
    const YamlNode& nodes = *topology->find("nodes");
    std::vector<NodeKind> kinds;
    for (std::size_t i = 0; i < nodes.keys.size(); ++i) {
      kinds.push_back(kind_of(nodes.items[i], *topology));
      nodes_.emplace(nodes.keys[i], builder_.node(nodes.keys[i], nodes.keys[i], kinds.back(),
                                                  nodes.items[i].line));
    }
    if (!kinds.empty() && std::ranges::find(kinds, NodeKind::host) == kinds.end()) {
      for (FabricBuilder::Node i = 0; i < kinds.size(); ++i) builder_.set_kind(i, NodeKind::host);
      builder_.log().note("no node has kind linux, so all are read as hosts",
                          topology::NoteKind::answer);
    }
    if (const YamlNode* links = topology->find("links"))
      for (const YamlNode& link : links->items) add_link(link);
    return built(std::move(builder_));
  }

 private:
  static const std::string& text_of(const YamlNode& map, std::string_view key) {
    static const std::string none;
    const YamlNode* value = map.find(key);
    return value == nullptr ? none : value->text;
  }

  NodeKind kind_of(const YamlNode& node, const YamlNode& topology) const {
    static const YamlNode empty;
    const auto part = [&](std::string_view key) -> const YamlNode& {
      const YamlNode* found = topology.find(key);
      return found == nullptr ? empty : *found;
    };
    const YamlNode& defaults = part("defaults");
    std::string kind = text_of(node, "kind");
    std::string group = text_of(node, "group");
    if (group.empty()) group = text_of(defaults, "group");
    if (kind.empty() && !group.empty())
      if (const YamlNode* of_group = part("groups").find(group)) kind = text_of(*of_group, "kind");
    if (kind.empty()) kind = text_of(defaults, "kind");
    return std::ranges::find(kHostKinds, kind) != kHostKinds.end() ? NodeKind::host
                                                                   : NodeKind::switch_node;
  }

  // "leaf1:e1-1", or a map with the node and its interface. Ports may have colons, nodes not.
  End end_of(const YamlNode& node) const {
    if (node.kind == YamlNode::Kind::map)
      return {text_of(node, "node"), text_of(node, "interface")};
    const std::size_t colon = node.text.find(':');
    if (colon == std::string::npos)
      refuse_at(source_.file, node.line, "invalid endpoint '{}' (expected NODE:INTERFACE)",
                printable(node.text));
    return {node.text.substr(0, colon), node.text.substr(colon + 1)};
  }

  void add_link(const YamlNode& link) {
    const auto leave_out = [&](const std::string& which) {
      builder_.log().mend("left out, because it leads out of the lab", which, link.line);
    };
    const YamlNode* ends = link.find("endpoints");
    const std::string& type = text_of(link, "type");
    if (ends == nullptr && !type.empty() && link.find("endpoint") != nullptr)
      return leave_out(fmt::format("a link of type {}", printable(type)));
    if (ends == nullptr || ends->items.size() != 2)
      refuse_at(source_.file, std::max<std::int64_t>(link.line, 1), "a link needs two endpoints");
    const End a = end_of(ends->items[0]), b = end_of(ends->items[1]);
    for (const End* end : {&a, &b})
      if (std::ranges::find(kOutside, end->node) != kOutside.end() && !nodes_.contains(end->node))
        return leave_out(fmt::format("the link from {} to {}", a.node, b.node));
    builder_.cable(node(a, link), a.port, node(b, link), b.port, {.line = link.line});
  }

  FabricBuilder::Node node(const End& end, const YamlNode& link) const {
    const auto found = nodes_.find(end.node);
    if (found == nodes_.end())
      refuse_at(source_.file, link.line, "{} is not a node of the lab", printable(end.node));
    return found->second;
  }

  const FabricSource& source_;
  FabricBuilder builder_;
  std::unordered_map<std::string, FabricBuilder::Node> nodes_;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

// A topology at the left margin with nodes within it, or the other way round in JSON.
bool recognises(std::string_view text) {
  bool inside = false;
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view line = whole.substr(0, whole.find('#'));
    const std::string_view words = trim(line);
    if (words.empty()) continue;
    const bool margin = line.front() != ' ' && line.front() != '\t';
    if (margin) inside = words == "topology:";
    if (inside && !margin && (words == "nodes:" || words.starts_with("nodes: {"))) return true;
  }
  return false;
}

}  // namespace

Format containerlab() {
  return {.name = "containerlab",
          .summary = "labs of containerlab (.clab.yml): nodes and links",
          .loses = "images, configurations, links that leave the lab",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
