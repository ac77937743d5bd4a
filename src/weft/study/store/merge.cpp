#include <map>

#include "weft/base/error.hpp"
#include "weft/study/sweep.hpp"

namespace weft::study {

namespace {

// A row and the store that it came from.
struct Sourced {
  StoredRow row;
  std::string path;
};

// The first result that differs, in words; empty where none does.
std::string difference(const Values& first, const Values& second) {
  for (const auto& [name, value] : first)
    if (const auto other = second.find(name); other == second.end())
      return name + " is only in the first";
    else if (other->second != value)
      return fmt::format("{} is {} or {}", name, fields::to_text(value),
                         fields::to_text(other->second));
  for (const auto& [name, value] : second)
    if (!first.contains(name)) return name + " is only in the second";
  return "";
}

void require_agreement(const Sourced& first, const Sourced& second) {
  const std::string what = difference(first.row.results, second.row.results);
  require(what.empty(),
          "'{}' and '{}' disagree on a row: {}, for {}; sweep the row again into an empty store",
          first.path, second.path, what, fields::to_json(first.row.parameters));
}

}  // namespace

std::int64_t merge_stores(const std::vector<std::string>& from, const std::string& into) {
  std::vector<ResultsStore> sources;
  for (const std::string& path : from) sources.emplace_back(path, ResultsStore::Mode::read);
  ResultsStore target(into, ResultsStore::Mode::write);

  std::map<std::string, Sourced> news;
  for (std::size_t i = 0; i < from.size(); ++i)
    for (StoredRow& row : sources[i].all()) {
      Sourced ours{std::move(row), from[i]};
      const std::string key = ours.row.key;
      const bool failed = !ours.row.error.empty();
      if (const auto old = target.find(key); old && (failed || old->error.empty())) {
        if (!failed) require_agreement({*old, into}, ours);
        continue;
      }
      const auto [known, is_new] = news.try_emplace(key, ours);
      if (is_new || failed) continue;
      if (known->second.row.error.empty())
        require_agreement(known->second, ours);
      else
        known->second = std::move(ours);
    }

  std::vector<StoredRow> rows;
  for (auto& [key, sourced] : news) rows.push_back(std::move(sourced.row));
  target.add(rows);
  return static_cast<std::int64_t>(rows.size());
}

}  // namespace weft::study
