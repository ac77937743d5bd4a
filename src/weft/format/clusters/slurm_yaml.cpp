// Slurm's topology.yaml (25.05 and later), which may hold several topologies:
//
//   - topology: fabric
//     cluster_default: true
//     tree:
//       switches:
//         - switch: top
//           children: leaf[1-2]
//         - switch: leaf1
//           nodes: n[001-016]
//   - topology: nvlink
//     block:
//       block_sizes: [18]
//       blocks:
//         - block: b1
//           nodes: n[001-018]
//
// The first with cluster_default is read, as Slurm takes it, else the first that names nodes.
// Source: the manual page topology.yaml(5) of Slurm 25.05.
#include <fmt/format.h>

#include <algorithm>

#include "../text_lines.hpp"
#include "../yaml_tree.hpp"
#include "switch_tree.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

using clusters::SwitchEntry;
using Kind = YamlNode::Kind;

class Reader {
 public:
  explicit Reader(const FabricSource& source) : source_(source) {}

  ImportedFabric read() && {
    const YamlNode root = read_yaml(source_.text, source_.file);
    if (root.kind != Kind::list || root.items.empty())
      refuse(root, "expected a list of topologies, each \"- topology: NAME\"");
    for (const YamlNode& each : root.items) check(each);
    const YamlNode& chosen = *choose(root);
    ImportedFabric fabric = chosen.find("tree") != nullptr ? read_tree(*chosen.find("tree"))
                                                           : read_blocks(*chosen.find("block"));
    if (root.items.size() > 1)
      fabric.remarks.push_back(fmt::format("of {} topologies \"{}\" is read", root.items.size(),
                                           chosen.find("topology")->text));
    return fabric;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(const YamlNode& node, fmt::format_string<Args...> format,
                           Args&&... args) const {
    reject("{}: {}", where(node), fmt::format(format, std::forward<Args>(args)...));
  }
  std::string where(const YamlNode& node) const {
    return fmt::format("{}:{}", source_.file, std::max<std::int64_t>(node.line, 1));
  }

  void require_keys(const YamlNode& map, const std::vector<std::string>& known) const {
    if (map.kind != Kind::map) refuse(map, "expected a map of {}", fmt::join(known, ", "));
    for (std::size_t i = 0; i < map.keys.size(); ++i)
      if (std::ranges::find(known, map.keys[i]) == known.end())
        refuse(map.items[i], "unknown key '{}'; {}", map.keys[i], suggest(map.keys[i], known));
  }

  const YamlNode& needed(const YamlNode& map, std::string_view key) const {
    const YamlNode* node = map.find(key);
    if (node == nullptr) refuse(map, "{} is missing", key);
    return *node;
  }
  const std::string& text(const YamlNode& map, std::string_view key) const {
    const YamlNode& node = needed(map, key);
    if (node.kind != Kind::text || node.text.empty()) refuse(node, "{} is no text", key);
    return node.text;
  }
  const std::vector<YamlNode>& list(const YamlNode& map, std::string_view key) const {
    const YamlNode& node = needed(map, key);
    if (node.kind != Kind::list || node.items.empty()) refuse(node, "{} is no list", key);
    return node.items;
  }

  void check(const YamlNode& each) const {
    require_keys(each, {"topology", "cluster_default", "tree", "block", "flat"});
    text(each, "topology");
    const auto kinds = (each.find("tree") != nullptr) + (each.find("block") != nullptr) +
                       (each.find("flat") != nullptr);
    if (kinds != 1) refuse(each, "a topology has one of tree, block and flat");
    for (const char* key : {"cluster_default", "flat"})
      if (each.find(key) != nullptr) truth(*each.find(key), key);
  }

  // As Slurm's own reader takes them.
  bool truth(const YamlNode& node, std::string_view key) const {
    const std::string word = lower(node.text);
    for (const char* yes : {"true", "yes", "on", "t", "y"})
      if (word == yes) return true;
    for (const char* no : {"false", "no", "off", "f", "n"})
      if (word == no) return false;
    refuse(node, "{} \"{}\" is none of true and false", key, node.text);
  }

  const YamlNode* choose(const YamlNode& root) const {
    const auto names_nodes = [](const YamlNode& each) { return each.find("flat") == nullptr; };
    const auto is_default = [&](const YamlNode& each) {
      const YamlNode* given = each.find("cluster_default");
      return given != nullptr && truth(*given, "cluster_default");
    };
    auto found = std::ranges::find_if(root.items, is_default);
    if (found == root.items.end() || !names_nodes(*found))
      found = std::ranges::find_if(root.items, names_nodes);
    if (found == root.items.end()) refuse(root, "every topology is flat, which names no nodes");
    return &*found;
  }

  ImportedFabric read_tree(const YamlNode& tree) const {
    require_keys(tree, {"switches"});
    std::vector<SwitchEntry> entries;
    for (const YamlNode& each : list(tree, "switches")) {
      require_keys(each, {"switch", "children", "nodes", "link_speed"});
      SwitchEntry entry{text(each, "switch"), {}, {}, where(each), false, each.line};
      if (each.find("link_speed") != nullptr) {
        clusters::require_speed(text(each, "link_speed"), where(*each.find("link_speed")));
        entry.has_speed = true;
      }
      if (each.find("children") != nullptr)
        entry.switches = clusters::names_of(text(each, "children"), entry.where);
      if (each.find("nodes") != nullptr)
        entry.hosts = clusters::names_of(text(each, "nodes"), entry.where);
      entries.push_back(std::move(entry));
    }
    return fabric_of_tree(entries, source_);
  }

  ImportedFabric read_blocks(const YamlNode& block) const {
    require_keys(block, {"block_sizes", "blocks"});
    std::vector<SwitchEntry> entries;
    for (const YamlNode& each : list(block, "blocks")) {
      require_keys(each, {"block", "nodes"});
      SwitchEntry entry{text(each, "block"), {}, {}, where(each), false, each.line};
      entry.hosts = clusters::names_of(text(each, "nodes"), entry.where);
      entries.push_back(std::move(entry));
    }
    return fabric_of_blocks(entries, source_);
  }

  const FabricSource& source_;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  for (const std::string_view whole : lines_of(text)) {
    std::string_view line = trim(whole.substr(0, whole.find('#')));
    if (line.empty() || line == "---") continue;
    if (!line.starts_with('-')) return false;
    line = trim(line.substr(1));
    return line.empty() || line.starts_with("topology:");
  }
  return false;
}

}  // namespace

Format slurm_topology_yaml() {
  return {.name = "slurm-topology-yaml",
          .summary = "Slurm's topology.yaml: the default one of its topologies",
          .loses = "link_speed, which has arbitrary units; the file counts no cables",
          .read_fabric = read,
          .recognises = recognises,
          .takes_uplinks = true};
}

}  // namespace weft::format
