// Tables of the Intel MPI Benchmarks, IMB-MPI1:
//
//   # Benchmarking PingPong
//   # #processes = 2
//   #bytes #repetitions      t[usec]   Mbytes/sec
//        0         1000         1.21         0.00
//
// Collectives have t_min, t_max and t_avg in the place of t, of which the last counts. A rate is in
// 10^6 bytes a second (2^20 before 2018).
#include <algorithm>
#include <array>

#include "weft/base/suggest.hpp"
#include "weft/calibrate/table_lines.hpp"

namespace weft::calibrate {

namespace {

struct Benchmark {
  std::string_view name;  // in lower case
  Pattern pattern;
  Pairing pairing;
  std::int32_t window;
  std::optional<CollectiveKind> collective = {};
};

using enum CollectiveKind;
constexpr std::array kBenchmarks = {
    Benchmark{"pingpong", Pattern::one_way, Pairing::neighbours, 0},
    Benchmark{"pingping", Pattern::both_ways, Pairing::neighbours, 0},
    Benchmark{"multi-pingpong", Pattern::one_way, Pairing::neighbours, 0},
    Benchmark{"multi-pingping", Pattern::both_ways, Pairing::neighbours, 0},
    Benchmark{"sendrecv", Pattern::ring, Pairing::halves, 0},
    Benchmark{"uniband", Pattern::one_way, Pairing::halves, 64},
    Benchmark{"biband", Pattern::both_ways, Pairing::halves, 64},
    Benchmark{"allreduce", Pattern::collective, Pairing::halves, 0, allreduce},
    Benchmark{"reduce", Pattern::collective, Pairing::halves, 0, reduce},
    Benchmark{"reduce_scatter", Pattern::collective, Pairing::halves, 0, reduce_scatter},
    Benchmark{"allgather", Pattern::collective, Pairing::halves, 0, allgather},
    Benchmark{"gather", Pattern::collective, Pairing::halves, 0, gather},
    Benchmark{"scatter", Pattern::collective, Pairing::halves, 0, scatter},
    Benchmark{"alltoall", Pattern::collective, Pairing::halves, 0, alltoall},
    Benchmark{"bcast", Pattern::collective, Pairing::halves, 0, broadcast}};

class ImbReader {
 public:
  ImbReader(const std::string& path, topology::ImportLog& log) : path_(path), rows_(path, &log) {}

  MeasuredTables read(const std::vector<TableLine>& lines) {
    for (const TableLine& line : lines) {
      if (!line.remark)
        row_or_text(line);
      else if (!line.words.empty() && line.words[0] == "Benchmarking")
        begin(line);
      else if (!line.words.empty() && (line.words[0] == "bytes" || line.words[0] == "#bytes"))
        heading(line);
      else
        detail(line);
    }
    leave_out_lone_processes();
    return std::move(read_);
  }

 private:
  void leave_out_lone_processes() {
    std::erase_if(read_.tables, [&](const MeasuredTable& table) {
      if (table.ranks != 1) return false;
      read_.remarks.push_back(path_ + ": left out: " + table.benchmark +
                              " of one process, which does not send");
      return true;
    });
  }

  void begin(const TableLine& line) {
    const std::string name = line.words.size() > 1 ? lower(line.words[1]) : "";
    const auto found = std::ranges::find(kBenchmarks, name, &Benchmark::name);
    known_ = found != kBenchmarks.end();
    columns_ = {};
    begun_ = true;
    if (!known_) {
      read_.remarks.push_back(path_ + ": left out: " + std::string(line.text));
      return;
    }
    read_.tables.push_back({.path = path_,
                            .benchmark = "IMB " + std::string(line.words[1]),
                            .pattern = found->pattern,
                            .pairing = found->pairing,
                            .collective = found->collective,
                            .window = found->window});
  }

  void detail(const TableLine& line) {
    if (!begun_ || !known_) return;
    MeasuredTable& table = read_.tables.back();
    const auto take = [&](std::int32_t ranks) {
      if (ranks <= 0 || ranks >= 1 << 20) return;
      table.ranks = ranks;
      table.pairs = std::max(1, ranks / 2);
    };
    take(number_after(line, "#processes"));
    // "( 2 groups of 2 processes each running simultaneous )"
    const auto group = std::ranges::find(line.words, std::string_view("groups"));
    if (group == line.words.end() || group == line.words.begin()) return;
    const TableLine counted{.words = {"groups", *(group - 1)}};
    if (const std::int32_t groups = number_after(counted, "groups"); groups < 1 << 19)
      take(2 * groups);
  }

  void heading(const TableLine& line) {
    if (!begun_) rows_.fail(line, "a heading without the line \"# Benchmarking ...\" above it");
    if (!known_) return;
    const auto column = [&](std::string_view name) {
      const auto found = std::ranges::find(line.words, name);
      return static_cast<std::size_t>(found - line.words.begin());
    };
    const MeasuredTable& table = read_.tables.back();
    columns_.count = line.words.size();
    columns_.size = 0;
    if (table.stream())
      columns_.value = column("Mbytes/sec");
    else
      columns_.value = std::min(column("t[usec]"), column("t_avg[usec]"));
    if (columns_.value == columns_.count)
      rows_.fail(line, "the columns differ from those of " + table.benchmark + ": #bytes and " +
                           (table.stream() ? "Mbytes/sec" : "t[usec] or t_avg[usec]"));
  }

  // "4194304 time-out.; Time limit reached" is text, too.
  void row_or_text(const TableLine& line) {
    if (begun_ && !known_) return;
    if (begun_ && RowReader::is_row(line)) return row(line);
    rows_.skip(line);
  }

  void row(const TableLine& line) {
    if (columns_.count == 0) rows_.fail(line, "numbers without a heading (\"#bytes ...\")");
    rows_.require_width(line, columns_.count);
    MeasuredTable& table = read_.tables.back();
    const std::int64_t size_B = rows_.size(line, columns_.size);
    if (table.stream()) {
      if (size_B == 0) return;  // a rate of no bytes
      const double rate_Bps = rows_.value(line, columns_.value, "the rate") * 1e6;
      const int messages = table.pairs * (table.pattern == Pattern::both_ways ? 2 : 1);
      return rows_.add(table, line, size_B, static_cast<double>(size_B) * messages / rate_Bps);
    }
    if (table.collective && size_B == 0) return;  // nothing is sent
    rows_.add(table, line, size_B, rows_.value(line, columns_.value, "the time") * 1e-6);
  }

  const std::string& path_;
  RowReader rows_;
  MeasuredTables read_;
  TableColumns columns_;
  bool begun_ = false, known_ = false;
};

}  // namespace

MeasuredTables read_imb_tables(const std::vector<TableLine>& lines, const std::string& path,
                               topology::ImportLog& log) {
  return ImbReader(path, log).read(lines);
}

}  // namespace weft::calibrate
