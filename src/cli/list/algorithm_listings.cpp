#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list/listing.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/costs.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/fields/field.hpp"
#include "weft/rows/kind.hpp"

namespace weft::cli {

Listing list_algorithms() {
  Listing listing{{"name", "aliases", "collectives", "options", "summary", "requirement", "source"},
                  {}};
  listing.only_in_full = {"requirement", "source"};
  for (const auto& algorithm : algorithm::algorithms()) {
    std::vector<std::string_view> collectives, options;
    for (const CollectiveKind kind : algorithm.collectives) collectives.push_back(name_of(kind));
    for (const algorithm::Option& option : algorithm.options) options.push_back(option.name);
    listing.rows.push_back({algorithm.name, fmt::format("{}", fmt::join(algorithm.aliases, " ")),
                            fmt::format("{}", fmt::join(collectives, " ")),
                            fmt::format("{}", fmt::join(options, " ")), algorithm.summary,
                            algorithm::requirement_of(algorithm.name), algorithm.source});
  }
  return listing;
}

Listing list_costs() {
  Listing listing{{"algorithm", "collectives", "when", "steps", "messages", "bandwidth_factor"},
                  {}};
  listing.where_roomy = {"messages"};
  for (const algorithm::CostFormula& row : algorithm::cost_formulas())
    listing.rows.push_back({std::string(row.algorithm), std::string(row.collectives),
                            std::string(row.when), std::string(row.steps),
                            std::string(row.messages), std::string(row.bandwidth)});
  return listing;
}

Listing list_symbols() {
  Listing listing{{"symbol", "meaning"}, {}};
  for (const algorithm::CostSymbol& row : algorithm::cost_symbols())
    listing.rows.push_back({std::string(row.symbol), std::string(row.meaning)});
  return listing;
}

Listing list_options() {
  Listing listing{{"name", "algorithms", "meaning"}, {}};
  for (const algorithm::Option& option : algorithm::options()) {
    std::vector<std::string_view> takers;
    for (const auto& algorithm : algorithm::algorithms())
      if (algorithm.takes(option)) takers.push_back(algorithm.name);
    const fields::Field* field = rows::find_field(option.name);
    listing.rows.push_back({std::string(option.name), fmt::format("{}", fmt::join(takers, " ")),
                            field == nullptr ? "" : std::string(field->help)});
  }
  return listing;
}

}  // namespace weft::cli
