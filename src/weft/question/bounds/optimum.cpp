#include "weft/question/optimum.hpp"

#include <fmt/format.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/packing.hpp"
#include "weft/base/error.hpp"
#include "weft/question/evaluation.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::question {

double Optimum::time_s(const Collective& collective, const Network& network,
                       std::int64_t size_B) const {
  LowerBounds bounds;
  bounds.bandwidth_factor = bandwidth_factor;
  return least_time_s(bounds, collective, network, size_B);
}

void require_known_optimum(schedule::CollectiveKind kind) {
  require(
      algorithm::packs(kind),
      "the optimum of {} is not known by a cut; ask for allgather, reduce-scatter, broadcast or "
      "reduce (weft compare says the bounds of all)",
      schedule::name_of(kind));
}

Optimum optimum(const Collective& collective, const Network& network) {
  require_known_optimum(collective.kind);
  const flow::RankCut cut =
      flow::rank_cut(network.fabric(), algorithm::trees_of(collective, network));
  // A root sends M / N, or all of M, at bandwidth / lacking.
  const std::int64_t parts = collective.rooted() ? 1 : collective.ranks;
  return {Rational(network.fabric().node_egress_Bps()) * Rational(cut.lacking) /
              Rational(cut.bandwidth_Bps) / Rational(parts),
          cut};
}

std::vector<PricedSchedule> priced_schedules(const std::vector<std::string>& algorithms,
                                             const Collective& collective, const Network& network,
                                             std::int64_t segments) {
  std::vector<PricedSchedule> rows;
  for (const std::string& name : algorithms) {
    const auto& algorithm = algorithm::find_algorithm(name);
    const Verified verified = schedule::verify_own(
        algorithm::build_schedule(name, collective, &network), &network.topology());
    const auto add = [&](const Verified& schedule, const std::string& text) {
      const Cost cost = schedule::cost(schedule, network);
      rows.push_back({text, cost.steps, cost.bandwidth_factor});
    };
    const std::string& text = verified.schedule().algorithm();
    add(verified, text);
    if (segments > 1 && algorithm.segments_by_size(collective.kind))
      add(verified.with_segments(segments), fmt::format("{} ({} segments)", text, segments));
  }
  return rows;
}

}  // namespace weft::question
