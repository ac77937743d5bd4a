// Times of a schedule over the seeds of a routing that draws paths, next to routings that spread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/output.hpp"
#include "weft/answer/part.hpp"
#include "weft/program/program.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::cli {

/// Another routing, and the time by it.
struct TimeByRouting {
  std::string routing;
  double time_s = 0;
};

/// Quantiles by nearest rank: the smallest time that at least this share of the seeds do not
/// exceed.
struct SeedSpread {
  std::int64_t seeds = 0;
  std::uint64_t first = 1;
  double median_s = 0, p95_s = 0, max_s = 0;
  TimeByRouting even;  // split over all shortest paths
  std::optional<TimeByRouting> adaptive =
      std::nullopt;  // nothing where packets find no way by queues
};

/// Runs the program by the network's routing with `seeds` seeds from `first` on; nothing else is
/// drawn anew. Throws InvalidInput where the routing draws nothing. Takes `seeds` + 2 simulations.
SeedSpread spread_over_seeds(const Program& program, const Network& network,
                             const simulation::SimulationOptions& options, std::uint64_t first,
                             std::int64_t seeds);

/// The same of whatever takes `time_s` seconds on the network by one routing and seed, under a
/// model without packets. `time_s` may be called by several threads at once.
SeedSpread spread_over_seeds(
    const Network& network, std::uint64_t first, std::int64_t seeds,
    const std::function<double(std::string_view routing, std::uint64_t seed)>& time_s);

void add_facts(const SeedSpread& spread, bool by_packets, Facts& facts);
answer::Parts<SeedSpread> seed_spread_parts();
/// The part of an answer T that may have it as its `spread`.
template <class T>
answer::Part<T> seeds_part() {
  constexpr answer::PartOf<T> part;
  return part
      .object(
          "seeds", "times over --seeds", [](const T& answer) { return answer.spread; },
          seed_spread_parts())
      .left_out();
}

}  // namespace weft::cli
