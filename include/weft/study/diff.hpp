// What two stores say differently of the same rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/study/store.hpp"

namespace weft::study {

struct StoreDiff {
  struct Change {
    Values parameters;
    std::string column;         // a result, or "error"
    std::string first, second;  // "" where one has none
  };
  std::vector<Values> only_first, only_second;  // parameters
  std::vector<Change> changed;
  std::int64_t same = 0;  // rows
};

/// Rows are the same when kind and parameters are, so that results of another version of the models
/// are compared too; of several such rows in one store the newest counts. Sorted by parameters. O(n
/// log n).
StoreDiff diff_stores(const std::vector<StoredRow>& first, const std::vector<StoredRow>& second);

/// "algorithm=ring size=1024", by name.
std::string describe(const Values& values);

}  // namespace weft::study
