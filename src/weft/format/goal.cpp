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
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>

#include "text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"

namespace weft::format {

using program::Agent;
using program::Operation;
using program::OperationKind;
using program::Operations;
using program::OperationSpec;

namespace {

constexpr double kNanosecond = 1e-9;

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
                     operation.peer.value(), operation.tag);
    else if (operation.receives())
      fmt::format_to(out, "{}: recv {}b from {} tag {}\n", label, operation.bytes,
                     operation.peer.value(), operation.tag);
    else
      calc(label, work_s(operation), operation.stream);
    for (const std::int32_t wait : operations_.waits(operation))
      fmt::format_to(out, "{} requires {}\n", label, done_[wait]);
    if (operation.kind == OperationKind::receive_reduce && host_.reduce_bandwidth_Bps > 0) {
      const std::string received = label;
      label += "r";
      calc(label, bytes_s(operation.bytes, host_.reduce_bandwidth_Bps), operation.stream);
      fmt::format_to(out, "{} requires {}\n", label, received);
    }
    done_.push_back(label);
  }

  void calc(const std::string& label, double seconds, program::Stream stream) {
    const double nanoseconds = std::round(seconds / kNanosecond);
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

// The operations of one rank, as they are read.
class GoalRank {
 public:
  GoalRank(std::int32_t rank, std::int32_t ranks) : rank_(rank), ranks_(ranks) {}

  void read(const Line& line) {
    std::size_t at = 0;
    std::string label;
    if (line.word(0).ends_with(':')) {
      label = line.word(0).substr(0, line.word(0).size() - 1);
      if (label.empty() || line.words() < 2) line.refuse("an operation is missing");
      at = 1;
    } else if (line.words() == 3 && line.word(1).ends_with("requires")) {
      return depend(line);
    }
    if (!label.empty() && !labels_.emplace(label, specs_.size()).second)
      line.refuse("label {} is there already", label);
    specs_.push_back(operation(line, at));
    numbers_.push_back(line.number());
    waits_.emplace_back();
  }

  /// Adds them, each after what it waits for.
  void add_to(program::ProgramBuilder& builder, const std::string& file) {
    std::vector<std::vector<std::size_t>> waiting(specs_.size());
    std::vector<std::size_t> left(specs_.size());
    for (std::size_t i = 0; i < specs_.size(); ++i)
      for (const std::size_t before : waits_[i]) {
        waiting[before].push_back(i);
        ++left[i];
      }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (left[i] == 0) ready.push(i);
    std::vector<std::int32_t> place(specs_.size());
    std::size_t added = 0;
    for (; !ready.empty(); ++added) {
      const std::size_t i = ready.top();
      ready.pop();
      for (const std::size_t before : waits_[i]) specs_[i].waits.push_back(place[before]);
      try {
        place[i] = builder.add(Agent(rank_), std::move(specs_[i]));
      } catch (const InvalidInput& error) {
        refuse_at(file, numbers_[i], "{}", error.what());
      }
      for (const std::size_t next : waiting[i])
        if (--left[next] == 0) ready.push(next);
    }
    require(added == specs_.size(), "'{}': operations of rank {} require each other in a circle",
            file, rank_);
  }

 private:
  void depend(const Line& line) {
    if (line.word(1) != "requires")
      line.refuse("'{}' is not read, only requires (after its end)", line.word(1));
    const auto find = [&](std::string_view label) {
      const auto found = labels_.find(std::string(label));
      if (found == labels_.end()) line.refuse("there is no label {} before this line", label);
      return found->second;
    };
    const std::size_t waiting = find(line.word(0));
    waits_[waiting].push_back(find(line.word(2)));
  }

  OperationSpec operation(const Line& line, std::size_t at) const {
    OperationSpec spec;
    const std::string kind = weft::lower(line.word(at++));
    if (kind == "calc") {
      spec.kind = OperationKind::compute;
      spec.seconds = static_cast<double>(line.integer(at++, 0, INT64_MAX, "time")) * kNanosecond;
    } else if (kind == "send" || kind == "recv") {
      spec.kind = kind == "send" ? OperationKind::send : OperationKind::receive;
      spec.bytes = size(line, at);
      const char* const joined = kind == "send" ? "to" : "from";
      if (at >= line.words() || line.word(at) != joined) line.refuse("'{}' is missing", joined);
      spec.peer = Agent(line.integer(at + 1, 0, ranks_ - 1, "rank"));
      at += 2;
    } else {
      line.refuse("'{}' is no operation; send, recv and calc are", kind);
    }
    for (; at < line.words(); at += 2) option(line, at, spec);
    return spec;
  }

  // "1024b" or "1024 b".
  static std::int64_t size(const Line& line, std::size_t& at) {
    std::string_view word = at < line.words() ? line.word(at) : "";
    ++at;
    if (word.ends_with('b'))
      word.remove_suffix(1);
    else if (at < line.words() && line.word(at) == "b")
      ++at;
    else
      line.refuse("a size such as 1024b is missing");
    const std::int64_t bytes = number_in<std::int64_t>(word).value_or(0);
    if (bytes < 1) line.refuse("'{}' is no number of bytes (1 or more)", word);
    return bytes;
  }

  static void option(const Line& line, std::size_t at, OperationSpec& spec) {
    if (line.word(at) == "tag") {
      spec.tag = static_cast<std::int32_t>(line.integer(at + 1, 0, INT32_MAX, "tag"));
    } else if (line.word(at) == "cpu") {
      spec.stream = line.integer(at + 1, 0, 1, "cpu") == 1 ? program::Stream::compute
                                                           : program::Stream::communication;
    } else if (line.word(at) == "nic") {
      line.integer(at + 1, 0, 0, "nic");
    } else {
      line.refuse("'{}' is not read; tag, cpu and nic are", line.word(at));
    }
  }

  std::int32_t rank_, ranks_;
  std::map<std::string, std::size_t> labels_;
  std::vector<OperationSpec> specs_;
  std::vector<std::int64_t> numbers_;            // of their lines
  std::vector<std::vector<std::size_t>> waits_;  // of each
};

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

class GoalReader {
 public:
  explicit GoalReader(const std::string& file) : file_(file) {}

  Program read(std::string_view text) && {
    most_ranks_ = std::ssize(text);  // each takes some bytes
    std::int64_t number = 0;
    for (const std::string_view one : lines_of(text)) {
      const Line line(file_, ++number, one);
      if (line.words() > 0) read(line);
    }
    require(builder_.has_value(), "'{}' is no GOAL file: num_ranks is missing", file_);
    require(!rank_, "'{}' ends within rank {}", file_, next_ - 1);
    require(next_ == ranks_, "'{}' has {} of {} ranks", file_, next_, ranks_);
    return std::move(*builder_).build();
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
      rank_->add_to(*builder_, file_);
      rank_.reset();
    } else {
      rank_->read(line);
    }
  }

  const std::string& file_;
  std::int64_t most_ranks_ = 0;
  std::int32_t ranks_ = 0, next_ = 0;
  std::optional<program::ProgramBuilder> builder_;
  std::optional<GoalRank> rank_;
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
              "which bytes a message carries, so that nothing can be proved; parts of a nanosecond",
          .write_program = write,
          .read_program = read,
          .recognises = recognises};
}

}  // namespace weft::format
