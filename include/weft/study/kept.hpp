// SavedGrid: what a run of an experiment's full grid gave, kept beside the experiment, so that its
// claims are judged where nobody computes that grid again.
//
// A full grid takes hours, so it is run once for a release. What stays of it is small: the columns
// that claims speak of, of each row, from which the marks are computed anew whenever they are
// shown. Three digests say whether these numbers are what they were and still answer what is asked:
// of the grid (its rows' keys, which hold the version of the models), of the claims, and of all
// rows of the store, which a second run gives again (but where a number lies at the very edge
// between two roundings to nine digits, which another compiler or processor may take to the other
// side).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/study/results.hpp"

namespace weft::study {

struct SavedGrid {
  std::string path;     // of the file
  std::string version;  // of the weft that kept it
  int models = 0;       // their version
  std::string date;     // UTC, of the row that was finished last
  std::int64_t rows = 0;
  std::string store, grid, claims;  // digests, "sha256:..."
  /// By the row's key, what claims speak of.
  std::map<std::string, Values> numbers;
};

/// FOLDER/full/NAME.toml of FOLDER/NAME.toml.
std::string kept_path(const std::string& experiment_path);

/// Of rows as a store has them, by key: their kinds, parameters and results, without wall times and
/// dates. Numbers are rounded to nine digits, so that compilers and processors nearly never matter.
std::string digest_of(std::vector<StoredRow> rows);

/// What is to be kept of the full grid's rows. Throws InvalidInput where the store lacks one, or
/// one failed.
SavedGrid keep(const Experiment& experiment, const std::vector<Row>& full_grid,
               const ResultsStore& store);

/// The file, with a digest over all that it says.
std::string kept_file(const SavedGrid& kept);
/// Reads what kept_file writes. Throws InvalidInput where it is something else, or was edited.
SavedGrid parse_kept(std::string_view content, const std::string& path);

/// Why the numbers do not answer what is asked now: the models, the grid or the claims have
/// changed. Nothing where they do.
std::optional<std::string> why_stale(const SavedGrid& kept, const Experiment& experiment,
                                     const std::vector<Row>& full_grid);

/// The full grid with the numbers that are kept, to be judged.
Results results_of(const SavedGrid& kept, const Experiment& experiment, std::vector<Row> full_grid);

/// "full grid, version 0.9.0, 2026-11-27, store sha256:0123456789ab"; the whole digest if asked.
enum class DigestLength : std::uint8_t { shortened, whole };
std::string text_of(const SavedGrid& kept, DigestLength length = DigestLength::shortened);

}  // namespace weft::study
