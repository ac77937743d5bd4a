#include "weft/study/kept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/base/version.hpp"
#include "weft/study/kept/asked.hpp"
#include "weft/study/kept/sha256.hpp"

namespace weft::study {

namespace {

namespace fs = std::filesystem;

// As another program would write it, too: nine digits of a number, all else as it is.
std::string canonical(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.9g}", *number);
  return fields::to_text(value);
}

std::string canonical(const Values& values) {
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format("{}={}\n", name, canonical(value));
  return text;
}

StoredRow finished(const ResultsStore& store, const Row& row, const Experiment& experiment) {
  std::optional<StoredRow> stored = store.find(row.key);
  require(stored.has_value(),
          "the full grid of {} is not complete, so it cannot be stored; run it first: weft "
          "reproduce {} --full",
          experiment.name, experiment.path);
  require(stored->error.empty(),
          "a row of the full grid of {} failed, so the grid cannot be stored: {}", experiment.name,
          stored->error);
  return std::move(*stored);
}

Values chosen(const Values& results, const std::set<std::string>& columns) {
  Values values;
  for (const auto& [name, value] : results)
    if (columns.contains(name) && !fields::is_nothing(value)) values.emplace(name, value);
  return values;
}

std::string day_of(const std::vector<StoredRow>& rows) {
  constexpr std::size_t kDay = 10;  // 2026-01-31
  std::string last;
  for (const StoredRow& row : rows) last = std::max(last, row.finished_at);
  return last.substr(0, kDay);
}

}  // namespace

std::string kept_path(const std::string& experiment_path) {
  const fs::path path(experiment_path);
  return (path.parent_path() / "full" / path.filename()).string();
}

std::string digest_of(std::vector<StoredRow> rows) {
  std::ranges::sort(rows, {}, &StoredRow::key);
  std::string text;
  for (const StoredRow& row : rows)
    text += fmt::format("row {} {}\n{}results\n{}", row.key, row.kind->name,
                        canonical(row.parameters), canonical(row.results));
  return sha256(text);
}

SavedGrid keep(const Experiment& experiment, const std::vector<Row>& full_grid,
               const ResultsStore& store) {
  std::vector<StoredRow> rows;
  for (const Row& row : full_grid) rows.push_back(finished(store, row, experiment));
  SavedGrid kept{.path = kept_path(experiment.path),
                 .version = std::string(version()),
                 .models = rows::kModelVersion,
                 .date = day_of(rows),
                 .rows = static_cast<std::int64_t>(rows.size()),
                 .store = {},
                 .grid = digest_of_grid(full_grid),
                 .claims = digest_of_claims(experiment),
                 .numbers = {}};
  const std::set<std::string> columns = columns_asked(experiment);
  for (const StoredRow& row : rows) kept.numbers.emplace(row.key, chosen(row.results, columns));
  WEFT_ASSERT(kept.numbers.size() == rows.size());  // a grid has each key once
  kept.store = digest_of(std::move(rows));
  return kept;
}

std::optional<std::string> why_stale(const SavedGrid& kept, const Experiment& experiment,
                                     const std::vector<Row>& full_grid) {
  if (kept.models != rows::kModelVersion)
    return fmt::format("it was made with version {} of the models, and this is version {}",
                       kept.models, rows::kModelVersion);
  if (kept.grid != digest_of_grid(full_grid)) return "the grid has changed since";
  if (kept.claims != digest_of_claims(experiment)) return "the claims have changed since";
  return std::nullopt;
}

Results results_of(const SavedGrid& kept, const Experiment& experiment,
                   std::vector<Row> full_grid) {
  return join_results(experiment, std::move(full_grid),
                      [&](const std::string& key) -> std::optional<StoredRow> {
                        const auto found = kept.numbers.find(key);
                        if (found == kept.numbers.end()) return std::nullopt;
                        return StoredRow{.key = key, .results = found->second};
                      });
}

std::string text_of(const SavedGrid& kept, DigestLength length) {
  constexpr std::size_t kShort = 19;  // "sha256:" and twelve digits
  return fmt::format("full grid, version {}, {}, store {}", kept.version, kept.date,
                     length == DigestLength::whole ? kept.store : kept.store.substr(0, kShort));
}

}  // namespace weft::study
