// The schedules that are compared with an optimum: which ones, what they cost, and why some are
// left out.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::evaluate {

std::vector<std::string> usual_algorithms(const Collective& collective, const Network& network) {
  const algorithm::Algorithm& packing = algorithm::made_by(algorithm::Making::optimal_trees);
  if (packing.supports(collective.kind)) return {packing.name};
  std::vector<std::string> names;
  for (const auto* algorithm : algorithm::applicable(collective, &network))
    names.push_back(algorithm->name);
  const algorithm::Algorithm& flow = algorithm::made_by(algorithm::Making::optimal_paths);
  if (!algorithm::misfit(flow, {collective, &network, {}})) names.push_back(flow.name);
  return names;
}

namespace {

// Adds its schedules to the rows.
void price(const algorithm::Algorithm& algorithm, const algorithm::Context& asked,
           std::int64_t segments, std::vector<PricedSchedule>& rows) {
  WEFT_ASSERT(asked.network != nullptr && segments >= 1);
  const Network& network = *asked.network;
  // Some make another schedule for one segment than for many.
  const bool is_pipelined =
      segments > 1 && algorithm.segments_by_size(asked.collective.kind, asked.options);
  for (const std::int64_t count :
       is_pipelined ? std::vector<std::int64_t>{1, segments} : std::vector<std::int64_t>{1}) {
    algorithm::AlgorithmOptions options = asked.options;
    if (is_pipelined) options.values["segments"] = count;
    if (count > 1 && algorithm::misfit(algorithm, {asked.collective, &network, options})) continue;
    const Schedule schedule =
        algorithm::build_schedule(algorithm.name, asked.collective, &network, options);
    const Cost cost = schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
    const std::string text =
        is_pipelined ? algorithm::name_with(algorithm, asked.options) : schedule.algorithm();
    rows.push_back({count > 1 ? fmt::format("{} ({} segments)", text, count) : text, cost.steps,
                    cost.bandwidth_factor, combining_of(schedule)});
  }
}

}  // namespace

PricedSchedules priced_schedules(const std::vector<std::string>& algorithms,
                                 const Collective& collective, const Network& network,
                                 std::int64_t segments,
                                 const algorithm::AlgorithmOptions& options) {
  PricedSchedules priced;
  for (const std::string& name : algorithms) {
    const auto& algorithm = algorithm::find_algorithm(name);
    const algorithm::Context asked{collective, &network, algorithm::taken_by(algorithm, options)};
    const std::size_t before = priced.rows.size();
    const auto leave_out = [&](Dropped dropped) {
      if (priced.rows.size() > before) dropped.algorithm += fmt::format(" ({} segments)", segments);
      priced.left_out.push_back(std::move(dropped));
    };
    try {
      TimeLimit::check();
      price(algorithm, asked, segments, priced.rows);
    } catch (const OutOfTime&) {
      leave_out(too_late(algorithm.name));
    } catch (const std::overflow_error& error) {
      leave_out(overflown(algorithm.name, error.what()));
    } catch (const InvalidInput& error) {
      if (algorithm::misfit(algorithm, asked)) throw;
      leave_out(refused(algorithm, error.what()));
    }
  }
  return priced;
}

PricedSchedules with_better(PricedSchedules priced, const Collective& collective,
                            const Network& network, std::int64_t segments) {
  if (network.ranks() > kMostMadeUnasked) return priced;
  std::vector<std::string> names;
  for (const auto* algorithm : algorithm::applicable(collective, &network))
    names.push_back(algorithm->name);
  const auto order = [](const PricedSchedule& row) {
    return std::pair(row.bandwidth_factor, row.steps);
  };
  PricedSchedules others = priced_schedules(names, collective, network, segments);
  const auto best = std::ranges::min_element(others.rows, {}, order);
  if (best != others.rows.end() &&
      std::ranges::none_of(priced.rows, [&](const PricedSchedule& row) {
        return row.bandwidth_factor <= best->bandwidth_factor;
      }))
    priced.rows.push_back(*best);
  for (Dropped& each : others.left_out)
    if (std::ranges::find(priced.left_out, each.algorithm, &Dropped::algorithm) ==
        priced.left_out.end())
      priced.left_out.push_back(std::move(each));
  return priced;
}

}  // namespace weft::evaluate
