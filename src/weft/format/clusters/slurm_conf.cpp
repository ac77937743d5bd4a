// Slurm's topology.conf: for topology/tree a line a switch,
//
//   SwitchName=leaf1 Nodes=n[001-016] LinkSpeed=900
//   SwitchName=top Switches=leaf[1-4]
//
// for topology/block a line a block, BlockName=b1 Nodes=n[001-018], and BlockSizes=18; for
// topology/ring a line a ring, RingName=r1 Nodes=n[01-16]. Names of parameters in any case, # for
// comments, \ at the end of a line that goes on. LinkSpeed has arbitrary units, and BlockSizes
// plans jobs: both say nothing of cables. What `scontrol show topology` prints has the same form,
// with the Level of each switch, the index and size of each block, and blocks of blocks. Lines of
// slurm.conf around it are skipped.
// Source: the manual page topology.conf(5) of Slurm 26.05; what slurmctld 22.05 takes.
#include <fmt/format.h>

#include <algorithm>

#include "../text_lines.hpp"
#include "direct_networks.hpp"
#include "slurm_words.hpp"
#include "switch_tree.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

using clusters::SwitchEntry;
using topology::FabricBuilder;

// What a line is of, and all that may stand in it.
const std::vector<std::string> kMainKeys{"SwitchName",      "BlockName",  "RingName",
                                         "AggregatedBlock", "BlockSizes", "TorusName"};
const std::vector<std::string> kKeys{
    "SwitchName", "BlockName", "RingName", "AggregatedBlock", "BlockSizes", "TorusName", "Switches",
    "Nodes",      "LinkSpeed", "Level",    "BlockSize",       "BlockIndex", "RingSize"};

constexpr std::size_t kLongestKey = 20;

bool is_main(std::string_view key) {
  return std::ranges::find(kMainKeys, key) != kMainKeys.end();
}

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

// KEY=VALUE; the key as kKeys has it, or as the file has it where that knows none.
struct Parameter {
  std::string key, value;
  bool has_value = false;  // an equals sign
  bool is_known = false;
};

Parameter parameter_in(const std::string& word) {
  const std::size_t equals = word.find('=');
  Parameter parameter{word.substr(0, equals), {}, equals != std::string::npos};
  if (parameter.has_value) parameter.value = word.substr(equals + 1);
  for (const std::string& key : kKeys)
    if (lower(key) == lower(parameter.key)) {
      parameter.key = key;
      parameter.is_known = true;
    }
  return parameter;
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), builder_(source.file, source.options, {.note_speeds = false}) {}

  ImportedFabric read() && {
    for (const Statement& statement : statements_of(source_.text)) add(statement);
    require(!switches_.empty() || !blocks_.empty() || !rings_.empty(),
            "{} has no SwitchName, BlockName or RingName; check that it is the topology.conf of "
            "Slurm",
            source_.file);
    if (!rings_.empty()) return fabric_of_rings(rings_, std::move(builder_), source_);
    if (!blocks_.empty()) return fabric_of_blocks(std::move(blocks_), std::move(builder_), source_);
    return fabric_of_tree(std::move(switches_), std::move(builder_), source_);
  }

 private:
  void add(const Statement& statement) {
    std::vector<Parameter> parameters;
    for (const std::string& word : words_of(statement.text))
      parameters.push_back(parameter_in(word));
    if (parameters.empty()) return;
    const std::string where = fmt::format("{}:{}", source_.file, statement.line);
    const auto main =
        std::ranges::find_if(parameters, [](const Parameter& each) { return is_main(each.key); });
    if (main == parameters.end()) return skip_line(parameters.front(), statement, where);
    check(parameters, statement, where);
    if (main->key == "TorusName")
      reject("{}: scontrol does not print the places of nodes in a torus; give topology.yaml",
             where);
    if (main->key == "BlockSizes") return check_sizes(main->value, where);
    require(!main->value.empty(), "{}: {} has no value; add {}=...", where, main->key, main->key);
    require_one_kind(main->key, where);
    if (main->key == "AggregatedBlock") return;  // of blocks, whose nodes it repeats
    keep(entry_of(parameters, *main, statement, where), main->key);
  }

  // Another parameter of slurm.conf, or a line that is no configuration at all.
  void skip_line(const Parameter& first, const Statement& statement, const std::string& where) {
    require(!first.is_known, "{}: the line has no SwitchName, BlockName or RingName", where);
    topology::ImportLog& log = builder_.log();
    if (lower(first.key) == "include")
      return log.mend("not read; import that file if it has the topology",
                      printable(statement.text.substr(0, 60)), statement.line);
    if (!first.has_value) return log.skip("line without a parameter", statement.line);
    clusters::skip_unknown(log, first.key, kMainKeys, statement.line);
  }

  void check(const std::vector<Parameter>& parameters, const Statement& statement,
             const std::string& where) {
    for (auto each = parameters.begin(); each != parameters.end(); ++each) {
      if (!each->is_known) {
        clusters::skip_unknown(builder_.log(), each->key, kKeys, statement.line);
        continue;
      }
      require(each->has_value, "{}: {} has no value; add {}=...", where, each->key, each->key);
      require(std::none_of(parameters.begin(), each,
                           [&](const Parameter& before) { return before.key == each->key; }),
              "{}: {} is repeated", where, each->key);
    }
  }

  static void check_sizes(std::string_view value, const std::string& where) {
    for (const std::string_view size : split(value, ','))
      require(number_in<std::int64_t>(size).value_or(0) > 0,
              "{}: BlockSizes={}: '{}' is not a number of nodes; write 18,36", where, value, size);
  }

  void require_one_kind(std::string_view key, const std::string& where) {
    if (key == "AggregatedBlock") key = "BlockName";
    if (kind_.empty()) {
      kind_ = key;
      first_ = where;
    }
    require(kind_ == key, "{}: {} and {} {} cannot be in one file", first_, kind_, where, key);
  }

  SwitchEntry entry_of(const std::vector<Parameter>& parameters, const Parameter& main,
                       const Statement& statement, const std::string& where) {
    SwitchEntry entry{main.value, {}, {}, where, false, statement.line};
    for (const Parameter& each : parameters) {
      if (each.key == "Nodes") entry.hosts = lists_.names(each.value, where);
      if (each.key == "Switches") entry.switches = lists_.names(each.value, where);
      if (each.key != "LinkSpeed") continue;
      clusters::require_speed(each.value, where);
      entry.has_speed = true;
    }
    return entry;
  }

  void keep(SwitchEntry entry, std::string_view key) {
    if (key == "RingName")
      rings_.push_back({std::move(entry.name), std::move(entry.hosts), entry.where, entry.line});
    else
      (key == "BlockName" ? blocks_ : switches_).push_back(std::move(entry));
  }

  const FabricSource& source_;
  FabricBuilder builder_;
  clusters::SlurmLists lists_;
  std::string kind_, first_;  // SwitchName, BlockName or RingName, and where it stands first
  std::vector<SwitchEntry> switches_, blocks_;
  std::vector<clusters::RingEntry> rings_;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

// Lines of slurm.conf may stand before.
bool recognises(std::string_view text) {
  for (const std::string_view line : lines_of(text)) {
    const std::string first = lower(without_comment(line).substr(0, kLongestKey));
    for (const std::string& key : kMainKeys)
      if (first.starts_with(lower(key) + '=')) return true;
  }
  return false;
}

}  // namespace

Format slurm_topology_conf() {
  return {.name = "slurm-topology-conf",
          .summary = "Slurm's topology.conf: a tree of switches, blocks, or rings",
          .loses = "LinkSpeed, which has arbitrary units; the file counts no cables",
          .read_fabric = read,
          .recognises = recognises,
          .takes_uplinks = true};
}

}  // namespace weft::format
