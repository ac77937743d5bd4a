// Tables of nccl-tests and rccl-tests:
//
//   #  Rank  0 Group  0 Pid 4711 on  host8 device  0 [0x07] NVIDIA A100
//   #                                                   out-of-place             in-place
//   #  size   count   type  redop  root   time   algbw   busbw #wrong   time   algbw   busbw #wrong
//   #   (B)  (elements)                   (us)  (GB/s)  (GB/s)          (us)  (GB/s)  (GB/s)
//     1024     256   float    sum    -1  20.31    0.05    0.09      0  19.98    0.05    0.09      0
//
// Of the two, out-of-place counts. `size` is the whole buffer, the result of an allgather or the
// input of a reduce-scatter or all-to-all. A row is printed in parts, so that lines of NCCL's own
// log may stand within it. With -C 1 the time is the processor's ("cputime") and the rates are the
// collective's all the same: it takes size / algbw.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/calibrate/nccl_run.hpp"

namespace weft::calibrate {

namespace {

// Half a unit of the last digit that is printed, of "24.07", "24307" and "1.2e+06".
double rounding_of(std::string_view number) {
  constexpr double kHalf = 0.5;
  const std::size_t exponent_at = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, exponent_at);
  const std::size_t point = digits.find('.');
  const auto places = point == std::string_view::npos ? 0 : digits.size() - point - 1;
  std::string_view exponent = number.substr(std::min(exponent_at + 1, number.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  return kHalf * std::pow(10, number_in<int>(exponent).value_or(0) - static_cast<double>(places));
}

bool is_number(std::string_view word) {
  return number_in<double>(word).has_value() || word == "N/A";
}

class NcclReader {
 public:
  NcclReader(const std::string& path, topology::ImportLog& log)
      : path_(path), log_(log), rows_(path, &log), by_path_(nccl_program_in(path)) {
    run_.named = by_path_;
  }

  MeasuredTables read(const std::vector<TableLine>& lines) {
    for (const TableLine& line : lines) {
      if (!line.remark)
        row_or_text(line);
      else if (line.text.find("algbw") != std::string_view::npos)
        heading(line);
      else
        detail(line);
    }
    if (!broken_.words.empty())
      rows_.fail(broken_, "the file ends within this row; it may be truncated");
    finish();
    return std::move(read_);
  }

 private:
  void finish() {
    if (!run_.rows.empty()) read_.tables.push_back(table_of(run_, path_));
    run_ = {};
    run_.named = by_path_;
    width_ = 0;
  }

  void detail(const TableLine& line) {
    if (line.text.find("Out of bounds values") != std::string_view::npos &&
        line.text.find("FAILED") != std::string_view::npos)
      rows_.fail(line,
                 "the data check of this run failed, so its times are not valid; measure again");
    const bool begins = line.text.find("nThread") != std::string_view::npos ||
                        line.text.find("Collective test starting") != std::string_view::npos;
    if (begins && !run_.rows.empty()) finish();
    if (const NcclProgram* program = nccl_program_in(line.text)) run_.named = program;
    if (line.text.find("in-place") != std::string_view::npos &&
        line.text.find("out-of-place") == std::string_view::npos)
      log_.note("the times are those of calls in place, because the table has no others");
    device(line);
    const bool units = std::ranges::find(line.words, std::string_view("(B)")) != line.words.end();
    if (units && (line.text.find("(us)") == std::string_view::npos ||
                  line.text.find("(GB/s)") == std::string_view::npos))
      rows_.fail(line,
                 "the units differ from those of nccl-tests: sizes in (B), times in (us), rates in "
                 "(GB/s)");
  }

  // "Rank  1 Group  0 Pid 47 on     host8 device  0 [0x07] NVIDIA A100"; old ones have no group.
  void device(const TableLine& line) {
    if (line.words.size() < 2 || line.words[0] != "Rank") return;
    const auto rank = number_in<std::int64_t>(line.words[1]);
    if (!rank || *rank < 0 || *rank >= 1 << 20) return;
    if (run_.ranks.contains(*rank) && !run_.rows.empty()) finish();
    if (!run_.ranks.insert(*rank).second) run_.repeated = true;
    if (const auto group = std::ranges::find(line.words, std::string_view("Group"));
        line.words.end() - group > 1)
      run_.groups.emplace(*rank, group[1]);
    const auto on = std::ranges::find(line.words, std::string_view("on"));
    if (line.words.end() - on > 1) run_.hosts.emplace_back(on[1]);
  }

  void heading(const TableLine& line) {
    if (!run_.rows.empty()) finish();
    if (width_ != 0) run_.repeated = true;
    const auto place = [&](std::string_view name) {
      return static_cast<std::size_t>(std::ranges::find(line.words, name) - line.words.begin());
    };
    width_ = line.words.size();
    size_ = place("size");
    by_processor_ = place("cputime") < place("time");
    time_ = std::min(place("time"), place("cputime"));
    algbw_ = place("algbw");
    busbw_ = place("busbw");
    redop_ = place("redop");
    wrong_ = place("#wrong");
    root_ = place("root");
    if (std::max({size_, time_, algbw_, busbw_}) >= width_)
      rows_.fail(line, "the columns differ from those of nccl-tests: size, time, algbw and busbw");
    if (place("timestamp") < width_) ++width_;  // a date and a time
    if (by_processor_)
      log_.note(
          "the column cputime has the times of the processor; the times of the collective are "
          "size / algbw");
  }

  void row_or_text(const TableLine& line) {
    const auto& words = line.words;
    if (width_ == 0) {
      if (const NcclProgram* program = nccl_program_in(line.text); program && !run_.named)
        run_.named = program;
      return rows_.skip(line);
    }
    if (!broken_.words.empty() && words.size() == width_ - broken_.words.size() &&
        std::ranges::all_of(words, is_number)) {
      TableLine whole = std::move(broken_);
      broken_ = {};
      whole.words.insert(whole.words.end(), words.begin(), words.end());
      return row(whole);
    }
    if (words.size() < 2 || !number_in<double>(words[0]) || !number_in<double>(words[1]))
      return rows_.skip(line);
    if (words.size() == width_) return row(line);
    if (const TableLine whole = with_blanks(line); whole.words.size() == width_) return row(whole);
    if (words.size() < time_) return rows_.skip(line);
    const std::size_t end = std::min(words.size(), width_);
    const bool times = std::all_of(words.begin() + static_cast<std::ptrdiff_t>(time_),
                                   words.begin() + static_cast<std::ptrdiff_t>(end), is_number);
    if (times && words.size() > width_) {  // a line of the log follows on it
      TableLine alone = line;
      alone.words.resize(width_);
      rows_.skip(line);
      return row(alone);
    }
    if (times && words.size() > time_) rows_.require_width(line, width_);
    begin_of_row(line);
  }

  // Old releases leave redop and root blank where there is none: the type stands before the time.
  TableLine with_blanks(const TableLine& line) const {
    TableLine whole = line;
    const std::size_t blanks = width_ - std::min(width_, line.words.size());
    if (blanks > 2 || blanks + 1 >= time_ || redop_ >= time_) return whole;
    const auto time = whole.words.begin() + static_cast<std::ptrdiff_t>(time_ - blanks);
    if (!is_number(*(time - 1)) && std::all_of(time, whole.words.end(), is_number))
      whole.words.insert(time, blanks, std::string_view());
    return whole;
  }

  // What of a row stands before a line of the log, which may follow without a blank: "-1NCCL".
  void begin_of_row(const TableLine& line) {
    if (!broken_.words.empty())
      rows_.fail(broken_, "lines of a log interrupt this row, and its rest is missing");
    std::string_view last = line.words[time_ - 1];
    const std::string_view word = last;
    if (time_ > 2 && !take_number<std::int64_t>(last)) return rows_.skip(line);
    broken_ = {.number = line.number, .text = line.text};
    broken_.words.assign(line.words.begin(),
                         line.words.begin() + static_cast<std::ptrdiff_t>(time_ - 1));
    broken_.words.push_back(word.substr(0, word.size() - last.size()));
    if (line.words.size() > time_ || !last.empty()) rows_.skip(line);
  }

  double rate(const TableLine& line, std::size_t column) const {
    const std::string_view word = line.words[column];
    if (word.find_first_not_of("0.") == std::string_view::npos) return 0;
    return rows_.value(line, column, "a bandwidth");
  }

  // Of what a table is first; -d all and -o all print others in the same table.
  bool is_as_first(const TableLine& line) {
    const std::size_t from = std::min(size_ + 2, time_);
    const std::vector<std::string> own(line.words.begin() + static_cast<std::ptrdiff_t>(from),
                                       line.words.begin() + static_cast<std::ptrdiff_t>(time_));
    if (run_.rows.empty()) first_ = own;
    if (own == first_) return true;
    log_.mend("left out, because the table starts with another type, operation or root",
              fmt::format("the row of {} B", line.words[size_]), line.number);
    return false;
  }

  // "N/A" where nothing was checked.
  void refuse_wrong(const TableLine& line) const {
    if (wrong_ >= width_) return;
    if (const auto count = number_in<double>(line.words[wrong_]); count && *count > 0)
      rows_.fail(
          line, fmt::format(
                    "{} of its results are wrong (#wrong), so its time is not valid; measure again",
                    line.words[wrong_]));
  }

  void row(const TableLine& line) {
    WEFT_ASSERT(line.words.size() == width_);
    refuse_wrong(line);
    const std::int64_t size_B = rows_.size(line, size_);
    if (size_B == 0 || !is_as_first(line)) return;
    const auto size = static_cast<double>(size_B);
    const double algbw = rate(line, algbw_);
    NcclRow row{
        .line = line.number,
        .size_B = size_B,
        .algbw_GBps = algbw,
        .busbw_GBps = rate(line, busbw_),
        .rounding_GBps = std::max(rounding_of(line.words[algbw_]), rounding_of(line.words[busbw_])),
        .reduces =
            redop_ < width_ && !line.words[redop_].empty() && lower(line.words[redop_]) != "none",
        .has_root = root_ < width_ && number_in<int>(line.words[root_]).value_or(-1) >= 0};
    if (by_processor_) {
      constexpr double kEnoughDigits = 100;
      if (algbw < kEnoughDigits * rounding_of(line.words[algbw_]))
        return log_.mend("left out, because algbw has too few digits for a time",
                         fmt::format("the row of {} B", size_B), line.number);
      row.time_s = size / algbw * 1e-9;
    } else {
      const double time_us = rows_.value(line, time_, "the time"), own = size / time_us * 1e-3;
      const double allowed = 0.02 + rounding_of(line.words[time_]) / time_us;
      if (std::abs(algbw - own) > allowed * own + 1.2 * rounding_of(line.words[algbw_]))
        rows_.fail(line,
                   fmt::format("size / time is {:.3g} GB/s, but algbw is {:.3g}; check the units",
                               own, algbw));
      row.time_s = time_us * 1e-6;
    }
    run_.rows.push_back(row);
  }

  const std::string& path_;
  topology::ImportLog& log_;
  RowReader rows_;
  const NcclProgram* by_path_;
  MeasuredTables read_;
  NcclRun run_;
  std::size_t width_ = 0;  // of rows; 0: no heading yet
  std::size_t size_ = 0, time_ = 0, algbw_ = 0, busbw_ = 0, redop_ = 0, root_ = 0, wrong_ = 0;
  bool by_processor_ = false;
  std::vector<std::string> first_;  // type, operation and root of the first row
  TableLine broken_;                // words of a row that a line of a log broke; none: no row
};

}  // namespace

MeasuredTables read_nccl_tables(const std::vector<TableLine>& lines, const std::string& path,
                                topology::ImportLog& log) {
  return NcclReader(path, log).read(lines);
}

}  // namespace weft::calibrate
