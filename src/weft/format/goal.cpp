// GOAL, the schedules of LogGOPSim and ATLAHS, as text (Hoefler, Siebert, Lumsdaine, "Group
// Operation Assembly Language - A Flexible Way to Express Collective Communication", ICPP 2009).
//
//   num_ranks 2
//   rank 0 {
//   l0: calc 5000 cpu 1
//   l1: send 4096b to 1 tag 7
//   l1 requires l0
//   }
//   ...
//
// Its operations are a program's: cpu 0 is the communication stream, cpu 1 that of computation,
// calc counts nanoseconds. A copy or reduction is a calc of the time that it takes at the host's
// bandwidth. A label may be required before that of a later line is, so that operations of a rank
// are put into an order in which each comes after what it waits for.
//
// Reading. A rank of ours has two streams: one cpu besides cpu 0 may compute on each rank, whatever
// its number. The cpu and nic of a message are passed over: a host pays start-ups on its
// communication stream, and the routing chooses links. `a irequires b` lets a start once b has
// started: b gets an operation of no time before it, on its stream, which a waits for. Tags are 32
// bits without a sign there and with one here.
// Source: the grammar that LogGOPSim's and ATLAHS's txt2bin.re state (2024).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "goal/rank_reader.hpp"
#include "program_lines.hpp"
#include "text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"

namespace weft::format {

using program::Agent;
using program::Operation;
using program::OperationKind;
using program::Operations;

namespace {

class GoalWriter {
 public:
  GoalWriter(const Operations& operations, const HostParameters& host)
      : operations_(operations), host_(host) {}

  std::string write() && {
    text_ = fmt::format("num_ranks {}\n", operations_.agents());
    for (std::int32_t a = 0; a < operations_.agents(); ++a) {
      fmt::format_to(std::back_inserter(text_), "rank {} {{\n", a);
      const auto all = operations_.of(Agent(a));
      done_.clear();
      for (std::size_t i = 0; i < all.size(); ++i) add(i, all[i]);
      text_ += "}\n";
    }
    return std::move(text_);
  }

 private:
  void add(std::size_t index, const Operation& operation) {
    std::string label = fmt::format("l{}", index);
    const auto out = std::back_inserter(text_);
    if (operation.kind == OperationKind::send)
      fmt::format_to(out, "{}: send {}b to {} tag {}\n", label, operation.bytes,
                     operation.peer.value(), tag(operation));
    else if (operation.receives())
      fmt::format_to(out, "{}: recv {}b from {} tag {}\n", label, operation.bytes,
                     operation.peer.value(), tag(operation));
    else
      calc(label, work_s(operation), operation.stream);
    for (const std::int32_t wait : operations_.waits(operation)) {
      WEFT_ASSERT(wait >= 0 && wait < std::ssize(done_));  // it comes before
      fmt::format_to(out, "{} requires {}\n", label, done_[wait]);
    }
    if (operation.kind == OperationKind::receive_reduce && host_.reduce_bandwidth_Bps > 0) {
      const std::string received = label;
      label += "r";
      calc(label, bytes_s(operation.bytes, host_.reduce_bandwidth_Bps), operation.stream);
      fmt::format_to(out, "{} requires {}\n", label, received);
    }
    done_.push_back(label);
  }

  static std::uint32_t tag(const Operation& operation) {
    const auto tag = static_cast<std::uint32_t>(operation.tag);
    require(tag != goal_text::kAnyTag, "tag -1 means any tag in GOAL; use other tags");
    return tag;
  }

  void calc(const std::string& label, double seconds, program::Stream stream) {
    const double nanoseconds = std::round(seconds / goal_text::kNanosecond);
    require(nanoseconds < 9e18, "work of {} s is too long for GOAL, which counts nanoseconds",
            seconds);
    fmt::format_to(std::back_inserter(text_), "{}: calc {}{}\n", label,
                   static_cast<std::int64_t>(nanoseconds),
                   stream == program::Stream::compute ? " cpu 1" : "");
  }

  double work_s(const Operation& operation) const {
    if (operation.kind == OperationKind::compute) return operation.seconds;
    return bytes_s(operation.bytes, operation.kind == OperationKind::copy
                                        ? host_.copy_bandwidth_Bps
                                        : host_.reduce_bandwidth_Bps);
  }
  static double bytes_s(std::int64_t bytes, std::int64_t bandwidth_Bps) {
    return bandwidth_Bps == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(bandwidth_Bps);
  }

  const Operations& operations_;
  HostParameters host_;
  std::string text_;
  std::vector<std::string> done_;  // by operation of the rank: the label that ends it
};

std::vector<File> write(const Program& program, const ProgramTarget& target) {
  require_ranks_only(program, "GOAL");
  require_no_paths(program, "GOAL");
  const Program written = write_out(program);
  return {{target.path, GoalWriter(*written.operations(), target.host).write()}};
}

// Blanks in the place of comments, which may span lines.
std::string without_comments(std::string text) {
  for (std::size_t at = 0; (at = text.find('/', at)) != std::string::npos;) {
    const bool line = text.compare(at, 2, "//") == 0;
    if (!line && text.compare(at, 2, "/*") != 0) {
      ++at;
      continue;
    }
    const std::size_t found = line ? text.find('\n', at) : text.find("*/", at + 2);
    const std::size_t end =
        found == std::string::npos ? text.size() : found + (line ? std::size_t{0} : 2);
    for (; at < end; ++at)
      if (text[at] != '\n') text[at] = ' ';
  }
  return text;
}

// A colon is a word by itself, and braces end a line.
std::string spaced(std::string_view line) {
  std::string text;
  for (const char c : line)
    if (c == ':')
      text += " : ";
    else if (c == '{' || c == '}')
      text += fmt::format(" {}\n", c);
    else
      text += c;
  return text;
}

class GoalReader {
 public:
  explicit GoalReader(const std::string& file) : file_(file) {}

  Program read(std::string_view text) && {
    most_ranks_ = std::ssize(text);  // each takes some bytes
    std::int64_t number = 0;
    for (const std::string_view one : lines_of(text)) {
      ++number;
      const std::string parts = spaced(one);
      for (const std::string_view part : lines_of(parts)) {
        const Line line(file_, number, part);
        if (line.words() > 0) read(line);
      }
    }
    require(builder_.has_value(), "'{}' is not a GOAL file: num_ranks is missing; add num_ranks N",
            file_);
    if (rank_)
      refuse_at(file_, number, "the file ends within rank {}; add }} at its end", next_ - 1);
    if (next_ != ranks_)
      refuse_at(file_, number, "the file has {} of {} ranks; add the others, or change num_ranks",
                next_, ranks_);
    return build_with_lines(std::move(*builder_), [&](Agent agent, std::int32_t operation) {
      return std::pair(file_, lines_[agent.index()][static_cast<std::size_t>(operation)]);
    });
  }

 private:
  void read(const Line& line) {
    if (!builder_) {
      if (line.word(0) != "num_ranks") line.refuse("num_ranks is missing");
      ranks_ = static_cast<std::int32_t>(line.integer(1, 1, 1 << 24, "number of ranks"));
      if (ranks_ > most_ranks_) line.refuse("the file is too short for {} ranks", ranks_);
      builder_.emplace(ranks_, program::ProgramOptions{.name = file_});
    } else if (!rank_) {
      if (line.words() != 3 || line.word(0) != "rank" || line.word(2) != "{")
        line.refuse("'rank {} {{' is expected", next_);
      if (next_ == ranks_) line.refuse("there are only {} ranks", ranks_);
      line.integer(1, next_, next_, "rank");
      rank_.emplace(next_++, ranks_);
    } else if (line.words() == 1 && line.word(0) == "}") {
      lines_.push_back(rank_->add_to(*builder_, file_));
      rank_.reset();
    } else {
      rank_->read(line);
    }
  }

  const std::string& file_;
  std::int64_t most_ranks_ = 0;
  std::int32_t ranks_ = 0, next_ = 0;
  std::optional<program::ProgramBuilder> builder_;
  std::optional<goal_text::RankReader> rank_;
  std::vector<std::vector<std::int64_t>> lines_;  // of each rank's operations
};

Program read(const ProgramSource& source) {
  return GoalReader(source.path).read(without_comments(source.read(source.path)));
}

bool recognises(std::string_view text) {
  const std::string plain = without_comments(std::string(text));
  const std::size_t first = plain.find_first_not_of(" \t\r\n");
  return first != std::string::npos && plain.compare(first, 9, "num_ranks") == 0;
}

}  // namespace

Format goal() {
  return {.name = "goal",
          .summary = "schedules of LogGOPSim and ATLAHS (text), operations with what they require",
          .loses =
              "which bytes a message carries, so that nothing can be proved; parts of a "
              "nanosecond; when read, the cpu and nic of a message",
          .write_program = write,
          .read_program = read,
          .recognises = recognises};
}

}  // namespace weft::format
