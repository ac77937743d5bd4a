// weft sweep FILE: computes the rows of an experiment that its store lacks.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/grid_choice.hpp"
#include "cli/options/options.hpp"
#include "cli/screen/signals.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/memory.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/text.hpp"
#include "weft/base/toml_document.hpp"
#include "weft/base/units.hpp"
#include "weft/report/verdict.hpp"
#include "weft/rows/measurements.hpp"
#include "weft/study/distributed.hpp"
#include "weft/study/grid.hpp"
#include "weft/study/sweep.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using rows::Row;
using study::Grid;
using study::ResultsStore;
using study::SweepOptions;
using study::SweepReport;

struct SweepCommand {
  std::string file;
  std::string store;  // empty: beside the file
  std::string shard;  // i/n
  GridChoice grid;
  bool retry_failed = false, dry_run = false, mpi = false;
  OutputOptions common;
};

// "2/8": the third of eight.
void read_shard(const std::string& text, SweepOptions& options) {
  const auto number = [&](std::string_view part) {
    const auto value = number_in<std::int64_t>(part);
    require(value.has_value(), "invalid --shard value {} (expected I/N, such as 0/4 to 3/4)", text);
    return *value;
  };
  const std::size_t slash = std::min(text.find('/'), text.size());
  options.shard = number(std::string_view(text).substr(0, slash));
  options.shards = number(std::string_view(text).substr(std::min(slash + 1, text.size())));
}

// What is to be done, as far as it can be told before.
struct Forecast {
  std::int64_t rows = 0, known = 0, failed = 0, missing = 0;
  double time_s = 0;    // of the missing rows, by these workers
  double memory_B = 0;  // of the largest that run at the same time
  double packet_hops = 0;
};

Forecast forecast(const std::vector<const Row*>& rows, const std::string& store_path,
                  const SweepOptions& options) {
  std::optional<ResultsStore> store;
  if (is_there(store_path)) store.emplace(store_path, ResultsStore::Mode::read);
  Forecast sum;
  std::vector<double> memory_B;
  double longest_s = 0;
  for (const Row* row : rows) {
    using State = ResultsStore::State;
    const State state = store ? store->state(row->key) : State::missing;
    ++sum.rows;
    if (state == State::failed) ++sum.failed;
    if (state == State::done || (state == State::failed && !options.retry_failed)) {
      ++sum.known;
      continue;
    }
    ++sum.missing;
    const rows::Estimate guess = options.estimate(*row);
    sum.time_s += guess.time_s;
    sum.packet_hops += guess.packet_hops;
    longest_s = std::max(longest_s, guess.time_s);
    memory_B.push_back(guess.memory_B);
  }
  const std::size_t workers = std::min<std::size_t>(options.workers, memory_B.size());
  if (workers > 0) sum.time_s = std::max(longest_s, sum.time_s / static_cast<double>(workers));
  std::partial_sort(memory_B.begin(), memory_B.begin() + workers, memory_B.end(), std::greater<>());
  for (std::size_t i = 0; i < workers; ++i) sum.memory_B += memory_B[i];
  return sum;
}

/// The rows of a file, and where their results go.
struct Swept {
  const SweepCommand& options;
  const std::string& store;
};
struct Planned {
  Swept swept;
  Forecast sum;
  int workers;
};
struct Computed {
  Swept swept;
  SweepReport report;
};

Parts<Swept> swept_parts() {
  constexpr PartOf<Swept> part;
  return {part(keys::kExperimentFile, [](const Swept& swept) { return swept.options.file; }),
          part(keys::kResultsStore, [](const Swept& swept) { return swept.store; }),
          part(keys::kGrid, [](const Swept& swept) { return name_of(swept.options.grid.grid()); }),
          part("shard", "", Unit::none, "share of the rows: I/N", [](const Swept& swept) {
            return swept.options.shard;
          }).when([](const Swept& swept) { return !swept.options.shard.empty(); })};
}

Parts<Planned> planned_parts() {
  constexpr PartOf<Planned> part;
  const auto of_sum = [](auto member) {
    return [member](const Planned& planned) { return planned.sum.*member; };
  };
  return join(
      part.within(&Planned::swept, swept_parts()),
      {part("rows", "rows", Unit::none, "rows of the grid, or of the share",
            of_sum(&Forecast::rows)),
       part("known", "known", Unit::none, "rows that are not computed again",
            of_sum(&Forecast::known))
           .shown_as([](const Planned& planned) {
             const Forecast& sum = planned.sum;
             return sum.failed == 0 ? fmt::format("{}", sum.known)
                                    : fmt::format("{} ({} failed)", sum.known, sum.failed);
           }),
       part("failed", "", Unit::none, "rows that failed before", of_sum(&Forecast::failed)),
       part("missing", "to compute", Unit::none, "rows to compute", of_sum(&Forecast::missing)),
       part("workers", "", Unit::none, "rows that run at the same time", &Planned::workers),
       part("estimated_time_s", "estimated time", Unit::seconds, "estimated time of these rows",
            of_sum(&Forecast::time_s))
           .shown_as([](const Planned& planned) {
             return fmt::format("{}, {} workers", format_seconds(planned.sum.time_s),
                                planned.workers);
           }),
       part("estimated_packet_hops", "estimated packet-hops", Unit::none,
            "estimated packets times links", of_sum(&Forecast::packet_hops))
           .shown_as([](const Planned& planned) {
             return fmt::format("{:.2g}", planned.sum.packet_hops);
           })
           .when([](const Planned& planned) { return planned.sum.packet_hops > 0; }),
       part("estimated_memory_B", "estimated memory", Unit::bytes,
            "estimated memory of the rows that run at the same time",
            [](const Planned& planned) { return static_cast<std::int64_t>(planned.sum.memory_B); })
           .shown_as([](const Planned& planned) {
             return fmt::format("{:.3g} MiB", planned.sum.memory_B / (1 << 20));
           }),
       part.line("store", [](const Planned& planned) { return planned.swept.store; })});
}

Parts<Computed> computed_parts() {
  constexpr PartOf<Computed> part;
  const auto of_report = [](auto member) {
    return [member](const Computed& computed) { return computed.report.*member; };
  };
  return join(
      part.within(&Computed::swept, swept_parts()),
      {part("rows", "", Unit::none, "rows of the grid, or of the share",
            of_report(&SweepReport::rows)),
       part("known", "", Unit::none, "rows that were in the store", of_report(&SweepReport::known)),
       part("computed", "", Unit::none, "rows computed now, also failed ones",
            of_report(&SweepReport::computed)),
       part(keys::kFailedRows, of_report(&SweepReport::failed)),
       part("left", "", Unit::none, "rows that were not begun", of_report(&SweepReport::left))});
}

// Without a seed, which each row has for itself.
template <class T>
void print_json(const T& given, const Parts<T>& parts, Streams& streams) {
  const answer::Frame frame{"sweep", std::nullopt, streams.notes->texts()};
  streams.out << answer::to_json(frame, answer::members_of(given, parts)) << '\n';
}

// Work that does not fit would be ended by the system, or slow it down.
void warn_of_memory(const Forecast& sum, Streams& streams) {
  const double available_B = available_memory_B();
  if (sum.memory_B <= available_B) return;
  streams.err << fmt::format(
      "warning: it may need {:.0f} GiB of memory, {:.0f} GiB are available; use fewer --threads, "
      "or smaller networks\n",
      sum.memory_B / (1 << 30), available_B / (1 << 30));
}

int dry_run(const SweepCommand& options, const std::vector<Row>& rows, const std::string& store,
            const SweepOptions& sweep, Streams& streams) {
  const Forecast sum =
      forecast(study::rows_of_shard(rows, sweep.shard, sweep.shards), store, sweep);
  warn_of_memory(sum, streams);
  const Planned planned{{options, store}, sum, sweep.workers};
  if (options.common.json)
    print_json(planned, planned_parts(), streams);
  else
    streams.out << facts_from(planned, planned_parts()).text();
  return kFine;
}

std::string summary(const SweepReport& report, const std::string& store) {
  std::string text =
      fmt::format("{} rows: {} known, {} computed", report.rows, report.known, report.computed);
  if (report.failed > 0) text += fmt::format(", {} failed", report.failed);
  if (report.left > 0)
    text += fmt::format("; stopped with {} left, start it again to go on", report.left);
  return fmt::format("{}; {}\n", text, store);
}

void print_report(const SweepCommand& options, const SweepReport& report, const std::string& store,
                  Streams& streams) {
  if (options.common.json)
    print_json(Computed{{options, store}, report}, computed_parts(), streams);
  else
    streams.out << summary(report, store);
}

SweepOptions sweep_options(const SweepCommand& options) {
  SweepOptions sweep{.workers = threads(), .retry_failed = options.retry_failed};
  if (!options.shard.empty()) read_shard(options.shard, sweep);
  return sweep;
}

// Rows that can only fail are refused before any of them runs.
void require_measured(const study::Experiment& experiment, const std::vector<Row>& rows) {
  int line = 1;
  for (const auto* axes : {&experiment.full, &experiment.quick, &experiment.axes})
    for (const study::Axis& axis : *axes)
      if (axis.name == "measurements") line = axis.line;
  rows::require_measured(rows, [&](const Row&, const std::string& reason) {
    reject_at(experiment.path, line, reason);
  });
}

std::vector<Row> rows_of(const SweepCommand& options) {
  const study::Experiment experiment = study::load_experiment(options.file);
  report::check_claims_have_rows(experiment, study::expand(experiment, Grid::full));
  std::vector<Row> rows = study::expand(experiment, options.grid.grid());
  require_measured(experiment, rows);
  return rows;
}

std::string store_of(const SweepCommand& options) {
  return options.store.empty() ? study::default_store_path(options.file) : options.store;
}

int finish(const SweepCommand& options, const SweepReport& report, Streams& streams) {
  print_report(options, report, store_of(options), streams);
  if (report.left > 0) return kStopped;
  return report.failed > 0 ? kNo : kFine;
}

int run(const SweepCommand& options, Streams& streams) {
  SweepOptions sweep = sweep_options(options);
  const std::vector<Row> rows = rows_of(options);
  const std::string store = store_of(options);
  if (options.dry_run) return dry_run(options, rows, store, sweep, streams);
  const StopOnSignal signals;
  sweep.stop = &signals.received();
  return finish(options, study::sweep(rows, store, sweep), streams);
}

// Process 0 reads the file, deals the rows and speaks; a signal reaches all, and it alone obeys.
int run_distributed(const SweepCommand& options, Streams& streams) {
  require(!options.dry_run, "--dry-run and --mpi cannot be combined; leave --mpi out");
  if (options.common.threads == 0) set_threads(1);  // cores are for the other processes
  const auto channel = study::connect_mpi();
  if (channel->rank() != 0) {
    ignore_stop_signals();
    study::serve(*channel, {});
    return kFine;
  }
  const StopOnSignal signals;
  SweepOptions sweep;
  std::vector<Row> rows;
  try {
    sweep = sweep_options(options);
    rows = rows_of(options);
  } catch (...) {
    study::dismiss(*channel);
    throw;
  }
  sweep.stop = &signals.received();
  return finish(options, sweep_distributed(*channel, rows, store_of(options), sweep), streams);
}

}  // namespace

std::vector<answer::Shape> sweep_shapes() {
  return {{.of = "computed rows", .parts = texts_of(computed_parts()), .has_seed = false},
          {.of = "rows to compute, of --dry-run",
           .parts = texts_of(planned_parts()),
           .has_seed = false}};
}

void add_sweep_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<SweepCommand>();
  const Command command = program.add_command(
      "sweep", "Compute the rows of an experiment file; finished rows are not computed again");
  const OptionAdder add(command);
  add("file", options->file, "Experiment file (.toml)").required();
  add("--store", options->store, "Results store [FILE.sqlite next to the experiment file]");
  add("--shard", options->shard,
      "Share of the rows to compute: I/N, from 0/N to (N-1)/N; each share needs a store of its own "
      "[all rows]");
  add_grid_options(command, options->grid);
  add.flag("--retry-failed", options->retry_failed, "Compute failed rows again");
  add.flag("--dry-run", options->dry_run,
           "Print the rows to compute and a time estimate, and compute nothing");
  add.flag("--mpi", options->mpi,
           "Distribute rows over all processes of mpirun or srun, into one store");
  add_output_options(command, options->common);
  leave_out(command, {"--seed"});  // the file's rows have their own
  command.footer(
      "A sweep that is killed continues where it ended. Ctrl-C ends it after the rows in progress, "
      "a second Ctrl-C at once. Exit code 1: rows failed; 130: stopped.\n"
      "Examples:\n"
      "  # How long will an experiment take?\n"
      "  weft sweep my.toml --dry-run\n"
      "  # Compute it with two threads\n"
      "  weft sweep reproduction/experiments/2dfc-baselines.toml --threads 2\n"
      "  # Compute it on all nodes of a job\n"
      "  mpirun -n 4 weft sweep my.toml --mpi\n"
      "  # Compute an eighth of it on this machine\n"
      "  weft sweep my.toml --shard 0/8 --store part0.sqlite");
  command.when_chosen([options, &action] {
    action = [options](Streams& streams) {
      apply(options->common);
      return options->mpi ? run_distributed(*options, streams) : run(*options, streams);
    };
  });
}

}  // namespace weft::cli
