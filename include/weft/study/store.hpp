// ResultsStore: finished rows in an SQLite file, so that nothing is computed twice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/rows/kind.hpp"

namespace weft::study {

/// What is kept of a row. Wall time and date are kept apart from the results: they are never the
/// same twice.
struct StoredRow {
  std::string key;
  const RowKind* kind = nullptr;
  Values parameters = {};
  Values results = {};     // empty when it failed
  std::string error = {};  // why it failed
  double wall_s = 0;
  std::string finished_at = {};  // UTC, 2026-01-31T12:00:00Z; when added, if empty
};

/// Where the rows of an experiment file are kept unless the user says otherwise: beside the file,
/// name.sqlite.
std::string default_store_path(const std::string& experiment_path);

/// A store (WAL, durable at commit). Several processes may open one at the same time; one thread
/// uses one object. A writing one empties the log when it goes, so that the file alone is a copy.
class ResultsStore {
 public:
  enum class Mode : std::uint8_t { read, write };
  /// Opens, or in write mode creates. Throws InvalidInput for what is no store, a newer version, or
  /// a file that cannot be read or written. Read mode works on media that cannot be written; of a
  /// store that nobody has open for writing it sees the state at opening.
  ResultsStore(const std::string& path, Mode mode);
  ~ResultsStore();
  ResultsStore(ResultsStore&&) noexcept;
  ResultsStore& operator=(ResultsStore&&) noexcept;

  enum class State : std::uint8_t { missing, failed, done };
  /// What the store knows of a row: nothing, an error, or its values. Throws InvalidInput for a
  /// damaged row.
  State state(const std::string& key) const;
  /// The row of a key, failed or not.
  std::optional<StoredRow> find(const std::string& key) const;
  /// Whether the row is there, failed or not.
  bool contains(const std::string& key) const { return state(key) != State::missing; }
  /// Commits the rows in one transaction, all or none; rows that are there already stay (a failed
  /// one is replaced). Throws InvalidInput when the disk is full or the file cannot be written;
  /// nothing is half-written then.
  void add(const std::vector<StoredRow>& rows);
  /// All rows by key.
  std::vector<StoredRow> all() const;
  std::int64_t size() const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace weft::study
