// A library does not say which algorithm it runs, and takes one for small messages and another for
// large ones. So each size is held against the algorithms that libraries have, and counts by the
// one that comes nearest. A copy or reduction bandwidth R delays an algorithm by nearly c / R, c
// taken from one more simulation; the R for which the nearest algorithms are nearest to all sizes,
// in squared relative errors S, is found among values 1 % apart. With n times those R are as good
// whose S is no more than 1 + 4 / (n - 1) times the least, two standard deviations; where free work
// is among them, it stays free.
#include "weft/calibrate/collective_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/program/copies.hpp"
#include "weft/program/program.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/fabric_speeds.hpp"

namespace weft::calibrate {

namespace {

constexpr std::int64_t kProbe_Bps = 1'000'000'000;
/// An interval whose ends differ by less is a number.
constexpr double kWide = 1.06;

// What an MPI library may have run.
std::vector<std::string_view> algorithms_for(CollectiveKind kind) {
  std::vector<std::string_view> names;
  for (const algorithm::Algorithm& each : algorithm::algorithms())
    if (std::ranges::count(each.run_by_mpi, kind) > 0) names.push_back(each.name);
  return names;
}

struct Timed {
  std::string_view algorithm;
  double free_s = 0, probe_s = 0;  // with free work, and with that of kProbe_Bps
};

// A size of a table, by each algorithm.
struct Point {
  double measured_s = 0;
  std::vector<Timed> by;

  const Timed& nearest(double inverse) const {
    WEFT_ASSERT(!by.empty());
    return *std::ranges::min_element(by, {}, [&](const Timed& timed) {
      return std::abs(time_s(timed, inverse) / measured_s - 1);
    });
  }
  // `inverse`: of the bandwidth, in units of the probe's.
  static double time_s(const Timed& timed, double inverse) {
    return timed.free_s + inverse * (timed.probe_s - timed.free_s);
  }
  double time_s(double inverse) const { return time_s(nearest(inverse), inverse); }
};

using Work = std::int64_t HostParameters::*;

class CollectiveTable {
 public:
  CollectiveTable(const PlacedTable& placed, const Network& fitted,
                  std::shared_ptr<const SizeFactors> factors, Work work)
      : placed_(placed) {
    WEFT_ASSERT(placed.table.collective.has_value() && !placed.table.rows.empty());
    const MeasuredTable& table = placed.table;
    const Network network(fitted.fabric(), {placed.nodes}, fitted.host(),
                          make_routing(fitted.routing().name(), fitted.fabric()));
    HostParameters slow = fitted.host();
    slow.*work = kProbe_Bps;
    const Network probed = network.with_host(slow);
    const Collective collective{*table.collective, network.ranks()};
    for (const MeasuredRow& row : table.rows) points_.push_back({row.time_s, {}});
    for (const std::string_view name : algorithms_for(collective.kind)) {
      const algorithm::Algorithm& algorithm = algorithm::find_algorithm(name);
      if (misfit(algorithm, {collective, &network})) continue;
      const auto verified = schedule::verify_own(
          algorithm::build_schedule(name, collective, &network), &network.topology());
      const auto time_s = [&](const Network& on, std::int64_t size_B) {
        return simulate(lower(verified, {.size_B = size_B,
                                         .copies = program::plan_copies(verified, on.host())}),
                        on, {.factors = factors})
            .time_s;
      };
      for (std::size_t i = 0; i < points_.size(); ++i) {
        const std::int64_t size_B = table.rows[i].size_B;
        points_[i].by.push_back({name, time_s(network, size_B), time_s(probed, size_B)});
      }
    }
    require(!points_.front().by.empty(), "{}: no algorithm can run {} of {} ranks", table.path,
            name_of(collective.kind), collective.ranks);
  }

  std::size_t rows() const { return points_.size(); }
  double errors(double inverse) const {
    double sum = 0;
    for (const Point& point : points_) {
      const double error = point.time_s(inverse) / point.measured_s - 1;
      sum += error * error;
    }
    return sum;
  }

  FittedTable fitted(double inverse) const {
    const MeasuredTable& table = placed_.table;
    FittedTable made{.path = table.path,
                     .benchmark = table.benchmark,
                     .ranks = static_cast<std::int32_t>(placed_.nodes.size()),
                     .rows = table.rows,
                     .model_s = {}};
    for (const Point& point : points_) {
      const Timed& nearest = point.nearest(inverse);
      made.model_s.push_back(Point::time_s(nearest, inverse));
      if (std::ranges::find(made.algorithms, nearest.algorithm) == made.algorithms.end())
        made.algorithms.emplace_back(nearest.algorithm);
    }
    WEFT_ASSERT(made.model_s.size() == made.rows.size());
    return made;
  }

 private:
  const PlacedTable& placed_;
  std::vector<Point> points_;
};

// The bandwidth of least errors over the tables, 0 where free work is as good.
double best_inverse(const std::vector<CollectiveTable>& tables, std::optional<Fitted>& found) {
  WEFT_ASSERT(!tables.empty());
  const auto errors = [&](double inverse) {
    double sum = 0;
    for (const CollectiveTable& table : tables) sum += table.errors(inverse);
    return sum;
  };
  constexpr double kLeast = 1e-4, kMost = 20, kStep = 1.01;  // 50 MB/s to 10 TB/s
  const double free = errors(0);
  double best = 0, least = free;
  std::vector<std::pair<double, double>> tried;
  for (double inverse = kLeast; inverse < kMost; inverse *= kStep) {
    tried.emplace_back(inverse, errors(inverse));
    if (tried.back().second < least) std::tie(best, least) = tried.back();
  }
  std::size_t rows = 0;
  for (const CollectiveTable& table : tables) rows += table.rows();
  const double enough = least * (1 + 4 / std::max(1.0, static_cast<double>(rows) - 1));
  if (best == 0 || free <= enough) return 0;
  found = Fitted{static_cast<double>(kProbe_Bps) / best};
  double low = best, high = best;
  for (const auto& [inverse, sum] : tried)
    if (sum <= enough) {
      low = std::min(low, inverse);
      high = std::max(high, inverse);
    }
  if (high > kWide * low)
    found->interval =
        Interval{static_cast<double>(kProbe_Bps) / high, static_cast<double>(kProbe_Bps) / low};
  return best;
}

std::shared_ptr<const SizeFactors> factors_of(const Calibration& calibration) {
  SizeFactors factors;
  for (const FittedClass& of_class : calibration.classes)
    if (!of_class.factors.empty()) factors.by_class[of_class.name] = of_class.factors;
  if (factors.empty()) return nullptr;
  return std::make_shared<const SizeFactors>(std::move(factors));
}

}  // namespace

Network fitted_network(const Calibration& calibration, const Network& network) {
  LinkOptions links;
  for (const FittedClass& of_class : calibration.classes)
    if (of_class.measured)
      links.by_class[of_class.name] = {
          std::max<std::int64_t>(1, std::llround(of_class.bandwidth_Bps.value)),
          std::llround(of_class.latency_s.value * 1e12)};
  HostParameters host = network.host();
  host.startup_ps = std::llround(calibration.startup_s.value * 1e12);
  const auto rate = [](const std::optional<Fitted>& fitted) {
    return fitted ? std::llround(fitted->value) : 0;
  };
  host.copy_bandwidth_Bps = rate(calibration.copy_Bps);
  host.reduce_bandwidth_Bps = rate(calibration.reduce_Bps);
  const Fabric fabric({network.topology(), topology::speeds_of(network.fabric())}, links);
  return {fabric, network.placement(), host, make_routing(network.routing().name(), fabric)};
}

void fit_collectives(std::span<const PlacedTable> tables, const Network& network,
                     Calibration& calibration) {
  const auto factors = factors_of(calibration);
  const auto fit = [&](bool reduce, Work work, std::optional<Fitted>& found) {
    const Network fitted = fitted_network(calibration, network);
    std::vector<CollectiveTable> own;
    for (const PlacedTable& placed : tables) {
      const auto kind = placed.table.collective;
      if (kind && Collective{*kind, 1}.reduces() == reduce)
        own.emplace_back(placed, fitted, factors, work);
    }
    if (own.empty()) return;
    // Measured by itself, it is the network's already.
    const double inverse = found ? 0 : best_inverse(own, found);
    for (const CollectiveTable& table : own) calibration.tables.push_back(table.fitted(inverse));
  };
  fit(false, &HostParameters::copy_bandwidth_Bps, calibration.copy_Bps);
  fit(true, &HostParameters::reduce_bandwidth_Bps, calibration.reduce_Bps);
}

}  // namespace weft::calibrate
