#include "weft/advise/schedule/shares.hpp"

#include <algorithm>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/topology/views.hpp"

namespace weft::advise {

namespace {

std::optional<Rational> factor_of_bfb(const Collective& collective, const Network& network) {
  if (algorithm::misfit(algorithm::find_algorithm("bfb"), {collective, &network}))
    return std::nullopt;
  const auto forecast = algorithm::forecast("bfb", collective, network);
  return forecast ? std::optional(forecast->exact_bandwidth_factor) : std::nullopt;
}

}  // namespace

std::optional<ShareReport> report_shares(const Collective& collective, const Network& network) {
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  const bool gathers = traits.has_blocks_of_all() && !traits.by_pair();
  const auto hamming = topology::as_hamming(network.topology());
  if (!gathers || !hamming || network.topology().has_switches()) return std::nullopt;
  const auto wide = std::ranges::count_if(hamming->extents, [](int m) { return m > 1; });
  std::int64_t degree = 0;
  for (const int m : hamming->extents) degree += m - 1;
  ShareReport report{algorithm::md_shares(*hamming, collective.kind),
                     algorithm::md_shares_by_steps(*hamming, wide > 3 ? 1 : 2),
                     Rational(degree, hamming->size()), factor_of_bfb(collective, network)};
  return report.by_steps.empty() ? std::nullopt : std::optional(std::move(report));
}

}  // namespace weft::advise
