// Files of traces: which there are, and what each has, node by node as it is unpacked.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <new>

#include "frames.hpp"
#include "node_reader.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr std::string_view kEnding = ".et";

std::vector<std::string> files_beside(const std::string& prefix) {
  const std::filesystem::path folder = std::filesystem::path(prefix).parent_path();
  std::vector<std::string> names;
  for (const std::string& name : names_in(folder.empty() ? "." : folder.string()))
    names.push_back((folder / name).string());
  return names;
}

// The rank of PREFIX.RANK.et; nothing of other names.
std::optional<std::int32_t> rank_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(kEnding)) return std::nullopt;
  name.remove_prefix(prefix.size());
  if (!name.starts_with('.') || name.size() < kEnding.size() + 2) return std::nullopt;
  const std::string_view digits = name.substr(1, name.size() - 1 - kEnding.size());
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  return number_in<std::int32_t>(digits);
}

// What the names of all ranks' files begin with: people also name the first file.
std::string prefix_in(const std::string& path) {
  return path.ends_with(".0.et") ? path.substr(0, path.size() - 5) : path;
}

std::int32_t ranks_of(const std::string& prefix, const std::vector<std::string>& files) {
  std::vector<std::int32_t> ranks;
  for (const std::string& file : files)
    if (const auto rank = rank_of(file, prefix)) ranks.push_back(*rank);
  std::ranges::sort(ranks);
  require(!ranks.empty(), "'{}' does not exist; a trace has a file for each rank, from 0",
          trace_file(prefix, 0));
  for (std::size_t i = 0; i < ranks.size(); ++i)
    require(ranks[i] == static_cast<std::int32_t>(i), "'{}' is missing, but '{}' exists",
            trace_file(prefix, static_cast<std::int32_t>(i)), trace_file(prefix, ranks.back()));
  return static_cast<std::int32_t>(ranks.size());
}

// Groups by name and members, those of all files.
class Groups {
 public:
  explicit Groups(std::vector<TraceGroup>& all) : all_(all) {}

  std::int32_t number(const TraceGroup& group) {
    const auto [found, is_new] =
        numbers_.try_emplace({group.name, group.ranks}, static_cast<std::int32_t>(all_.size()));
    if (is_new) all_.push_back(group);
    return found->second;
  }

 private:
  std::vector<TraceGroup>& all_;
  std::map<std::pair<std::string, std::vector<std::int32_t>>, std::int32_t> numbers_;
};

class FileReader {
 public:
  FileReader(const std::string& file, std::int32_t rank, std::int32_t ranks)
      : file_(file), rank_(rank), ranks_(ranks), reader_(file) {}

  RankTrace read(std::string_view content, Groups& groups, std::optional<TraceProgram>& program) {
    require(!content.empty(), "'{}': the file is empty", file_);
    Frames frames(content, file_);
    const auto header = frames.next();
    require(header.has_value(), "'{}': the header is missing", file_);
    auto says = reader_.header(*header);
    if (says && says->collective) says->collective->ranks = ranks_;
    if (rank_ == 0) program = std::move(says);
    while (const auto message = frames.next()) add(reader_.node(*message, frames.place(), rank_));
    resolve();
    join(groups);
    return std::move(trace_);
  }

 private:
  struct Numbered {
    std::uint64_t id;
    std::int32_t number;
  };

  template <class... Args>
  [[noreturn]] void refuse(std::uint64_t id, fmt::format_string<Args...> format,
                           Args&&... args) const {
    reject("'{}': node {}: {}", file_, id, fmt::format(format, std::forward<Args>(args)...));
  }

  void add(const RawNode& raw) {
    require(trace_.nodes.size() < std::size_t{1} << 30, "'{}': more than 2^30 nodes", file_);
    const auto number = static_cast<std::int32_t>(trace_.nodes.size());
    numbers_.push_back({raw.node.id, number});
    if (numbers_.size() == looked_at_ * 2) require_distinct();
    const bool is_message = raw.node.kind == TraceKind::send || raw.node.kind == TraceKind::receive;
    if (is_message && raw.node.peer >= ranks_)
      refuse(raw.node.id, "its other end is rank {}, but there are {}", raw.node.peer,
             counted(ranks_, "rank"));
    if (raw.node.root && *raw.node.root >= ranks_)
      refuse(raw.node.id, "its root is rank {}, but there are {}", *raw.node.root,
             counted(ranks_, "rank"));
    TraceNode node = raw.node;
    if (raw.has_group)
      node.group =
          names_.try_emplace(raw.group, static_cast<std::int32_t>(names_.size())).first->second;
    ids_.insert(ids_.end(), raw.waits.begin(), raw.waits.end());
    is_control_.resize(ids_.size() - (raw.waits.size() - raw.controls), true);
    is_control_.resize(ids_.size(), false);
    trace_.add(node, raw.name, {});
    trace_.nodes.back().first_wait = std::ssize(ids_) - std::ssize(raw.waits);
    trace_.nodes.back().waits = static_cast<std::int32_t>(raw.waits.size());
    for (const TraceGroup& group : raw.groups) define(raw.node.id, group);
    if (!raw.operation && !raw.part_of) return;
    trace_.operations.resize(trace_.nodes.size());
    if (raw.operation) trace_.operations.back() = *raw.operation;
    if (raw.part_of) parts_.emplace_back(number, *raw.part_of);
  }

  void define(std::uint64_t id, const TraceGroup& group) {
    for (const std::int32_t rank : group.ranks)
      if (rank >= ranks_)
        refuse(id, "process group '{}' has rank {}, but there are {}", group.name, rank,
               counted(ranks_, "rank"));
    std::vector<std::int32_t> sorted = group.ranks;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      refuse(id, "process group '{}' repeats a rank", group.name);
    const auto [found, is_new] = defined_.try_emplace(group.name, group.ranks);
    if (!is_new && found->second != group.ranks)
      refuse(id, "process group '{}' has other ranks in an earlier file", group.name);
  }

  std::optional<std::int32_t> number_of(std::uint64_t id) const {
    const auto found = std::ranges::lower_bound(numbers_, id, {}, &Numbered::id);
    if (found == numbers_.end() || found->id != id) return std::nullopt;
    return found->number;
  }
  std::int32_t number_named(std::uint64_t by, std::uint64_t id) const {
    const auto number = number_of(id);
    if (!number) refuse(by, "it names node {}, which does not exist", id);
    return *number;
  }

  // PyTorch's traces say by control from which call a node comes, which is no order, and leave out
  // some of the calls: where one is missing, controls are taken for that.
  void judge_controls() {
    for (std::size_t i = 0; i < ids_.size() && !passes_controls_; ++i)
      passes_controls_ = is_control_[i] && !number_of(ids_[i]);
    if (passes_controls_) trace_.passed_over = std::ranges::count(is_control_, true);
  }

  std::vector<std::int32_t> waits_of(const TraceNode& node) {
    std::vector<std::int32_t> waits;
    for (std::int32_t i = 0; i < node.waits; ++i) {
      const auto at = static_cast<std::size_t>(node.first_wait + i);
      if (!is_control_[at] || !passes_controls_) waits.push_back(number_named(node.id, ids_[at]));
    }
    std::ranges::sort(waits);
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    return waits;
  }

  // Now and then, too, so that what a small packed file repeats is not read to its end.
  void require_distinct() {
    std::ranges::sort(numbers_, {}, &Numbered::id);
    const auto twice = std::ranges::adjacent_find(numbers_, {}, &Numbered::id);
    if (twice != numbers_.end()) refuse(twice->id, "two nodes have this number");
    looked_at_ = std::max(looked_at_, numbers_.size());
  }

  // Of ids the numbers of nodes, each once.
  void resolve() {
    require_distinct();
    judge_controls();
    for (TraceNode& node : trace_.nodes) {
      const std::vector<std::int32_t> waits = waits_of(node);
      node.first_wait = std::ssize(trace_.waits);
      node.waits = static_cast<std::int32_t>(waits.size());
      trace_.waits.insert(trace_.waits.end(), waits.begin(), waits.end());
    }
    if (!trace_.operations.empty()) trace_.operations.resize(trace_.nodes.size());
    for (const auto& [number, id] : parts_)
      trace_.operations[static_cast<std::size_t>(number)].part_of =
          number_named(trace_.nodes[static_cast<std::size_t>(number)].id, id);
    order_of(trace_, file_);  // throws where there is none
  }

  // Of the file's names the groups of all files.
  void join(Groups& groups) {
    std::vector<std::int32_t> numbers(names_.size());
    std::vector<bool> has_rank(names_.size(), true);
    for (const auto& [name, own] : names_) {
      const auto defined = defined_.find(name);
      TraceGroup group{.name = name, .ranks = {}};
      if (defined != defined_.end()) group.ranks = defined->second;
      has_rank[static_cast<std::size_t>(own)] =
          group.ranks.empty() || std::ranges::find(group.ranks, rank_) != group.ranks.end();
      numbers[static_cast<std::size_t>(own)] = groups.number(group);
    }
    for (const auto& [name, ranks] : defined_) groups.number({name, ranks});
    for (TraceNode& node : trace_.nodes) {
      if (!node.group) continue;
      const auto own = static_cast<std::size_t>(*node.group);
      node.group = numbers[own];
      if (node.kind == TraceKind::collective && !has_rank[own])
        refuse(node.id, "its process group does not have rank {}", rank_);
    }
  }

  const std::string& file_;
  std::int32_t rank_, ranks_;
  NodeReader reader_;
  RankTrace trace_;
  std::vector<bool> is_control_;  // by what nodes wait for
  bool passes_controls_ = false;
  std::vector<std::uint64_t> ids_;  // what nodes wait for
  std::vector<Numbered> numbers_;
  std::size_t looked_at_ = std::size_t{1} << 15;  // of the numbers, whether they are distinct
  std::map<std::string, std::int32_t> names_;     // of groups that nodes name
  std::map<std::string, std::vector<std::int32_t>> defined_;   // of groups
  std::vector<std::pair<std::int32_t, std::uint64_t>> parts_;  // and of which node
};

std::int32_t ranks_in(const ProgramSource& source, const std::string& prefix) {
  return ranks_of(prefix, source.list ? source.list(prefix) : files_beside(prefix));
}

}  // namespace

void require_no_longer_trace(const std::string& prefix, std::int32_t ranks) {
  for (const std::string& file : files_beside(prefix)) {
    const auto rank = rank_of(file, prefix);
    require(!rank || !is_folder(file),
            "'{}' is a folder, but the file of a rank needs this name; choose another name", file);
    require(!rank || *rank < ranks,
            "'{}' exists and would be read with the {} files that are written; remove it, or "
            "choose another name",
            file, counted(ranks, "rank"));
  }
}

Trace read_trace(const ProgramSource& source) {
  const std::string prefix = prefix_in(source.path);
  const std::int32_t ranks = ranks_in(source, prefix);
  Trace trace;
  Groups groups(trace.groups);
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    trace.files.push_back(trace_file(prefix, rank));
    const std::string content = source.read(trace.files.back());
    try {
      trace.ranks.push_back(
          FileReader(trace.files.back(), rank, ranks).read(content, groups, trace.program));
    } catch (const std::bad_alloc&) {
      reject("'{}': not enough memory for its content", trace.files.back());
    }
  }
  return trace;
}

std::optional<program::Claim> read_claim(const ProgramSource& source) {
  const std::string prefix = prefix_in(source.path), file = trace_file(prefix, 0);
  const std::int32_t ranks = ranks_in(source, prefix);
  const std::string content = source.read(file);
  const auto header = Frames(content, file).next();
  if (!header) return std::nullopt;
  auto program = NodeReader(file).header(*header);
  if (!program || !program->collective) return std::nullopt;
  program->collective->ranks = ranks;
  return program::Claim{.collective = *program->collective, .size_B = program->size_B};
}

bool is_trace(std::string_view content) {
  const std::string file = "trace";
  try {
    Frames frames(content, file);
    const auto header = frames.next();
    return header && is_header(*header);
  } catch (const InvalidInput&) {
    return false;
  }
}

}  // namespace weft::format
