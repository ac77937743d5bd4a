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
using study::KeptGrid;

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
  KeptGrid kept = study::keep(experiment, rows_of(results), rows);
  std::error_code failed;
  fs::create_directories(folder_of(kept.path), failed);
  require(!failed, "cannot make the folder of '{}': {}", kept.path, failed.message());
  write_file(kept.path, study::kept_file(kept));
  FullGrid full;
  full.kept = std::move(kept);
  return full;
}

Json json_of(const FullGrid& full) {
  return {{"file", full.kept.path},
          {"version", full.kept.version},
          {"model_version", full.kept.models},
          {"date", full.kept.date},
          {"rows", full.kept.rows},
          {"store", full.kept.store},
          {"stale", full.stale ? Json(*full.stale) : Json()},
          {"same_rows", full.again ? Json(*full.again) : Json()}};
}

}  // namespace weft::cli
