// weft testbed run | compare | clean | list: networks of namespaces on this machine, and programs
// on them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/testbed/testbed.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/testbed/box.hpp"
#include "weft/testbed/launch.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using testbed::Found;

Parts<Found> found_parts() {
  constexpr PartOf<Found> part;
  return {part("id", "", Unit::none, "name of the testbed", &Found::id),
          part("owner", "", Unit::none, "user and process that made it, or null",
               [](const Found& found) {
                 return found.owner.empty() ? std::nullopt : std::optional(found.owner);
               }),
          part("in_use", "", Unit::none, "whether that process runs", &Found::in_use)};
}

struct Cleaned {
  std::vector<Found> removed, left;
};
Parts<Cleaned> cleaned_parts() {
  constexpr PartOf<Cleaned> part;
  return {part.list("removed", "testbeds that were removed", &Cleaned::removed, found_parts()),
          part.list("left", "testbeds in use", &Cleaned::left, found_parts())};
}

Parts<std::vector<Found>> list_parts() {
  constexpr PartOf<std::vector<Found>> part;
  return {part.list("testbeds", "testbeds of this machine", std::identity(), found_parts())};
}

std::string owner_of(const Found& found) {
  return found.owner.empty() ? "nobody known" : found.owner;
}

int clean(const TestbedOptions& options, Streams& streams) {
  Cleaned cleaned{.removed = testbed::clean(), .left = {}};
  cleaned.left = testbed::testbeds();
  const auto& [gone, left] = cleaned;
  if (options.common.json) {
    print_json("testbed", cleaned, cleaned_parts(), options.common, streams);
    return kFine;
  }
  if (options.common.quiet) return kFine;
  for (const Found& each : gone)
    streams.out << fmt::format("removed testbed {} of {}\n", each.id, owner_of(each));
  for (const Found& each : left)
    streams.out << fmt::format("kept testbed {} of {}, which is in use\n", each.id, owner_of(each));
  if (gone.empty() && left.empty()) streams.out << "no testbed on this machine\n";
  return kFine;
}

int list(const TestbedOptions& options, Streams& streams) {
  const std::vector<Found> found = testbed::testbeds();
  if (options.common.json) {
    print_json("testbed", found, list_parts(), options.common, streams);
    return kFine;
  }
  for (const Found& each : found)
    streams.out << fmt::format("testbed {} of {}, {}\n", each.id, owner_of(each),
                               each.in_use ? "in use" : "left over; weft testbed clean removes it");
  if (found.empty() && !options.common.quiet) streams.out << "no testbed on this machine\n";
  return kFine;
}

int run(const TestbedOptions& options, Streams& streams) {
  if (options.what == "clean") return clean(options, streams);
  if (options.what == "list") return list(options, streams);
  if (options.what == "compare") return compare_in_testbed(options, streams);
  return run_in_testbed(options, streams);
}

void require_network(const Given& given, const TestbedOptions& options) {
  require(given("--topology"), "a testbed needs a network; give --topology");
  require(!options.rate.empty(), "a testbed needs the rate of its links; give --rate 50Mbit");
}

void check_run(const Given& given, const TestbedOptions& options) {
  require_network(given, options);
  require(!options.program.empty(),
          "no program is given; write it after --, as in weft testbed run -t ring:4 --rate "
          "50Mbit -- weft-bench allreduce");
  given.refuse({"--json", "--sizes", "--algorithms", "--alpha"},
               "with run, where the program has its own arguments and output; leave it out");
}

void check_compare(const Given& given, const TestbedOptions& options) {
  require_network(given, options);
  require(options.program.size() == 1,
          "weft testbed compare needs one collective, as in weft testbed compare allreduce -t "
          "ring:4 --rate 50Mbit");
  given.refuse({"--dry-run", "--preload"}, "with compare, which runs weft-bench; leave it out");
}

void check(const Given& given, const TestbedOptions& options) {
  const std::vector<std::string> known = {"run", "compare", "clean", "list"};
  if (std::ranges::find(known, options.what) == known.end())
    reject_unknown({"action", options.what, "of weft testbed"}, known);
  if (options.what == "run") return check_run(given, options);
  if (options.what == "compare") return check_compare(given, options);
  require(options.program.empty(), "weft testbed {} runs no program; leave out '{}'", options.what,
          options.program.empty() ? "" : options.program.front());
  for (const std::string& option :
       all_of({{"--topology", "--rate", "--delay", "--mpi", "--preload", "--dry-run",
                "--time-limit", "--beyond-budget", "--routing"},
               placing_options(),
               {"--names", "--sizes", "--algorithms", "--alpha"}}))
    require(!given(option), "{} applies to weft testbed run and compare; {} has no network", option,
            options.what);
}

}  // namespace

std::vector<answer::Shape> testbed_shapes() {
  return {testbed_comparison_shape(),
          {"testbeds, of clean", texts_of(cleaned_parts())},
          {"testbeds, of list", texts_of(list_parts())}};
}

void add_testbed_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<TestbedOptions>();
  const Command command = program.add_command(
      "testbed", "Run programs on an emulated network, made of namespaces of this machine");
  const OptionAdder add(command);
  add("what", options->what, "Action: run, compare, clean (remove remains of crashed runs) or list")
      .required();
  add("program", options->program,
      "Program to run with its arguments, after --; for compare a collective");
  add("--rate", options->rate, "Rate of each direction of a link, such as 50Mbit [none]");
  add("--delay", options->delay,
      "Delay of each direction of a link, if the kernel has netem [none]");
  add("--mpi", options->mpi,
      fmt::format("MPI library: {} [the installed one]", testbed::mpi_names()));
  add.repeated("--preload", options->preload, "Library that ranks preload; repeatable [none]");
  add("-a,--algorithm,--algorithms", options->algorithms,
      "Algorithms for compare, comma-separated [all that fit]");
  add("--size,--sizes", options->sizes, "Size of one call, for compare");
  add("--time-limit", options->time_limit, "Time limit of the program");
  add.flag("--dry-run", options->dry_run, "Print the commands as a shell script, and run nothing");
  add.flag("--beyond-budget", options->beyond_budget,
           "Allow rates at which this machine's processor limits the times, instead of the links");
  add_network_options(command, options->said, Need::optional);
  leave_out(command, all_of({{"--link"}, host_options()}));
  add("--alpha", options->alpha,
      "Time that a rank waits before it sends in each step of a schedule, for compare");
  command.option("--routing")
      .description("Routing by static routes; see weft list routings [shortest]")
      .default_text("");
  add_output_options(command, options->common);
  command.most_used({"--rate", "--delay", "--mpi", "--algorithm", "--size"});
  command.advanced({"--preload", "--beyond-budget", "--alpha"});
  command.footer(
      "Examples:\n"
      "  # How fast is MPI's allreduce on a ring of eight hosts?\n"
      "  weft testbed run -t ring:8 --rate 50Mbit -- weft-bench allreduce --sizes 1MiB\n"
      "  # Run my own program on a Kautz network with MPICH\n"
      "  weft testbed run -t kautz:2,2 --rate 50Mbit --mpi mpich -- ./app\n"
      "  # Do measured times agree with predicted ones?\n"
      "  weft testbed compare allreduce -t ring:8 --rate 50Mbit -a ring,bidirectional-ring\n"
      "  # Remove the namespaces of crashed runs\n"
      "  weft testbed clean");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
