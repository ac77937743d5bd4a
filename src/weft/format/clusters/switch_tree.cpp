#include "switch_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "../imported_fabric.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/names.hpp"

namespace weft::format::clusters {

namespace {

constexpr std::size_t kMostNames = 1'000'000;  // of a list; no cluster has as many

class Tree {
 public:
  Tree(const std::vector<SwitchEntry>& entries, const FabricSource& source)
      : entries_(entries), source_(source), builder_(source.file, source.options) {}

  ImportedFabric build() && {
    for (const SwitchEntry& entry : entries_) add_switch(entry);
    for (const SwitchEntry& entry : entries_) add_hosts(entry);
    for (const SwitchEntry& entry : entries_) require_children(entry);
    for (const SwitchEntry& entry : entries_) find_level(known_.at(entry.name), 0);
    require_uplinks();
    for (const SwitchEntry& entry : entries_) add_uplinks(entry);
    ImportedFabric fabric = built(std::move(builder_));
    note_remarks(fabric);
    return fabric;
  }

 private:
  enum class Visit : std::uint8_t { none, open, done };
  struct Known {
    FabricBuilder::Node node = 0;
    const SwitchEntry* first = nullptr;  // a switch's own; a host's where it stands first
    NodeKind kind = NodeKind::host;
    Visit visit = Visit::none;
    int level = 0;  // of a switch: 1 of one with hosts
  };

  Known& add(const std::string& name, const SwitchEntry& entry, NodeKind kind) {
    return known_[name] = {builder_.node(name, name, kind, entry.line), &entry, kind};
  }

  const Known* find(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? nullptr : &found->second;
  }

  void add_switch(const SwitchEntry& entry) {
    const Known* before = find(entry.name);
    require(before == nullptr, "{}: {} stands there twice, first at {}", entry.where, entry.name,
            before == nullptr ? std::string() : before->first->where);
    add(entry.name, entry, NodeKind::switch_node);
    require(!entry.switches.empty() || !entry.hosts.empty(),
            "{}: switch {} has neither switches nor nodes below it", entry.where, entry.name);
    require(entry.switches.empty() || entry.hosts.empty(),
            "{}: switch {} has both switches and nodes below it, which Slurm refuses; give the "
            "nodes a switch of their own",
            entry.where, entry.name);
  }

  static void require_once(const std::vector<std::string>& names, const SwitchEntry& entry) {
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : names)
      require(seen.insert(name).second, "{}: {} stands below {} twice", entry.where, name,
              entry.name);
  }

  // A host may hang on several switches, and a switch below several, as Slurm allows.
  void add_hosts(const SwitchEntry& entry) {
    require_once(entry.hosts, entry);
    for (const std::string& host : entry.hosts) {
      const Known* before = find(host);
      require(before == nullptr || before->kind == NodeKind::host,
              "{}: {} is a switch, at {}; a node has another name", entry.where, host,
              before == nullptr ? std::string() : before->first->where);
      if (before != nullptr && shared_++ == 0)
        first_shared_ =
            fmt::format("{} stands below {} ({}) and {} ({})", host, before->first->name,
                        before->first->where, entry.name, entry.where);
      const Known& below = before == nullptr ? add(host, entry, NodeKind::host) : *before;
      builder_.cable(below.node, {}, known_.at(entry.name).node, {}, {});
    }
  }

  void require_children(const SwitchEntry& entry) const {
    require_once(entry.switches, entry);
    for (const std::string& child : entry.switches) {
      const Known* below = find(child);
      require(below != nullptr && below->kind == NodeKind::switch_node,
              "{}: switch {} is not in the file", entry.where, child);
    }
  }

  // One more than the highest below it; every way down ends.
  int find_level(Known& at, int depth) {
    if (at.visit == Visit::done) return at.level;
    require(at.visit == Visit::none && depth < kHighest,
            "{}: switch {} is below itself, or the tree is higher than {}", at.first->where,
            at.first->name, kHighest);
    at.visit = Visit::open;
    for (const std::string& child : at.first->switches)
      at.level = std::max(at.level, find_level(known_.at(child), depth + 1));
    at.visit = Visit::done;
    highest_ = std::max(highest_, ++at.level);
    return at.level;
  }

  void require_uplinks() const {
    const auto levels = static_cast<std::size_t>(highest_ - 1);  // that have parents
    require(source_.uplinks.size() <= 1 || source_.uplinks.size() == levels,
            "{}: --uplinks {} says cables up of {} levels of switches, and the tree has {}; give a "
            "number for each, leaves first, or one for all",
            source_.file, fmt::join(source_.uplinks, ","), source_.uplinks.size(), levels);
  }

  int uplinks_from(int level) const {
    if (source_.uplinks.empty()) return 1;
    return source_.uplinks.size() == 1 ? source_.uplinks[0]
                                       : source_.uplinks[static_cast<std::size_t>(level - 1)];
  }

  // Of the class that the links of trees have: level1 leads up from leaves.
  void add_uplinks(const SwitchEntry& entry) {
    for (const std::string& child : entry.switches) {
      const Known& below = known_.at(child);
      for (int i = 0; i < uplinks_from(below.level); ++i)
        builder_.cable(below.node, {}, known_.at(entry.name).node, {},
                       {.link_class = fmt::format("level{}", below.level)});
    }
  }

  void note_remarks(ImportedFabric& fabric) const {
    if (highest_ > 1)
      fabric.remarks.push_back(
          source_.uplinks.empty()
              ? "each switch has one cable to its parent, since the file counts none; --uplinks N "
                "says more (N,M by levels, leaves first)"
              : fmt::format("cables from a switch to its parent{}: {}",
                            source_.uplinks.size() > 1 ? ", by levels from the leaves" : "",
                            fmt::join(source_.uplinks, ", ")));
    if (shared_ > 0)
      fabric.remarks.push_back(
          fmt::format("{}, with a cable to each{}", first_shared_,
                      shared_ > 1 ? fmt::format("; so do nodes {} times more", shared_ - 1) : ""));
    const auto rated = std::ranges::find_if(entries_, &SwitchEntry::has_speed);
    fabric.remarks.push_back(
        (rated == entries_.end()
             ? std::string("the file says no speeds")
             : fmt::format("link speeds ({}) have no unit and are not heeded", rated->where)) +
        "; --link or the default serves for all, --link CLASS= for terminal, level1 and so on");
  }

  static constexpr int kHighest = 100;

  const std::vector<SwitchEntry>& entries_;
  const FabricSource& source_;
  FabricBuilder builder_;
  std::unordered_map<std::string, Known> known_;
  std::string first_shared_;
  std::int64_t shared_ = 0;
  int highest_ = 0;
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
  return topology::expand_names(list, where, kMostNames);
}

void require_speed(std::string_view text, const std::string& where) {
  const std::string word = lower(text);
  require(number_in<std::uint32_t>(text) || word == "unlimited" || word == "infinite",
          "{}: \"{}\" is no link speed, which Slurm has as a number from 0 to {}", where, text,
          UINT32_MAX);
}

}  // namespace weft::format::clusters
