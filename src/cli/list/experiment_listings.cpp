#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list/listing.hpp"
#include "cli/study/experiments.hpp"
#include "weft/fields/models.hpp"
#include "weft/rows/kind_facts.hpp"

namespace weft::cli {

namespace {

template <class Names>
std::string spaced(const Names& names) {
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::vector<ListRow> kind_rows() {
  std::vector<ListRow> listed;
  for (const RowKind& kind : rows::kinds()) {
    std::vector<std::string_view> columns;
    for (const rows::Measure& measure : kind.measures) columns.push_back(measure.name);
    listed.push_back({std::string(kind.name), std::string(rows::summary_of_kind(kind.name)),
                      spaced(kind.needed), spaced(columns)});
  }
  return listed;
}

std::vector<ListRow> field_rows() {
  std::vector<ListRow> listed;
  for (const rows::FieldUse& use : rows::fields_of_kinds())
    listed.push_back(
        {std::string(use.field->name),
         use.needed && use.field->fallback.empty() ? "needed" : std::string(use.field->fallback),
         spaced(use.kinds), spaced(fields::models_of(use.field->name)),
         rows::meaning_of_field(*use.field)});
  return listed;
}

std::vector<ListRow> column_rows() {
  std::vector<ListRow> listed;
  for (const RowKind& kind : rows::kinds())
    for (const rows::Measure& measure : kind.measures)
      listed.push_back({std::string(measure.name), std::string(kind.name),
                        std::string(rows::meaning_of_column(kind.name, measure.name))});
  return listed;
}

std::vector<ListRow> experiment_rows() {
  std::vector<ListRow> listed;
  for (const auto& experiment : all_experiments())
    listed.push_back({experiment.name, fmt::format("{}", fmt::join(experiment.groups, " ")),
                      experiment.title, experiment.source, experiment.path});
  return listed;
}

}  // namespace weft::cli
