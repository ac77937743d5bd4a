#include "weft/design/network/contest.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/packing.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/flow/throughput.hpp"

namespace weft::design {

using evaluate::Cuts;
using schedule::CollectiveKind;

namespace {

using algorithm::Algorithm;
using algorithm::Making;
using algorithm::PairMessages;
using algorithm::TriedEarly;

constexpr double kFarBehind = 1.1;  // times the fastest by alpha-beta

bool fits(const Algorithm& algorithm, const Collective& collective, const Network& network) {
  return !algorithm::misfit(algorithm, {collective, &network, {}});
}

// Those that fit.
std::vector<const Algorithm*> tried_early(TriedEarly when, const Collective& collective,
                                          const Network& network) {
  std::vector<const Algorithm*> tried;
  for (const Algorithm& each : algorithm::algorithms())
    if (each.tried_early == when && fits(each, collective, network)) tried.push_back(&each);
  return tried;
}

// As compare() has them: of algorithms with equal times and estimates the first wins.
std::vector<std::string> in_registry_order(const std::vector<std::string>& names) {
  std::vector<std::string> ordered;
  for (const Algorithm& each : algorithm::algorithms())
    if (std::ranges::count(names, each.name) > 0) ordered.push_back(each.name);
  return ordered;
}

// Of few steps where there is one.
std::string quick_algorithm(const Collective& collective, const Network& network) {
  const auto few = tried_early(TriedEarly::few_messages, collective, network);
  const auto logarithmic = std::ranges::find_if(few, [](const Algorithm* each) {
    return each->outline.messages == algorithm::Outline::Messages::logarithmic;
  });
  if (logarithmic != few.end()) return (*logarithmic)->name;
  if (!few.empty()) return few.front()->name;
  return algorithm::applicable(collective, &network, {}).front()->name;
}

// Of a start-up and so many links one after the other, which some byte has to take.
double least_way_s(const Network& network, std::int64_t links) {
  std::int64_t latency_ps = std::numeric_limits<std::int64_t>::max();
  for (const LinkId link : network.topology().links())
    latency_ps = std::min(latency_ps, network.fabric().latency_ps(link));
  return (static_cast<double>(network.host().send_ps()) +
          static_cast<double>(links) * static_cast<double>(latency_ps)) *
         kSecondsPerPicosecond;
}

const Cost& price_of(const Contender& contender, std::int64_t segments) {
  const bool is_largest = contender.at_largest && contender.at_largest->segments == segments;
  return is_largest ? contender.at_largest->cost : contender.cost;
}

// What all steps put on the busiest link takes in any model.
double busiest_s(const simulation::SimulationResult& result, const Network& network) {
  double longest_s = 0;
  for (const LinkId link : network.topology().links())
    longest_s = std::max(longest_s, result.link_bytes[link.index()] /
                                        static_cast<double>(network.fabric().bandwidth_Bps(link)));
  return longest_s;
}

// By the model of the comparison, which is of one size.
DesignedCall fastest_of(const advise::Comparison& comparison) {
  const ComparisonRow& row = *comparison.winners().at(0);
  const Contender& contender = comparison.contenders[row.contender];
  return {.algorithm = contender.algorithm,
          .schedule = contender.schedule,
          .segments = row.segments,
          .steps = row.steps,
          .bandwidth_factor = price_of(contender, row.segments).bandwidth_factor,
          .time_s = row.result.time_s};
}

}  // namespace

Contest::Contest(const schedule::Collective& collective, const network::Network& network,
                 std::int64_t size_B, Contestants contestants,
                 simulation::SimulationOptions simulation)
    : collective_(collective),
      network_(network),
      size_B_(size_B),
      simulation_(std::move(simulation)) {
  if (contestants == Contestants::first) {
    time_by_alpha_beta({quick_algorithm(collective, network)});
    return;
  }
  const auto first = tried_early(TriedEarly::near_bound, collective, network);
  if (collective.ranks <= evaluate::kMostRanksOfAll || network.routing().sees_whole_step() ||
      first.empty()) {
    time_by_alpha_beta({});
    weigh_flow();
    return;
  }
  try {
    time_by_alpha_beta({first.front()->name});
    others_ = Others::untimed;
  } catch (const InvalidInput&) {  // it is refused; others may do
    time_by_alpha_beta({});
  } catch (const std::overflow_error&) {
    time_by_alpha_beta({});
  }
}

void Contest::time_others_unless_best(SlowOnes slow) {
  if (others_ == Others::untimed && !is_at_bound(best_.time_s)) time_others(slow);
}

void Contest::time_by_alpha_beta(std::vector<std::string> algorithms) {
  const bool is_first = timed_.empty();
  const Cuts cuts = !is_first ? Cuts::left_out
                    : collective_.kind == CollectiveKind::alltoall
                        ? Cuts::taken  // and weigh_flow()
                        : Cuts::and_optimum;
  simulation::SimulationOptions by_steps = simulation_;
  by_steps.model = simulation::Model::alpha_beta;
  by_steps.link_statistics = true;
  const advise::Comparison found = advise::compare(collective_, network_,
                                                   {.algorithms = std::move(algorithms),
                                                    .sizes_B = {size_B_},
                                                    .simulation = std::move(by_steps),
                                                    .cuts = cuts,
                                                    .advice = advise::Advice::left_out});
  for (const std::size_t index : found.ranking())
    timed_.push_back({found.contenders[index].algorithm, found.rows[index].result.time_s,
                      busiest_s(found.rows[index].result, network_)});  // of one size
  DesignedCall fastest = fastest_of(found);
  if (is_first) {
    fastest.least_s = std::max(least_time_s(found.bounds, collective_, network_, size_B_),
                               least_way_s(network_, found.bounds.steps));
    best_ = std::move(fastest);
    return;
  }
  std::ranges::stable_sort(timed_, {}, &Timed::time_s);
  fastest.least_s = best_.least_s;
  if (fastest.time_s < best_.time_s) best_ = std::move(fastest);
}

void Contest::weigh_flow() {
  if (collective_.kind != CollectiveKind::alltoall ||
      collective_.ranks > evaluate::kMostRanksOfThroughput || is_at_bound(best_.time_s) ||
      !fits(algorithm::made_by(Making::optimal_paths), collective_, network_))
    return;
  const flow::Throughput found = evaluate::quick_throughput(network_);
  const double at_one = flow::factor_at_one(network_.fabric(), network_.ranks()).to_double();
  const auto time_s = [&](double throughput) {
    return evaluate::time_of_factor_s(at_one / throughput, collective_, network_, size_B_);
  };
  best_.least_s = std::max(best_.least_s, time_s(found.upper_bound));
  if (collective_.ranks > evaluate::kMostMadeUnasked || !found.has_flow() ||
      time_s(found.throughput) >= best_.time_s)
    return;
  try {
    time_by_alpha_beta({algorithm::made_by(Making::optimal_paths).name});
  } catch (const InvalidInput&) {  // it is refused, by the size of its schedule
  } catch (const std::overflow_error&) {
  }
}

bool Contest::is_timed(std::string_view algorithm) const {
  return std::ranges::count(timed_, algorithm, &Timed::algorithm) > 0;
}

void Contest::time_others(SlowOnes slow) {
  if (slow == SlowOnes::timed) others_ = Others::timed;
  const bool has_pairs = std::ranges::any_of(timed_, [](const Timed& each) {
    return algorithm::find_algorithm(each.algorithm).pair_messages == PairMessages::in_one_step;
  });
  std::vector<std::string> names;
  for (const Algorithm* each : algorithm::applicable(collective_, &network_, {}))
    if (!is_timed(each->name) && (slow == SlowOnes::timed || each->making != Making::grown_trees) &&
        !(has_pairs && each->pair_messages == PairMessages::in_steps))
      names.push_back(each->name);
  if (names.empty()) return;
  // A refusal of one that is named ends a comparison.
  const auto time_all_but_refused = [&] {
    for (const std::string& name : names) {
      try {
        time_by_alpha_beta({name});
      } catch (const InvalidInput&) {
        continue;
      } catch (const std::overflow_error&) {
        continue;
      }
    }
  };
  try {
    time_by_alpha_beta(names);
  } catch (const InvalidInput&) {
    time_all_but_refused();
  } catch (const std::overflow_error&) {
    time_all_but_refused();
  }
}

void Contest::time_quick_ones() {
  for (const TriedEarly when :
       {TriedEarly::few_messages, TriedEarly::near_bound, TriedEarly::by_groups})
    for (const Algorithm* each : tried_early(when, collective_, network_)) {
      if (is_at_bound(best_.time_s)) return;
      if (!is_timed(each->name)) time_by_alpha_beta({each->name});
    }
}

bool Contest::is_at_bound(double time_s) const {
  constexpr double kHair = 1.005;  // no tie: so little more is not worth building others for
  return time_s <= kHair * best_.least_s;
}

std::vector<std::string> Contest::contestants() const {
  std::vector<std::string> names;
  for (const Timed& each : timed_) names.push_back(each.algorithm);
  const bool are_many = collective_.ranks > evaluate::kMostRanksOfAll;
  if (are_many) names.resize(std::min(names.size(), evaluate::kMostLeadersOfMany));
  const Algorithm& trees = algorithm::made_by(Making::optimal_trees);
  const auto packing = std::ranges::find(timed_, trees.name, &Timed::algorithm);
  // Trees may be searched for seconds; those that came out far behind are not made again.
  if (are_many && packing != timed_.end() && packing->time_s > kFarBehind * best_.time_s)
    std::erase(names, trees.name);
  const auto add = [&](const Algorithm& each) {
    if (std::ranges::count(names, each.name) == 0 && fits(each, collective_, network_))
      names.push_back(each.name);
  };
  if (algorithm::packs(collective_.kind) && collective_.ranks <= evaluate::kMostMadeUnasked)
    add(trees);
  if (collective_.ranks <= evaluate::kMostFlowedAnyway)
    add(algorithm::made_by(Making::optimal_paths));
  return are_many ? names : in_registry_order(names);
}

double Contest::least_fluid_s() const {
  if (collective_.ranks <= evaluate::kMostRanksOfAll || others_ == Others::untimed)
    return best_.least_s;
  double least_s = std::numeric_limits<double>::infinity();
  for (const std::string& name : contestants()) {
    const auto timed = std::ranges::find(timed_, name, &Timed::algorithm);
    if (timed == timed_.end()) return best_.least_s;
    least_s = std::min(least_s, timed->busiest_s);
  }
  return std::max(best_.least_s, least_s);
}

std::optional<double> Contest::routed_s(const DesignedCall& fastest) const {
  const std::string& flow = algorithm::made_by(Making::optimal_paths).name;
  if (fastest.algorithm != flow) return std::nullopt;
  std::vector<std::string> names = contestants();
  std::erase(names, flow);
  if (names.empty()) return std::nullopt;
  return by_fluid(names).time_s;
}

DesignedCall Contest::by_fluid(const std::vector<std::string>& names) const {
  // A quarter of what a comparison may take, since there are many networks and calls. Where no
  // algorithm has a time by then, the work has no limit.
  constexpr std::int64_t kWork = evaluate::kUsualWork / 4;
  advise::CompareOptions options;
  options.algorithms = names;
  options.sizes_B = {size_B_};
  options.simulation = simulation_;
  options.simulation.model = simulation::Model::fluid;
  options.most_work = kWork;
  options.cuts = Cuts::left_out;
  options.advice = advise::Advice::left_out;
  advise::Comparison found = advise::compare(collective_, network_, options);
  if (found.winners().empty()) {
    options.most_work = std::numeric_limits<std::int64_t>::max();
    found = advise::compare(collective_, network_, options);
  }
  return fastest_of(found);
}

DesignedCall Contest::by_fluid() {
  std::optional<DesignedCall> fastest;
  const auto run = [&](const std::vector<std::string>& names) {
    DesignedCall call = by_fluid(names);
    if (!fastest || call.time_s < fastest->time_s) fastest = std::move(call);
  };
  if (collective_.ranks <= evaluate::kMostRanksOfAll) {
    fastest = by_fluid(contestants());
  } else {
    std::vector<std::string> done;
    while (!fastest || !is_at_bound(fastest->time_s)) {
      const auto is_new = [&](const std::string& name) {
        return std::ranges::count(done, name) == 0;
      };
      std::vector<std::string> names = contestants();
      auto next = std::ranges::find_if(names, is_new);
      if (next == names.end() && others_ == Others::untimed) {
        time_others(SlowOnes::timed);
        names = contestants();
        next = std::ranges::find_if(names, is_new);
      }
      if (next == names.end()) break;
      run({*next});
      done.push_back(*next);
    }
  }
  fastest->fluid_s = fastest->time_s;
  fastest->routed_s = routed_s(*fastest);
  fastest->time_s = best_.time_s;
  fastest->least_s = best_.least_s;
  return *std::move(fastest);
}

}  // namespace weft::design
