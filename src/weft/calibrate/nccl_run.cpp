// Older releases do not name the collective: the file's name may, or redop and busbw / algbw tell,
// which is 2 (n - 1) / n of an allreduce, (n - 1) / n of an allgather, reduce-scatter or
// all-to-all, 1 of a broadcast or reduce, over n ranks (nccl-tests, doc/PERFORMANCE.md). So each
// row says how many ranks took part, and a run whose rows say another number than its list of ranks
// is refused. NCCL_TESTS_SPLIT runs several groups at once, whose ranks are all listed, and each
// row is of one group.
#include "weft/calibrate/nccl_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::calibrate {

namespace {

using enum CollectiveKind;
constexpr std::array kPrograms = {NcclProgram{"all_reduce", allreduce},
                                  NcclProgram{"all_gather", allgather},
                                  NcclProgram{"reduce_scatter", reduce_scatter},
                                  NcclProgram{"alltoall", alltoall},
                                  NcclProgram{"broadcast", broadcast},
                                  NcclProgram{"reduce", reduce},
                                  NcclProgram{"gather", gather},
                                  NcclProgram{"scatter", scatter}};

// busbw / algbw of a collective over n ranks.
double ratio_of(CollectiveKind kind, std::int32_t ranks) {
  WEFT_ASSERT(ranks >= 1);
  if (kind == broadcast || kind == reduce) return 1;
  const double share = 1 - 1.0 / ranks;
  return kind == allreduce ? 2 * share : share;
}

// The ranks of this busbw / algbw; 0 if it is that of no number of ranks.
std::int32_t ranks_by_ratio(CollectiveKind kind, double ratio) {
  constexpr double kMostShare = 0.9999;
  const double share = kind == allreduce ? ratio / 2 : ratio;
  if (share <= 0 || share > kMostShare || kind == broadcast || kind == reduce) return 0;
  return static_cast<std::int32_t>(std::llround(1 / (1 - share)));
}

class Table {
 public:
  Table(const NcclRun& run, const std::string& path) : run_(run), path_(path) {}

  MeasuredTable make() const {
    const std::vector<std::int32_t> groups = groups_of_ranks();
    refuse_repeated();
    const CollectiveKind collective = kind();
    refuse_alone(collective);
    const auto program = std::ranges::find(kPrograms, collective, &NcclProgram::kind);
    WEFT_ASSERT(program != kPrograms.end());
    MeasuredTable made{.path = path_,
                       .benchmark = "nccl-tests " + std::string(program->name),
                       .pattern = Pattern::collective,
                       .collective = collective,
                       .ranks = ranks_of(collective),
                       .groups = groups};
    const std::int32_t at_once = made.ranks / made.group_count();  // in a group
    const bool blocks = Collective{collective, std::max(made.ranks, 1)}.size_is_block();
    require(!blocks || made.ranks > 0,
            "{}: the table does not state the number of ranks; keep its lines \"# Rank 0 ...\"",
            path_);
    refuse_other_ranks(collective, at_once);
    if (std::ssize(run_.hosts) == made.ranks) made.hosts = run_.hosts;
    const RowReader rows(path_);
    for (const NcclRow& row : run_.rows) {
      const std::int64_t size_B = blocks ? row.size_B / at_once : row.size_B;
      if (size_B > 0) rows.add(made, {.number = row.line}, size_B, row.time_s);
    }
    return made;
  }

 private:
  // busbw / algbw where both have the most digits.
  double ratio() const {
    const NcclRow& best = *std::ranges::max_element(run_.rows, {}, &NcclRow::algbw_GBps);
    return best.algbw_GBps > 0.5 ? best.busbw_GBps / best.algbw_GBps : 0;
  }

  CollectiveKind kind() const {
    if (run_.named != nullptr) return run_.named->kind;
    const double r = ratio();
    const NcclRow& first = run_.rows.front();
    const auto is_of = [&](CollectiveKind kind) {  // whose ratio is 1 of two ranks
      const auto n = static_cast<std::int32_t>(run_.ranks.size());
      return n > 1 && std::abs(r - ratio_of(kind, n)) < 0.02;
    };
    if (r > 1.02 || (first.reduces && !first.has_root && is_of(allreduce))) return allreduce;
    if (r > 0 && r < 0.98 && first.reduces) return reduce_scatter;
    if (first.has_root && is_of(reduce)) return first.reduces ? reduce : broadcast;
    if (const NcclProgram* by_file = nccl_program_named(path_)) return by_file->kind;
    reject(
        "{}: the table does not state its collective; name the file like its program, such "
        "as all_gather_perf.txt",
        path_);
  }

  std::int32_t ranks_of(CollectiveKind kind) const {
    if (!run_.ranks.empty()) return static_cast<std::int32_t>(*run_.ranks.rbegin() + 1);
    return ranks_by_ratio(kind, ratio());
  }

  // By rank; empty where all are of one group.
  std::vector<std::int32_t> groups_of_ranks() const {
    std::map<std::string, std::int32_t> numbers, sizes;
    std::vector<std::int32_t> groups;
    for (const auto& [rank, group] : run_.groups) {
      const auto number = static_cast<std::int32_t>(numbers.size());
      groups.push_back(numbers.emplace(group, number).first->second);
      ++sizes[group];
    }
    if (numbers.size() < 2) return {};
    const auto ranks_of_group = [](const auto& group) { return group.second; };
    const auto [least, most] = std::ranges::minmax_element(sizes, {}, ranks_of_group);
    const bool all_listed =
        groups.size() == run_.ranks.size() && *run_.ranks.rbegin() + 1 == std::ssize(groups);
    require(least->second == most->second && all_listed,
            "{}: its \"# Rank\" lines name {} groups of {} to {} ranks that ran at once, but a "
            "row belongs to one group; measure groups of equal size, and keep all of these lines",
            path_, sizes.size(), least->second, most->second);
    require(most->second > 1,
            "{}: its \"# Rank\" lines name {} groups of one rank, which does not send", path_,
            sizes.size());
    return groups;
  }

  std::string place() const {
    const std::int64_t line = run_.rows.front().line;
    return line > 0 ? fmt::format("{}:{}", path_, line) : path_;
  }

  void refuse_repeated() const {
    require(!run_.repeated,
            "{}: each process ran by itself, because the benchmark was built without MPI; build "
            "it with make MPI=1",
            place());
  }

  void refuse_alone(CollectiveKind kind) const {
    const bool sends_nothing = run_.is_alone() || kind == broadcast || kind == reduce;
    require(run_.ranks.size() != 1 || !sends_nothing,
            "{}: one rank ran by itself and did not send; if you started several, build the "
            "benchmark with make MPI=1",
            place());
  }

  // A row whose busbw / algbw is that of other ranks than the file lists.
  void refuse_other_ranks(CollectiveKind kind, std::int32_t ranks) const {
    if (ranks < 1) return;
    constexpr double kExact = 1e-4;
    const double factor = ratio_of(kind, ranks);
    for (const NcclRow& row : run_.rows) {
      const double right_GBps = factor * row.algbw_GBps;
      const double allowed_GBps = (1 + factor) * row.rounding_GBps + kExact * right_GBps;
      if (std::abs(row.busbw_GBps - right_GBps) <= allowed_GBps) continue;
      const double own = row.busbw_GBps / row.algbw_GBps;
      const std::int32_t by_ratio = ranks_by_ratio(kind, own);
      RowReader(path_).fail(
          {.number = row.line},
          fmt::format(
              "busbw / algbw is {:.3f}, {}, but for {} ranks it must be {:.3f}; keep the \"# "
              "Rank\" lines of one collective",
              own,
              by_ratio > 0
                  ? fmt::format("that of {} of {}", name_of(kind), counted(by_ratio, "rank"))
                  : fmt::format("that of no {}", name_of(kind)),
              ranks, factor));
    }
  }

  const NcclRun& run_;
  const std::string& path_;
};

}  // namespace

std::int32_t MeasuredTable::group_count() const {
  return groups.empty() ? 1 : 1 + *std::ranges::max_element(groups);
}

// Another part of the name is no program's: "sendrecv", "hypercube".
const NcclProgram* nccl_program_in(std::string_view text) {
  const std::string low = lower(text);
  for (const NcclProgram& program : kPrograms)
    if (low.find(std::string(program.name) + "_perf") != std::string::npos) return &program;
  return nullptr;
}

const NcclProgram* nccl_program_named(std::string_view path) {
  if (const NcclProgram* program = nccl_program_in(path)) return program;
  const auto plain = [](std::string_view text) {
    std::string letters = lower(text);
    std::erase_if(letters, [](char c) { return c == '_' || c == '-'; });
    return letters;
  };
  const std::string name = plain(path.substr(path.rfind('/') + 1));
  for (const NcclProgram& program : kPrograms)  // longer names first
    if (name.find(plain(program.name)) != std::string::npos) return &program;
  return nullptr;
}

bool NcclRun::is_alone() const {
  return std::ranges::all_of(rows, [](const NcclRow& row) { return row.busbw_GBps == 0; });
}

MeasuredTable table_of(const NcclRun& run, const std::string& path) {
  WEFT_ASSERT(!run.rows.empty());
  return Table(run, path).make();
}

}  // namespace weft::calibrate
