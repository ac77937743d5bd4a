// Times of a schedule over seeds: one draw of paths says little about a fabric that hashes flows,
// so the same program runs once for each seed, and once by each routing that it is compared with.
#include "cli/simulate/seed_spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/network/hop_routing.hpp"
#include "weft/network/routings.hpp"
#include "weft/network/wiring.hpp"

namespace weft::cli {

namespace {

constexpr const char* kEven = "shortest-split";

Network routed_by(const Network& network, std::string_view routing, std::uint64_t seed) {
  return Network(network.fabric(), network.placement(), network.host(),
                 make_routing(routing, network.fabric(), seed));
}

double nearest_rank(const std::vector<double>& sorted, double share) {
  WEFT_ASSERT(!sorted.empty() && share >= 0 && share <= 1);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

// The first listed one that chooses links by queues and fits the network; empty where none does.
std::string adaptive_routing(const Fabric& fabric) {
  const network::Wiring wiring(fabric);
  for (const network::RoutingInfo& info : network::routings()) {
    if (!info.hops || info.gives_paths) continue;
    try {
      if (network::make_hop_routing(info.name, {wiring, fabric})->is_adaptive()) return info.name;
    } catch (const InvalidInput&) {  // it does not fit
      continue;
    }
  }
  return "";
}

}  // namespace

SeedSpread spread_over_seeds(
    const Network& network, std::uint64_t first, std::int64_t seeds,
    const std::function<double(std::string_view routing, std::uint64_t seed)>& time_s) {
  WEFT_ASSERT(seeds >= 1);
  const std::string routing(network.routing().name());
  require(network::draws_paths(routing),
          "--seeds {} has no effect with routing {}, which has no random paths; use --routing "
          "ecmp",
          seeds, routing);
  std::vector<double> times_s(static_cast<std::size_t>(seeds));
  Progress progress("simulate", seeds, "seeds");
  parallel_for(seeds, [&](std::int64_t s) {
    TimeLimit::check();
    times_s[static_cast<std::size_t>(s)] = time_s(routing, first + static_cast<std::uint64_t>(s));
    progress.advance();
  });
  std::ranges::sort(times_s);
  return {.seeds = seeds,
          .first = first,
          .median_s = nearest_rank(times_s, 0.5),
          .p95_s = nearest_rank(times_s, 0.95),
          .max_s = times_s.back(),
          .even = {kEven, time_s(kEven, first)}};
}

SeedSpread spread_over_seeds(const Program& program, const Network& network,
                             const simulation::SimulationOptions& options, std::uint64_t first,
                             std::int64_t seeds) {
  simulation::SimulationOptions plain = options;
  plain.link_statistics = false;
  plain.packet.sample_interval_ps = 0;
  plain.progress = nullptr;
  const bool by_packets = simulation::by_packets(options.model);
  SeedSpread spread =
      spread_over_seeds(network, first, seeds, [&](std::string_view routing, std::uint64_t seed) {
        simulation::SimulationOptions own = plain;
        if (by_packets && routing == kEven)
          own.packet.routing = network::hop_routing(kEven, network.topology());
        return simulation::simulate(program, routed_by(network, routing, seed), own).time_s;
      });
  if (!by_packets) return spread;
  plain.packet.routing = adaptive_routing(network.fabric());
  if (!plain.packet.routing.empty())
    spread.adaptive = {plain.packet.routing, simulation::simulate(program, network, plain).time_s};
  return spread;
}

void add_facts(const SeedSpread& spread, bool by_packets, Facts& facts) {
  facts.add(
      fmt::format("over {} seeds", spread.seeds),
      fmt::format("median {}, 95th percentile {}, maximum {}", format_seconds(spread.median_s),
                  format_seconds(spread.p95_s), format_seconds(spread.max_s)));
  const auto text = [](const TimeByRouting& other) {
    return fmt::format("{} by {}", format_seconds(other.time_s), other.routing);
  };
  facts.add("even split", text(spread.even));
  if (spread.adaptive)
    facts.add("adaptive", text(*spread.adaptive));
  else
    facts.add("adaptive", by_packets ? "no adaptive routing fits this network"
                                     : "only packets adapt; add --model packet");
}

answer::Parts<SeedSpread> seed_spread_parts() {
  using answer::Unit;
  constexpr answer::PartOf<TimeByRouting> by;
  constexpr answer::PartOf<SeedSpread> part;
  const answer::Parts<TimeByRouting> by_routing{
      by(keys::kRoutingName, &TimeByRouting::routing),
      by("time", "", Unit::seconds, "time by it", &TimeByRouting::time_s)};
  return {
      part("count", "", Unit::none, "number of seeds", &SeedSpread::seeds),
      part("first", "", Unit::none, "first seed", &SeedSpread::first),
      part("median_time", "", Unit::seconds, "median time over the seeds", &SeedSpread::median_s),
      part("p95_time", "", Unit::seconds, "95th percentile of the time", &SeedSpread::p95_s),
      part("max_time", "", Unit::seconds, "maximum time", &SeedSpread::max_s),
      part.object("even_split", "a routing that splits messages over all shortest paths",
                  &SeedSpread::even, by_routing),
      part.object("adaptive", "a routing that chooses links by their queues, or null",
                  &SeedSpread::adaptive, by_routing)};
}

}  // namespace weft::cli
