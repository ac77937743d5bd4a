// The problem is min over flows of the largest load / capacity, a maximum over links, which is
// smoothed: with y[k] = load / capacity of orbit k and Y the largest,
//
//   minimize  sum over k of capacity[k] * exp(sharpness * (y[k] / Y - 1)).
//
// Its derivatives are prices, price[k] = exp(sharpness * (y[k] / Y - 1)), and prices prove an upper
// bound on f (certificate.hpp). The sharper, the nearer both ends can come (about 1 / sharpness
// apart), and the slower the way: it starts low, and grows once what is left to balance is less
// than what smoothing hides.
//
// Sources take turns in small groups: all of a group move (source_flow.hpp) by the prices at hand,
// then the group goes as far in that direction as lowers the potential most, a search along a line.
// Where that is not far, each goes by itself: one that would overload a thin arc with all it sends
// would keep the others where they are.
// Groups have a fixed size, so that the answer does not depend on the number of threads. Flow of
// 1,000 sources on 4,000 arcs moves in about 0.1 s a sweep on one core.
//
// Tried and left: multiplicative weights over shortest-path trees, which stall near 2 %.
#include "weft/flow/throughput/balance.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/flow/throughput/bottlenecks.hpp"
#include "weft/flow/throughput/certificate.hpp"
#include "weft/flow/throughput/priced_search.hpp"
#include "weft/flow/throughput/source_flow.hpp"

namespace weft::flow {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kGroup = 16;               // sources that move at once
constexpr std::int64_t kSweepsBetweenLooks = 4;  // shortest paths cost as much as a sweep or two
constexpr double kSharpening = 1.5;
/// Time of the last flows and bound, as a multiple of the time of the first; measured on 3,000
/// nodes.
constexpr double kOfAnswer = 2;
constexpr double kShortStep = 0.5;  // of a group: below it each source goes as far as it may itself
/// Prices of arcs with next to no load grow by the line from 0 to 1 at the largest load: the
/// derivative there, e^-30 of it, would have a far thinner arc take all.
constexpr double kLeastGrowth = 1;
/// Beyond it rounding alone would tell loads apart, and at infinity equal ones have no price.
constexpr double kSharpest = 1e15;

class Balance {
 public:
  Balance(const FlowGraph& graph, const ArcOrbits& orbits, const ThroughputOptions& options,
          std::int64_t most_sweeps)
      : graph_(graph),
        orbits_(orbits),
        options_(options),
        most_sweeps_(most_sweeps),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(options.time_limit_s))),
        slots_(graph, orbits),
        flows_(orbits.sources.size()),
        load_(orbits.count, 0),
        direction_(orbits.count),
        moved_(kGroup, std::vector<double>(slots_.count())) {
    const auto begun = Clock::now();
    parallel_for(std::ssize(flows_), [&](std::int64_t s) {
      flows_[s] = shortest_ways(slots_, graph, orbits.sources[s].host);
    });
    renew_loads();
    for (std::size_t i = 0; i < kGroup; ++i) steps_.emplace_back(slots_);
    prices_.price.resize(slots_.count());
    prices_.growth.resize(slots_.count());
    best_prices_.assign(orbits.count, 1);
    look(best_prices_);
    const auto first_look = Clock::now() - begun;  // and a last one at the answer, which adds up
    end_ -= std::chrono::duration_cast<Clock::duration>(kOfAnswer * first_look);
    for (const std::vector<double>& prices : bottleneck_prices(graph, orbits, options))
      look(prices);
  }

  Found solve() {
    for (; !done(); ++sweeps_) {
      top_ = *std::max_element(load_.begin(), load_.end());
      for (std::size_t first = 0; first < flows_.size() && Clock::now() < end_; first += kGroup)
        move_group(first, std::min(first + kGroup, flows_.size()));
      renew_loads();
      after_sweep();
    }
    return answer();
  }

 private:
  double capacity(Int k) const { return static_cast<double>(orbits_.capacity[k]); }

  void add_load(std::span<const double> flow, std::int64_t weight) {
    for (Int slot = 0; slot < slots_.count(); ++slot)
      load_[slots_.orbit[slot]] +=
          static_cast<double>(weight) * flow[slot] / capacity(slots_.orbit[slot]);
  }

  // From the flows themselves, so that rounding does not pile up.
  void renew_loads() {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (std::size_t s = 0; s < flows_.size(); ++s)
      add_load(flows_[s].flow, orbits_.sources[s].weight);
  }

  // Loads may pass the largest of the last sweep: at e^600 prices and their sums stay finite.
  double price_at(double load) const {
    return std::exp(std::min(sharpness_ * (load / top_ - 1), 600.0));
  }
  double price(Int k) const { return price_at(load_[k]); }

  void renew_prices() {
    std::vector<double>& by_orbit = orbit_prices_;
    by_orbit.resize(orbits_.count);
    for (Int k = 0; k < orbits_.count; ++k) by_orbit[k] = price(k);
    for (Int slot = 0; slot < slots_.count(); ++slot) {
      const Int k = slots_.orbit[slot];
      prices_.price[slot] = by_orbit[k];
      prices_.growth[slot] =
          std::max(by_orbit[k] * sharpness_, kLeastGrowth) / (top_ * capacity(k));
    }
  }

  void move_group(std::size_t first, std::size_t last) {
    renew_prices();
    parallel_for(static_cast<std::int64_t>(last - first), [&](std::int64_t i) {
      const double weight = static_cast<double>(orbits_.sources[first + i].weight);
      steps_[i].move(flows_[first + i], prices_, weight * crowding_, moved_[i]);
    });
    aim(first, first, last);
    const double step = best_step();
    crowding_ = std::clamp(crowding_ * (step < 0.7 ? 1.1 : 0.95), 0.2, 100.0);
    if (step >= kShortStep) {
      go(step, first, first, last);
      return;
    }
    for (std::size_t s = first; s < last; ++s) {
      aim(first, s, s + 1);
      go(best_step(), first, s, s + 1);
    }
  }

  // The direction of these sources' moves, of a group that begins with `first`.
  void aim(std::size_t first, std::size_t begin, std::size_t end) {
    std::fill(direction_.begin(), direction_.end(), 0.0);
    for (std::size_t s = begin; s < end; ++s) {
      const double weight = static_cast<double>(orbits_.sources[s].weight);
      const std::vector<double>&from = flows_[s].flow, &to = moved_[s - first];
      for (Int slot = 0; slot < slots_.count(); ++slot)
        direction_[slots_.orbit[slot]] += weight * (to[slot] - from[slot]);
    }
    for (Int k = 0; k < orbits_.count; ++k) direction_[k] /= capacity(k);
  }

  void go(double step, std::size_t first, std::size_t begin, std::size_t end) {
    for (Int k = 0; k < orbits_.count; ++k) load_[k] += step * direction_[k];
    parallel_for(static_cast<std::int64_t>(end - begin), [&](std::int64_t i) {
      std::vector<double>& flow = flows_[begin + i].flow;
      const std::vector<double>& to = moved_[begin + i - first];
      for (Int slot = 0; slot < slots_.count(); ++slot)
        flow[slot] += step * (to[slot] - flow[slot]);
    });
  }

  // The derivative of the potential along the direction.
  double slope(double step) const {
    double sum = 0;
    for (Int k = 0; k < orbits_.count; ++k)
      if (direction_[k] != 0)
        sum += capacity(k) * direction_[k] * price_at(load_[k] + step * direction_[k]);
    return sum;
  }

  // Where the potential is about least for a step in (0, 1]: its slope there is a tenth of that at
  // the start. Slopes grow by e^600 along a step where an arc has far less capacity than it would
  // take, and a secant would go nowhere: it is halving that brings the ends together until slopes
  // are alike, or parts of eight as long as nothing is known to be short enough.
  double best_step() const {
    constexpr double kLeft = 0.1, kAlike = 8;
    double low = 0, high = 1, at_low = slope(0), at_high = slope(1), step = 1;
    if (at_low >= 0) return 0;
    const double near = -kLeft * at_low;
    if (at_high <= near) return 1;
    for (int i = 0; i < 24; ++i) {
      const bool alike = at_high < -kAlike * at_low && -at_low < kAlike * at_high;
      if (alike && i % 2 == 0)
        step = high - at_high * (high - low) / (at_high - at_low);
      else
        step = low > 0 ? (low + high) / 2 : high / 8;
      const double at_step = slope(step);
      if (std::abs(at_step) <= near) return step;
      (at_step < 0 ? low : high) = step;
      (at_step < 0 ? at_low : at_high) = at_step;
    }
    return low;
  }

  void after_sweep();
  double look(const std::vector<double>& prices);

  bool done() const {
    return Clock::now() >= end_ || sweeps_ >= most_sweeps_ ||
           (top_ > 0 && top_ / best_value_ - 1 <= options_.gap * 0.999);
  }

  Found answer() {
    Found found;
    Throughput& result = found.throughput;
    result.method = ThroughputMethod::approximate;
    result.variables = orbits_.count;
    result.rounds = sweeps_;
    std::vector<std::vector<double>>& flows = found.flows;
    for (SourceFlow& source : flows_) {
      std::vector<double>& flow = flows.emplace_back(graph_.arcs());
      for (Int slot = 0; slot < slots_.count(); ++slot)
        flow[slots_.arcs.values()[slot]] = source.flow[slot];
      source.flow = {};  // both together would be twice the memory
    }
    result.throughput = flow_bound(graph_, orbits_, flows);
    result.loads = link_loads(graph_, orbits_, flows);
    const std::vector<std::int64_t> prices = integer_prices(best_prices_);
    result.upper_bound = price_bound(graph_, orbits_, prices).value_rounded_up();
    result.prices = link_prices(graph_, orbits_, prices);
    return found;
  }

  const FlowGraph& graph_;
  const ArcOrbits& orbits_;
  const ThroughputOptions& options_;
  std::int64_t most_sweeps_;
  Clock::time_point end_;
  Slots slots_;
  std::vector<SourceFlow> flows_;           // by source
  std::vector<double> load_, direction_;    // by orbit: load / capacity, and its change
  std::vector<double> orbit_prices_;        // by orbit
  std::vector<std::vector<double>> moved_;  // by place in the group
  std::vector<FlowStep> steps_;             // likewise
  SlotPrices prices_;
  std::vector<double> best_prices_;  // by orbit
  double best_value_ = 0;            // the largest load that they prove
  double top_ = 0;
  double sharpness_ = 30;
  double crowding_ = 4;  // sources that, in effect, load the same arcs at once
  std::int64_t sweeps_ = 0;
};

// D(prices) / sum of capacity * price: no flow has a lower largest load.
double Balance::look(const std::vector<double>& prices) {
  const auto integers = integer_prices(prices);
  const std::size_t workers = std::min<std::size_t>(threads(), flows_.size());
  std::vector<double> sums(flows_.size());
  parallel_for(static_cast<std::int64_t>(workers), [&](std::int64_t t) {
    PricedSearch search(graph_, orbits_);
    for (std::size_t s = t; s < flows_.size(); s += workers) {
      search.run(orbits_.sources[s].host, integers);
      sums[s] = static_cast<double>(search.distance_sum());
    }
  });
  double distances = 0, value = 0;
  for (std::size_t s = 0; s < sums.size(); ++s)
    distances += sums[s] * static_cast<double>(orbits_.sources[s].weight);
  for (Int k = 0; k < orbits_.count; ++k) value += static_cast<double>(integers[k]) * capacity(k);
  if (distances / value > best_value_) {
    best_value_ = distances / value;
    best_prices_ = prices;
  }
  return distances / value;
}

void Balance::after_sweep() {
  top_ = *std::max_element(load_.begin(), load_.end());
  if (sweeps_ % kSweepsBetweenLooks != kSweepsBetweenLooks - 1 || Clock::now() >= end_) return;
  renew_prices();
  double mean = 0, total = 0;  // of the loads, by prices
  for (Int k = 0; k < orbits_.count; ++k) {
    mean += orbit_prices_[k] * capacity(k) * load_[k];
    total += orbit_prices_[k] * capacity(k);
  }
  mean /= total;
  const double unbalanced = mean / look(orbit_prices_) - 1;  // what further sweeps may gain
  const double smoothed = top_ / mean - 1;                   // what they may not
  if (unbalanced < smoothed) sharpness_ = std::min(sharpness_ * kSharpening, kSharpest);
}

}  // namespace

Found throughput_by_balance(const FlowGraph& graph, const ArcOrbits& orbits,
                            const ThroughputOptions& options, std::int64_t most_sweeps) {
  const double bytes = 8.0 * static_cast<double>(orbits.sources.size()) * graph.arcs();
  require(bytes < 8e9,
          "{} sources on {} arcs are too many to approximate (the flows need {:.0f} GB); use a "
          "Cayley network of this size, or a smaller network",
          orbits.sources.size(), graph.arcs(), bytes / 1e9);
  return Balance(graph, orbits, options, most_sweeps).solve();
}

}  // namespace weft::flow
