// What proves an optimum, for people and as JSON.
#pragma once

#include "weft/answer/part.hpp"
#include "weft/evaluate/optimum.hpp"

namespace weft::design {

struct OptimumProof {
  const evaluate::Optimum& best;
  const Collective& collective;
  const Network& network;
};

/// The facts that say why, and "method", "trees" and "shares".
answer::Parts<OptimumProof> reason_parts();
/// All that examples/check_optimum.py needs: B, the ranks' places, the certificate, which may be as
/// large as ranks times links.
answer::Parts<OptimumProof> certificate_parts();

}  // namespace weft::design
