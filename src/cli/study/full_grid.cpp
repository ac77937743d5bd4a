#include "cli/study/full_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft::cli {

namespace {

namespace fs = std::filesystem;
using study::Experiment;
using study::SavedGrid;

fs::path folder_of(const std::string& kept_path) {
  return fs::path(kept_path).parent_path();
}

std::vector<rows::Row> rows_of(const study::Results& results) {
  std::vector<rows::Row> rows;
  for (const study::ResultRow& row : results.rows) rows.push_back(row.row);
  return rows;
}

}  // namespace

std::string FullGrid::text() const {
  std::string text =
      fmt::format("kept: {} ({} rows, {})", study::text_of(kept, study::DigestLength::whole),
                  kept.rows, kept.path);
  if (stale) text += fmt::format("; it is stale and not used: {}", *stale);
  if (again) text += *again ? "; these rows are the same" : "; these rows are others";
  return text;
}

std::optional<FullGrid> full_grid_of(const Experiment& experiment,
                                     std::vector<rows::Row> full_grid) {
  const std::string path = study::kept_path(experiment.path);
  if (experiment.full.empty() || !is_there(path)) return std::nullopt;
  FullGrid full;
  full.kept = study::parse_kept(read_file(path), path);
  full.stale = study::why_stale(full.kept, experiment, full_grid);
  if (!full.stale) full.results = study::results_of(full.kept, experiment, std::move(full_grid));
  return full;
}

bool has_kept_rows(const FullGrid& full, const study::Results& results,
                   const study::ResultsStore& store) {
  std::vector<study::StoredRow> rows;
  for (const study::ResultRow& row : results.rows)
    if (auto stored = store.find(row.row.key)) rows.push_back(std::move(*stored));
  return study::digest_of(std::move(rows)) == full.kept.store;
}

void require_keepable(const std::vector<Experiment>& experiments) {
  const auto has_full = [](const Experiment& one) { return !one.full.empty(); };
  require(std::ranges::any_of(experiments, has_full),
          "--keep has no effect on experiments without [full], which have only the standard "
          "grid; leave it out");
  for (const Experiment& experiment : experiments) {
    if (!has_full(experiment)) continue;
    const std::string path = study::kept_path(experiment.path);
    const std::string folder = folder_of(path);
    require(!is_there(folder) || is_folder(folder),
            "cannot write '{}': '{}' is not a folder; give it another name", path, folder);
    require_writable(is_there(folder) ? path : folder);
  }
}

FullGrid keep_full_grid(const Experiment& experiment, const study::Results& results,
                        const std::string& store) {
  const study::ResultsStore rows(store, study::ResultsStore::Mode::read);
  SavedGrid kept = study::keep(experiment, rows_of(results), rows);
  std::error_code failed;
  fs::create_directories(folder_of(kept.path), failed);
  require(!failed, "cannot make the folder of '{}': {}", kept.path, failed.message());
  write_file(kept.path, study::kept_file(kept));
  FullGrid full;
  full.kept = std::move(kept);
  return full;
}

answer::Parts<FullGrid> full_grid_parts() {
  constexpr answer::PartOf<FullGrid> part;
  using answer::Unit;
  const auto of_kept = [](auto member) {
    return [member](const FullGrid& full) { return full.kept.*member; };
  };
  return {
      part("file", "", Unit::none, "file of these results", of_kept(&SavedGrid::path)),
      part("version", "", Unit::none, "version of weft that stored them",
           of_kept(&SavedGrid::version)),
      part("model_version", "", Unit::none, "version of its models", of_kept(&SavedGrid::models)),
      part("date", "", Unit::none, "when the last row was computed, UTC",
           of_kept(&SavedGrid::date)),
      part("rows", "", Unit::none, "rows of the full grid", of_kept(&SavedGrid::rows)),
      part("store", "", Unit::none, "digest of the results store", of_kept(&SavedGrid::store)),
      part("stale", "", Unit::none, "why the results are out of date, or null",
           [](const FullGrid& full) { return full.stale; }),
      part("same_rows", "", Unit::none,
           "whether this run gave the same rows, or null if it did not run them",
           &FullGrid::again)};
}

}  // namespace weft::cli
