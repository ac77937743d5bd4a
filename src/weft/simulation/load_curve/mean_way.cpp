#include "weft/simulation/load_curve/mean_way.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::simulation::input_queued {

namespace {

constexpr std::int32_t kMostSearches = 32;

// Routers entered by packets from one router to all hosts, summed; hosts out of reach not counted.
struct Ways {
  double routers = 0, hosts = 0;
};

class Searcher {
 public:
  explicit Searcher(const PortWiring& wiring)
      : wiring_(wiring), hosts_at_(wiring.routers()), router_of_input_(wiring.inputs.size()) {
    for (const std::int32_t router : wiring.host_routers) ++hosts_at_[router];
    WEFT_ASSERT(std::ssize(wiring.first_in) > wiring.routers());
    for (std::int32_t r = 0; r < wiring.routers(); ++r)
      std::fill(router_of_input_.begin() + wiring.first_in[r],
                router_of_input_.begin() + wiring.first_in[static_cast<std::size_t>(r) + 1], r);
  }

  Ways from(std::int32_t start) {
    entered_.assign(hosts_at_.size(), 0);
    entered_[start] = 1;
    queue_.assign(1, start);
    Ways ways;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const auto router = static_cast<std::size_t>(queue_[next]);
      ways.routers += static_cast<double>(entered_[router]) * hosts_at_[router];
      ways.hosts += hosts_at_[router];
      for (std::int32_t o = wiring_.first_out[router]; o < wiring_.first_out[router + 1]; ++o)
        visit(wiring_.outputs[o].input, entered_[router] + 1);
    }
    return ways;
  }

 private:
  void visit(std::int32_t input, std::int32_t entered) {
    if (input < 0) return;
    const std::int32_t router = router_of_input_[input];
    if (entered_[router] != 0) return;
    entered_[router] = entered;
    queue_.push_back(router);
  }

  const PortWiring& wiring_;
  std::vector<std::int32_t> hosts_at_, router_of_input_;
  std::vector<std::int32_t> entered_, queue_;
};

// Within [least, most], rounded to hundreds above a thousand.
std::int64_t scaled(double cycles, std::int64_t least, std::int64_t most) {
  WEFT_ASSERT(cycles >= 0 && most > 0);
  const auto hundreds = static_cast<std::int64_t>(std::ceil(cycles / 100)) * 100;
  return std::clamp(hundreds, std::min(least, most), most);
}

}  // namespace

double mean_routers(const PortWiring& wiring) {
  Searcher searcher(wiring);
  std::vector<std::int32_t> starts = wiring.host_routers;
  std::ranges::sort(starts);
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  const auto count = static_cast<std::int32_t>(starts.size());
  const std::int32_t searches = std::min(count, kMostSearches);
  Ways all;
  for (std::int32_t i = 0; i < searches; ++i) {
    const Ways ways = searcher.from(starts[std::int64_t{i} * count / searches]);
    all.routers += ways.routers;
    all.hosts += ways.hosts;
  }
  return all.hosts > 0 ? all.routers / all.hosts : 1;
}

std::int64_t packet_latency(const PortWiring& wiring, const LoadCurveOptions& options,
                            double routers) {
  double cycles = 0, links = 0;
  for (const OutputPort& output : wiring.outputs)
    if (output.input >= 0) {
      cycles += output.cycles;
      ++links;
    }
  const double wire = links > 0 ? cycles / links : 0;
  const PipelinedRouter& router = options.router;
  return static_cast<std::int64_t>(std::ceil((router.routing_cycles + 3) * routers +
                                             wire * (routers - 1) + 2 * router.terminal_cycles +
                                             options.packet_flits));
}

RunCycles run_cycles(const PortWiring& wiring, const LoadCurveOptions& options, double routers) {
  constexpr std::int64_t kWarmup = 10'000, kMeasured = 20'000;
  constexpr double kFlitsAhead = 1'000;  // hosts times routers of a network that has these cycles
  constexpr std::int64_t kLeast = 10, kLatencies = 20;  // of the most cycles; in warm-up
  const double share = std::min(1.0, kFlitsAhead / (wiring.hosts() * routers));
  const std::int64_t settled = kLatencies * packet_latency(wiring, options, routers);
  return {.warmup = options.warmup_cycles.value_or(
              scaled(share * kWarmup, std::max(kWarmup / kLeast, settled), kWarmup)),
          .measured = options.measured_cycles.value_or(
              scaled(share * kMeasured, std::max(kMeasured / kLeast, 2 * settled), kMeasured))};
}

}  // namespace weft::simulation::input_queued
