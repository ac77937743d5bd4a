// A schedule that is proved and can be priced and run, kept for the rows that share it.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/fields/workspace.hpp"
#include "weft/rows/row.hpp"

namespace weft::rows {

class Prepared {
 public:
  /// Builds and proves the schedule of a row. Throws InvalidInput.
  Prepared(std::shared_ptr<const Network> network, const Values& parameters);

  const Network& network() const { return *network_; }
  const Candidate& candidate() const { return candidate_; }
  const LowerBounds& bounds() const { return bounds_; }

  /// Steps, factors and bounds; made once for each number of segments, unless sizes differ in more.
  Values price(const schedule::Verified& verified) const;

 private:
  Values new_price(const schedule::Verified& verified) const;

  std::shared_ptr<const Network> network_;
  Candidate candidate_;
  LowerBounds bounds_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable std::map<std::int64_t, Values> prices_;
};

/// The row's network, of this content (see contents_of_files), made once for the rows that share
/// it.
std::shared_ptr<const Network> network_of(const Row& row, const std::string& contents,
                                          Workspace& workspace);

/// The row's schedule on its network.
std::shared_ptr<const Prepared> prepared(const Row& row, Workspace& workspace);

}  // namespace weft::rows
