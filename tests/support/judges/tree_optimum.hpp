// T_B of the optimum of what packing serves.
#pragma once

#include <cstdint>

#include "weft/algorithm/packing.hpp"
#include "weft/flow/allreduce_trees.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::test {

/// By the cut: B over what each rank sends, of M / N or of all of M. Of an allreduce by the linear
/// program (tests/oracle/allreduce_optimum_test.py judges it).
inline Rational tree_optimum(const Network& network, const schedule::Collective& collective) {
  const Rational egress(network.fabric().node_egress_Bps());
  if (collective.kind == schedule::CollectiveKind::allreduce) {
    const auto least =
        flow::allreduce_trees(network.fabric(), {.places = network.placement().nodes})
            .least_s_per_B;
    return egress * Rational(static_cast<std::int64_t>(numerator(least)),
                             static_cast<std::int64_t>(denominator(least)));
  }
  const flow::RankCut cut =
      flow::rank_cut(network.fabric(), algorithm::trees_of(collective, network));
  return egress * Rational(cut.lacking) / Rational(cut.bandwidth_Bps) /
         Rational(collective.rooted() ? 1 : collective.ranks);
}

}  // namespace weft::test
