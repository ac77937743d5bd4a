// Contestants: the algorithms that may be the fastest at some size, each built once for all sizes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/evaluate/candidate.hpp"

namespace weft::training {

/// An algorithm on its way into a simulation.
struct Contestant {
  const algorithm::Algorithm* algorithm = nullptr;
  /// Null where it was not worth building, or its exact fractions outgrow 128 bits.
  std::shared_ptr<const Candidate> candidate = {};
  std::vector<bool> at = {};  // by size: whether it is worth a simulation
};

/// Why an algorithm, with what it takes of the options, does not serve one of these groups; nothing
/// where it serves all. Groups of as many ranks may differ in how they sit: one has equal parts on
/// two switches, the next does not.
std::optional<std::string> misfit_of_some(const algorithm::Algorithm& algorithm,
                                          const Collective& collective,
                                          std::span<const Network> groups,
                                          const algorithm::AlgorithmOptions& options);

}  // namespace weft::training
