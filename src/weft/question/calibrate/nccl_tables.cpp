// Tables of nccl-tests and rccl-tests:
//
//   #  Rank  0 Group  0 Pid 4711 on  host8 device  0 [0x07] NVIDIA A100
//   #                                                   out-of-place             in-place
//   #  size   count   type  redop  root   time   algbw   busbw #wrong   time   algbw   busbw #wrong
//   #   (B)  (elements)                   (us)  (GB/s)  (GB/s)          (us)  (GB/s)  (GB/s)
//     1024     256   float    sum    -1  20.31    0.05    0.09      0  19.98    0.05    0.09      0
//
// Of the two, out-of-place counts. `size` is the whole buffer, the result of an allgather or the
// input of a reduce-scatter or all-to-all. Older releases do not name the collective: the file's
// name may, or redop and busbw / algbw tell, which is 2 (n - 1) / n of an allreduce, (n - 1) / n of
// an allgather, reduce-scatter or all-to-all, 1 of a broadcast or reduce, over n ranks (nccl-tests,
// doc/PERFORMANCE.md). So each row says how many ranks took part, and a file whose rows say another
// number than its "# Rank" lines is refused: NCCL_TESTS_SPLIT runs several groups at once, whose
// ranks are all listed, and each row is of one group.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ranges>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/question/calibrate/table_lines.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::question {

namespace {

struct Perf {
  std::string_view name;  // of the program, without _perf
  CollectiveKind kind;
};
using enum CollectiveKind;
constexpr std::array kPrograms = {Perf{"all_reduce", allreduce},
                                  Perf{"all_gather", allgather},
                                  Perf{"reduce_scatter", reduce_scatter},
                                  Perf{"alltoall", alltoall},
                                  Perf{"broadcast", broadcast},
                                  Perf{"reduce", reduce},
                                  Perf{"gather", gather},
                                  Perf{"scatter", scatter}};

// Another part of the name is no program's: "sendrecv", "hypercube".
const Perf* program_in(std::string_view text) {
  const std::string low = lower(text);
  for (const Perf& program : kPrograms)
    if (low.find(std::string(program.name) + "_perf") != std::string::npos) return &program;
  return nullptr;
}

struct NcclRow {
  const TableLine* line;
  std::int64_t size_B;
  double time_s, algbw_GBps, busbw_GBps;
  double rounding_GBps;  // of either rate, at most
  bool reduces;
};

// busbw / algbw of a collective over n ranks.
double ratio_of(CollectiveKind kind, std::int32_t ranks) {
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

// Half a unit of the last digit that is printed.
double rounding_of(std::string_view number) {
  constexpr double kHalf = 0.5;
  const std::size_t point = number.find('.');
  const auto digits = point == std::string_view::npos ? 0 : number.size() - point - 1;
  return kHalf * std::pow(10, -static_cast<double>(digits));
}

class NcclReader {
 public:
  explicit NcclReader(const std::string& path) : path_(path), rows_(path) {}

  MeasuredTables read(const std::vector<TableLine>& lines) {
    named_ = program_in(path_);
    for (const TableLine& line : lines) {
      if (!line.remark)
        row(line);
      else if (line.text.find("algbw") != std::string_view::npos)
        heading(line);
      else
        detail(line);
    }
    MeasuredTables read;
    if (!taken_.empty()) read.tables.push_back(table());
    return read;
  }

 private:
  void detail(const TableLine& line) {
    if (const Perf* program = program_in(line.text)) named_ = program;
    if (!line.words.empty() && line.words[0] == "Rank" && number_in_line(line)) device(line);
    const bool units = std::ranges::find(line.words, std::string_view("(B)")) != line.words.end();
    if (units && (line.text.find("(us)") == std::string_view::npos ||
                  line.text.find("(GB/s)") == std::string_view::npos))
      rows_.fail(line,
                 "other units than nccl-tests has; sizes in (B), times in (us), rates in "
                 "(GB/s)");
  }
  // "Rank  1 Group  0 Pid 47 on     host8 device  0 [0x07] NVIDIA A100"; old ones have no group.
  void device(const TableLine& line) {
    ++devices_;
    if (const auto group = std::ranges::find(line.words, std::string_view("Group"));
        line.words.end() - group > 1)
      ++groups_[std::string(group[1])];
    const auto on = std::ranges::find(line.words, std::string_view("on"));
    if (line.words.end() - on > 1) hosts_.emplace_back(on[1]);
  }
  static bool number_in_line(const TableLine& line) {
    return line.words.size() > 1 &&
           line.words[1].find_first_not_of("0123456789") == std::string_view::npos;
  }

  void heading(const TableLine& line) {
    if (width_ != 0) rows_.fail(line, "a second table; give each its own file");
    const auto place = [&](std::string_view name) {
      return static_cast<std::size_t>(std::ranges::find(line.words, name) - line.words.begin());
    };
    width_ = line.words.size();
    size_ = place("size");
    time_ = place("time");
    algbw_ = place("algbw");
    busbw_ = place("busbw");
    redop_ = place("redop");
    if (std::max({size_, time_, algbw_, busbw_}) >= width_)
      rows_.fail(line, "other columns than nccl-tests has; size, time, algbw and busbw");
  }

  void row(const TableLine& line) {
    if (width_ == 0) rows_.fail(line, "numbers without the heading with algbw and busbw");
    rows_.require_width(line, width_);
    const std::int64_t size_B = rows_.size(line, size_);
    if (size_B == 0) return;
    const double time_us = rows_.value(line, time_, "the time");
    const auto rate = [&](std::size_t column) {
      const std::string_view word = line.words[column];
      return word.find_first_not_of("0.") == std::string_view::npos && !word.empty()
                 ? 0.0
                 : rows_.value(line, column, "a bandwidth");
    };
    const double algbw = rate(algbw_), own = static_cast<double>(size_B) / time_us * 1e-3;
    if (std::abs(algbw - own) > 0.02 * own + 0.006)
      rows_.fail(line, fmt::format("size / time is {:.3g} GB/s, and algbw says {:.3g}; are these "
                                   "other units?",
                                   own, algbw));
    const bool reduces = redop_ < width_ && lower(line.words[redop_]) != "none";
    taken_.push_back({&line, size_B, time_us * 1e-6, algbw, rate(busbw_),
                      std::max(rounding_of(line.words[algbw_]), rounding_of(line.words[busbw_])),
                      reduces});
  }

  // busbw / algbw where both have the most digits.
  double ratio() const {
    const NcclRow& best = *std::ranges::max_element(taken_, {}, &NcclRow::algbw_GBps);
    return best.algbw_GBps > 0.5 ? best.busbw_GBps / best.algbw_GBps : 0;
  }

  CollectiveKind kind() const {
    if (named_ != nullptr) return named_->kind;
    const double r = ratio();
    if (r > 1.02) return allreduce;
    if (r > 0 && r < 0.98 && taken_.front().reduces) return reduce_scatter;
    reject(
        "{}: which collective this is the table does not say; name the file as its program, such "
        "as all_gather_perf.txt",
        path_);
  }

  std::int32_t ranks_of(CollectiveKind kind) const {
    if (devices_ > 0) return devices_;
    return ranks_by_ratio(kind, ratio());
  }

  void refuse_several_groups() const {
    if (groups_.size() < 2) return;
    const auto ranks_of_group = [](const auto& group) { return group.second; };
    const auto [least, most] = std::ranges::minmax_element(groups_, {}, ranks_of_group);
    const std::string ranks = least->second == most->second
                                  ? fmt::format("{}", most->second)
                                  : fmt::format("{} to {}", least->second, most->second);
    reject(
        "{}: its \"# Rank\" lines name {} groups of {} ranks that ran at once, and a row is of one "
        "group; measure one group alone (without NCCL_TESTS_SPLIT)",
        path_, groups_.size(), ranks);
  }

  // A row whose busbw / algbw is that of other ranks than the file lists.
  void refuse_other_ranks(CollectiveKind kind, std::int32_t ranks) const {
    if (ranks < 1) return;
    constexpr double kExact = 1e-4;
    const double factor = ratio_of(kind, ranks);
    for (const NcclRow& row : taken_) {
      const double right_GBps = factor * row.algbw_GBps;
      const double allowed_GBps = (1 + factor) * row.rounding_GBps + kExact * right_GBps;
      if (std::abs(row.busbw_GBps - right_GBps) <= allowed_GBps) continue;
      const double own = row.busbw_GBps / row.algbw_GBps;
      const std::int32_t by_ratio = ranks_by_ratio(kind, own);
      rows_.fail(*row.line,
                 fmt::format("busbw / algbw is {:.3f}, {}, but {} ranks have {:.3f}; keep the "
                             "\"# Rank\" lines of the ranks of one collective",
                             own,
                             by_ratio > 0 ? fmt::format("that of {} of {}", name_of(kind),
                                                        counted(by_ratio, "rank"))
                                          : fmt::format("that of no {}", name_of(kind)),
                             ranks, factor));
    }
  }

  MeasuredTable table() const {
    refuse_several_groups();
    const CollectiveKind collective = kind();
    const auto program = std::ranges::find(kPrograms, collective, &Perf::kind);
    MeasuredTable made{.path = path_,
                       .benchmark = "nccl-tests " + std::string(program->name),
                       .pattern = Pattern::collective,
                       .collective = collective,
                       .ranks = ranks_of(collective)};
    const bool blocks = Collective{collective, std::max(made.ranks, 1)}.size_is_block();
    require(!blocks || made.ranks > 0,
            "{}: how many ranks there were the table does not say; keep its lines \"# Rank 0 ...\"",
            path_);
    refuse_other_ranks(collective, made.ranks);
    if (std::ssize(hosts_) == made.ranks) made.hosts = hosts_;
    for (const NcclRow& row : taken_) {
      const std::int64_t size_B = blocks ? row.size_B / made.ranks : row.size_B;
      if (size_B > 0) rows_.add(made, *row.line, size_B, row.time_s);
    }
    return made;
  }

  const std::string& path_;
  RowReader rows_;
  const Perf* named_ = nullptr;
  std::int32_t devices_ = 0;
  std::map<std::string, std::int32_t> groups_;  // devices by the number of their group
  std::vector<std::string> hosts_;              // of devices whose lines name them
  std::size_t width_ = 0, size_ = 0, time_ = 0, algbw_ = 0, busbw_ = 0, redop_ = 0;
  std::vector<NcclRow> taken_;
};

}  // namespace

MeasuredTables read_nccl_tables(const std::vector<TableLine>& lines, const std::string& path) {
  return NcclReader(path).read(lines);
}

}  // namespace weft::question
