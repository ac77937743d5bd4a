#include "weft/design/step_curve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/packing.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/design/bounds/curve_steps.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/step_bound.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/search/synthesis.hpp"

namespace weft::design {

namespace {

// An algorithm's schedules in at most so many steps.
class Known {
 public:
  Known(const std::string& name, const Collective& collective, const Network& network)
      : network_(&network),
        algorithm_(&algorithm::find_algorithm(name)),
        is_pipelined_(algorithm_->segments_by_size(collective.kind)) {
    for (const Schedule& each : algorithm::build_variants(name, collective, &network, {}))
      variants_.push_back(schedule::verify_own(each, &network.topology()));
  }

  const algorithm::Algorithm& algorithm() const { return *algorithm_; }

  bool moves_a_link_a_step(std::int64_t links) const {
    return std::ranges::all_of(variants_, [&](const Verified& each) {
      return evaluate::step_bound(each.schedule(), *network_, links).one_link;
    });
  }

  /// The one of the lowest T_B: of more segments the more T_B falls.
  std::optional<PricedSchedule> within(std::int64_t steps) const {
    std::optional<PricedSchedule> best;
    for (const Verified& each : variants_)
      if (auto priced = within(steps, each);
          priced && (!best || priced->bandwidth_factor < best->bandwidth_factor))
        best = std::move(priced);
    return best;
  }

 private:
  std::optional<PricedSchedule> within(std::int64_t steps, const Verified& whole) const {
    const PricedSchedule one = priced(whole, 1);
    if (one.steps > steps) return std::nullopt;
    if (!is_pipelined_) return one;
    const std::int64_t more = priced(whole, 2).steps - one.steps;  // so much later each starts
    const std::int64_t most =
        more == 0 ? 1 : std::min((steps - one.steps) / more + 1, schedule::kMaxSegments);
    PricedSchedule best = priced(whole, most);
    return best.bandwidth_factor < one.bandwidth_factor ? best : one;
  }

  PricedSchedule priced(const Verified& whole, std::int64_t segments) const {
    const std::string& name = whole.schedule().algorithm();
    const Cost cost =
        schedule::cost(segments == 1 ? whole : whole.with_segments(segments), *network_);
    return {segments == 1 ? name : fmt::format("{} ({} segments)", name, segments), cost.steps,
            cost.bandwidth_factor};
  }

  const Network* network_;
  const algorithm::Algorithm* algorithm_;
  bool is_pipelined_;
  std::vector<Verified> variants_;
};

// Trees no deeper than the steps, where packing has such and somebody asks for it. More steps than
// these above the least bring nothing that was not found with fewer.
class Packed {
 public:
  Packed(const Collective& collective, const Network& network,
         const std::vector<std::string>& algorithms)
      : collective_(&collective),
        network_(&network),
        is_asked_(std::ranges::any_of(algorithms, [](const std::string& name) {
          return algorithm::find_algorithm(name).making == algorithm::Making::optimal_trees;
        })) {}

  std::optional<PricedSchedule> within(std::int64_t steps) {
    const std::int64_t depth = schedule::traits_of(collective_->kind).reduces_to_all()
                                   ? steps / 2
                                   : steps;  // of each half
    const algorithm::AlgorithmOptions options{.values = {{"depth", depth}}};
    if (!is_asked_ || left_out_ || depth == 0 || looked_for_ > kMoreSteps) return std::nullopt;
    try {
      const auto& packing = algorithm::made_by(algorithm::Making::optimal_trees);
      if (algorithm::misfit(packing, {*collective_, network_, options})) return std::nullopt;
      ++looked_for_;
      return made(steps, options);
    } catch (const OutOfTime&) {
      left_out_ = evaluate::too_late(algorithm::made_by(algorithm::Making::optimal_trees).name);
      left_out_->algorithm += fmt::format(" (depth={} and more)", depth);
      return std::nullopt;
    }
  }

  /// From which depth on the caller's TimeLimit came first.
  const std::optional<Dropped>& left_out() const { return left_out_; }

 private:
  std::optional<PricedSchedule> made(std::int64_t steps,
                                     const algorithm::AlgorithmOptions& options) const {
    const Schedule schedule = algorithm::build_schedule(
        algorithm::made_by(algorithm::Making::optimal_trees).name, *collective_, network_, options);
    const Cost cost =
        schedule::cost(schedule::verify_own(schedule, &network_->topology()), *network_);
    if (cost.steps > steps) return std::nullopt;
    return PricedSchedule{schedule.algorithm(), cost.steps, cost.bandwidth_factor};
  }

  static constexpr int kMoreSteps = 8;

  const Collective* collective_;
  const Network* network_;
  bool is_asked_;
  int looked_for_ = 0;
  std::optional<Dropped> left_out_ = {};
};

std::optional<Rational> bound_in_time(const Collective& collective, const Network& network,
                                      int steps, double most_s) {
  try {
    TimeLimit::check();
    return search::bound_in_steps(collective, network, steps, most_s);
  } catch (const OutOfTime&) {
    return std::nullopt;
  }
}

}  // namespace

StepCurve step_curve(const Collective& collective, const Network& network, const Rational& optimum,
                     const StepCurveQuestion& question) {
  const std::int64_t least = lower_bounds(collective, network).steps;
  const bool counts_links = !network.topology().has_switches();  // a link a step
  require(question.first >= (counts_links ? least : 1),
          "no schedule has {} ({} {}); use {} or more", counted(question.first, "step"),
          collective.rooted() ? "links from the root to the farthest rank:" : "the diameter is",
          least, least);
  StepCurve found;
  std::vector<Known> known;
  for (const std::string& name : question.algorithms) {
    try {
      TimeLimit::check();
      Known each(name, collective, network);
      if (!counts_links || each.moves_a_link_a_step(least)) known.push_back(std::move(each));
    } catch (const OutOfTime&) {
      found.left_out.push_back(evaluate::too_late(algorithm::find_algorithm(name).name));
    }
  }
  const bool has_bounds = algorithm::packs(collective.kind);
  Packed packed(collective, network, question.algorithms);
  const double each_s = question.time_limit_s / (question.last - question.first + 1);
  std::vector<StepPoint>& curve = found.points;
  for (int steps = question.first; steps <= question.last; ++steps) {
    StepPoint point{steps, optimum, std::nullopt};
    const auto consider = [&](std::optional<PricedSchedule> priced) {
      if (priced && (!point.best || priced->bandwidth_factor < point.best->bandwidth_factor))
        point.best = std::move(priced);
    };
    if (!curve.empty()) consider(curve.back().best);
    std::erase_if(known, [&](const Known& each) {
      try {
        consider(each.within(steps));
        return false;
      } catch (const OutOfTime&) {
        found.left_out.push_back(evaluate::too_late(each.algorithm().name));
        return true;
      }
    });
    const bool is_known = point.best && point.best->bandwidth_factor == optimum;
    const bool may_bind = has_bounds && !is_known &&
                          (curve.empty() || curve.back().bound > optimum);  // it falls with steps
    if (const auto bound =
            may_bind ? bound_in_time(collective, network, steps, each_s) : std::nullopt)
      point.bound = std::max(optimum, *bound);
    if (!point.best || point.best->bandwidth_factor > point.bound) consider(packed.within(steps));
    curve.push_back(std::move(point));
  }
  if (packed.left_out()) found.left_out.push_back(*packed.left_out());
  return found;
}

CountRange read_curve_steps(std::string_view, std::string_view text) {
  return parse_steps(text);
}
Value show_curve_steps(const CountRange& steps) {
  return fmt::format("{}..{}", steps.first, steps.last);
}

CountRange parse_steps(std::string_view text) {
  constexpr int kMore = 3;  // after the first of "3.."
  return parse_open_range(text, "steps", kMore);
}

void require_step_curve(schedule::CollectiveKind kind) {
  require(kind == CollectiveKind::allreduce || algorithm::packs(kind),
          "--steps: no curve is known for {} (only for allgather, reduce-scatter, allreduce, "
          "broadcast and reduce)",
          schedule::name_of(kind));
}

StepCurve step_curve(const Collective& collective, const Network& network, const Optimum& best,
                     const CountRange& steps, const std::string& algorithms, double time_limit_s) {
  require(best.bandwidth_factor.has_value(),
          "--steps: the optimum of this {} is not completely known; give a longer --time-limit",
          schedule::name_of(collective.kind));
  // Trees within any depth are searched for, which takes longer than others do.
  const algorithm::AlgorithmOptions within{.values = {{"depth", std::int64_t{1} << 20}}};
  return step_curve(
      collective, network, *best.bandwidth_factor,
      {.first = steps.first,
       .last = steps.last,
       .algorithms = evaluate::algorithms_named(algorithms, collective, network, within),
       .time_limit_s = time_limit_s});
}

}  // namespace weft::design
