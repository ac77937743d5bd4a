// Tables of the OSU micro-benchmarks, and of weft-probe, which prints their columns:
//
//   # OSU MPI Multiple Bandwidth / Message Rate Test v7.4
//   # [ pairs: 2 ] [ window size: 64 ]
//   # Size                  MB/s        Messages/s
//   1                       8.61        8612345.22
//
// Times are in us, rates in 10^6 bytes a second. A collective's table does not say how many ranks
// there were; weft-probe's has the lines "# Ranks: 4" and "# Hosts: a a b b". Between rows stands
// what a launcher has to say: rows behind it go on with the table if their sizes do.
#include <fmt/format.h>

#include <array>

#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/calibrate/table_lines.hpp"

namespace weft::calibrate {

namespace {

struct Title {
  std::string_view words;  // in lower case, in the line of the title
  std::string_view name;
  Pattern pattern;
  std::int32_t window;
  std::optional<CollectiveKind> collective = {};
};

// The first that stands in the line: longer ones first.
using enum CollectiveKind;
constexpr std::array kTitles = {
    Title{"multiple bandwidth / message rate", "mbw_mr", Pattern::one_way, 64},
    Title{"bi-directional bandwidth", "bibw", Pattern::both_ways, 64},
    Title{"bandwidth test", "bw", Pattern::one_way, 64},
    Title{"multi latency", "multi_lat", Pattern::one_way, 0},
    Title{"allreduce", "allreduce", Pattern::collective, 0, allreduce},
    Title{"reduce_scatter", "reduce_scatter", Pattern::collective, 0, reduce_scatter},
    Title{"allgather", "allgather", Pattern::collective, 0, allgather},
    Title{"all-to-all personalized", "alltoall", Pattern::collective, 0, alltoall},
    Title{"broadcast", "bcast", Pattern::collective, 0, broadcast},
    Title{"gather", "gather", Pattern::collective, 0, gather},
    Title{"scatter", "scatter", Pattern::collective, 0, scatter},
    Title{"reduce", "reduce", Pattern::collective, 0, reduce},
    Title{"mpi latency test", "latency", Pattern::one_way, 0},
    Title{"mpi-cuda latency test", "latency", Pattern::one_way, 0},
    Title{"mpi-rocm latency test", "latency", Pattern::one_way, 0},
    Title{"weft-probe latency test", "latency", Pattern::one_way, 0}};

// What says that a title means something else.
constexpr std::array kOthers = {"non-blocking", "persistent", "one sided", "neighbor",
                                "allgatherv",   "alltoallv",  "gatherv",   "scatterv"};

bool is_title(const TableLine& line) {
  return line.remark &&
         (line.text.find("OSU ") != std::string_view::npos ||
          line.text.find("weft-probe") != std::string_view::npos) &&
         line.text.find("Test") != std::string_view::npos;
}

const Title* title_in(const TableLine& line) {
  const std::string text = lower(line.text);
  for (const char* other : kOthers)
    if (text.find(other) != std::string::npos) return nullptr;
  for (const Title& title : kTitles)
    if (text.find(title.words) != std::string::npos) return &title;
  return nullptr;
}

// The heading's unit of the values: "Latency(us)" of "Avg Latency(us)", "MB/s" of "MB/s".
enum class Unit : std::uint8_t { microseconds, megabytes, other };
Unit unit_in(const TableLine& line) {
  std::string heading;
  for (std::size_t i = 1; i < line.words.size(); ++i) heading += lower(line.words[i]) + ' ';
  const std::size_t time = heading.find("(us)"), rate = heading.find("mb/s");
  if (time != std::string::npos && (rate == std::string::npos || time < rate))
    return Unit::microseconds;
  return rate != std::string::npos ? Unit::megabytes : Unit::other;
}

class OsuReader {
 public:
  OsuReader(const std::string& path, topology::ImportLog& log)
      : path_(path), log_(log), rows_(path, &log) {}

  MeasuredTables read(const std::vector<TableLine>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const TableLine& line = lines[i];
      if (!line.remark)
        row_or_text(line, i + 1 < lines.size() ? &lines[i + 1] : nullptr);
      else if (is_title(line))
        begin(line);
      else if (!line.words.empty() && line.words[0] == "Size")
        heading(line);
      else
        detail(line);
    }
    return std::move(read_);
  }

 private:
  void begin(const TableLine& line) {
    const Title* title = title_in(line);
    known_ = title != nullptr;
    width_ = 0;
    titled_ = true;
    headed_ = false;
    if (!known_) {
      read_.remarks.push_back(path_ + ": left out: " + std::string(line.text));
      return;
    }
    const bool ours = line.text.find("weft-probe") != std::string_view::npos;
    read_.tables.push_back({.path = path_,
                            .benchmark = (ours ? "weft-probe " : "OSU ") + std::string(title->name),
                            .pattern = title->pattern,
                            .collective = title->collective,
                            .ranks = title->collective ? 0 : 2,
                            .window = title->window});
  }

  void detail(const TableLine& line) {
    if (!titled_ || !known_) return;
    MeasuredTable& table = read_.tables.back();
    if (const std::int32_t pairs = number_after(line, "pairs");
        pairs > 0 && pairs < 1 << 20 && table.pattern != Pattern::collective) {
      table.pairs = pairs;
      table.ranks = 2 * pairs;
    }
    if (const std::int32_t window = number_after(line, "size");
        window > 0 && table.stream() && line.text.find("window size") != std::string_view::npos)
      table.window = window;
    if (const std::int32_t ranks = number_after(line, "ranks");
        ranks > 0 && ranks < 1 << 20 && table.pattern == Pattern::collective)
      table.ranks = ranks;
    if (!line.words.empty() && line.words[0] == "Hosts:")
      table.hosts.assign(line.words.begin() + 1, line.words.end());
    if (line.words.size() > 1 && line.words[0] == "Where:")
      table.where = line.text.substr(line.text.find("Where:") + 7);
  }

  void heading(const TableLine& line) {
    if (!titled_)
      rows_.fail(line,
                 "a heading without the title of its benchmark above it; keep the line "
                 "\"# OSU MPI ... Test\"");
    if (!known_) return;
    const MeasuredTable& table = read_.tables.back();
    const Unit wanted = table.stream() ? Unit::megabytes : Unit::microseconds;
    if (unit_in(line) != wanted)
      rows_.fail(line, std::string("the columns differ from those of ") + table.benchmark + ": " +
                           (table.stream() ? "Size and MB/s" : "Size and a latency in (us)"));
    headed_ = true;
    interrupted_ = false;
    validated_ = lower(line.text).find("validation") != std::string::npos;
    width_ = 0;
  }

  // With -c, the last word says whether the data was right.
  bool is_row(const TableLine& line) const {
    if (!validated_ || line.words.size() < 3) return RowReader::is_row(line);
    TableLine numbers = line;
    numbers.words.pop_back();
    return RowReader::is_row(numbers);
  }

  // A row with a typing error: it begins as one, and another follows.
  bool is_broken_row(const TableLine& line, const TableLine* next) const {
    const std::string_view first = line.words[0];
    return width_ > 0 && !interrupted_ && line.words.size() == width_ && first[0] >= '0' &&
           first[0] <= '9' && next != nullptr && is_row(*next) && next->words.size() == width_;
  }

  // Whether it may belong to the table behind a line of text: as wide, and a larger size.
  bool goes_on(const TableLine& line) const {
    if (!interrupted_ || width_ == 0) return true;
    const auto size_B = number_in<std::int64_t>(line.words[0]);
    const MeasuredTable& table = read_.tables.back();
    return line.words.size() == width_ && size_B &&
           (table.rows.empty() || *size_B > table.rows.back().size_B);
  }

  void row_or_text(const TableLine& line, const TableLine* next) {
    if (titled_ && !known_) return;
    const bool is_text = !titled_ || !is_row(line);
    if (headed_ && is_text && is_broken_row(line, next)) return row(line);
    if (is_text || (headed_ && !goes_on(line))) {
      interrupted_ = true;
      return rows_.skip(line);
    }
    row(line);
  }

  void row(const TableLine& line) {
    if (!headed_) rows_.fail(line, "numbers without a heading (\"# Size ...\") above them");
    if (width_ == 0) width_ = line.words.size();
    rows_.require_width(line, width_);
    MeasuredTable& table = read_.tables.back();
    const std::int64_t size_B = rows_.size(line, 0);
    if (validated_ && lower(line.words.back()) == "fail")
      rows_.fail(line, "the benchmark found wrong data; measure again when it passes");
    if (size_B == 0 && (table.collective || table.stream())) return;  // nothing is sent
    if (!table.stream())
      return add(table, line, size_B, rows_.value(line, 1, "the latency") * 1e-6);
    if (line.words[1].find_first_not_of("0.") == std::string_view::npos)
      return log_.mend("left out, because its rate is 0", fmt::format("the row of {} B", size_B),
                       line.number);
    const double rate_Bps = rows_.value(line, 1, "the rate") * 1e6;
    const int messages = table.pairs * (table.pattern == Pattern::both_ways ? 2 : 1);
    add(table, line, size_B, static_cast<double>(size_B) * messages / rate_Bps);
  }

  void add(MeasuredTable& table, const TableLine& line, std::int64_t size_B, double time_s) {
    rows_.add(table, line, size_B, time_s);
    interrupted_ = false;
  }

  const std::string& path_;
  topology::ImportLog& log_;
  RowReader rows_;
  MeasuredTables read_;
  bool titled_ = false, known_ = false, headed_ = false;
  bool validated_ = false;
  bool interrupted_ = false;  // by text, since the heading or the last row
  std::size_t width_ = 0;     // of the first row
};

}  // namespace

MeasuredTables read_osu_tables(const std::vector<TableLine>& lines, const std::string& path,
                               topology::ImportLog& log) {
  return OsuReader(path, log).read(lines);
}

}  // namespace weft::calibrate
