// The proof of one slab of units: what verification is made of (verify.cpp has the idea).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "slabs.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {

struct FoundFault {
  Fault fault;
  bool landing = false;  // in a step, sends are looked at before landings
};

/// The order in which faults are reported: by step, then sends before landings, message, unit.
bool comes_before(const FoundFault& a, const FoundFault& b);

struct SlabProof {
  std::optional<FoundFault> fault;  // the first in the slab; none: it is right
  bool keeps_order = true, overwrites = false;
  /// Units of a stored message, in order of landing; see VerifiedFacts::kept_units.
  struct KeptUnits {
    std::int64_t message = 0, units = 0;
  };
  std::vector<KeptUnits> kept = {};
};

/// Follows the slab's data from what each rank holds at first to what it must hold in the end.
/// O(movements log runs) time, a line of runs for each agent.
SlabProof prove_slab(const Schedule& schedule, const OrbitLine& line, const Slabs& slabs,
                     std::int64_t slab);

}  // namespace weft::schedule
