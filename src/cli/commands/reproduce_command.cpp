// weft reproduce [NAME...]: runs experiments and holds their papers' claims against the results.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/grid_choice.hpp"
#include "cli/options/options.hpp"
#include "cli/screen/signals.hpp"
#include "cli/study/experiments.hpp"
#include "cli/study/reproduction.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using report::Verdict;
using study::Claim;
using study::Grid;

struct ReproduceCommand {
  std::vector<std::string> names;
  GridChoice grid;
  std::string page, charts, store;
  bool stored = false, keep = false;
  OutputOptions common;
};

/// A claim as the file states it and as it was judged, by the rows of a grid.
struct JudgedClaim {
  const Claim& claim;
  const Verdict& verdict;
  Grid grid;

  bool is_own() const { return claim.kind == Claim::Kind::own; }
  /// Nothing for an order.
  std::optional<std::string> wanted() const {
    return claim.form == Claim::Form::below ? std::nullopt : std::optional(claim.wanted);
  }
};

Parts<JudgedClaim> claim_parts() {
  constexpr PartOf<JudgedClaim> part;
  const auto of_claim = [](auto member) {
    return [member](const JudgedClaim& judged) { return judged.claim.*member; };
  };
  const auto of_verdict = [](auto member) {
    return [member](const JudgedClaim& judged) { return judged.verdict.*member; };
  };
  return {
      part("claim", "", Unit::none, "the claim in words", of_claim(&Claim::text)),
      part("source", "", Unit::none, "section, figure or table", of_claim(&Claim::source)),
      part("kind", "", Unit::none, "who claims it: printed (a paper) or own",
           [](const JudgedClaim& judged) { return judged.is_own() ? "own" : "printed"; }),
      part("printed", "", Unit::none, "value that the paper prints, or null",
           [](const JudgedClaim& judged) {
             return judged.is_own() ? std::nullopt : judged.wanted();
           }),
      part("expected", "", Unit::none, "value of a claim of our own, or null",
           [](const JudgedClaim& judged) {
             return judged.is_own() ? judged.wanted() : std::nullopt;
           }),
      part("tolerance", "", Unit::none, "relative tolerance", of_claim(&Claim::tolerance)),
      part("within", "", Unit::none, "absolute tolerance instead, or null",
           of_claim(&Claim::within)),
      part("over", "", Unit::none, "value of several rows that counts, such as mean or each",
           [](const JudgedClaim& judged) { return name_of(judged.claim.over); }),
      part("ours", "", Unit::none, "our value, or where the order does not hold",
           of_verdict(&Verdict::ours)),
      part("found", "", Unit::none, "our values as the rows have them",
           of_verdict(&Verdict::found)),
      part("verdict", "", Unit::none, "mark: met, loosely, explained, open or missing",
           [](const JudgedClaim& judged) { return name_of(judged.verdict.mark); }),
      part("grid", "", Unit::none, "grid of the rows: standard, quick or full",
           [](const JudgedClaim& judged) { return name_of(judged.grid); }),
      part("fails", "", Unit::none, "whether the rows give neither this value nor the recorded one",
           of_verdict(&Verdict::fails)),
      part("detail", "", Unit::none, "why, or what is missing", of_verdict(&Verdict::detail))};
}

std::vector<JudgedClaim> claims_of(const Reproduction& done) {
  std::vector<JudgedClaim> claims;
  for (std::size_t i = 0; i < done.verdicts.size(); ++i)
    claims.push_back(
        {done.experiment.claims[i], done.verdicts[i], done.of_full[i] ? Grid::full : done.grid});
  return claims;
}

Parts<MeasuredSource> measured_parts() {
  constexpr PartOf<MeasuredSource> part;
  return {
      part("stored", "", Unit::none, "whether the times come with weft or the experiment",
           &MeasuredSource::stored),
      part("file", "", Unit::none, "file of the times", &MeasuredSource::file),
      part("machine", "", Unit::none, "machine of the testbed", &MeasuredSource::machine),
      part("mpi", "", Unit::none, "its MPI library", &MeasuredSource::mpi),
      part("since", "", Unit::none, "when the first time was measured, UTC",
           &MeasuredSource::since),
      part("until", "", Unit::none, "when the last time was measured, UTC", &MeasuredSource::until),
      part("least_load", "", Unit::none, "lowest load average of the machine",
           &MeasuredSource::least_load),
      part("greatest_load", "", Unit::none, "highest load average of the machine",
           &MeasuredSource::greatest_load)};
}

Parts<Reproduction> experiment_parts() {
  constexpr PartOf<Reproduction> part;
  const auto of_experiment = [](auto member) {
    return [member](const Reproduction& done) { return done.experiment.*member; };
  };
  const auto of_report = [](auto member) {
    return [member](const Reproduction& done) { return done.report.*member; };
  };
  using study::Experiment;
  using study::SweepReport;
  return {part("name", "", Unit::none, "name of the experiment", of_experiment(&Experiment::name)),
          part("title", "", Unit::none, "its title", of_experiment(&Experiment::title)),
          part("source", "", Unit::none, "paper of its claims", of_experiment(&Experiment::source)),
          part("file", "", Unit::none, "its file", of_experiment(&Experiment::path)),
          part(keys::kGrid, [](const Reproduction& done) { return name_of(done.grid); }),
          part(keys::kResultsStore, &Reproduction::store),
          part("rows", "", Unit::none, "rows of the grid", of_report(&SweepReport::rows)),
          part("computed", "", Unit::none, "rows computed now", of_report(&SweepReport::computed)),
          part(keys::kFailedRows, of_report(&SweepReport::failed)),
          part.list("claims", "the claims, judged", claims_of, claim_parts()),
          part("charts", "", Unit::none, "files of the charts", &Reproduction::charts),
          part.object("measured", "where measured times are from, or null without such times",
                      &Reproduction::measured, measured_parts()),
          part.object("full_grid", "stored results of the full grid, or null", &Reproduction::full,
                      full_grid_parts())};
}

struct Answer {
  const std::vector<Reproduction>& done;
  report::Tally tally;
};

Parts<Answer> reproduction_parts() {
  constexpr PartOf<Answer> part;
  using report::Tally;
  const auto by_mark = [](std::size_t (Tally::*count)(report::ClaimMark) const) {
    return [count](const Answer& a) {
      std::vector<std::pair<std::string, std::size_t>> counts;
      for (const report::ClaimMark mark : report::kClaimMarks)
        counts.emplace_back(name_of(mark), (a.tally.*count)(mark));
      return counts;
    };
  };
  return {part("model_version", "", Unit::none, "version of the models",
               [](const Answer&) { return rows::kModelVersion; }),
          part("counts", "", Unit::none, "claims of papers, by mark", by_mark(&Tally::printed)),
          part("own_counts", "", Unit::none, "claims of our own, by mark", by_mark(&Tally::own)),
          part("failing", "", Unit::none, "claims that fail",
               [](const Answer& a) { return a.tally.failing(); }),
          part.list(
              "experiments", "the experiments",
              [](const Answer& a) -> const auto& { return a.done; }, experiment_parts())};
}

std::string retry_command(const Reproduction& done) {
  const std::string& file = done.experiment.path;
  std::string command = fmt::format("weft sweep {} --retry-failed", file);
  if (done.store != study::default_store_path(file)) command += " --store " + done.store;
  if (done.grid == Grid::standard) return command;
  return fmt::format("{} --{}", command, name_of(done.grid));
}

void print_text(const Reproduction& done, Streams& streams) {
  streams.out << fmt::format(
      "{}: {} ({} rows, {} computed now{})\n", done.experiment.name, done.experiment.title,
      done.report.rows, done.report.computed,
      done.report.failed == 0 ? "" : fmt::format(", {} failed", done.report.failed));
  if (const std::string sources = sources_of(done); !sources.empty())
    streams.out << sources << '\n';
  Table table({"", "claim", "ours", "printed", "why", "source"});
  for (std::size_t i = 0; i < done.verdicts.size(); ++i) {
    const Verdict& verdict = done.verdicts[i];
    const Claim& claim = done.experiment.claims[i];
    table.add({std::string(sign_of(verdict.mark)), claim.text, verdict.ours, show_printed(claim),
               (verdict.fails ? "fails: " : "") + verdict.detail, claim.source});
  }
  if (!done.verdicts.empty()) streams.out << table.text(screen_of(streams));
  if (done.failed_before > 0)
    streams.out << fmt::format("{} rows failed earlier; to compute them again: {}\n",
                               done.failed_before, retry_command(done));
  streams.out << '\n';
}

// "14 claims: 12 ✓ met, ...": each mark with what it stands for.
std::string totals_of(const std::vector<Reproduction>& done) {
  std::int64_t failed = 0;
  for (const Reproduction& one : done) failed += one.report.failed;
  const std::string text = text_of(tally_of(done));
  return text + (failed == 0 ? "" : fmt::format("; {} rows failed", failed)) + '\n';
}

// Before the long work: what is to come, and how long it may take.
void print_plan(const std::vector<Reproduction>& plans, Streams& streams) {
  const auto print = [&](const std::string& name, std::int64_t missing, std::size_t rows,
                         double estimate_s) {
    streams.err << fmt::format("{}: {} of {} rows to compute, about {} on {} threads\n", name,
                               missing, rows, format_seconds(estimate_s / threads()), threads());
  };
  std::size_t some = 0, rows = 0;
  std::int64_t missing = 0;
  double estimate_s = 0;
  for (const Reproduction& plan : plans) {
    rows += plan.rows.size();
    if (plan.missing == 0) continue;
    print(plan.experiment.name, plan.missing, plan.rows.size(), plan.estimate_s);
    some += 1;
    missing += plan.missing;
    estimate_s += plan.estimate_s;
  }
  if (some > 1) print("in all", missing, rows, estimate_s);
}

void write_page(const ReproduceCommand& options, const std::vector<Reproduction>& done,
                Streams& streams) {
  std::vector<report::PageSection> sections;
  for (const Reproduction& one : done) sections.push_back(section_of(one));
  const std::string title =
      done.size() == 1 ? done[0].experiment.title : std::string("Reproduced with weft");
  write_file(options.page, report::page_of(title, sections));
  if (!options.common.quiet) streams.err << "wrote " << options.page << '\n';
}

void print_answer(const ReproduceCommand& options, const std::vector<Reproduction>& done,
                  Streams& streams) {
  if (!options.common.json) {
    for (const Reproduction& one : done) print_text(one, streams);
    streams.out << totals_of(done);
    return;
  }
  print_json("reproduce", Answer{done, tally_of(done)}, reproduction_parts(), options.common,
             streams);
}

// Of a full grid that has run without a failed row; from then on the answer tells of it.
void keep(Reproduction& done, const ReproduceCommand& options, Streams& streams) {
  if (!options.keep || done.experiment.full.empty()) return;
  const std::int64_t failed = done.report.failed;
  if (failed > 0) {
    streams.err << fmt::format(
        "weft: the full grid of {} is not stored, because {} of its rows failed\n",
        done.experiment.name, failed);
    return;
  }
  done.full = keep_full_grid(done.experiment, done.results, done.store);
  if (!options.common.quiet) streams.err << "kept " << done.full->kept.path << '\n';
}

int run(const ReproduceCommand& options, Streams& streams) {
  std::vector<Reproduction> plans;
  auto experiments = find_experiments(options.names);
  if (options.keep) require_keepable(experiments);
  // Testbeds, which take an hour, are made for those who name them.
  const bool stored = options.stored || options.names.empty();
  if (const auto broken_off =
          take_measurements(experiments, options.grid.grid(), options.store,
                            stored ? MeasuredTimes::stored : MeasuredTimes::anew, streams))
    return *broken_off;
  for (const auto& experiment : experiments)
    plans.push_back(plan_reproduction(experiment, options.grid.grid(), options.store,
                                      options.keep ? SavedUse::replace : SavedUse::judge));
  if (plans.empty()) reject("{} has no experiments; name a file", experiments_folder());
  const bool any_measured = std::ranges::any_of(
      plans, [](const Reproduction& plan) { return plan.measured.has_value(); });
  require(!options.stored || any_measured,
          "--stored has no effect on experiments without measured times; leave it out, or name the "
          "group 'measured' or one of its experiments");
  require_outputs(plans, options.page, options.charts);
  print_notes(options.common, streams);
  if (!options.common.quiet) print_plan(plans, streams);

  const StopOnSignal signals;
  bool fine = true;
  for (Reproduction& plan : plans) {
    reproduce(plan, {.workers = threads(), .stop = &signals.received()});
    if (plan.report.left > 0) {
      streams.err << fmt::format("stopped with {} rows of {} left; start it again to go on\n",
                                 plan.report.left, plan.experiment.name);
      return kStopped;
    }
    keep(plan, options, streams);
    fine = fine && holds(plan);
  }
  // The verdicts do not wait for drawings; JSON names the drawn files.
  if (!options.common.json) print_answer(options, plans, streams);
  if (!options.charts.empty())
    for (Reproduction& plan : plans) {
      const std::string crowded = draw_charts(plan, options.charts);
      if (!options.common.quiet) streams.err << crowded;
    }
  if (options.common.json) print_answer(options, plans, streams);
  if (!options.page.empty()) write_page(options, plans, streams);
  return fine ? kFine : kNo;
}

}  // namespace

std::vector<answer::Shape> reproduce_shapes() {
  return {{.parts = texts_of(reproduction_parts())}};
}

void add_reproduce_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ReproduceCommand>();
  const Command command = program.add_command(
      "reproduce", "Run experiments and check the claims of their papers against the results");
  const OptionAdder add(command);
  add("names", options->names,
      "Experiments, groups of experiments, or files (.toml); see weft list experiments [all]");
  add_grid_options(command, options->grid);
  add.output("--page", options->page,
             "HTML file with charts, claims and parameters, self-contained [none]");
  add("--charts", options->charts, "Folder for the charts as SVG and PNG [none]");
  add("--store", options->store, "Folder of the results stores [next to each file]");
  add.flag("--stored", options->stored,
           "Use the measured times that come with weft, and measure nothing; the default if no "
           "experiment is named");
  command
      .add_flag("--keep", options->keep,
                "Save the rows of a full grid that claims need in full/NAME.toml, for later runs "
                "of the standard grid")
      .needs(command.option("--full"));
  add_output_options(command, options->common);
  command.footer(
      "Marks: ✓ met, ≈ met loosely, ≠ explained, ✗ open, – not in this grid. Experiments are in "
      "./reproduction/experiments, in the installation, or in the folder WEFT_EXPERIMENTS.\n"
      "Exit code 1: a claim is not as recorded, or a row failed.\n"
      "Examples:\n"
      "  # Do the claims of the baselines hold on a reduced grid?\n"
      "  weft reproduce baselines --quick\n"
      "  # Make a page with charts\n"
      "  weft reproduce baselines --page baselines.html --charts charts\n"
      "  # Check the claims of my own experiment\n"
      "  weft reproduce my.toml");
  draws_nothing(command);
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
