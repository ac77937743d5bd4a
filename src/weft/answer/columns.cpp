#include "weft/answer/columns.hpp"

#include "weft/base/error.hpp"

namespace weft::answer {

Cells without_empty_columns(const Cells& cells) {
  WEFT_ASSERT(std::ranges::all_of(
      cells.rows, [&](const auto& row) { return row.size() == cells.heading.size(); }));
  std::vector<std::size_t> used;
  for (std::size_t column = 0; column < cells.heading.size(); ++column)
    if (std::ranges::any_of(cells.rows, [&](const auto& row) { return !row[column].empty(); }))
      used.push_back(column);
  const auto pick = [&used](const std::vector<std::string>& row) {
    std::vector<std::string> picked;
    for (const std::size_t column : used) picked.push_back(row[column]);
    return picked;
  };
  Cells result{pick(cells.heading), {}};
  for (const auto& row : cells.rows) result.rows.push_back(pick(row));
  return result;
}

}  // namespace weft::answer
