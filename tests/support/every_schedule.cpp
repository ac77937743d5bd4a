#include "support/every_schedule.hpp"

#include <fmt/core.h>

namespace weft::test {

namespace {

std::vector<std::int32_t> roots_of(const Collective& collective) {
  const std::int32_t n = collective.ranks;
  if (!collective.rooted() || n == 1) return {0};
  if (n == 2) return {0, 1};
  return {0, n / 2, n - 1};
}

std::vector<AlgorithmOptions> options_of(const algorithm::Algorithm& algorithm,
                                         std::int32_t ranks) {
  std::vector<AlgorithmOptions> result;
  if (algorithm.takes(algorithm::kRadix)) {
    for (const int radix : {2, 3, 5}) result.push_back({.values = {{"radix", radix}}});
    return result;
  }
  result.emplace_back();
  if (algorithm.takes(algorithm::kSegments)) result.push_back({.values = {{"segments", 3}}});
  if (!algorithm.takes(algorithm::kGroup)) return result;
  std::vector<AlgorithmOptions> of_groups;
  for (int group = 1; group <= ranks; ++group)
    for (AlgorithmOptions options : result)
      if (ranks % group == 0) {
        options.values["group"] = group;
        of_groups.push_back(options);
      }
  return of_groups;
}

}  // namespace

std::vector<NamedSchedule> schedules_of(const algorithm::Algorithm& algorithm, std::int32_t ranks) {
  std::vector<NamedSchedule> result;
  for (const CollectiveKind kind : algorithm.collectives)
    for (const std::int32_t root : roots_of({.kind = kind, .ranks = ranks}))
      for (const AlgorithmOptions& options : options_of(algorithm, ranks)) {
        Collective collective{.kind = kind, .ranks = ranks, .root = Rank(root)};
        if (kind == CollectiveKind::point_to_point) collective.peer = Rank((root + 1) % ranks);
        if (algorithm::misfit(algorithm, {collective, nullptr, options})) continue;
        schedule::Schedule schedule = build_schedule(algorithm.name, collective, nullptr, options);
        result.push_back({fmt::format("{} {} of {} ranks, root {}", schedule.algorithm(),
                                      schedule::name_of(kind), ranks, root),
                          schedule, options});
      }
  return result;
}

}  // namespace weft::test
