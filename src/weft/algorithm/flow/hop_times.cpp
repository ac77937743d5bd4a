// T_B is the sum over steps of the largest load of a link, which is no more than the load of the
// fullest link over all steps exactly where that link is the fullest in every step. The largest
// load of a step is smoothed,
//
//   M(t) = (sum over links of load^p)^(1/p),
//
// and travels are put in one after the other, the longest first, each at the steps that add least
// to the sum of M(t): since its hops are in different steps, what each adds does not depend on the
// others, and a pass over (hop, step) finds the best times of all. Then each is taken out and put
// in again, with growing p.
#include "hop_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "weft/base/error.hpp"

namespace weft::algorithm::flow_steps {

namespace {

constexpr double kPowers[] = {2, 4, 8, 16, 16, 32, 32, 64, 64};

class Timetable {
 public:
  Timetable(std::span<const Travel> travels, std::span<const double> capacity, std::int32_t steps)
      : travels_(travels),
        capacity_(capacity),
        steps_(steps),
        times_(travels.size()),
        load_(static_cast<std::size_t>(steps) * capacity.size(), 0),
        sum_(steps, 0) {
    std::vector<double> total(capacity.size(), 0);
    for (const Travel& travel : travels)
      for (const auto& hop : travel.hops)
        for (const std::int32_t c : hop) total[c] += amount(travel, c);
    unit_ = travels.empty() ? 1 : *std::ranges::max_element(total) / steps;
  }

  std::vector<std::vector<std::int32_t>> best() && {
    std::vector<std::size_t> order(travels_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) {
      return std::pair(travels_[i].hops.size(), travels_[i].units);
    });
    std::vector<std::vector<std::int32_t>> best;
    double least = std::numeric_limits<double>::infinity();
    for (const double power : kPowers) {
      set_power(power);
      for (const std::size_t i : order) {
        if (!times_[i].empty()) move(travels_[i], times_[i], -1);
        times_[i] = cheapest_times(travels_[i]);
        move(travels_[i], times_[i], 1);
      }
      if (const double value = largest_loads(); value < least) {
        least = value;
        best = times_;
      }
    }
    return best;
  }

 private:
  double amount(const Travel& travel, std::int32_t c) const {
    return static_cast<double>(travel.units) / capacity_[c];
  }
  double& load(std::int32_t step, std::int32_t c) {
    return load_[static_cast<std::size_t>(step) * capacity_.size() + c];
  }
  double raised(double load) const { return load <= 0 ? 0 : std::pow(load / unit_, power_); }

  void set_power(double power) {
    power_ = power;
    for (std::int32_t t = 0; t < steps_; ++t) {
      sum_[t] = 0;
      for (std::size_t c = 0; c < capacity_.size(); ++c)
        sum_[t] += raised(load(t, static_cast<std::int32_t>(c)));
    }
  }

  void move(const Travel& travel, std::span<const std::int32_t> times, int sign) {
    for (std::size_t h = 0; h < times.size(); ++h)
      for (const std::int32_t c : travel.hops[h]) {
        double& at = load(times[h], c);
        sum_[times[h]] -= raised(at);
        at += sign * amount(travel, c);
        sum_[times[h]] += raised(at);
      }
  }

  // What a hop adds to M(t).
  double added(const Travel& travel, std::size_t hop, std::int32_t step) {
    double sum = std::max(sum_[step], 0.0);
    const double before = std::pow(sum, 1 / power_);
    for (const std::int32_t c : travel.hops[hop])
      sum += raised(load(step, c) + amount(travel, c)) - raised(load(step, c));
    return std::pow(std::max(sum, 0.0), 1 / power_) - before;
  }

  std::vector<std::int32_t> cheapest_times(const Travel& travel) {
    const std::size_t hops = travel.hops.size();
    const auto slack = static_cast<std::size_t>(steps_) - hops;  // hop h is sent in [h, h + slack]
    // cost[s] and choice[h][s]: hops 0 to h done by step h + s, the last of them at choice.
    std::vector<double> cost(slack + 1, 0);
    std::vector<std::vector<std::size_t>> choice(hops, std::vector<std::size_t>(slack + 1));
    for (std::size_t h = 0; h < hops; ++h)
      for (std::size_t s = 0; s <= slack; ++s) {
        const double here = cost[s] + added(travel, h, static_cast<std::int32_t>(h + s));
        const bool later = s > 0 && cost[s - 1] <= here;
        choice[h][s] = later ? choice[h][s - 1] : s;
        cost[s] = later ? cost[s - 1] : here;
      }
    std::vector<std::int32_t> times(hops);
    std::size_t at = slack;
    for (std::size_t h = hops; h-- > 0;) {
      at = choice[h][at];
      times[h] = static_cast<std::int32_t>(h + at);
    }
    return times;
  }

  double largest_loads() {
    double value = 0;
    for (std::int32_t t = 0; t < steps_; ++t) {
      double most = 0;
      for (std::size_t c = 0; c < capacity_.size(); ++c)
        most = std::max(most, load(t, static_cast<std::int32_t>(c)));
      value += most;
    }
    return value;
  }

  std::span<const Travel> travels_;
  std::span<const double> capacity_;
  std::int32_t steps_;
  std::vector<std::vector<std::int32_t>> times_;
  std::vector<double> load_;  // by step and class
  std::vector<double> sum_;   // by step, of powers of load / unit_
  double unit_ = 1;           // near the largest load of a step
  double power_ = 2;
};

}  // namespace

std::vector<std::vector<std::int32_t>> hop_times(std::span<const Travel> travels,
                                                 std::span<const double> capacity,
                                                 std::int32_t steps) {
  WEFT_ASSERT(std::ranges::all_of(
      travels, [&](const Travel& t) { return std::ssize(t.hops) <= steps && !t.hops.empty(); }));
  if (steps == 1) return std::vector(travels.size(), std::vector<std::int32_t>{0});
  std::vector<std::vector<std::int32_t>> times = Timetable(travels, capacity, steps).best();
  WEFT_ASSERT(times.size() == travels.size());
  return times;
}

}  // namespace weft::algorithm::flow_steps
