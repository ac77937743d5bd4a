// weft results: the rows of an experiment, chosen and shown; stores merged and compared.
#include <fmt/format.h>

#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/grid_choice.hpp"
#include "cli/options/options.hpp"
#include "cli/study/results_table.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/study/diff.hpp"
#include "weft/study/sweep.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using study::Results;
using study::ResultsStore;
using study::StoreDiff;

struct ResultsCommand {
  std::vector<std::string> what;  // FILE | merge INTO FROM... | diff A B
  std::string store;
  std::vector<std::string> where;
  std::string pivot, value = "time";
  std::string csv, columns;
  GridChoice grid;
  bool wall = false;
  OutputOptions common;
};

struct Merged {
  std::string store;
  std::int64_t added;
};
Parts<Merged> merged_parts() {
  constexpr PartOf<Merged> part;
  return {part("store", "", Unit::none, "store that the rows were added to", &Merged::store),
          part("added", "", Unit::none, "rows that were new to it", &Merged::added)};
}

int merge(const ResultsCommand& options, Streams& streams) {
  require(options.what.size() >= 3,
          "no store is given to merge; write weft results merge INTO FROM...");
  const Merged merged{
      options.what[1],
      study::merge_stores({options.what.begin() + 2, options.what.end()}, options.what[1])};
  if (options.common.json)
    print_json("results", merged, merged_parts(), options.common, streams);
  else
    streams.out << fmt::format("{} rows added to {}\n", merged.added, merged.store);
  return kFine;
}

Parts<StoreDiff::Change> change_parts() {
  using Change = StoreDiff::Change;
  constexpr PartOf<Change> part;
  return {
      part("parameters", "", Unit::none, "parameters of the row",
           [](const Change& change) { return named(change.parameters); }),
      part("column", "", Unit::none, "name of the result, or error", &Change::column),
      part("first", "", Unit::none, "value in the first store; may be empty", &Change::first),
      part("second", "", Unit::none, "value in the second store; may be empty", &Change::second)};
}

Parts<StoreDiff> diff_parts() {
  constexpr PartOf<StoreDiff> part;
  const auto rows = [](auto member) {
    return [member](const StoreDiff& diff) {
      std::vector<NamedValues> lines;
      for (const fields::Values& parameters : diff.*member) lines.push_back(named(parameters));
      return lines;
    };
  };
  return {part("only_in_first", "", Unit::none, "parameters of rows of the first store alone",
               rows(&StoreDiff::only_first)),
          part("only_in_second", "", Unit::none, "parameters of rows of the second store alone",
               rows(&StoreDiff::only_second)),
          part.list("changed", "results that differ", &StoreDiff::changed, change_parts()),
          part("same", "", Unit::none, "rows with the same results", &StoreDiff::same)};
}

int diff(const ResultsCommand& options, Streams& streams) {
  require(options.what.size() == 3,
          "results diff compares two stores; write weft results diff A B");
  const ResultsStore first(options.what[1], ResultsStore::Mode::read);
  const ResultsStore second(options.what[2], ResultsStore::Mode::read);
  const StoreDiff found = study::diff_stores(first.all(), second.all());
  const bool equal = found.only_first.empty() && found.only_second.empty() && found.changed.empty();
  if (options.common.json) {
    print_json("results", found, diff_parts(), options.common, streams);
    return equal ? kFine : kNo;
  }
  Table table({"change", "row", "result", options.what[1], options.what[2]});
  for (const auto& row : found.only_first)
    table.add({"only in first", study::describe(row), "", "", ""});
  for (const auto& row : found.only_second)
    table.add({"only in second", study::describe(row), "", "", ""});
  for (const auto& change : found.changed)
    table.add({"differs", study::describe(change.parameters), change.column, change.first,
               change.second});
  streams.out << (options.csv == "-" ? table.csv() : equal ? "" : table.text(screen_of(streams)));
  streams.err << fmt::format(
      "{} rows the same, {} results differ, {} rows only in {}, {} only in {}\n", found.same,
      found.changed.size(), found.only_first.size(), options.what[1], found.only_second.size(),
      options.what[2]);
  return equal ? kFine : kNo;
}

Results load(const ResultsCommand& options) {
  const study::Experiment experiment = study::load_experiment(options.what[0]);
  const std::string path =
      options.store.empty() ? study::default_store_path(options.what[0]) : options.store;
  require(is_there(path), "there are no results yet ('{}' does not exist); run weft sweep {}", path,
          options.what[0]);
  return study::load_results(experiment, options.grid.grid(),
                             ResultsStore(path, ResultsStore::Mode::read));
}

/// The rows of an experiment that were chosen.
struct Shown {
  const ResultsCommand& options;
  const View& view;
};
Parts<Shown> shown_parts() {
  constexpr PartOf<Shown> part;
  return {part(keys::kExperimentFile, [](const Shown& shown) { return shown.options.what[0]; }),
          part(keys::kGrid, [](const Shown& shown) { return name_of(shown.options.grid.grid()); }),
          part("rows", "", Unit::none, "parameters and results of each row, by column",
               [](const Shown& shown) { return rows_of(shown.view); })};
}

int show(const ResultsCommand& options, Streams& streams) {
  require(options.what.size() == 1,
          "unexpected '{}': results shows one experiment (or: merge INTO FROM..., diff A B)",
          options.what.back());
  const Results results = load(options);
  const View view =
      choose(results, parse_conditions(options.where, results), options.columns, options.wall);
  if (view.rows.empty() && !options.common.quiet) streams.err << "no row meets all conditions\n";
  const auto table = [&](Style style) {
    return options.pivot.empty() ? table_of(view, style)
                                 : pivot_of(results, view, options.pivot, options.value, style);
  };
  if (!options.csv.empty() && options.csv != "-") {
    write_file(options.csv, table(Style::machines).csv());
    if (!options.common.quiet) streams.err << "wrote " << options.csv << '\n';
    return kFine;
  }
  if (options.common.json) {
    print_json("results", Shown{options, view}, shown_parts(), options.common, streams);
  } else if (options.csv == "-") {
    streams.out << table(Style::machines).csv();
  } else {
    const std::string alike = options.pivot.empty() ? "" : alike_of(results, view, options.pivot);
    streams.out << alike << table(Style::people).text(screen_of(streams));
  }
  return kFine;
}

int run(const ResultsCommand& options, Streams& streams) {
  if (options.what[0] == "merge") return merge(options, streams);
  if (options.what[0] == "diff") return diff(options, streams);
  return show(options, streams);
}

}  // namespace

std::vector<answer::Shape> results_shapes() {
  return {{"rows of an experiment", texts_of(shown_parts())},
          {"stores that were merged", texts_of(merged_parts())},
          {"stores that were compared", texts_of(diff_parts())}};
}

void add_results_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ResultsCommand>();
  const Command command = program.add_command(
      "results", "Show the results of an experiment, merge stores, or compare two stores");
  const OptionAdder add(command);
  add("what", options->what, "Experiment file (.toml), merge INTO FROM..., or diff A B").required();
  add("--store", options->store, "Results store [FILE.sqlite next to the experiment file]");
  add.repeated("--where", options->where,
               "Filter on the rows, such as size=1MiB,algorithm=bruck; repeatable [all rows]");
  add("--columns", options->columns, "Columns to show, comma-separated [all]");
  add("--pivot", options->pivot, "Parameter whose values become columns [none]");
  add("--value", options->value, "Value in the cells of --pivot");
  add.output("--csv", options->csv, "CSV file; - is standard output [none]");
  add_grid_options(command, options->grid);
  add.flag("--wall", options->wall, "Print the time that each row took to compute");
  add_output_options(command, options->common);
  command.most_used({"--where", "--pivot", "--value", "--columns", "--csv"});
  command.footer(
      "Rows are in the order of the grid. diff ends with exit code 1 if the stores differ.\n"
      "Examples:\n"
      "  # Which results belong to a size, as CSV?\n"
      "  weft results reproduction/experiments/2dfc-baselines.toml --where \"size=1MiB\" --csv -\n"
      "  # Compare algorithms next to each other\n"
      "  weft results my.toml --pivot algorithm --value time\n"
      "  # Join the stores of several machines\n"
      "  weft results merge all.sqlite part0.sqlite part1.sqlite\n"
      "  # Did anything change?\n"
      "  weft results diff old.sqlite new.sqlite");
  draws_nothing(command);
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
