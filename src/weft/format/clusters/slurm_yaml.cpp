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
// and, from 26.05 on, ring: {rings: [{ring: r, nodes: n[01-08]}]}, and torus3d: {toruses: [{name:
// t, dims: {x: 4, y: 4, z: 2}, nodes: n[01-32]}]}, a torus in regions too. --part names one of
// them, alone or as NAME/DEVICE with a device of the part of it to take. Else the first with
// cluster_default is read, as Slurm takes it, else the first that names nodes.
// Source: the manual page topology.yaml(5) of Slurm 26.05.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "../text_lines.hpp"
#include "../yaml_tree.hpp"
#include "direct_networks.hpp"
#include "slurm_words.hpp"
#include "switch_tree.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

using clusters::Coordinates;
using clusters::RingEntry;
using clusters::SwitchEntry;
using clusters::TorusEntry;
using clusters::TorusRegion;
using topology::FabricBuilder;
using Kind = YamlNode::Kind;

const std::vector<std::string> kKinds{"tree", "block", "flat", "ring", "torus3d"};
constexpr std::int64_t kMostExtent = 65'535;  // Slurm's own: two bytes

template <class... Args>
[[noreturn]] void refuse(const std::string& file, const YamlNode& node,
                         fmt::format_string<Args...> format, Args&&... args) {
  refuse_at(file, std::max<std::int64_t>(node.line, 1), format, std::forward<Args>(args)...);
}

// As Slurm's own reader takes them.
std::optional<bool> truth(const YamlNode& node) {
  const std::string word = lower(node.text);
  for (const char* yes : {"true", "yes", "on", "t", "y"})
    if (word == yes) return true;
  for (const char* no : {"false", "no", "off", "f", "n"})
    if (word == no) return false;
  return std::nullopt;
}

// One of the topologies.
class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), builder_(source.file, source.options, {.note_speeds = false}) {}

  topology::ImportLog& log() { return builder_.log(); }

  ImportedFabric read(const YamlNode& topology, const std::string& kind) && {
    const YamlNode& inner = *topology.find(kind);
    skip_unknown_keys(topology, {"topology", "cluster_default", kind});
    if (kind == "tree") return read_tree(inner);
    if (kind == "block") return read_blocks(inner);
    if (kind == "ring") return read_rings(inner);
    return read_toruses(inner);
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(const YamlNode& node, fmt::format_string<Args...> format,
                           Args&&... args) const {
    format::refuse(source_.file, node, format, std::forward<Args>(args)...);
  }
  std::string where(const YamlNode& node) const {
    return fmt::format("{}:{}", source_.file, std::max<std::int64_t>(node.line, 1));
  }

  void skip_unknown_keys(const YamlNode& map, const std::vector<std::string>& known) {
    if (map.kind != Kind::map) refuse(map, "expected a map of {}", fmt::join(known, ", "));
    for (std::size_t i = 0; i < map.keys.size(); ++i)
      if (std::ranges::find(known, map.keys[i]) == known.end())
        clusters::skip_unknown(log(), map.keys[i], known, map.items[i].line);
  }

  const YamlNode& needed(const YamlNode& map, std::string_view key) const {
    const YamlNode* node = map.find(key);
    if (node == nullptr) refuse(map, "{} is missing", key);
    return *node;
  }
  const std::string& text(const YamlNode& map, std::string_view key) const {
    const YamlNode& node = needed(map, key);
    if (node.kind != Kind::text || node.text.empty()) refuse(node, "{} is not a text", key);
    return node.text;
  }
  const std::vector<YamlNode>& list(const YamlNode& map, std::string_view key) const {
    const YamlNode& node = needed(map, key);
    if (node.kind != Kind::list || node.items.empty()) refuse(node, "{} is not a list", key);
    return node.items;
  }

  // Names in one text, as Slurm has them, or in a list of texts; none where the key is missing.
  std::vector<std::string> names(const YamlNode& map, std::string_view key) {
    const YamlNode* node = map.find(key);
    if (node == nullptr || node->kind == Kind::nothing) return {};
    if (node->kind == Kind::text) return lists_.names(node->text, where(*node));
    if (node->kind == Kind::map) refuse(*node, "{} is not a list of names", key);
    std::vector<std::string> all;
    for (const YamlNode& each : node->items) {
      if (each.kind != Kind::text) refuse(each, "{} is not a list of names", key);
      std::ranges::move(lists_.names(each.text, where(each)), std::back_inserter(all));
    }
    return all;
  }

  ImportedFabric read_tree(const YamlNode& tree) {
    skip_unknown_keys(tree, {"switches"});
    std::vector<SwitchEntry> entries;
    for (const YamlNode& each : list(tree, "switches")) {
      skip_unknown_keys(each, {"switch", "children", "nodes", "link_speed"});
      SwitchEntry entry{text(each, "switch"), {}, {}, where(each), false, each.line};
      if (each.find("link_speed") != nullptr) {
        clusters::require_speed(text(each, "link_speed"), where(*each.find("link_speed")));
        entry.has_speed = true;
      }
      entry.switches = names(each, "children");
      entry.hosts = names(each, "nodes");
      entries.push_back(std::move(entry));
    }
    return fabric_of_tree(std::move(entries), std::move(builder_), source_);
  }

  ImportedFabric read_blocks(const YamlNode& block) {
    skip_unknown_keys(block, {"block_sizes", "blocks"});
    std::vector<SwitchEntry> entries;
    for (const YamlNode& each : list(block, "blocks")) {
      skip_unknown_keys(each, {"block", "nodes"});
      SwitchEntry entry{text(each, "block"), {}, {}, where(each), false, each.line};
      entry.hosts = names(each, "nodes");
      entries.push_back(std::move(entry));
    }
    return fabric_of_blocks(std::move(entries), std::move(builder_), source_);
  }

  ImportedFabric read_rings(const YamlNode& ring) {
    skip_unknown_keys(ring, {"rings"});
    std::vector<RingEntry> entries;
    for (const YamlNode& each : list(ring, "rings")) {
      skip_unknown_keys(each, {"ring", "nodes"});
      entries.push_back({text(each, "ring"), names(each, "nodes"), where(each), each.line});
    }
    return fabric_of_rings(entries, std::move(builder_), source_);
  }

  ImportedFabric read_toruses(const YamlNode& torus3d) {
    skip_unknown_keys(torus3d, {"toruses"});
    std::vector<TorusEntry> entries;
    for (const YamlNode& each : list(torus3d, "toruses")) entries.push_back(torus(each));
    return fabric_of_toruses(entries, std::move(builder_), source_);
  }

  // Placements plan jobs, and say nothing of cables.
  TorusEntry torus(const YamlNode& map) {
    skip_unknown_keys(map, {"name", "dims", "nodes", "regions", "placements"});
    TorusEntry entry{text(map, "name"), coordinates(map, "dims", 1), {}, where(map), map.line};
    const bool in_regions = map.find("regions") != nullptr;
    if (in_regions == (map.find("nodes") != nullptr))
      refuse(map, "torus {} needs either nodes or regions", entry.name);
    if (!in_regions) {
      entry.regions.push_back({{}, entry.extents, names(map, "nodes"), where(map), map.line});
      return entry;
    }
    for (const YamlNode& each : list(map, "regions")) {
      skip_unknown_keys(each, {"anchor", "dims", "nodes"});
      entry.regions.push_back({coordinates(each, "anchor", 0), coordinates(each, "dims", 1),
                               names(each, "nodes"), where(each), each.line});
    }
    return entry;
  }

  Coordinates coordinates(const YamlNode& map, std::string_view key, std::int64_t least) {
    const YamlNode& inner = needed(map, key);
    skip_unknown_keys(inner, {"x", "y", "z"});
    Coordinates all{};
    for (std::size_t d = 0; d < all.size(); ++d) {
      const std::string name(1, "xyz"[d]);
      const std::string& value = text(inner, name);
      const auto number = number_in<std::int64_t>(value);
      if (!number || *number < least || *number > kMostExtent)
        refuse(*inner.find(name), "{} of {} is '{}' (expected a number from {} to {})", name, key,
               value, least, kMostExtent);
      all[d] = *number;
    }
    return all;
  }

  const FabricSource& source_;
  FabricBuilder builder_;
  clusters::SlurmLists lists_;
};

// Which of them is read.
class Choice {
 public:
  Choice(const YamlNode& root, const FabricSource& source) : root_(root), source_(source) {
    if (root.kind != Kind::list || root.items.empty())
      format::refuse(source.file, root, "expected a list of topologies, each \"- topology: NAME\"");
    for (const YamlNode& each : root.items) check(each);
    choose();
  }

  const YamlNode& chosen() const { return *chosen_; }
  std::string kind() const { return kind_of(*chosen_); }
  /// What is left of --part, for the parts of the topology.
  const std::string& part() const { return part_; }

  std::string names() const {
    std::vector<std::string> all;
    for (const YamlNode& each : root_.items)
      if (all.size() < kMostNamed) all.push_back(name_of(each));
    return fmt::format("{}", fmt::join(all, ", "));
  }

  void note_others(topology::ImportLog& log) const {
    std::vector<std::string> others;
    for (const YamlNode& each : root_.items)
      if (&each != chosen_ && others.size() < kMostNamed)
        others.push_back(fmt::format("{} ({})", name_of(each), kind_of(each)));
    if (others.empty()) return;
    const std::size_t more = root_.items.size() - 1 - others.size();
    log.note(fmt::format("of {} topologies \"{}\" is used; --part NAME chooses another: {}{}",
                         root_.items.size(), name_of(*chosen_), fmt::join(others, ", "),
                         more > 0 ? fmt::format(" and {} more", more) : ""));
  }

 private:
  static constexpr std::size_t kMostNamed = 6;

  static const std::string& name_of(const YamlNode& each) { return each.find("topology")->text; }

  static std::string kind_of(const YamlNode& each) {
    for (const std::string& kind : kKinds)
      if (each.find(kind) != nullptr) return kind;
    return "unknown";
  }

  void check(const YamlNode& each) const {
    if (each.kind != Kind::map || each.find("topology") == nullptr)
      format::refuse(source_.file, each, "expected a topology, \"- topology: NAME\"");
    const YamlNode& name = *each.find("topology");
    if (name.kind != Kind::text || name.text.empty())
      format::refuse(source_.file, name, "the name of a topology is not a text");
  }

  bool is_default(const YamlNode& each) const {
    const YamlNode* given = each.find("cluster_default");
    if (given == nullptr) return false;
    const auto said = truth(*given);
    if (!said)
      format::refuse(source_.file, *given, "invalid cluster_default '{}' (expected true or false)",
                     given->text);
    return *said;
  }

  static bool names_nodes(const YamlNode& each) {
    return kind_of(each) != "flat" && kind_of(each) != "unknown";
  }

  void choose() {
    part_ = source_.options.part;
    if (!choose_by_part()) choose_default();
    require_one_kind();
  }

  bool choose_by_part() {
    const std::string& part = source_.options.part;
    for (const YamlNode& each : root_.items) {
      const std::string& name = name_of(each);
      if (!part.starts_with(name) || (part.size() > name.size() && part[name.size()] != '/'))
        continue;
      chosen_ = &each;
      part_ = part.size() > name.size() ? part.substr(name.size() + 1) : std::string();
      if (part_.empty()) return true;
    }
    return chosen_ != nullptr;
  }

  void choose_default() {
    auto found =
        std::ranges::find_if(root_.items, [&](const YamlNode& each) { return is_default(each); });
    if (found == root_.items.end() || !names_nodes(*found))
      found = std::ranges::find_if(root_.items, names_nodes);
    if (found == root_.items.end()) found = root_.items.begin();
    chosen_ = &*found;
  }

  void require_one_kind() const {
    std::vector<std::string> kinds;
    for (const std::string& kind : kKinds)
      if (chosen_->find(kind) != nullptr) kinds.push_back(kind);
    const std::string& name = name_of(*chosen_);
    if (kinds.size() != 1)
      format::refuse(source_.file, *chosen_, "topology {} has {} of {}; give it one", name,
                     kinds.empty() ? "none" : "several", fmt::join(kKinds, ", "));
    if (kinds.front() == "flat")
      format::refuse(source_.file, *chosen_,
                     "topology {} is flat, so it has no nodes and no cables", name);
  }

  const YamlNode& root_;
  const FabricSource& source_;
  const YamlNode* chosen_ = nullptr;
  std::string part_;
};

ImportedFabric read(const FabricSource& source) {
  const YamlNode root = read_yaml(source.text, source.file);
  const Choice choice(root, source);
  FabricSource rest = source;
  rest.options.part = choice.part();
  Reader reader(rest);
  choice.note_others(reader.log());
  try {
    return std::move(reader).read(choice.chosen(), choice.kind());
  } catch (const InvalidInput& error) {
    const bool unknown = std::string_view(error.what()).find(": --part ") != std::string_view::npos;
    if (!unknown || choice.part() != source.options.part) throw;
    reject("{}; it is not a topology of the file either, {}", error.what(), choice.names());
  }
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
          .summary = "Slurm's topology.yaml: one of its topologies, a tree, blocks, ring or torus",
          .loses = "link_speed, which has arbitrary units; the file counts no cables",
          .read_fabric = read,
          .recognises = recognises,
          .takes_uplinks = true};
}

}  // namespace weft::format
