// weft reproduce [NAME...]: runs experiments and holds their papers' claims against the results.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/grid_choice.hpp"
#include "cli/options/options.hpp"
#include "cli/screen/signals.hpp"
#include "cli/study/experiments.hpp"
#include "cli/study/reproduction.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

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

// A claim as the file states it and as it was judged.
Json json_of(const Claim& claim, const Verdict& verdict, Grid grid) {
  const bool order = claim.form == Claim::Form::below, own = claim.kind == Claim::Kind::own;
  const Json wanted = order ? Json() : Json(claim.wanted);
  return {{"claim", claim.text},
          {"source", claim.source},
          {"kind", own ? "own" : "printed"},
          {"printed", own ? Json() : wanted},
          {"expected", own ? wanted : Json()},
          {"tolerance", claim.tolerance},
          {"within", claim.within ? Json(*claim.within) : Json()},
          {"over", std::string(name_of(claim.over))},
          {"ours", verdict.ours},
          {"found", verdict.found},
          {"verdict", std::string(name_of(verdict.mark))},
          {"grid", std::string(name_of(grid))},
          {"fails", verdict.fails},
          {"detail", verdict.detail}};
}

Json json_of(const MeasuredSource& source) {
  return {{"stored", source.stored},         {"file", source.file},
          {"machine", source.machine},       {"mpi", source.mpi},
          {"since", source.since},           {"until", source.until},
          {"least_load", source.least_load}, {"greatest_load", source.greatest_load}};
}

Json json_of(const Reproduction& done) {
  Json json = {{"name", done.experiment.name},
               {"title", done.experiment.title},
               {"source", done.experiment.source},
               {"file", done.experiment.path},
               {"grid", std::string(name_of(done.grid))},
               {"store", done.store},
               {"rows", done.report.rows},
               {"computed", done.report.computed},
               {"failed", done.report.failed},
               {"claims", Json::array()},
               {"charts", done.charts},
               {"measured", done.measured ? json_of(*done.measured) : Json()},
               {"full_grid", done.full ? json_of(*done.full) : Json()}};
  for (std::size_t i = 0; i < done.verdicts.size(); ++i)
    json["claims"].push_back(json_of(done.experiment.claims[i], done.verdicts[i],
                                     done.of_full[i] ? Grid::full : done.grid));
  return json;
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
  Json json = answer("reproduce", options.common);
  json["model_version"] = rows::kModelVersion;
  const report::Tally tally = tally_of(done);
  for (const report::ClaimMark mark : report::kClaimMarks) {
    const std::string name(name_of(mark));
    json["counts"][name] = tally.printed(mark);
    json["own_counts"][name] = tally.own(mark);
  }
  json["failing"] = tally.failing();
  json["experiments"] = Json::array();
  for (const Reproduction& one : done) json["experiments"].push_back(json_of(one));
  print(json, streams);
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
                                      options.keep ? KeptUse::replace : KeptUse::judge));
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
