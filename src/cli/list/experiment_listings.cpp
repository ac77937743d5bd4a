#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list/listing.hpp"
#include "weft/fields/models.hpp"
#include "weft/rows/kind_facts.hpp"

namespace weft::cli {

namespace {

template <class Names>
std::string spaced(const Names& names) {
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

Listing list_kinds() {
  Listing listing{{"name", "summary", "needed", "columns"}, {}};
  listing.only_in_full = {"columns"};
  for (const Kind& kind : rows::kinds()) {
    std::vector<std::string_view> columns;
    for (const rows::Measure& measure : kind.measures) columns.push_back(measure.name);
    listing.rows.push_back({std::string(kind.name), std::string(rows::summary_of_kind(kind.name)),
                            spaced(kind.needed), spaced(columns)});
  }
  return listing;
}

Listing list_fields() {
  Listing listing{{"name", "default", "kinds", "models", "meaning"}, {}};
  listing.only_in_full = {};
  listing.where_roomy = {"kinds", "models"};
  for (const rows::FieldUse& use : rows::fields_of_kinds())
    listing.rows.push_back(
        {std::string(use.field->name),
         use.needed && use.field->fallback.empty() ? "needed" : std::string(use.field->fallback),
         spaced(use.kinds), spaced(fields::models_of(use.field->name)),
         rows::meaning_of_field(*use.field)});
  return listing;
}

Listing list_columns() {
  Listing listing{{"name", "kind", "meaning"}, {}};
  for (const Kind& kind : rows::kinds())
    for (const rows::Measure& measure : kind.measures)
      listing.rows.push_back({std::string(measure.name), std::string(kind.name),
                              std::string(rows::meaning_of_column(kind.name, measure.name))});
  return listing;
}

}  // namespace weft::cli
