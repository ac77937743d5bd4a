#include "switch_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "../imported_fabric.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format::clusters {

namespace {

using topology::NoteKind;

class Tree {
 public:
  Tree(std::vector<SwitchEntry>& entries, FabricBuilder&& builder, const FabricSource& source)
      : entries_(entries), source_(source), builder_(std::move(builder)) {}

  ImportedFabric build() && {
    for (SwitchEntry& entry : entries_) note_switch(entry);
    for (SwitchEntry& entry : entries_) check_lists(entry);
    for (const SwitchEntry& entry : entries_) visit(switches_.at(entry.name), 0);
    keep_direct_hosts();
    for (const SwitchEntry& entry : entries_) add_switch(entry);
    for (const SwitchEntry& entry : entries_) add_hosts(entry);
    require_uplinks();
    for (const SwitchEntry& entry : entries_) add_uplinks(entry);
    note_remarks();
    return built(std::move(builder_));
  }

 private:
  enum class Visit : std::uint8_t { none, open, done };
  struct Switch {
    SwitchEntry* entry = nullptr;
    FabricBuilder::Node node = 0;
    Visit visit = Visit::none;
    bool has_hosts = false;  // at it or below
    int level = 0;           // 1 of one with hosts
  };
  struct Host {
    FabricBuilder::Node node = 0;
    const SwitchEntry* first = nullptr;  // that lists it
  };

  void note_switch(SwitchEntry& entry) {
    const auto [known, is_new] = switches_.emplace(entry.name, Switch{&entry});
    require(is_new, "{}: {} is repeated, first at {}", entry.where, entry.name,
            known->second.entry->where);
  }

  // What a list names twice counts once, as in Slurm.
  void keep_first(std::vector<std::string>& names, const SwitchEntry& entry) {
    std::unordered_set<std::string> seen;
    std::erase_if(names, [&](const std::string& name) {
      if (seen.insert(name).second) return false;
      builder_.log().mend("counted once, because the list repeats it",
                          fmt::format("{} below {}", name, entry.name), entry.line);
      return true;
    });
  }

  void check_lists(SwitchEntry& entry) {
    keep_first(entry.switches, entry);
    keep_first(entry.hosts, entry);
    for (const std::string& child : entry.switches)
      require(switches_.contains(child), "{}: switch {} is not in the file", entry.where, child);
    for (const std::string& host : entry.hosts)
      if (const auto known = switches_.find(host); known != switches_.end())
        reject("{}: {} is a switch, at {}; give the node another name", entry.where, host,
               known->second.entry->where);
  }

  // Every way down ends.
  void visit(Switch& at, int depth) {
    if (at.visit == Visit::done) return;
    require(at.visit == Visit::none && depth < kHighest,
            "{}: switch {} is below itself, or the tree has more than {} levels", at.entry->where,
            at.entry->name, kHighest);
    at.visit = Visit::open;
    at.has_hosts = !at.entry->hosts.empty();
    for (const std::string& name : at.entry->switches) {
      Switch& child = switches_.at(name);
      visit(child, depth + 1);
      at.has_hosts = at.has_hosts || child.has_hosts;
      if (child.has_hosts) at.level = std::max(at.level, child.level);
    }
    ++at.level;
    at.visit = Visit::done;
    if (at.has_hosts) highest_ = std::max(highest_, at.level);
  }

  void collect_below(const SwitchEntry& entry, std::unordered_set<std::string_view>& seen,
                     std::unordered_set<std::string_view>& hosts) {
    for (const std::string& name : entry.switches) {
      if (!seen.insert(name).second) continue;
      const SwitchEntry& child = *switches_.at(name).entry;
      steps_ += 1 + child.hosts.size();
      require(steps_ <= kMostSteps,
              "{}: too many switches have both nodes and switches below them; give the nodes a "
              "switch of their own",
              entry.where);
      hosts.insert(child.hosts.begin(), child.hosts.end());
      collect_below(child, seen, hosts);
    }
  }

  // scontrol repeats at a switch all hosts below it: they hang on the lower ones. From the top, so
  // that the lower lists are whole.
  void keep_direct_hosts() {
    std::unordered_map<std::string, int> times;  // that lists have the host
    for (const SwitchEntry& entry : entries_)
      for (const std::string& host : entry.hosts) ++times[host];
    std::vector<SwitchEntry*> both;
    for (SwitchEntry& entry : entries_)
      if (!entry.switches.empty() && !entry.hosts.empty()) both.push_back(&entry);
    std::ranges::stable_sort(both, std::ranges::greater(), [&](const SwitchEntry* entry) {
      return switches_.at(entry->name).level;
    });
    for (SwitchEntry* entry : both) {
      std::unordered_set<std::string_view> seen, below;
      const bool repeats = std::ranges::any_of(
          entry->hosts, [&](const std::string& host) { return times.at(host) > 1; });
      if (repeats) collect_below(*entry, seen, below);
      std::erase_if(entry->hosts, [&](const std::string& host) { return below.contains(host); });
      if (!entry->hosts.empty())
        builder_.log().mend(
            "read as cables, though Slurm does not attach nodes to a switch with switches below "
            "it",
            fmt::format("{} at {}", counted(std::ssize(entry->hosts), "node"), entry->name),
            entry->line);
    }
  }

  void add_switch(const SwitchEntry& entry) {
    Switch& own = switches_.at(entry.name);
    if (own.has_hosts)
      own.node = builder_.node(entry.name, entry.name, NodeKind::switch_node, entry.line);
    else
      builder_.log().mend("left out, because no node is below it", entry.name, entry.line);
  }

  // A host may hang on several switches, and a switch below several, as Slurm allows.
  void add_hosts(const SwitchEntry& entry) {
    for (const std::string& name : entry.hosts) {
      auto known = hosts_.find(name);
      if (known == hosts_.end()) {
        const FabricBuilder::Node node = builder_.node(name, name, NodeKind::host, entry.line);
        known = hosts_.emplace(name, Host{node, &entry}).first;
      } else if (shared_++ == 0) {
        const SwitchEntry& first = *known->second.first;
        first_shared_ = fmt::format("{} is below {} ({}) and {} ({})", name, first.name,
                                    first.where, entry.name, entry.where);
      }
      builder_.cable(known->second.node, {}, switches_.at(entry.name).node, {},
                     {.line = entry.line});
    }
  }

  void require_uplinks() const {
    const auto levels = static_cast<std::size_t>(std::max(highest_ - 1, 0));  // that have parents
    require(source_.uplinks.size() <= 1 || source_.uplinks.size() == levels,
            "{}: --uplinks {} has cables for {} levels of switches, but the tree has {}; give "
            "one number for each level, leaves first, or one for all",
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
      const Switch& below = switches_.at(child);
      if (!below.has_hosts) continue;
      for (int i = 0; i < uplinks_from(below.level); ++i)
        builder_.cable(below.node, {}, switches_.at(entry.name).node, {},
                       {.link_class = fmt::format("level{}", below.level), .line = entry.line});
    }
  }

  void note_remarks() {
    if (highest_ > 1)
      builder_.log().note(
          source_.uplinks.empty()
              ? "each switch is assumed to have one cable to its parent, because the file does not "
                "count them; --uplinks N sets the number (N,M by levels, leaves first)"
              : fmt::format("cables from a switch to its parent{}: {}",
                            source_.uplinks.size() > 1 ? ", by levels from the leaves" : "",
                            fmt::join(source_.uplinks, ", ")),
          source_.uplinks.empty() ? NoteKind::answer : NoteKind::reading);
    if (shared_ > 0)
      builder_.log().note(fmt::format(
          "{}, with a cable to each{}", first_shared_,
          shared_ > 1 ? fmt::format("; {} more switches have nodes as well", shared_ - 1) : ""));
    const auto rated = std::ranges::find_if(entries_, &SwitchEntry::has_speed);
    builder_.log().note(
        (rated == entries_.end()
             ? std::string("the file has no speeds")
             : fmt::format("link speeds ({}) are not used, because their unit is arbitrary",
                           rated->where)) +
            "; --link or the default is used for all; --link CLASS= sets terminal, level1 and so "
            "on",
        NoteKind::speed);
  }

  static constexpr int kHighest = 100;
  static constexpr std::size_t kMostSteps = 2'000'000;  // of looking for hosts below

  std::vector<SwitchEntry>& entries_;
  const FabricSource& source_;
  FabricBuilder builder_;
  std::unordered_map<std::string, Switch> switches_;
  std::unordered_map<std::string, Host> hosts_;
  std::string first_shared_;
  std::int64_t shared_ = 0;
  std::size_t steps_ = 0;
  int highest_ = 0;
};

}  // namespace

ImportedFabric fabric_of_tree(std::vector<SwitchEntry> entries, FabricBuilder&& builder,
                              const FabricSource& source) {
  return Tree(entries, std::move(builder), source).build();
}

ImportedFabric fabric_of_blocks(std::vector<SwitchEntry> blocks, FabricBuilder&& builder,
                                const FabricSource& source) {
  const auto used =
      std::ranges::count_if(blocks, [](const SwitchEntry& block) { return !block.hosts.empty(); });
  if (used > 1) {
    SwitchEntry top{"between-blocks", {}, {}, source.file};
    for (const SwitchEntry& block : blocks) top.switches.push_back(block.name);
    blocks.push_back(std::move(top));
    builder.log().note(
        "the file does not connect its blocks; one switch, between-blocks, is assumed",
        NoteKind::answer);
  }
  return fabric_of_tree(std::move(blocks), std::move(builder), source);
}

}  // namespace weft::format::clusters
