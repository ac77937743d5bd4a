// Tables of weft-bench, comma-separated values:
//
//   # weft-bench 1
//   # Ranks: 4
//   # Hosts: host0 host1 host2 host3
//   # Topology: ring:4
//   test,class,load,messages,size_B,calls,minimum_s,median_s
//   message,link,1,0>1,1024,1000,2.2595e-06,2.338e-06
//   message,link,2,0>1+3>1,1024,1000,2.355e-06,2.94025e-06
//   copy,,,,1048576,909,7.0822e-05,7.5518e-05
//   allreduce,,,,4096,1000,1.779e-05,1.8855e-05
//
// Rows of one test and the same messages are a table. Of the two times the least counts.
#include <fmt/format.h>

#include <array>
#include <map>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/calibrate/table_lines.hpp"

namespace weft::calibrate {

namespace {

constexpr std::string_view kHeading = "test,class,load,messages,size_B,calls,minimum_s,median_s";
enum Column : std::uint8_t { kTest, kClass, kLoad, kMessages, kSize, kCallsMade, kTime, kMedian };

class BenchReader {
 public:
  explicit BenchReader(const std::string& path) : path_(path), rows_(path) {}

  MeasuredTables read(const std::vector<TableLine>& lines) {
    for (const TableLine& line : lines) {
      if (line.remark)
        remark(line);
      else if (!headed_)
        heading(line);
      else
        row(line);
    }
    return std::move(read_);
  }

 private:
  void remark(const TableLine& line) {
    if (const std::int32_t ranks = number_after(line, "ranks"); ranks > 0 && ranks < 1 << 20)
      ranks_ = ranks;
    if (line.words.size() < 2) return;
    if (line.words[0] == "Hosts:") hosts_.assign(line.words.begin() + 1, line.words.end());
    const auto rest = [&] {
      const std::size_t colon = line.text.find(':');
      return std::string(trim(line.text.substr(colon + 1)));
    };
    if (line.words[0] == "Topology:") topology_ = rest();
    if (line.words[0] == "Where:") where_ = rest();
  }

  void heading(const TableLine& line) {
    headed_ = true;
    if (trim(line.text) != kHeading)
      rows_.fail(line, "the columns differ from those of weft-bench: " + std::string(kHeading));
    if (ranks_ == 0) rows_.fail(line, "the line \"# Ranks: N\" is missing above the numbers");
  }

  void row(const TableLine& line) {
    const auto fields = split(line.text, ',');
    if (fields.size() != kMedian + 1)
      rows_.fail(line, counted(std::ssize(fields), "column") +
                           " but the heading has 8; the line may be truncated");
    TableLine numbers = line;
    numbers.words = fields;
    MeasuredTable& table = table_of(line, fields);
    const double least_s = rows_.value(numbers, kTime, "the minimum time");
    const double median_s = rows_.value(numbers, kMedian, "the median time");
    rows_.add(table, line, rows_.size(numbers, kSize), least_s);
    if (!(least_s <= median_s) || median_s > kMostSeconds)
      rows_.fail(
          line,
          fmt::format(
              "the minimum time is {:g} seconds and the median {:g}; the median must be at least "
              "the minimum, and at most {:g}",
              least_s, median_s, kMostSeconds));
  }

  MeasuredTable& table_of(const TableLine& line, const std::vector<std::string_view>& fields) {
    const std::string key = std::string(fields[kTest]) + ' ' + std::string(fields[kMessages]);
    if (const auto found = tables_.find(key); found != tables_.end())
      return read_.tables[found->second];
    tables_.emplace(key, read_.tables.size());
    MeasuredTable made{.path = path_,
                       .benchmark = "weft-bench " + std::string(trim(key)),
                       .ranks = ranks_,
                       .hosts = hosts_,
                       .where = where_,
                       .topology = topology_};
    if (fields[kTest] == "message") {
      made.pattern = Pattern::listed;
      made.messages = messages_in(line, fields[kMessages]);
    } else if (fields[kTest] == "copy" || fields[kTest] == "reduction") {
      made.work = fields[kTest] == "copy" ? MemoryWork::copy : MemoryWork::reduction;
    } else {
      made.pattern = Pattern::collective;
      made.collective = collective_in(line, fields[kTest]);
    }
    read_.tables.push_back(std::move(made));
    return read_.tables.back();
  }

  CollectiveKind collective_in(const TableLine& line, std::string_view name) const {
    try {
      return schedule::parse_collective(name);
    } catch (const InvalidInput&) {
      rows_.fail(
          line, "'" + std::string(name) +
                    "' is not a test that weft supports: message, copy, reduction or a collective");
    }
  }

  std::vector<RankMessage> messages_in(const TableLine& line, std::string_view text) const {
    std::vector<RankMessage> messages;
    for (const std::string_view word : split(text, '+')) {
      const auto ends = split(word, '>');
      const auto from = number_in<std::int32_t>(ends[0]);
      const auto to = number_in<std::int32_t>(ends.size() == 2 ? ends[1] : "");
      const auto is_rank = [&](const auto& end) { return end && *end >= 0 && *end < ranks_; };
      if (!is_rank(from) || !is_rank(to) || *from == *to)
        rows_.fail(line, "'" + std::string(word) + "' is not a message between two of " +
                             counted(ranks_, "rank") + ", such as 0>1");
      messages.push_back({*from, *to});
    }
    return messages;
  }

  const std::string& path_;
  RowReader rows_;
  MeasuredTables read_;
  std::map<std::string, std::size_t> tables_;
  std::int32_t ranks_ = 0;
  std::vector<std::string> hosts_;
  std::string topology_, where_;
  bool headed_ = false;
};

}  // namespace

MeasuredTables read_bench_tables(const std::vector<TableLine>& lines, const std::string& path) {
  return BenchReader(path).read(lines);
}

}  // namespace weft::calibrate
