// Finding the rows that another is compared with.
//
// Columns that every row has are a key; a column that some rows lack (a radix, which only some
// algorithms take, a seed, which only some placements draw from) tells none apart where one of two
// rows lacks it, so within a key the rest is compared row by row.
#include <algorithm>

#include "weft/study/file/substitution.hpp"
#include "weft/study/results.hpp"

namespace weft::study {

namespace {

bool names(const Match& match, std::string_view name) {
  return std::any_of(match.equal.begin(), match.equal.end(),
                     [&](const auto& pair) { return pair.first == name; });
}

// Whether a text of the match, "ring:{n}", takes the variable from the row.
bool keeps(const Match& match, std::string_view variable) {
  return std::any_of(match.equal.begin(), match.equal.end(), [&](const auto& pair) {
    const auto used = variables_in(pair.second);
    return std::find(used.begin(), used.end(), variable) != used.end();
  });
}

// Whether the column changes when what the match names does.
bool depends_on(const Results& results, const std::string& column, const Match& match) {
  if (names(match, column)) return true;
  return std::any_of(results.uses.begin(), results.uses.end(), [&](const Results::Use& use) {
    return (use.axis == column && names(match, use.variable)) ||
           (use.variable == column && names(match, use.axis) && !keeps(match, column));
  });
}

// The rows that are equal in these columns as well, or all where there are none.
std::vector<const ResultRow*> nearest(const ResultRow& row, const std::vector<std::string>& columns,
                                      std::vector<const ResultRow*> fitting) {
  std::vector<const ResultRow*> same;
  std::copy_if(fitting.begin(), fitting.end(), std::back_inserter(same),
               [&](const ResultRow* other) {
                 return std::all_of(columns.begin(), columns.end(), [&](const auto& column) {
                   return row.get(column) == other->get(column);
                 });
               });
  return same.empty() ? fitting : same;
}

}  // namespace

Counterparts::Counterparts(const Results& results, const Match& against) {
  for (const std::string& column : results.parameters) {
    if (depends_on(results, column, against)) continue;
    const bool everywhere =
        std::none_of(results.rows.begin(), results.rows.end(),
                     [&](const ResultRow& row) { return fields::is_nothing(row.get(column)); });
    (everywhere ? shared_ : partial_).push_back(column);
  }
  for (const ResultRow& row : results.rows)
    if (matches(row, against)) by_key_[key_of(row)].push_back(&row);
}

std::string Counterparts::key_of(const ResultRow& row) const {
  std::string key;
  for (const std::string& column : shared_) key += fields::to_text(row.get(column)) + '\n';
  return key;
}

std::vector<const ResultRow*> Counterparts::find(const ResultRow& row) const {
  const auto candidates = by_key_.find(key_of(row));
  if (candidates == by_key_.end()) return {};
  std::vector<const ResultRow*> fitting;
  std::copy_if(candidates->second.begin(), candidates->second.end(), std::back_inserter(fitting),
               [&](const ResultRow* other) {
                 return std::all_of(partial_.begin(), partial_.end(), [&](const auto& column) {
                   const Value own = row.get(column), its = other->get(column);
                   return own == its || fields::is_nothing(own) || fields::is_nothing(its);
                 });
               });
  return nearest(row, partial_, std::move(fitting));
}

}  // namespace weft::study
