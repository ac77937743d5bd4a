#include "weft/study/diff.hpp"

#include <map>
#include <set>

#include "weft/base/error.hpp"

namespace weft::study {

namespace {

// Rows of older models or files stay in a store, under other keys: the newest one counts.
std::map<std::string, const StoredRow*> by_parameters(const std::vector<StoredRow>& rows) {
  std::map<std::string, const StoredRow*> index;
  for (const StoredRow& row : rows) {
    WEFT_ASSERT(row.kind != nullptr);
    const StoredRow*& newest = index[std::string(row.kind->name) + fields::to_json(row.parameters)];
    if (newest == nullptr || newest->finished_at <= row.finished_at) newest = &row;
  }
  return index;
}

std::string text_of(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "" : fields::to_text(found->second);
}

// Adds what differs between the two; whether anything does.
bool compare(const StoredRow& first, const StoredRow& second, StoreDiff& diff) {
  const std::size_t before = diff.changed.size();
  std::set<std::string> names;
  for (const StoredRow* row : {&first, &second})
    for (const auto& [name, value] : row->results) names.insert(name);
  for (const std::string& name : names) {
    const std::string a = text_of(first.results, name), b = text_of(second.results, name);
    if (a != b) diff.changed.push_back({first.parameters, name, a, b});
  }
  if (first.error != second.error)
    diff.changed.push_back({first.parameters, "error", first.error, second.error});
  return diff.changed.size() != before;
}

}  // namespace

StoreDiff diff_stores(const std::vector<StoredRow>& first, const std::vector<StoredRow>& second) {
  const auto a = by_parameters(first), b = by_parameters(second);
  StoreDiff diff;
  for (const auto& [key, row] : a) {
    const auto other = b.find(key);
    if (other == b.end())
      diff.only_first.push_back(row->parameters);
    else if (!compare(*row, *other->second, diff))
      ++diff.same;
  }
  for (const auto& [key, row] : b)
    if (!a.contains(key)) diff.only_second.push_back(row->parameters);
  return diff;
}

std::string describe(const Values& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += (text.empty() ? "" : " ") + name + "=" + fields::to_text(value);
  return text;
}

}  // namespace weft::study
