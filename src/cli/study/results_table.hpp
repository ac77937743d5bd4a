// Rows of results as the user asked for them: chosen, as columns or as a pivot.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/output.hpp"
#include "weft/answer/node.hpp"
#include "weft/study/results.hpp"

namespace weft::cli {

/// "size=1MiB,algorithm=bruck", several times: conditions that all hold. A comma inside a value
/// ("kautz:4,2") is part of it. Throws InvalidInput for a name that no row has, or a value.
study::Match parse_conditions(const std::vector<std::string>& texts, const study::Results& results);

enum class Style : std::uint8_t { people, machines };  // 1MiB and 12.3us, or 1048576 and 1.23e-05

/// What to show of the rows.
struct View {
  std::vector<const study::ResultRow*> rows;
  std::vector<std::string> columns;
  bool wall = false;  // a last column: seconds that the row took to compute
};

/// The columns that `list` names ("a,b"), or all of them. Throws InvalidInput for an unknown one.
View choose(const study::Results& results, const study::Match& where, const std::string& list,
            bool wall);

Table table_of(const View& view, Style style);

/// Parameters, results or a row of a view, by name.
using NamedValues = std::vector<std::pair<std::string, answer::Value>>;
/// In the order of the names. Infinity and NaN are texts.
NamedValues named(const fields::Values& values);
std::vector<NamedValues> rows_of(const View& view);

/// A line for each combination of the other parameters, a column for each value of `pivot`, `value`
/// in the cells. For people without the parameters that all rows have alike. Throws InvalidInput
/// for an unknown column.
Table pivot_of(const study::Results& results, const View& view, const std::string& pivot,
               const std::string& value, Style style);
/// "in all rows: size=1MiB", a line on what pivot_of() leaves out; empty where that is nothing.
std::string alike_of(const study::Results& results, const View& view, const std::string& pivot);

}  // namespace weft::cli
