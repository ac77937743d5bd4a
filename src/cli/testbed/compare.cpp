// weft testbed compare: what schedules take in a testbed, beside what the models foretell.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/options/algorithm_list.hpp"
#include "cli/testbed/testbed.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/program/operations.hpp"
#include "weft/question/sized_schedule.hpp"
#include "weft/testbed/box.hpp"

namespace weft::cli {

namespace {

constexpr std::int64_t kFloat_B = 4;

struct Row {
  std::string algorithm;
  std::int64_t size_B = 0;
  std::optional<double> fluid_s = {}, alpha_beta_s = {};  // nothing of the MPI's own
  double measured_s = 0, median_s = 0;
  std::int64_t calls = 0;
};

std::string ranges_text(std::span<const program::ByteRange> ranges) {
  std::string text;
  for (const program::ByteRange& range : ranges)
    text += fmt::format("{}{}+{}", text.empty() ? "" : ",", range.offset_B, range.bytes);
  return text;
}

// As weft-bench run reads it: by ranks and, within them, in the order of steps.
std::string run_text(const Program& program, const Row& row, const Collective& collective) {
  const Program written = write_out(program);
  const Operations& operations = *written.operations();
  const bool block = collective.kind == CollectiveKind::allgather;
  std::string text = fmt::format(
      "weft-run 1\ncollective {}\nname {}\nranks {}\nbytes {}\nsize {}\n", name_of(collective.kind),
      row.algorithm, program.ranks(), row.size_B * (block ? program.ranks() : 1), row.size_B);
  for (std::int32_t r = 0; r < program.ranks(); ++r) {
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

struct Prepared {
  std::vector<Row> rows;           // of schedules, as in `texts`
  std::vector<std::string> texts;  // of files to run
};

Prepared prepare(const TestbedOptions& options, const Collective& collective,
                 const Network& network, const std::vector<std::int64_t>& sizes_B) {
  Prepared prepared;
  for (const std::string& name : algorithms_named(options.algorithms, collective, network))
    for (const std::int64_t size_B : sizes_B) {
      const Verified verified = question::schedule_for_size(name, collective, network, {}, size_B);
      const Program program = lower(verified, {.size_B = size_B, .element_B = kFloat_B});
      if (program.agents() > program.ranks() || program.route_count() > 0) {
        require(options.algorithms.empty(),
                "{} needs switches that combine or paths of its own, which no MPI has; leave it "
                "out",
                name);
        break;
      }
      Row row{.algorithm = name, .size_B = size_B};
      row.fluid_s = simulate(program, network, {.model = simulation::Model::fluid}).time_s;
      row.alpha_beta_s =
          simulate(program, network, {.model = simulation::Model::alpha_beta}).time_s;
      prepared.texts.push_back(run_text(program, row, collective));
      prepared.rows.push_back(std::move(row));
    }
  return prepared;
}

// Rows of weft-bench's table, in its order.
void take_times(const std::string& csv, std::span<Row> rows) {
  std::size_t next = 0;
  bool headed = false;
  for (const std::string_view line : split(csv, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    if (!std::exchange(headed, true)) continue;
    const auto fields = split(line, ',');
    require(fields.size() == 8 && next < rows.size(), "weft-bench wrote another table: {}", line);
    rows[next].calls = number_in<std::int64_t>(fields[5]).value_or(0);
    rows[next].measured_s = number_in<double>(fields[6]).value_or(0);
    rows[next++].median_s = number_in<double>(fields[7]).value_or(0);
  }
  require(next == rows.size(), "weft-bench measured {} of {}", next,
          counted(std::ssize(rows), "row"));
}

std::optional<int> measure(testbed::Box& box, const TestbedOptions& options,
                           std::vector<std::string> words, std::span<Row> rows) {
  if (rows.empty()) return std::nullopt;
  const std::string csv = box.file("times.csv");
  words.insert(words.begin(), "weft-bench");
  words.insert(words.end(), {"-o", csv});
  testbed::LaunchOptions launch = testbed_launch(options, words);
  launch.agent = box.agent();
  const auto ended =
      box.run(launch_command(box.layout(), launch), parse_seconds(options.time_limit));
  if (ended.signal) return 128 + *ended.signal;
  if (ended.out_of_time || ended.code != 0) return kNo;
  take_times(read_file(csv), rows);
  return std::nullopt;
}

Json json_of(const std::vector<Row>& rows, const TestbedOptions& options, const Network& network) {
  Json json = answer("testbed", options.common);
  json["collective"] = options.program.front();
  json["topology"] = network.topology().name();
  json["routing"] = std::string(network.routing().name());
  json["ranks"] = network.ranks();
  json["rate"] = parse_rate(options.rate);
  json["rows"] = Json::array();
  for (const Row& row : rows)
    json["rows"].push_back({{"algorithm", row.algorithm},
                            {"size", row.size_B},
                            {"measured_time", row.measured_s},
                            {"measured_median", row.median_s},
                            {"calls", row.calls},
                            {"fluid_time", row.fluid_s},
                            {"alpha_beta_time", row.alpha_beta_s}});
  return json;
}

void print_table(const std::vector<Row>& rows, Streams& streams) {
  Table table({"algorithm", "size", "measured", "median", "fluid", "alpha-beta", "measured/fluid"});
  const auto time = [](const std::optional<double>& seconds) {
    return seconds ? format_seconds(*seconds) : std::string("-");
  };
  for (const Row& row : rows)
    table.add({row.algorithm, format_size(row.size_B), format_seconds(row.measured_s),
               format_seconds(row.median_s), time(row.fluid_s), time(row.alpha_beta_s),
               row.fluid_s ? fmt::format("{:.3f}", row.measured_s / *row.fluid_s) : "-"});
  streams.out << table.text(screen_of(streams));
}

Collective collective_of(const TestbedOptions& options, const Network& network) {
  const auto kind = schedule::parse_collective(options.program.front());
  using enum CollectiveKind;
  require(kind == allreduce || kind == allgather || kind == reduce_scatter,
          "weft testbed compare runs allreduce, allgather and reduce-scatter, not {}",
          name_of(kind));
  return {kind, network.ranks()};
}

}  // namespace

int compare_in_testbed(const TestbedOptions& options, Streams& streams) {
  const Network network = testbed_network(options);
  const testbed::Layout layout = testbed_layout(options, network);
  const Collective collective = collective_of(options, network);
  const std::vector<std::int64_t> sizes_B = parse_sizes(options.sizes);
  for (const std::int64_t size_B : sizes_B)
    require(size_B > 0 && size_B % (kFloat_B * network.ranks()) == 0,
            "{} is no whole number of floats for each of {} ranks; choose another size",
            format_size(size_B), network.ranks());
  (void)testbed_launch(options, {"weft-bench"});  // is it there?
  Prepared prepared = prepare(options, collective, network, sizes_B);
  std::vector<Row> native;
  for (const std::int64_t size_B : sizes_B)
    native.push_back({.algorithm = "native", .size_B = size_B});
  Progress::enable(false);
  std::optional<int> failed;
  {
    testbed::Box box(layout);
    std::vector<std::string> words{"run"};
    for (std::size_t i = 0; i < prepared.texts.size(); ++i) {
      words.push_back(box.file(fmt::format("run-{}", i)));
      write_file(words.back(), prepared.texts[i]);
    }
    failed = measure(box, options, words, prepared.rows);
    std::string list;
    for (const std::int64_t size_B : sizes_B)
      list += fmt::format("{}{}", list.empty() ? "" : ",", size_B);
    if (!failed) failed = measure(box, options, {options.program.front(), "--sizes", list}, native);
  }
  if (failed) {
    streams.err << "weft: the measurement did not come to its end; the testbed is gone\n";
    return *failed;
  }
  std::vector<Row> rows = std::move(prepared.rows);
  rows.insert(rows.end(), native.begin(), native.end());
  if (options.common.json)
    print(json_of(rows, options, network), streams);
  else
    print_table(rows, streams);
  return kFine;
}

}  // namespace weft::cli
