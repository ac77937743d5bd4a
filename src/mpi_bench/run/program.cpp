#include "program.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

#include "../collectives.hpp"

namespace weft::mpi_bench {

namespace {

constexpr std::string_view kFirstLine = "weft-run 2";
constexpr std::array<std::string_view, 6> kKinds = {"send", "receive", "receive-reduce",
                                                    "copy", "reduce",  "pass"};
constexpr std::int64_t kMostUnits = std::int64_t{1} << 40;
constexpr std::int64_t kMostRanks = 1 << 20;

// The words of a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(word.size());
    return word;
  }
  bool at_end() const { return rest_.find_first_not_of(' ') == std::string_view::npos; }
  std::string_view rest() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    return rest_;
  }

 private:
  std::string_view rest_;
};

// Takes a number in [least, most] off the front of `text`.
bool take(std::string_view& text, std::int64_t least, std::int64_t most, std::int64_t& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < least || number > most) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return true;
}
bool take(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) return false;
  text.remove_prefix(1);
  return true;
}
bool whole(std::string_view text, std::int64_t least, std::int64_t most, std::int64_t& number) {
  return take(text, least, most, number) && text.empty();
}

std::int64_t units_of(const std::vector<UnitRange>& ranges) {
  std::int64_t units = 0;
  for (const UnitRange& range : ranges) units += range.count;
  return units;
}

class Reader {
 public:
  Reader(const World& world, const std::string& path) : world_(world), path_(path) {}

  /// Empty where all is well.
  std::string read(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      ++number_;
      if (std::string fault = read_line(line); !fault.empty())
        return path_ + ":" + std::to_string(number_) + ": " + fault;
    }
    if (rank_ + 1 != world_.ranks) return path_ + ": the text is cut off";
    return "";
  }

  RunProgram program;

 private:
  std::string read_line(std::string_view line) {
    if (number_ == 1)
      return line == kFirstLine ? "" : "the first line is not '" + std::string(kFirstLine) + "'";
    Words words(line);
    const std::string_view word = words.next();
    if (word.empty()) return "";
    const bool good = word == "rank" ? begin_rank(words)
                      : rank_ < 0    ? read_fact(word, words)
                                     : rank_ != world_.rank || read_operation(word, words);
    if (!other_ranks_.empty()) return other_ranks_;
    return good ? "" : "'" + std::string(line.substr(0, 60)) + "' is no line of a weft-run text";
  }

  bool read_fact(std::string_view fact, Words& words) {
    if (fact == "name") return program.name = std::string(words.rest()), true;
    if (fact == "collective") return read_collective(words.next());
    if (fact == "buffers") {
      for (program.buffers = 0; !words.at_end(); ++program.buffers) words.next();
      return program.buffers > 0;
    }
    std::int64_t value = 0;
    if (!whole(words.next(), 0, kMostUnits, value) || !words.at_end()) return false;
    if (fact == "ranks") return read_ranks(value);
    if (fact == "size") return (program.size = value) > 0;
    if (fact == "unit_B") return (program.unit_B = value) > 0;
    if (value >= kMostRanks) return false;
    int* const place = fact == "root"     ? &program.root
                       : fact == "peer"   ? &program.peer
                       : fact == "result" ? &program.result
                                          : nullptr;
    return place != nullptr && (*place = static_cast<int>(value), true);
  }

  bool read_collective(std::string_view name) {
    program.collective = std::string(name);
    return name == "point-to-point" || (find_collective(name) != nullptr && name != "barrier");
  }

  bool read_ranks(std::int64_t ranks) {
    program.ranks = static_cast<int>(std::min(ranks, kMostRanks));
    if (ranks != world_.ranks)
      other_ranks_ = "the schedule has " + std::to_string(ranks) + " ranks, but there are " +
                     std::to_string(world_.ranks) + "; start mpirun -n " + std::to_string(ranks);
    return true;
  }

  bool begin_rank(Words& words) {
    std::int64_t rank = 0;
    if (!whole(words.next(), rank_ + 1, rank_ + 1, rank) || rank >= program.ranks) return false;
    rank_ = static_cast<int>(rank);
    return program.size > 0 && !program.collective.empty() && program.result < program.buffers &&
           program.root < program.ranks && program.peer < program.ranks;
  }

  bool read_operation(std::string_view word, Words& words) {
    const auto kind = std::find(kKinds.begin(), kKinds.end(), word);
    if (kind == kKinds.end()) return false;
    RunOperation operation;
    operation.kind = static_cast<RunKind>(kind - kKinds.begin());
    operation.line = number_;
    if (!read_data(operation, words) || !read_waits(operation, words)) return false;
    program.operations.push_back(std::move(operation));
    return true;
  }

  bool read_data(RunOperation& operation, Words& words) const {
    switch (operation.kind) {
      case RunKind::send:
        return read_end(operation, words) && read_ranges(words.next(), operation.from);
      case RunKind::receive:
        return read_end(operation, words) && read_ranges(words.next(), operation.to);
      case RunKind::receive_reduce:
        return read_end(operation, words) && read_ranges(words.next(), operation.to) &&
               read_operand(operation, words);
      case RunKind::copy:
      case RunKind::reduce:
        return read_ranges(words.next(), operation.from) && words.next() == "to" &&
               read_ranges(words.next(), operation.to) &&
               units_of(operation.from) == units_of(operation.to);
      case RunKind::pass:
        break;
    }
    return true;
  }

  bool read_end(RunOperation& operation, Words& words) const {
    std::int64_t peer = 0, number = 0;
    if (!whole(words.next(), 0, program.ranks - 1, peer) ||
        !whole(words.next(), 0, std::numeric_limits<int>::max(), number))
      return false;
    operation.peer = static_cast<int>(peer);
    operation.number = static_cast<int>(number);
    return true;
  }

  // `with RANGES`, of a reduction whose other operand is not where the result goes.
  static bool starts(Words words, std::string_view word) { return words.next() == word; }
  bool read_operand(RunOperation& operation, Words& words) const {
    if (!starts(words, "with")) return true;
    words.next();
    return read_ranges(words.next(), operation.from) &&
           units_of(operation.from) == units_of(operation.to);
  }

  bool read_ranges(std::string_view text, std::vector<UnitRange>& ranges) const {
    do {
      std::int64_t buffer = 0;
      UnitRange range;
      if (!take(text, 0, program.buffers - 1, buffer) || !take(text, ':') ||
          !take(text, 0, kMostUnits, range.first) || !take(text, '+') ||
          !take(text, 1, kMostUnits, range.count))
        return false;
      range.buffer = static_cast<int>(buffer);
      ranges.push_back(range);
    } while (take(text, ','));
    return text.empty();
  }

  bool read_waits(RunOperation& operation, Words& words) const {
    if (words.at_end()) return true;
    if (words.next() != "after") return false;
    std::string_view text = words.next();
    const auto before = static_cast<std::int64_t>(program.operations.size());
    do {
      std::int64_t wait = 0;
      if (!take(text, 0, before - 1, wait)) return false;
      operation.after.push_back(static_cast<std::int32_t>(wait));
    } while (take(text, ','));
    return text.empty() && words.at_end();
  }

  const World& world_;
  const std::string& path_;
  std::string other_ranks_;
  std::int64_t number_ = 0;  // of the line
  int rank_ = -1;
};

}  // namespace

bool is_run_program(const std::string& text) {
  return text.starts_with(kFirstLine) && text.size() > kFirstLine.size() &&
         text[kFirstLine.size()] == '\n';
}

RunProgram read_run_program(const World& world, const std::string& text, const std::string& path) {
  Reader reader(world, path);
  refuse_faults(world, reader.read(text));
  return std::move(reader.program);
}

std::string text_of(const RunOperation& operation) {
  std::string text(kKinds[static_cast<std::size_t>(operation.kind)]);
  const std::int64_t units =
      units_of(operation.kind == RunKind::send ? operation.from : operation.to);
  text += " of " + std::to_string(units) + (units == 1 ? " unit" : " units");
  if (operation.kind == RunKind::send) text += " to rank " + std::to_string(operation.peer);
  if (operation.receives()) text += " from rank " + std::to_string(operation.peer);
  return text;
}

}  // namespace weft::mpi_bench
