// ComparedEntry: an algorithm, or a schedule that is given, on its way into a comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/evaluate/candidate.hpp"

namespace weft::advise {

/// A candidate with its price, or why there is none.
struct ComparedEntry {
  std::optional<Candidate> candidate;
  Contender contender;
  std::optional<Dropped> dropped;
  bool is_too_large = false;        // that is why
  std::string refusal = {};         // or this is
  std::vector<ComparisonRow> rows;  // as the only contender
};

/// The price at the largest size of a candidate that has a choice there; nothing for others.
std::optional<evaluate::Pipelined> at_largest(const Candidate& candidate, const Network& network,
                                              const std::vector<std::int64_t>& sizes_B);

/// Whether a simulation takes so long that bounds and limits are worth their while.
bool is_contest(const CompareOptions& options);

/// Builds, proves and prices; `links` is LowerBounds::steps. Throws InvalidInput for an algorithm
/// that was named and does not fit.
ComparedEntry entry_of(const algorithm::Algorithm& algorithm, const Collective& collective,
                       const Network& network, const CompareOptions& options, std::int64_t links);
/// Prices what is built and proved. Throws InvalidInput for what does not fit the network.
ComparedEntry entry_of(const GivenSchedule& given, const Network& network,
                       const CompareOptions& options, std::int64_t links);

}  // namespace weft::advise
