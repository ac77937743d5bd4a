// The table of parts of what weft optimum answers.
#include "weft/design/bounds/optimum_parts.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>

#include "weft/answer/keys.hpp"
#include "weft/base/units.hpp"
#include "weft/design/find/find_answer.hpp"
#include "weft/evaluate/among.hpp"

namespace weft::design {

using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

std::string range_of(const evaluate::Optimum& best) {
  const std::string least = fmt::format("{:.6g}", best.least);
  if (!best.reached) return least + " or more";
  const std::string reached = fmt::format("{:.6g}", *best.reached);
  return least == reached ? least : fmt::format("{} to {}", least, reached);
}

std::string least_text(const AnsweredOptimum& answered) {
  const evaluate::Optimum& best = answered.found.best;
  return fmt::format("{}{}",
                     best.bandwidth_factor ? answer::show(*best.bandwidth_factor) : range_of(best),
                     caveat_of(best.among));
}

std::string without_copies_text(const AnsweredOptimum& answered) {
  const auto& without = answered.found.best.without_copies;
  return fmt::format(
      "{}: some switches have unequal links in and out, so no cut proves that they forward each "
      "block once",
      without ? answer::show(*without) : "not known");
}

std::string times_text(const ComparedSchedule& compared) {
  return fmt::format("{:.3f}{}", compared.over_optimum(),
                     compared.in_network() ? " in the network" : "");
}

template <class T>
auto of_best(T evaluate::Optimum::*member) {
  return [member](const AnsweredOptimum& answered) { return answered.found.best.*member; };
}

Parts<AnsweredOptimum> factor_parts() {
  using evaluate::Optimum;
  constexpr PartOf<AnsweredOptimum> part;
  return {
      part(keys::kCollective, "collective",
           [](const AnsweredOptimum& answered) { return name_of(answered.proof.collective.kind); }),
      part(keys::kRoot,
           [](const AnsweredOptimum& answered) { return answered.proof.collective.root; })
          .when([](const AnsweredOptimum& answered) { return answered.proof.collective.rooted(); }),
      part.line("topology",
                [](const AnsweredOptimum& answered) {
                  const Network& network = answered.proof.network;
                  return fmt::format("{}, {} ranks", network.topology().name(), network.ranks());
                }),
      part("bandwidth_factor", "least T_B", Unit::none,
           "lowest T_B of the schedules of among, in units of M/B; null if only bounds are known",
           of_best(&Optimum::bandwidth_factor))
          .shown_as(least_text),
      part("among", "", Unit::none, "schedules that this is the lowest of",
           [](const AnsweredOptimum& answered) { return name_of(answered.found.best.among); }),
      part("bandwidth_factor_without_copies", "without copies", Unit::none,
           "T_B of the best trees if switches copy nothing, or null if it is not known",
           of_best(&Optimum::without_copies))
          .shown_as(without_copies_text)
          .when(&AnsweredOptimum::also_copies),
      part("bandwidth_factor_bound", "", Unit::none, "lower bound on T_B, in units of M/B",
           of_best(&Optimum::least))
          .when(&AnsweredOptimum::is_solved_in_time),
      part("bandwidth_factor_reached", "", Unit::none,
           "T_B that some schedule is proven to reach, or null", of_best(&Optimum::reached))
          .when(&AnsweredOptimum::is_solved_in_time),
      part(keys::kForwardingHosts, &AnsweredOptimum::relays),
      part(keys::kSize, [](const AnsweredOptimum& answered) { return *answered.asked.size_B; })
          .when([](const AnsweredOptimum& answered) { return answered.found.time_s.has_value(); }),
      part("time", "time", Unit::seconds, "lower bound on the time of a call",
           [](const AnsweredOptimum& answered) { return *answered.found.time_s; })
          .shown_as([](const AnsweredOptimum& answered) {
            return fmt::format("{} at least", format_seconds(*answered.found.time_s));
          })
          .when([](const AnsweredOptimum& answered) { return answered.found.time_s.has_value(); })};
}

}  // namespace

double ComparedSchedule::over_optimum() const {
  const evaluate::Optimum& best = proof.best;
  if (in_network())
    return (priced.bandwidth_factor /
            lower_bounds(proof.collective, proof.network, evaluate::Cuts::taken, priced.combining)
                .greatest())
        .to_double();
  return best.bandwidth_factor ? (priced.bandwidth_factor / *best.bandwidth_factor).to_double()
                               : priced.bandwidth_factor.to_double() / best.least;
}

Parts<ComparedSchedule> compared_schedule_parts() {
  using evaluate::PricedSchedule;
  constexpr PartOf<ComparedSchedule> part;
  const auto of_priced = [](auto member) {
    return [member](const ComparedSchedule& compared) { return compared.priced.*member; };
  };
  return {part("algorithm", "schedule", Unit::none, "algorithm with the options that it chose",
               of_priced(&PricedSchedule::schedule)),
          part(keys::kLatencySteps, "T_L", of_priced(&PricedSchedule::steps)),
          part(keys::kBandwidthFactor, "T_B", of_priced(&PricedSchedule::bandwidth_factor)),
          part("over_optimum", "x least", Unit::none,
               "T_B over the optimum, or over the lower bound where the optimum is not known",
               &ComparedSchedule::over_optimum)
              .shown_as(times_text),
          part(keys::kInNetwork, &ComparedSchedule::in_network)};
}

std::vector<ComparedSchedule> schedules_of(const AnsweredOptimum& answered) {
  std::vector<ComparedSchedule> schedules;
  for (const auto& row : answered.found.schedules.rows) schedules.push_back({row, answered.proof});
  return schedules;
}

Parts<AnsweredOptimum> optimum_parts() {
  constexpr PartOf<AnsweredOptimum> part;
  const auto has_curve = [](const AnsweredOptimum& answered) {
    return answered.asked.steps.has_value();
  };
  return join(factor_parts(),
              join(part.within(&AnsweredOptimum::proof, join(reason_parts(), certificate_parts())),
                   {part.list(
                            keys::kCurve, [](const AnsweredOptimum& answered) -> const auto& {
                              return answered.found.curve.points;
                            },
                            step_point_parts())
                        .when(has_curve),
                    part.list("schedules", "schedules next to the optimum", schedules_of,
                              compared_schedule_parts())
                        .when(std::not_fn(has_curve))}));
}

std::vector<Column> optimum_row_columns() {
  return {{"bandwidth_factor"},
          {"among"},
          {"bandwidth_factor_bound"},
          {"bandwidth_factor_reached"},
          {"bandwidth_factor_without_copies"},
          {"time"},
          {"trees"},
          {"method"}};
}

std::vector<Column> best_schedule_columns() {
  return {{"algorithm", "best"},
          {"steps", "best_steps"},
          {"bandwidth_factor", "best_bandwidth_factor"},
          {"over_optimum"}};
}

}  // namespace weft::design
