#include "cli/testbed/fresh.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "cli/testbed/measure.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/rows/measurements.hpp"
#include "weft/testbed/box.hpp"

namespace weft::cli {

namespace {

using fields::Texts;
using rows::Measurements;

constexpr int kFewest = 3;  // calls of each: a call may take seconds

// Calls that share a testbed and a launch.
struct Group {
  Texts shared;              // all that is asked but algorithm, size and library
  std::vector<Texts> asked;  // of each call
};

std::string or_empty(const Texts& texts, std::string_view name) {
  const auto found = texts.find(name);
  return found == texts.end() ? "" : found->second;
}

std::vector<Group> groups_of(const std::vector<rows::Row>& rows, const Measurements& known) {
  std::vector<Group> groups;
  for (const rows::Row& row : rows) {
    const Texts asked = rows::asked_in(row.parameters);
    if (known.find(asked) != nullptr) continue;
    Texts shared = asked;
    for (const char* own : {"algorithm", "size", "library"}) shared.erase(own);
    auto group = std::ranges::find(groups, shared, &Group::shared);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{shared, {}});
    group->asked.push_back(asked);
  }
  return groups;
}

TestbedOptions options_of(const Texts& shared) {
  TestbedOptions options;
  options.said.values["topology"] = or_empty(shared, "topology");
  options.said.values["routing"] = or_empty(shared, "routing");
  options.rate = or_empty(shared, "rate");
  if (shared.contains("alpha")) options.alpha = or_empty(shared, "alpha");
  options.fewest = kFewest;
  return options;
}

BoxCall call_of(const Texts& asked, const Collective& collective, const Network& network) {
  const std::int64_t size_B = parse_size(or_empty(asked, "size"));
  const std::string algorithm = or_empty(asked, "algorithm");
  if (algorithm.empty()) {
    require_runs_own(collective, size_B);
    return {.algorithm = {}, .size_B = size_B};
  }
  require_runs(collective, size_B);
  auto call = schedule_call(algorithm, collective, network, size_B);
  require(call.has_value(),
          "{} on {} needs explicit paths, which MPI programs cannot use; leave it out with "
          "[[exclude]]",
          algorithm, network.topology().name());
  return *std::move(call);
}

double load_now() {
  std::ifstream file("/proc/loadavg");
  double load = 0;
  file >> load;
  return load;
}

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
}

std::string machine_in_words() {
  std::string processor = "a processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) {
      processor = trim(std::string_view(line).substr(line.find(':') + 1));
      break;
    }
  utsname system{};
  ::uname(&system);
  return fmt::format("{}, {}, {} {}", processor,
                     counted(std::thread::hardware_concurrency(), "core"), system.sysname,
                     system.release);
}

std::optional<int> measure(const Group& group, Measurements& all) {
  const TestbedOptions options = options_of(group.shared);
  const Network network = testbed_network(options);
  const Collective collective{schedule::parse_collective(or_empty(group.shared, "collective")),
                              network.ranks()};
  std::vector<BoxCall> calls;
  for (const Texts& asked : group.asked) calls.push_back(call_of(asked, collective, network));
  const double load = load_now();
  BoxMeasurement measured =
      measure_in_box(options, collective, testbed_layout(options, network), calls);
  if (measured.failed) return measured.failed;
  WEFT_ASSERT(measured.times.size() == calls.size());
  all.mpi = measured.mpi;
  for (std::size_t i = 0; i < calls.size(); ++i)
    all.calls.push_back({.asked = group.asked[i],
                         .calls = measured.times[i].calls,
                         .least_s = measured.times[i].least_s,
                         .median_s = measured.times[i].median_s,
                         .load = load,
                         .at = now()});
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_no_testbed() {
  try {
    TestbedOptions options;
    options.said.values["topology"] = std::string("complete:2");
    options.rate = "1Mbit";
    (void)testbed_launch(options, {"weft-bench"});
    const testbed::Box box(testbed_layout(options, testbed_network(options)));
    return std::nullopt;
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

std::optional<int> measure_anew(const std::vector<rows::Row>& rows, const std::string& path,
                                Streams& streams) {
  Measurements all{.machine = machine_in_words()};
  if (is_there(path)) all = rows::parse_measurements(read_file(path), path);
  const std::vector<Group> groups = groups_of(rows, all);
  if (!groups.empty()) require_writable(path);
  const bool had_progress = Progress::enabled();
  Progress::enable(false);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    streams.err << fmt::format(
        "measuring {} on {} at {} ({} of {})\n", or_empty(group.shared, "collective"),
        or_empty(group.shared, "topology"), or_empty(group.shared, "rate"), i + 1, groups.size());
    if (const auto failed = measure(group, all)) {
      streams.err << fmt::format(
          "weft: the measurement did not finish; its results so far are in {}, and the next "
          "call continues\n",
          path);
      return failed;
    }
    write_file(path, text_of(all));
  }
  Progress::enable(had_progress);
  return std::nullopt;
}

}  // namespace weft::cli
