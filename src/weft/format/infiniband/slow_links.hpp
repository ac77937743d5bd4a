// Cables of a fabric that run slower than they should, which is what people look for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/topology/import/import_notes.hpp"

namespace weft::format::infiniband {

class SlowLinks {
 public:
  /// A cable whose two ends say different rates, as "sw1[3] (4xEDR) - n1 HCA-1[1] (1xEDR)".
  void add_mismatch(std::string ends) { mismatches_.push_back(std::move(ends)); }
  /// A cable with what it is compared with: adapters of one model, cables between switches.
  void add(std::string group, std::string what, std::string rate, std::int64_t bandwidth_Bps) {
    cables_.push_back({std::move(group), std::move(what), std::move(rate), bandwidth_Bps});
  }
  /// Notes that name what differs at its ends, and what is slower than most of its group; of at
  /// least three, more than half have one rate.
  void tell(topology::ImportLog& log) const;

 private:
  struct Cable {
    std::string group, what, rate;
    std::int64_t bandwidth_Bps;
  };

  std::vector<std::string> mismatches_;
  std::vector<Cable> cables_;
};

/// The first few of them, and how many more there are.
std::string first_of(const std::vector<std::string>& texts);

}  // namespace weft::format::infiniband
