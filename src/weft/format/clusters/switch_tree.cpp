#include "switch_tree.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "../fabric_builder.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/names.hpp"

namespace weft::format::clusters {

namespace {

constexpr double kMostNames = 1'000'000;  // of a list; no cluster has as many

// How many names a list is, before any is made: of an item the product of its brackets. Of what is
// no list, something.
double count_of(std::string_view list) {
  double all = 0, item = 1, bracket = 0;
  bool inside = false;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (inside && (c == ',' || c == ']')) {
      const std::string_view range = list.substr(first, i - first);
      const std::size_t dash = range.find('-');
      const auto low = number_in<std::int64_t>(range.substr(0, dash));
      const auto high =
          dash == std::string_view::npos ? low : number_in<std::int64_t>(range.substr(dash + 1));
      bracket += low && high && *low <= *high ? static_cast<double>(*high - *low) + 1 : 1;
      first = i + 1;
    }
    if (c == '[') {
      inside = true;
      bracket = 0;
      first = i + 1;
    } else if (c == ']') {
      inside = false;
      item *= bracket;
    } else if (c == ',' && !inside) {
      all += item;
      item = 1;
    }
  }
  return all;
}

class Tree {
 public:
  Tree(const std::vector<SwitchEntry>& entries, const FabricSource& source)
      : entries_(entries), source_(source) {}

  ImportedFabric build() && {
    for (const SwitchEntry& entry : entries_) add_switch(entry);
    for (const SwitchEntry& entry : entries_) add_below(entry);
    require_roots();
    std::vector<NodeId> numbers;
    ImportedFabric fabric{std::move(builder_).build(source_.file, numbers)};
    fabric.remarks.push_back(
        source_.uplinks == 1
            ? "each switch has one cable to its parent, since the file counts none; --uplinks N "
              "says more"
            : fmt::format("each switch has {} cables to its parent", source_.uplinks));
    fabric.remarks.emplace_back(
        "the file says no speeds in units; --link or the default serves for all");
    return fabric;
  }

 private:
  struct Known {
    FabricBuilder::Node node;
    std::string where;   // where it is defined
    std::string parent;  // where it stands below another; empty: nowhere
    std::string above;   // that one's name
  };

  Known& add(const std::string& name, const std::string& where, NodeKind kind) {
    require(topology::is_name(name),
            "{}: \"{}\" is no name; names have no blanks, quotes, commas, # or brackets, and are "
            "not numbers",
            where, name);
    const auto [entry, is_new] = known_.try_emplace(name);
    require(is_new, "{}: {} stands there twice, first at {}", where, name, entry->second.where);
    entry->second = {builder_.node(name, name, kind), where, {}, {}};
    return entry->second;
  }

  void add_switch(const SwitchEntry& entry) {
    add(entry.name, entry.where, NodeKind::switch_node);
    require(!entry.switches.empty() || !entry.hosts.empty(),
            "{}: switch {} has neither switches nor nodes below it", entry.where, entry.name);
    require(entry.switches.empty() || entry.hosts.empty(),
            "{}: switch {} has both switches and nodes below it, which Slurm refuses; give the "
            "nodes a switch of their own",
            entry.where, entry.name);
  }

  void add_below(const SwitchEntry& entry) {
    const FabricBuilder::Node node = known_.at(entry.name).node;
    for (const std::string& host : entry.hosts)
      builder_.cable(add(host, entry.where, NodeKind::host).node, {}, node, {}, {});
    for (const std::string& child : entry.switches) {
      const auto found = known_.find(child);
      require(found != known_.end(), "{}: switch {} is not in the file", entry.where, child);
      Known& below = found->second;
      require(below.parent.empty(), "{}: {} is below two switches, at {} too", entry.where, child,
              below.parent);
      below.parent = entry.where;
      below.above = entry.name;
      for (int i = 0; i < source_.uplinks; ++i) builder_.cable(below.node, {}, node, {}, {});
    }
  }

  // Every way up ends.
  void require_roots() const {
    for (const SwitchEntry& entry : entries_) {
      std::size_t height = 0;
      for (const Known* at = &known_.at(entry.name); !at->above.empty(); at = &known_.at(at->above))
        require(++height <= kHighest,
                "{}: switch {} is below itself, or the tree is higher than {}", entry.where,
                entry.name, kHighest);
    }
  }

  static constexpr std::size_t kHighest = 100;

  const std::vector<SwitchEntry>& entries_;
  const FabricSource& source_;
  FabricBuilder builder_;
  std::unordered_map<std::string, Known> known_;
};

}  // namespace

ImportedFabric fabric_of_tree(const std::vector<SwitchEntry>& entries, const FabricSource& source) {
  return Tree(entries, source).build();
}

ImportedFabric fabric_of_blocks(const std::vector<SwitchEntry>& blocks,
                                const FabricSource& source) {
  if (blocks.size() == 1) return fabric_of_tree(blocks, source);
  std::vector<SwitchEntry> entries = blocks;
  SwitchEntry top{"between-blocks", {}, {}, source.file};
  for (const SwitchEntry& block : blocks) top.switches.push_back(block.name);
  entries.push_back(std::move(top));
  ImportedFabric fabric = fabric_of_tree(entries, source);
  fabric.remarks.emplace_back(
      "the file does not say what joins the blocks: one switch, between-blocks, does here");
  return fabric;
}

std::vector<std::string> names_of(std::string_view list, const std::string& where) {
  require(count_of(list) <= kMostNames, "{}: \"{}\" is more than {} names; is a range mistyped?",
          where, list.substr(0, 80), kMostNames);
  return topology::expand_names(list, where);
}

}  // namespace weft::format::clusters
