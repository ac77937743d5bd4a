#include "switch_tree.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

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
    for (const SwitchEntry& entry : entries_) require_end(known_.at(entry.name), 0);
    std::vector<NodeId> numbers;
    ImportedFabric fabric{std::move(builder_).build(source_.file, numbers)};
    note_remarks(fabric);
    return fabric;
  }

 private:
  enum class Visit : std::uint8_t { none, open, done };
  struct Known {
    FabricBuilder::Node node = 0;
    std::string where = {};              // where it stands first
    const SwitchEntry* entry = nullptr;  // of a switch
    Visit visit = Visit::none;
  };

  Known& add(const std::string& name, const std::string& where, const SwitchEntry* entry) {
    topology::require_name(name, where);
    const NodeKind kind = entry == nullptr ? NodeKind::host : NodeKind::switch_node;
    return known_[name] = {builder_.node(name, name, kind), where, entry};
  }

  void add_switch(const SwitchEntry& entry) {
    const auto found = known_.find(entry.name);
    require(found == known_.end(), "{}: {} stands there twice, first at {}", entry.where,
            entry.name, found == known_.end() ? std::string() : found->second.where);
    add(entry.name, entry.where, &entry);
    require(!entry.switches.empty() || !entry.hosts.empty(),
            "{}: switch {} has neither switches nor nodes below it", entry.where, entry.name);
    require(entry.switches.empty() || entry.hosts.empty(),
            "{}: switch {} has both switches and nodes below it, which Slurm refuses; give the "
            "nodes a switch of their own",
            entry.where, entry.name);
  }

  // A host may hang on several switches, and a switch below several, as Slurm allows.
  void add_below(const SwitchEntry& entry) {
    const FabricBuilder::Node node = known_.at(entry.name).node;
    std::unordered_set<std::string_view> seen;
    const auto once = [&](const std::string& name) {
      require(seen.insert(name).second, "{}: {} stands below {} twice", entry.where, name,
              entry.name);
    };
    for (const std::string& host : entry.hosts) {
      once(host);
      const auto found = known_.find(host);
      require(found == known_.end() || found->second.entry == nullptr,
              "{}: {} is a switch, at {}; a node has another name", entry.where, host,
              found == known_.end() ? std::string() : found->second.where);
      if (found != known_.end()) ++shared_;
      const Known& below = found == known_.end() ? add(host, entry.where, nullptr) : found->second;
      builder_.cable(below.node, {}, node, {}, {});
    }
    for (const std::string& child : entry.switches) {
      once(child);
      const auto found = known_.find(child);
      require(found != known_.end() && found->second.entry != nullptr,
              "{}: switch {} is not in the file", entry.where, child);
      for (int i = 0; i < source_.uplinks; ++i)
        builder_.cable(found->second.node, {}, node, {}, {});
    }
  }

  // Every way down ends.
  void require_end(Known& at, int depth) {
    if (at.visit == Visit::done) return;
    require(at.visit == Visit::none && depth < kHighest,
            "{}: switch {} is below itself, or the tree is higher than {}", at.where,
            at.entry->name, kHighest);
    at.visit = Visit::open;
    for (const std::string& child : at.entry->switches) require_end(known_.at(child), depth + 1);
    at.visit = Visit::done;
  }

  void note_remarks(ImportedFabric& fabric) const {
    fabric.remarks.push_back(
        source_.uplinks == 1
            ? "each switch has one cable to its parent, since the file counts none; --uplinks N "
              "says more"
            : fmt::format("each switch has {} cables to its parent", source_.uplinks));
    if (shared_ > 0)
      fabric.remarks.push_back(fmt::format(
          "nodes stand below several switches {} times, with a cable to each", shared_));
    fabric.remarks.emplace_back(
        "the file says no speeds in units; --link or the default serves for all");
  }

  static constexpr int kHighest = 100;

  const std::vector<SwitchEntry>& entries_;
  const FabricSource& source_;
  FabricBuilder builder_;
  std::unordered_map<std::string, Known> known_;
  std::int64_t shared_ = 0;
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
