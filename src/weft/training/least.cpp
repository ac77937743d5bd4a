// The first byte leaves a start-up after the beginning, and whatever crosses a cut last arrives the
// latency of a link after it was sent; so both add to the time that the cut is busy, whether data
// is cut into segments or routed over several links.
#include "weft/training/least.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/simulation/size_factors.hpp"

namespace weft::training {

namespace {

double least_latency_s(const Fabric& fabric) {
  WEFT_ASSERT(fabric.topology().link_count() > 0);
  std::int64_t least_ps = fabric.latency_ps(LinkId(0));
  for (const LinkId link : fabric.topology().links())
    least_ps = std::min(least_ps, fabric.latency_ps(link));
  return static_cast<double>(least_ps) * kSecondsPerPicosecond;
}

}  // namespace

double with_startup_s(double sending_s, std::int64_t links, const Network& network,
                      const simulation::SimulationOptions& simulation) {
  WEFT_ASSERT(sending_s >= 0 && links >= 0);
  const simulation::SizeFactor at_best = simulation::best_factor(simulation.factors.get());
  const double startup_s = static_cast<double>(network.host().send_ps()) * kSecondsPerPicosecond;
  const double latency_s = at_best.latency * least_latency_s(network.fabric());
  return startup_s + std::max(static_cast<double>(links) * latency_s,
                              latency_s + sending_s / at_best.bandwidth);
}

double least_time_s(const LowerBounds& bounds, const Collective& collective, const Network& network,
                    std::int64_t size_B, const simulation::SimulationOptions& simulation) {
  if (bounds.steps == 0 || size_B <= 0) return 0;
  Rational factor = bounds.greatest();
  if (bounds.optimum && (bounds.optimum->among == Among::all_schedules ||
                         bounds.optimum->among == Among::also_copying_switches))
    factor = std::max(factor, bounds.optimum->bandwidth_factor);
  // Blocks are whole bytes: of a buffer that is cut in N some are a byte less than a share.
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  const bool is_cut = traits.splits() && !collective.size_is_block();
  const std::int64_t even_B = is_cut ? size_B - size_B % collective.ranks : size_B;
  return with_startup_s(time_of_factor_s(factor.to_double(), collective, network, even_B),
                        bounds.steps, network, simulation);
}

}  // namespace weft::training
