// SimGrid's time-independent traces, as `smpirun -replay FILE` takes them: FILE names one trace for
// each rank, FILE.0, FILE.1 and so on.
//
// Written, a program is read by steps: a rank posts its receives and sends of a step, then waits
// for all of them. Work is a sleep, before the sends that it packs or after the receives that it
// belongs to. Read, a trace is MPI's: what blocks comes before all that follows it, what does not
// before the wait that names it. Sizes are bytes after a plain `init`, counts of 8-byte numbers
// after one with an argument. Collective actions are not read: a trace does not say how they run.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "program_lines.hpp"
#include "text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"

namespace weft::format {

using program::Agent;
using program::OperationSpec;

namespace {

class TraceWriter {
 public:
  TraceWriter(const Program& program, const ProgramTarget& target)
      : program_(program), host_(target.host), traces_(static_cast<std::size_t>(program.agents())) {
    for (std::size_t rank = 0; rank < traces_.size(); ++rank)
      traces_[rank] = fmt::format("{} init\n", rank);
  }

  std::vector<File> write(const std::string& path) && {
    for (std::int64_t t = 0; t < program_.steps(); ++t) write_step(t);
    std::vector<File> files{{path, ""}};
    const std::string name = path.substr(path.find_last_of('/') + 1);
    for (std::size_t rank = 0; rank < traces_.size(); ++rank) {
      files[0].content += fmt::format("{}.{}\n", name, rank);
      files.push_back(
          {fmt::format("{}.{}", path, rank), traces_[rank] + fmt::format("{} finalize\n", rank)});
    }
    return files;
  }

 private:
  void write_step(std::int64_t t) {
    program_.step(t, step_);
    std::vector<bool> busy(traces_.size(), false);
    std::vector<double> before_s(traces_.size()), after_s(traces_.size());
    for (const program::LocalWork& work : step_.work)
      (work.phase == program::WorkPhase::before_sending ? before_s : after_s)[work.at.index()] +=
          bytes_s(work.kind, work.bytes);
    for (const program::OwnWork& own : step_.own)
      (own.phase == program::WorkPhase::before_sending ? before_s : after_s)[own.at.index()] +=
          own.kind == program::WorkKind::compute ? own.seconds : bytes_s(own.kind, own.bytes);
    for (const program::Transfer& message : step_.transfers) {
      const std::size_t to = message.to.index();
      traces_[to] += fmt::format("{} irecv {} {} {}\n", to, message.from.value(), t, message.bytes);
      busy[to] = true;
    }
    for (std::size_t rank = 0; rank < traces_.size(); ++rank) sleep(rank, before_s[rank]);
    for (const program::Transfer& message : step_.transfers) {
      const std::size_t from = message.from.index();
      traces_[from] +=
          fmt::format("{} isend {} {} {}\n", from, message.to.value(), t, message.bytes);
      busy[from] = true;
    }
    for (std::size_t rank = 0; rank < traces_.size(); ++rank) {
      if (busy[rank]) traces_[rank] += fmt::format("{} waitall\n", rank);
      sleep(rank, after_s[rank]);
    }
  }

  double bytes_s(program::WorkKind kind, std::int64_t bytes) const {
    const std::int64_t bandwidth_Bps =
        kind == program::WorkKind::copy ? host_.copy_bandwidth_Bps : host_.reduce_bandwidth_Bps;
    return bandwidth_Bps == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(bandwidth_Bps);
  }
  void sleep(std::size_t rank, double seconds) {
    if (seconds > 0) traces_[rank] += fmt::format("{} sleep {}\n", rank, seconds);
  }

  const Program& program_;
  HostParameters host_;
  std::vector<std::string> traces_;
  program::StepProgram step_;
};

std::vector<File> write(const Program& program, const ProgramTarget& target) {
  require_ranks_only(program, "a SimGrid trace");
  require_no_paths(program, "a SimGrid trace");
  return TraceWriter(program, target).write(target.path);
}

// One rank's trace as operations.
class TraceReader {
 public:
  TraceReader(program::ProgramBuilder& builder, Agent rank, std::int32_t ranks, double flops_per_s)
      : builder_(builder), rank_(rank), ranks_(ranks), flops_per_s_(flops_per_s) {}

  void read(const Line& line) {
    act(line);
    lines_.resize(static_cast<std::size_t>(operations_), line.number());
  }
  /// Of the operations.
  std::vector<std::int64_t> lines() && { return std::move(lines_); }

 private:
  void act(const Line& line) {
    const std::string action = lower(std::string(line.word(1)));
    if (action == "init") return begin(line);
    if (action == "finalize" || action == "comm_size" || action == "location") return;
    if (action == "send" || action == "isend" || action == "recv" || action == "irecv")
      return message(line, action);
    if (action == "compute") return compute(line);
    if (action == "sleep") return work(line.seconds(2), line);
    if (action == "wait") return wait(line);
    if (action == "waitall") return wait_all();
    line.refuse("'{}' is not read; send, isend, recv, irecv, wait, waitall, compute and sleep are",
                action);
  }

  struct Request {
    std::int32_t from, to, tag, operation;
  };

  void begin(const Line& line) { unit_B_ = line.words() > 2 ? 8 : 1; }

  void message(const Line& line, const std::string& action) {
    if (line.words() > 5) line.refuse("datatypes of single actions are not read");
    const bool sends = action.ends_with("send"), blocks = !action.starts_with('i');
    OperationSpec spec;
    spec.kind = sends ? program::OperationKind::send : program::OperationKind::receive;
    const auto peer = static_cast<std::int32_t>(line.integer(2, 0, ranks_ - 1, "rank"));
    spec.peer = Agent(peer);
    spec.tag = static_cast<std::int32_t>(line.integer(3, 0, INT32_MAX, "tag"));
    spec.bytes = line.integer(4, 1, INT64_MAX / unit_B_, "size") * unit_B_;
    const std::int32_t tag = spec.tag;
    const std::int32_t operation = add(std::move(spec), line);
    if (blocks)
      last_ = {operation};
    else
      requests_.push_back(
          {sends ? rank_.value() : peer, sends ? peer : rank_.value(), tag, operation});
  }

  void compute(const Line& line) {
    if (flops_per_s_ == 0)
      line.refuse("compute counts operations; say how many a rank does a second with --flops");
    work(line.seconds(2) / flops_per_s_, line);
  }

  void work(double seconds, const Line& line) {
    OperationSpec spec;
    spec.kind = program::OperationKind::compute;
    spec.stream = program::Stream::compute;
    spec.seconds = seconds;
    last_ = {add(std::move(spec), line)};
  }

  void wait(const Line& line) {
    const std::int64_t from = line.integer(2, 0, ranks_ - 1, "rank");
    const std::int64_t to = line.integer(3, 0, ranks_ - 1, "rank");
    const std::int64_t tag = line.integer(4, 0, INT32_MAX, "tag");
    const auto found = std::ranges::find_if(requests_, [&](const Request& request) {
      return request.from == from && request.to == to && request.tag == tag;
    });
    if (found == requests_.end()) line.refuse("nothing to wait for from {} to {}", from, to);
    last_.push_back(found->operation);
    requests_.erase(found);
    join();
  }

  void wait_all() {
    for (const Request& request : requests_) last_.push_back(request.operation);
    requests_.clear();
    join();
  }

  // One operation that waits for all, so that what follows need not do so each.
  void join() {
    if (last_.size() <= 1) return;
    OperationSpec spec;
    spec.kind = program::OperationKind::compute;
    spec.waits = std::move(last_);
    last_ = {builder_.add(rank_, std::move(spec))};
    ++operations_;
  }

  std::int32_t add(OperationSpec spec, const Line& line) {
    spec.waits = last_;
    ++operations_;
    try {
      return builder_.add(rank_, std::move(spec));
    } catch (const InvalidInput& error) {
      line.refuse("{}", error.what());
    }
  }

  program::ProgramBuilder& builder_;
  Agent rank_;
  std::int32_t ranks_;
  double flops_per_s_;
  std::int64_t unit_B_ = 1, operations_ = 0;
  std::vector<std::int64_t> lines_;  // of operations
  std::vector<std::int32_t> last_;   // what the next operation waits for
  std::vector<Request> requests_;    // begun, and not waited for
};

std::string read_named(const ProgramSource& source, const std::string& path, const Line& where) {
  try {
    return source.read(path);
  } catch (const InvalidInput& error) {
    where.refuse("{}; each line names the trace of a rank", error.what());
  }
}

Program read(const ProgramSource& source) {
  const std::string folder = source.path.substr(0, source.path.find_last_of('/') + 1);
  std::vector<Line> names;
  const std::string list = source.read(source.path);
  std::int64_t row = 0;
  for (const std::string_view line : lines_of(list))
    if (Line words(source.path, ++row, line); words.words() > 0) names.push_back(std::move(words));
  require(!names.empty(), "'{}' names no traces", source.path);
  require(names.size() < std::size_t{1} << 24, "'{}' names {} traces, which are too many",
          source.path, names.size());
  const auto ranks = static_cast<std::int32_t>(names.size());
  program::ProgramBuilder builder(ranks, {.name = source.path});
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> lines;  // of operations, by rank
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const std::string name(names[rank].word(0));
    const std::string path = name.starts_with('/') ? name : folder + name;
    TraceReader trace(builder, Agent(rank), ranks, source.flops_per_s);
    const std::string text = read_named(source, path, names[rank]);
    std::int64_t number = 0;
    for (const std::string_view line : lines_of(text)) {
      const Line words(path, ++number, line);
      if (words.words() == 0 || words.word(0).starts_with('#')) continue;
      if (words.integer(0, 0, ranks - 1, "rank") != rank || words.words() < 2)
        words.refuse("an action of rank {} is expected (RANK ACTION ...)", rank);
      trace.read(words);
    }
    lines.emplace_back(path, std::move(trace).lines());
  }
  return build_with_lines(std::move(builder), [&](Agent agent, std::int32_t operation) {
    const auto& [file, numbers] = lines[agent.index()];
    return std::pair(file, numbers[static_cast<std::size_t>(operation)]);
  });
}

// A list of files has one word a line; one word alone may be anything.
bool recognises(std::string_view text) {
  std::size_t words = 0;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t own = Line("", 0, line).words();
    if (own > 1) return false;
    words += own;
  }
  return words > 1;
}

}  // namespace

Format simgrid_trace() {
  return {.name = "simgrid-trace",
          .summary =
              "time-independent traces of SimGrid's SMPI, FILE.RANK each, FILE their list "
              "for smpirun -replay",
          .loses = "which bytes a message carries, so that nothing can be proved",
          .write_program = write,
          .read_program = read,
          .recognises = recognises};
}

}  // namespace weft::format
