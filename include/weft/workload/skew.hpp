// Skew: how unevenly tokens go to the experts of a layer.
//
// By Zipf's law the k-th most popular of E experts, counted from 0, is chosen by tokens in
// proportion to (k + 1)^-s. Experts are dealt out to ranks in turn, the most popular first: expert
// k is on rank k mod N. An expert takes no more than its capacity, a multiple of its even share;
// what is above is dropped (Fedus, Zoph, Shazeer, "Switch Transformers", JMLR 2022, section 2.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/workload/training_model.hpp"

namespace weft::workload {

struct Skew {
  double exponent = 0;  // s, from 0 to 10; 0: tokens are spread evenly
};

/// "zipf:1.1". Throws InvalidInput.
Skew parse_skew(std::string_view text);
std::string text_of(const Skew& skew);

/// Shares of all tokens.
struct ExpertLoad {
  std::vector<double> of_ranks;  // that a rank's experts take
  double dropped = 0;            // that no expert takes

  /// Of the rank that takes most.
  double most() const;
};

/// Precondition: as many ranks as experts at most. O(experts).
ExpertLoad expert_load(const Experts& experts, std::int32_t ranks, const Skew& skew);

/// What is dropped, however the experts are dealt out: also of even tokens, without skew, whose
/// experts have less room than their even share. O(experts).
double dropped_share(const Experts& experts, const std::optional<Skew>& skew);

}  // namespace weft::workload
