// sweep: runs the rows of an experiment that a store lacks, on all cores or as a share of a job
// array.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/experiment/row.hpp"
#include "weft/experiment/store.hpp"

namespace weft::experiment {

struct SweepOptions {
  int workers = 0;                     // 0: all cores
  std::int64_t shard = 0, shards = 1;  // of rows, dealt in turn; shard in [0, shards)
  bool retry_failed = false;
};

struct SweepReport {
  std::int64_t rows = 0;      // of this shard
  std::int64_t known = 0;     // were in the store
  std::int64_t computed = 0;  // now
  std::int64_t failed = 0;    // now, or before and not retried
};

/// Rows finish in any order and are committed as they do (several at once when they come faster
/// than the disk), so that a kill loses only rows under way. The results do not depend on workers
/// or shards.
SweepReport sweep(const std::vector<Row>& rows, const std::string& store_path,
                  const SweepOptions& options);

/// Copies the rows of other stores into one. Returns how many were new. Throws InvalidInput when
/// two stores disagree on a row's results.
std::int64_t merge_stores(const std::vector<std::string>& from, const std::string& into);

}  // namespace weft::experiment
