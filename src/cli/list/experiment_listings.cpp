#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list/listing.hpp"
#include "weft/question/fields/models.hpp"
#include "weft/question/kind_facts.hpp"

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
  for (const Kind& kind : question::kinds()) {
    std::vector<std::string_view> columns;
    for (const question::Measure& measure : kind.measures) columns.push_back(measure.name);
    listing.rows.push_back({std::string(kind.name),
                            std::string(question::summary_of_kind(kind.name)), spaced(kind.needed),
                            spaced(columns)});
  }
  return listing;
}

Listing list_fields() {
  Listing listing{{"name", "default", "kinds", "models", "meaning"}, {}};
  listing.only_in_full = {};
  listing.where_roomy = {"kinds", "models"};
  for (const question::FieldUse& use : question::fields_of_kinds())
    listing.rows.push_back(
        {std::string(use.field->name),
         use.needed && use.field->fallback.empty() ? "needed" : std::string(use.field->fallback),
         spaced(use.kinds), spaced(question::models_of(use.field->name)),
         question::meaning_of_field(*use.field)});
  return listing;
}

Listing list_columns() {
  Listing listing{{"name", "kind", "meaning"}, {}};
  for (const Kind& kind : question::kinds())
    for (const question::Measure& measure : kind.measures)
      listing.rows.push_back({std::string(measure.name), std::string(kind.name),
                              std::string(question::meaning_of_column(kind.name, measure.name))});
  return listing;
}

}  // namespace weft::cli
