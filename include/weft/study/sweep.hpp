// sweep: runs the rows of an experiment that a store lacks, on all cores or as a share of a job
// array.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/rows/row.hpp"
#include "weft/study/store.hpp"

namespace weft::study {

struct SweepOptions {
  int workers = 0;                     // 0: all cores
  std::int64_t shard = 0, shards = 1;  // of rows, dealt in turn; shard in [0, shards)
  bool retry_failed = false;
  /// Set by another thread or a signal: no more rows are begun; those under way are finished and
  /// committed.
  const std::atomic<bool>* stop = nullptr;
  /// What is run for a row, and how long it may take.
  std::function<Values(const Row&)> measure = rows::measure;
  std::function<Estimate(const Row&)> estimate = rows::estimate;
};

struct SweepReport {
  std::int64_t rows = 0;      // of this shard
  std::int64_t known = 0;     // were in the store, or another process was faster
  std::int64_t computed = 0;  // now, also those that failed
  std::int64_t failed = 0;    // now, or before and not retried
  std::int64_t left = 0;      // not begun, because of `stop`
};

/// Rows finish in any order and are committed as they do (several at once when they come faster
/// than the disk), so that a kill loses only rows under way. The results do not depend on workers
/// or shards. The largest rows are begun first. Throws InvalidInput when the store cannot be
/// written and there is something to add; what was committed stays.
SweepReport sweep(const std::vector<Row>& rows, const std::string& store_path,
                  const SweepOptions& options);

/// The rows of a shard: each `shards`-th from `shard` on, where they are in `rows`. Throws
/// InvalidInput for a shard that does not exist.
std::vector<const Row*> rows_of_shard(const std::vector<Row>& rows, std::int64_t shard,
                                      std::int64_t shards);

/// Copies the rows of other stores into one, all or none. Returns how many were new (or take the
/// place of a failed one). Throws InvalidInput when two stores disagree on a row's results.
std::int64_t merge_stores(const std::vector<std::string>& from, const std::string& into);

}  // namespace weft::study
