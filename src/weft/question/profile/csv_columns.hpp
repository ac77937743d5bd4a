// Lines of CSV whose first line names the columns.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::question {

/// Fields without blanks around them; what stands between quotes may contain commas.
std::vector<std::string> csv_fields(std::string_view line);

/// Places of columns, by name.
using Columns = std::map<std::string, std::size_t, std::less<>>;
Columns columns_in(std::string_view line);

}  // namespace weft::question
