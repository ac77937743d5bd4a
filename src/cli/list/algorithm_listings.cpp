#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list/listing.hpp"
#include "weft/advise/schedule/counts.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/costs.hpp"
#include "weft/algorithm/libraries.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/fields/field.hpp"
#include "weft/rows/kind.hpp"

namespace weft::cli {

namespace {

std::string here(const algorithm::LibraryName& name) {
  return fmt::format("{}{}", name.algorithm, name.flat ? " (radix = ranks)" : "");
}

}  // namespace

std::vector<ListRow> algorithm_rows() {
  std::vector<ListRow> rows;
  for (const auto& algorithm : algorithm::algorithms()) {
    std::vector<std::string_view> collectives, options;
    for (const CollectiveKind kind : algorithm.collectives) collectives.push_back(name_of(kind));
    for (const algorithm::Option& option : algorithm.options) options.push_back(option.name);
    rows.push_back({algorithm.name, fmt::format("{}", fmt::join(algorithm.aliases, " ")),
                    fmt::format("{}", fmt::join(collectives, " ")),
                    fmt::format("{}", fmt::join(options, " ")), algorithm.summary,
                    algorithm::requirement_of(algorithm.name), algorithm.source});
  }
  return rows;
}

std::vector<ListRow> cost_rows() {
  std::vector<ListRow> rows;
  for (const algorithm::CostFormula& row : algorithm::cost_formulas())
    rows.push_back({std::string(row.algorithm), std::string(row.collectives), std::string(row.when),
                    std::string(row.steps), std::string(row.messages), std::string(row.bandwidth)});
  return rows;
}

std::vector<ListRow> symbol_rows() {
  std::vector<ListRow> rows;
  for (const algorithm::CostSymbol& row : algorithm::cost_symbols())
    rows.push_back({std::string(row.symbol), std::string(row.meaning)});
  return rows;
}

std::vector<ListRow> option_rows() {
  std::vector<ListRow> rows;
  for (const algorithm::Option& option : algorithm::options()) {
    std::vector<std::string_view> takers;
    for (const auto& algorithm : algorithm::algorithms())
      if (algorithm.takes(option)) takers.push_back(algorithm.name);
    const fields::Field* field = rows::find_field(option.name);
    rows.push_back({std::string(option.name), fmt::format("{}", fmt::join(takers, " ")),
                    field == nullptr ? "" : std::string(field->help)});
  }
  return rows;
}

std::vector<ListRow> library_rows() {
  std::vector<ListRow> rows;
  for (const algorithm::Library& library : algorithm::libraries())
    for (const algorithm::LibraryName& name : library.names)
      rows.push_back({std::string(name.name), std::string(library.name),
                      std::string(name_of(name.collective)), here(name),
                      std::string(name_of(name.ranks)), std::string(library.source)});
  return rows;
}

std::vector<ListRow> collective_rows() {
  std::vector<ListRow> rows;
  for (const CollectiveKind kind : schedule::kCollectiveKinds)
    rows.push_back({std::string(name_of(kind)), std::string(schedule::summary_of(kind))});
  for (const CollectiveKind kind : schedule::kCollectiveKinds)
    if (program::takes_block_sizes(kind))
      rows.push_back({advise::unequal_name(kind), advise::unequal_summary(kind)});
  return rows;
}

}  // namespace weft::cli
