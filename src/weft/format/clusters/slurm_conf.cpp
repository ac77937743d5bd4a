// Slurm's topology.conf: for topology/tree a line a switch,
//
//   SwitchName=leaf1 Nodes=n[001-016] LinkSpeed=900
//   SwitchName=top Switches=leaf[1-4]
//
// or, for topology/block, a line a block, BlockName=b1 Nodes=n[001-018], and BlockSizes=18.
// Names of parameters in any case, # for comments, \ at the end of a line that goes on. LinkSpeed
// has arbitrary units, and BlockSizes plans jobs: both say nothing of cables. What `scontrol show
// topology` prints has the same form, with the Level of each switch.
// Source: the manual page topology.conf(5) of Slurm 25.05; what slurmctld 22.05 takes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../text_lines.hpp"
#include "switch_tree.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

using clusters::SwitchEntry;

const std::vector<std::string> kKeys{"SwitchName", "Switches",  "Nodes",     "LinkSpeed",
                                     "Level",      "BlockName", "BlockSizes"};

std::string_view without_comment(std::string_view line) {
  return trim(line.substr(0, line.find('#')));
}

// A line less its comment, with those that it goes on with.
struct Statement {
  std::string text;
  std::int64_t line = 0;
};

std::vector<Statement> statements_of(std::string_view text) {
  std::vector<Statement> all;
  std::int64_t number = 0;
  bool goes_on = false;
  for (const std::string_view whole : lines_of(text)) {
    std::string_view line = without_comment(whole);
    ++number;
    const bool more = line.ends_with('\\');
    if (more) line.remove_suffix(1);
    if (goes_on) {
      all.back().text += ' ';
      all.back().text += line;
    } else if (!line.empty()) {
      all.push_back({std::string(line), number});
    }
    goes_on = more && !all.empty();
  }
  return all;
}

// Parted by blanks; quotes hold blanks together and are left out.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"')
      quoted = !quoted;
    else if (quoted || (c != ' ' && c != '\t'))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

class Reader {
 public:
  explicit Reader(const FabricSource& source) : source_(source) {}

  ImportedFabric read() && {
    for (const Statement& statement : statements_of(source_.text)) add(statement);
    require(!switches_.empty() || !blocks_.empty(),
            "{} has no SwitchName and no BlockName; is it Slurm's topology.conf?", source_.file);
    if (!blocks_.empty()) {
      require(switches_.empty(),
              "{}: SwitchName and {} BlockName stand in one file; a file is of "
              "one kind",
              switches_.empty() ? source_.file : switches_.front().where, blocks_.front().where);
      return fabric_of_blocks(blocks_, source_);
    }
    return fabric_of_tree(switches_, source_);
  }

 private:
  void add(const Statement& statement) {
    const std::string where = fmt::format("{}:{}", source_.file, statement.line);
    SwitchEntry entry{{}, {}, {}, where, false, statement.line};
    bool is_block = false, only_sizes = false;
    std::vector<std::string> seen;
    for (const std::string& word : words_of(statement.text)) {
      const std::size_t equals = word.find('=');
      const std::string key = word.substr(0, equals);
      const auto known = std::ranges::find_if(
          kKeys, [&](const std::string& each) { return lower(each) == lower(key); });
      if (known == kKeys.end())
        reject("{}: unknown parameter '{}'; {}", where, key, suggest(key, kKeys));
      require(equals != std::string::npos && equals + 1 < word.size(),
              "{}: {} has no value; write {}=...", where, *known, *known);
      require(std::ranges::find(seen, *known) == seen.end(), "{}: {} stands there twice", where,
              *known);
      seen.push_back(*known);
      const std::string value = word.substr(equals + 1);
      if (*known == "SwitchName" || *known == "BlockName") {
        entry.name = value;
        is_block = *known == "BlockName";
      } else if (*known == "Nodes") {
        entry.hosts = clusters::names_of(value, where);
      } else if (*known == "Switches") {
        entry.switches = clusters::names_of(value, where);
      } else if (*known == "LinkSpeed") {
        clusters::require_speed(value, where);
        entry.has_speed = true;
      } else if (*known == "BlockSizes") {
        for (const std::string_view size : split(value, ','))
          require(number_in<std::int64_t>(size).value_or(0) > 0,
                  "{}: BlockSizes={}: '{}' is no number of nodes; write 18,36", where, value, size);
        only_sizes = true;
      }
    }
    // As scontrol prints it: above the leaves it repeats all that is below.
    if (std::ranges::find(seen, "Level") != seen.end() && !entry.switches.empty())
      entry.hosts.clear();
    if (only_sizes && entry.name.empty() && seen.size() == 1) return;
    require(!entry.name.empty(), "{}: the line names neither SwitchName nor BlockName", where);
    (is_block ? blocks_ : switches_).push_back(std::move(entry));
  }

  const FabricSource& source_;
  std::vector<SwitchEntry> switches_, blocks_;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  for (const std::string_view line : lines_of(text)) {
    const std::string first = lower(std::string(without_comment(line)));
    if (first.empty()) continue;
    return first.starts_with("switchname=") || first.starts_with("blockname=") ||
           first.starts_with("blocksizes=");
  }
  return false;
}

}  // namespace

Format slurm_topology_conf() {
  return {.name = "slurm-topology-conf",
          .summary = "Slurm's topology.conf: a tree of switches, or blocks",
          .loses = "LinkSpeed, which has arbitrary units; the file counts no cables",
          .read_fabric = read,
          .recognises = recognises,
          .takes_uplinks = true};
}

}  // namespace weft::format
