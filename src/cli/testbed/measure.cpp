#include "cli/testbed/measure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/program/operations.hpp"
#include "weft/testbed/box.hpp"

namespace weft::cli {

namespace {

constexpr std::int64_t kFloat_B = 4;
// What a link carries between two looks of a waiting rank: a packet, 0.2 ms of 50 Mbit/s. Ranks
// that look more often take the processors and see nothing new.
constexpr double kDoze_B = 1250;

std::string ranges_text(std::span<const program::ByteRange> ranges) {
  std::string text;
  for (const program::ByteRange& range : ranges)
    text += fmt::format("{}{}+{}", text.empty() ? "" : ",", range.offset_B, range.bytes);
  return text;
}

// As weft-bench run reads it: by ranks and, within them, in the order of steps.
std::string run_text(const BoxCall& call, const Collective& collective) {
  WEFT_ASSERT(call.program.has_value());
  const Program written = write_out(*call.program);
  WEFT_ASSERT(written.operations() != nullptr);
  const Operations& operations = *written.operations();
  const bool block = collective.kind == CollectiveKind::allgather;
  const std::int32_t ranks = call.program->ranks();
  std::string text = fmt::format(
      "weft-run 1\ncollective {}\nname {}\nranks {}\nbytes {}\nsize {}\n", name_of(collective.kind),
      call.algorithm, ranks, call.size_B * (block ? ranks : 1), call.size_B);
  for (std::int32_t r = 0; r < ranks; ++r) {
    text += fmt::format("rank {}\n", r);
    for (const Operation& operation : operations.of(program::Agent(r))) {
      if (!operation.is_message()) continue;  // copies, which the executor makes by itself
      const bool sends = operation.kind == OperationKind::send;
      const char* kind = sends                                      ? "send"
                         : operation.kind == OperationKind::receive ? "receive"
                                                                    : "reduce";
      text += fmt::format(
          "{} {} {} {}\n", kind, operation.origin.step, operation.peer.value(),
          ranges_text(sends ? operations.reads(operation) : operations.writes(operation)));
    }
  }
  return text;
}

struct BenchTable {
  std::vector<BoxTimes> rows;
  std::string library;
};

BenchTable read_bench(const std::string& csv) {
  constexpr std::string_view kLibrary = "# Library: ";
  BenchTable table;
  bool headed = false;
  for (const std::string_view line : split(csv, '\n')) {
    if (line.starts_with(kLibrary)) table.library = line.substr(kLibrary.size());
    if (line.empty() || line.front() == '#') continue;
    if (!std::exchange(headed, true)) continue;
    const auto fields = split(line, ',');
    require(fields.size() == 8, "the output of weft-bench is not the expected table: {}", line);
    const auto calls = number_in<std::int64_t>(fields[5]);
    const auto least_s = number_in<double>(fields[6]), median_s = number_in<double>(fields[7]);
    require(calls && least_s && median_s && *calls > 0 && *least_s > 0,
            "the output of weft-bench has no times: {}", line);
    table.rows.push_back({*calls, *least_s, *median_s});
  }
  return table;
}

// The calls of one launch of weft-bench: indices, and the words that run them.
struct Launch {
  std::vector<std::size_t> calls;
  std::vector<std::string> words;
};

std::string seconds_text(const std::string& time) {
  return fmt::format("{:.9g}", parse_seconds(time));
}

std::string doze_text(const std::string& rate) {
  return fmt::format("{:.9g}", kDoze_B / static_cast<double>(testbed::parse_rate(rate)));
}

Launch schedules_in(testbed::Box& box, const TestbedOptions& options, const Collective& collective,
                    const std::vector<BoxCall>& calls) {
  Launch launch{.calls = {},
                .words = {"run", "--startup", seconds_text(options.alpha), "--doze",
                          doze_text(options.rate)}};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i].program) continue;
    launch.calls.push_back(i);
    launch.words.push_back(box.file(fmt::format("run-{}", i)));
    write_file(launch.words.back(), run_text(calls[i], collective));
  }
  return launch;
}

Launch own_choices(const Collective& collective, const std::vector<BoxCall>& calls) {
  Launch launch;
  std::string sizes;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].program) continue;
    launch.calls.push_back(i);
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ",", calls[i].size_B);
  }
  launch.words = {std::string(name_of(collective.kind)), "--sizes", sizes};
  return launch;
}

void run(testbed::Box& box, const TestbedOptions& options, const Launch& what,
         BoxMeasurement& measured) {
  if (what.calls.empty() || measured.failed) return;
  const std::string csv = box.file("times.csv");
  std::vector<std::string> words = what.words;
  words.insert(words.begin(), "weft-bench");
  words.insert(words.end(), {"--fewest", fmt::format("{}", options.fewest), "-o", csv});
  testbed::LaunchOptions launch = testbed_launch(options, words);
  launch.agent = box.agent();
  const auto ended =
      box.run(launch_command(box.layout(), launch), parse_seconds(options.time_limit));
  if (ended.signal) measured.failed = 128 + *ended.signal;
  if (ended.out_of_time || ended.code != 0) measured.failed = kNo;
  if (measured.failed) return;
  BenchTable table = read_bench(read_file(csv));
  require(table.rows.size() == what.calls.size(), "weft-bench measured {} of {}", table.rows.size(),
          counted(std::ssize(what.calls), "row"));
  for (std::size_t i = 0; i < what.calls.size(); ++i) measured.times[what.calls[i]] = table.rows[i];
  measured.mpi = std::move(table.library);
}

}  // namespace

void require_runs(const Collective& collective, std::int64_t size_B) {
  using enum CollectiveKind;
  require(collective.kind == allreduce || collective.kind == allgather ||
              collective.kind == reduce_scatter,
          "weft testbed compare supports allreduce, allgather and reduce-scatter, not {}",
          name_of(collective.kind));
  require(size_B > 0 && size_B % kFloat_B == 0,
          "{} is not a whole number of floats; choose another size", format_size(size_B));
}

void require_runs_own(const Collective& collective, std::int64_t size_B) {
  require_runs(collective, size_B);
  require(collective.kind != CollectiveKind::reduce_scatter ||
              size_B % (kFloat_B * collective.ranks) == 0,
          "{} is not a whole number of floats for each of {} ranks, which the MPI needs; "
          "choose another size",
          format_size(size_B), collective.ranks);
}

std::optional<BoxCall> schedule_call(const std::string& algorithm, const Collective& collective,
                                     const Network& network, std::int64_t size_B) {
  const Verified verified = evaluate::schedule_for_size(algorithm, collective, network, {}, size_B);
  Program program = lower(verified, {.size_B = size_B, .element_B = kFloat_B});
  if (program.agents() > program.ranks() || program.route_count() > 0) return std::nullopt;
  return BoxCall{.algorithm = algorithm, .size_B = size_B, .program = std::move(program)};
}

BoxMeasurement measure_in_box(const TestbedOptions& options, const Collective& collective,
                              const testbed::Layout& layout, const std::vector<BoxCall>& calls) {
  BoxMeasurement measured{.times = std::vector<BoxTimes>(calls.size()), .mpi = {}};
  testbed::Box box(layout);
  run(box, options, schedules_in(box, options, collective, calls), measured);
  run(box, options, own_choices(collective, calls), measured);
  return measured;
}

}  // namespace weft::cli
