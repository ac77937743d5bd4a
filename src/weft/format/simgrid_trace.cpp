// SimGrid's time-independent traces, as `smpirun -replay FILE` takes them: FILE names one trace for
// each rank, FILE.0, FILE.1 and so on, or one trace of all ranks.
//
// Written, a program is read by steps: a rank posts its receives and sends of a step, then waits
// for all of them. Work is a sleep, before the sends that it packs or after the receives that it
// belongs to. Read, a trace is MPI's: what blocks comes before all that follows it, what does not
// before the wait that names it. Sizes are bytes after a plain `init`, counts of 8-byte numbers
// after one with an argument, unless an action names the number of a type. Collectives become the
// messages of SMPI's default algorithms (simgrid/collectives.hpp), a message of no bytes one byte.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "program_lines.hpp"
#include "simgrid/trace_reader.hpp"
#include "text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"

namespace weft::format {

using program::Agent;

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

using simgrid::TraceReader;

std::string read_named(const ProgramSource& source, const std::string& path, const Line& where) {
  try {
    return source.read(path);
  } catch (const InvalidInput& error) {
    where.refuse("{}; each line must name the trace of a rank, or one line the trace of all ranks",
                 error.what());
  }
}

bool is_action(const Line& line) {
  return line.words() >= 2 && number_in<std::int32_t>(line.word(0)) &&
         simgrid::is_action(line.word(1));
}

bool begins_with_action(std::string_view text) {
  const std::vector<Line> lines = first_lines(text, 1);
  return !lines.empty() && is_action(lines[0]);
}

struct TraceFile {
  std::string path, text;
};

// The files that a list names, or the file itself where it is a trace.
std::vector<TraceFile> traces_of(const ProgramSource& source) {
  std::string list = source.read(source.path);
  if (begins_with_action(list)) return {{source.path, std::move(list)}};
  const std::string folder = source.path.substr(0, source.path.find_last_of('/') + 1);
  std::vector<Line> names;
  std::int64_t row = 0;
  for (const std::string_view line : lines_of(list))
    if (Line words(source.path, ++row, line); words.words() > 0) names.push_back(std::move(words));
  require(!names.empty(), "'{}' does not name a trace", source.path);
  require(names.size() < std::size_t{1} << 24, "'{}' names {} traces, which is too many",
          source.path, names.size());
  std::vector<TraceFile> files;
  for (const Line& each : names) {
    const std::string name(each.word(0));
    const std::string path = name.starts_with('/') ? name : folder + name;
    files.push_back({path, read_named(source, path, each)});
  }
  return files;
}

// Of a trace of all ranks, each of which acts.
std::int32_t count_ranks(const TraceFile& file) {
  std::vector<std::int64_t> acting;
  std::int64_t row = 0;
  for (const std::string_view text : lines_of(file.text)) {
    const Line line(file.path, ++row, text);
    if (line.words() == 0 || line.word(0).starts_with('#')) continue;
    acting.push_back(line.integer(0, 0, INT32_MAX - 1, "rank"));
  }
  require(!acting.empty(), "'{}' has no actions", file.path);
  std::ranges::sort(acting);
  acting.erase(std::unique(acting.begin(), acting.end()), acting.end());
  for (std::int64_t rank = 0; rank < std::ssize(acting); ++rank)
    require(acting[static_cast<std::size_t>(rank)] == rank,
            "{}: rank {} has no actions, but rank {} has; a trace needs actions of every rank",
            file.path, rank, acting.back());
  return static_cast<std::int32_t>(acting.size());
}

Program read(const ProgramSource& source) {
  const std::vector<TraceFile> files = traces_of(source);
  const bool one_for_all = files.size() == 1;
  const std::int32_t ranks =
      one_for_all ? count_ranks(files[0]) : static_cast<std::int32_t>(files.size());
  program::ProgramBuilder builder(ranks, {.name = source.path});
  std::vector<TraceReader> readers;
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    readers.emplace_back(builder, Agent(rank), ranks, source.flops_per_s);
  for (std::int32_t i = 0; i < std::ssize(files); ++i) {
    const TraceFile& file = files[static_cast<std::size_t>(i)];
    std::int64_t number = 0;
    for (const std::string_view text : lines_of(file.text)) {
      const Line line(file.path, ++number, text);
      if (line.words() == 0 || line.word(0).starts_with('#')) continue;
      const std::int64_t rank = line.integer(0, 0, ranks - 1, "rank");
      if (line.words() < 2 || (!one_for_all && rank != i))
        line.refuse("an action of rank {} is expected (RANK ACTION ...)", one_for_all ? rank : i);
      readers[static_cast<std::size_t>(rank)].read(line);
    }
  }
  return build_with_lines(std::move(builder), [&](Agent agent, std::int32_t operation) {
    return std::pair(files[one_for_all ? 0 : agent.index()].path,
                     readers[agent.index()].line_of(operation));
  });
}

// A trace has actions. A list of traces has a name a line, and these begin alike ("app.0",
// "app.1"); other words, one a line, may be anything.
bool recognises(std::string_view text) {
  if (begins_with_action(text)) return true;
  constexpr std::size_t kAlike = 2;
  std::size_t names = 0;
  std::string_view begin;
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view name = trim(whole);
    if (name.empty()) continue;
    if (name.find_first_of(" \t=<>:") != std::string_view::npos) return false;
    if (names++ == 0) begin = name.substr(0, kAlike);
    if (!name.starts_with(begin)) return false;
  }
  return names > 1;
}

// A list of one name, which is that of a trace.
bool names_trace(std::string_view text, std::string_view file) {
  constexpr std::size_t kLooked = 4096;
  const std::string_view name = trim(text);
  if (name.empty() || name.find_first_of(" \t\r\n") != std::string_view::npos) return false;
  const auto path = std::filesystem::path(file).replace_filename(name);
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::string begin(kLooked, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(begin.data(), kLooked);
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  return begins_with_action(begin);
}

}  // namespace

Format simgrid_trace() {
  return {.name = "simgrid-trace",
          .summary =
              "time-independent traces of SimGrid's SMPI, FILE.RANK each, FILE their list "
              "for smpirun -replay; read, also one trace of all ranks",
          .loses =
              "which bytes a message carries, so that nothing can be proved; when read, "
              "collectives run as SMPI's default algorithms have it",
          .write_program = write,
          .read_program = read,
          .recognises = recognises,
          .recognises_file = names_trace};
}

}  // namespace weft::format
