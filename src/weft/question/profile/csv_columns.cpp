#include "weft/question/profile/csv_columns.hpp"

#include "weft/base/text.hpp"

namespace weft::question {

std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  for (std::string& field : fields) field = std::string(trim(field));
  return fields;
}

Columns columns_in(std::string_view line) {
  Columns columns;
  for (const std::string& name : csv_fields(line)) columns.try_emplace(name, columns.size());
  return columns;
}

}  // namespace weft::question
