// Rows of the fastest algorithm at a size, as weft compare finds it.
#include <algorithm>

#include "weft/advise/comparison_parts.hpp"
#include "weft/advise/library_lesson.hpp"
#include "weft/base/error.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/base/suggest.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/libraries/library.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/contest_fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/kinds/unequal_rows.hpp"
#include "weft/rows/row_collective.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

constexpr std::string_view kNoLibrary = "none";

std::string effort_name(std::string_view name, std::string_view text) {
  return fields::listed_name(name, text, {"auto", "full"});
}

std::string library_name(std::string_view, std::string_view text) {
  if (lower(text) == kNoLibrary) return std::string(kNoLibrary);
  return std::string(libraries::find_library_rules(text).name);
}

constexpr auto kEffort = fields::text<effort_name>("effort", "auto");
// Kind testbed has another field `library`.
constexpr auto kBaseline = fields::text<library_name>("baseline", "none");

Values answer(const Row& row, Workspace& workspace) {
  const Values& parameters = row.parameters;
  const auto network = network_of(row, contents_of_files(row), workspace);
  WEFT_ASSERT(fields::count_in(parameters, "size", 0) > 0);  // see resolve
  const Collective collective = collective_in(parameters, network->ranks());
  const auto counts = counts_in(parameters, network->ranks());
  const CompareOptions options{.algorithms = contest_algorithms(parameters),
                               .sizes_B = {fields::count_in(parameters, "size", 0)},
                               .algorithm = fields::algorithm_options_in(parameters),
                               .blocks = counts ? counts->blocks : nullptr,
                               .simulation = fields::simulation_options_in(parameters),
                               .effort = advise::parse_effort(kEffort.in(parameters)),
                               .advice = advise::Advice::left_out};
  Comparison found = advise::compare(collective, *network, options);
  if (const std::string library = kBaseline.in(parameters); library != kNoLibrary)
    found.library = advise::library_beside(libraries::find_library_rules(library), collective,
                                           *network, options);
  return values_of(advise::fastest_at_sizes(found, collective, *network, options.sizes_B).front(),
                   advise::fastest_parts(), advise::comparison_row_columns());
}

void resolve(Row& row, FactsOfNetworks& facts) {
  Values& parameters = row.parameters;
  if (const std::string library = kBaseline.in(parameters); library != kNoLibrary) {
    require_of("baseline", fields::text_in(parameters, "counts").empty(),
               "baseline {} needs blocks of one size; leave out baseline or counts", library);
    libraries::require_rules(libraries::find_library_rules(library), kind_in(parameters));
  }
  resolve_with_counts(row, facts, resolve_contest);
  require(fields::count_in(parameters, "size", 0) > 0,
          "a call of size 0 moves no data; give a larger size, such as 1MiB");
}

}  // namespace

std::vector<ColumnMeaning> compare_columns() {
  return meanings_of(advise::fastest_parts(), advise::comparison_row_columns());
}

RowKind compare_kind() {
  return {.name = "compare",
          .subject = Subject::topology,
          .fields = with_counts(contest_fields({&kEffort, &kBaseline})),
          .needed = {"collective", "topology"},
          .measures = measures_of(advise::fastest_parts(), advise::comparison_row_columns()),
          .chart = {.x = "size", .y = "time", .timed = true},
          .adapt_machine = leave_size_to_counts,
          .resolve = resolve,
          .contents = contents_with_counts,
          .estimate = estimate_contest,
          .answer = answer};
}

}  // namespace weft::rows
