// The choices of hierarchical: its groups, and the algorithms of its levels.
//
// The algorithms of the levels are those of the least bandwidth factor. Small sizes have variants
// whose levels take fewer steps and start-ups, unless the user names an algorithm of a level.
//
// Switches may show no groups, as one switch does. Levels still let a rank add up what one message
// brought while others are on their way. So where sums take time, an allreduce or a reduce-scatter
// of an even number of ranks then takes rows, a power of two of them, and the algorithms of levels
// that are quickest to simulate. Few start-ups are of no use, since other algorithms have fewer.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "group_choice.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/grids/hamming_ranks.hpp"
#include "weft/algorithm/groups/hierarchical.hpp"
#include "weft/algorithm/groups/levels.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::algorithm {

namespace {

constexpr const char* kName = "hierarchical";

constexpr auto kInnerChoices = [] {
  std::array<std::string_view, std::size(kLevelChoices) + 1> names{};
  std::ranges::copy(kLevelChoices, names.begin());
  names.back() = kOfMeshes;
  return names;
}();

constexpr ChoiceOption kInner{
    {.name = "inner",
     .what = "Algorithm within groups of hierarchical",
     .type = Option::Type::choices,
     .choices = kInnerChoices,
     .otherwise = "the best on the network",
     .range = "as for --outer, or bfb if cables join a group; a list if groups nest, such as "
              "ring,pairwise"}};
constexpr ChoiceOption kOuter{{.name = "outer",
                               .what = "Algorithm across the groups of hierarchical",
                               .type = Option::Type::choice,
                               .choices = kLevelChoices,
                               .otherwise = "the best on the network"}};

/// Whether it is composed of the algorithms of levels, as what has no way of its own is.
bool in_levels(const Context& context) {
  using enum CollectiveKind;
  const CollectiveKind kind = context.collective.kind;
  return kind == allgather || kind == reduce_scatter || kind == allreduce ||
         kInner.given(context.options) || kOuter.given(context.options) ||
         groups_in(context.options).size() > 1 || !groups_for(context);
}

/// The groups to compose on, and the options that limit them.
struct LevelRequest {
  LocalGroupLevels available;
  LevelOptions levels;
};

/// With names of the option's own text, which outlives the context.
LevelRequest request_in(const Context& context) {
  const auto known = [](std::string_view name) { return *std::ranges::find(kInnerChoices, name); };
  LevelRequest request{group_levels_for(context), {}};
  request.levels.all = !groups_in(context.options).empty();
  if (const auto names = kInner.given(context.options))
    for (const std::string_view name : split(*names, ','))
      request.levels.inner.push_back(known(name));
  if (const auto name = kOuter.given(context.options)) request.levels.outer = known(*name);
  return request;
}

/// With option group, where sums make levels pay on a network that shows no groups.
Context with_rows(const Context& context) {
  const auto& [collective, network, options] = context;
  const bool sums = collective.kind == CollectiveKind::allreduce ||
                    collective.kind == CollectiveKind::reduce_scatter;
  if (!sums || network == nullptr || network->host().reductions_are_free() ||
      !network->topology().has_switches() || !groups_in(options).empty() || lanes_for(context))
    return context;
  const int even = collective.ranks & -collective.ranks;
  const int rows = even == collective.ranks ? even / 2 : even;
  if (rows < 2) return context;
  Context in_rows = context;
  auto& values = in_rows.options.values;
  values["group"] = std::vector<int>{collective.ranks / rows};
  const std::string outer = collective.kind == CollectiveKind::allreduce ? "rabenseifner" : "bruck";
  values.try_emplace(std::string(kInner.name), std::string("bruck"));
  values.try_emplace(std::string(kOuter.name), outer);
  return in_rows;
}

std::optional<std::string> misfit(const Context& given) {
  const Context context = with_rows(given);
  if (auto why = group_misfit(context, Groups::unequal_too)) return why;
  if (!in_levels(context)) return std::nullopt;
  const LevelRequest request = request_in(context);
  return misfit_of_asked(context.collective.kind, request.available, context.network,
                         request.levels);
}

/// The choice as the options that ask for it.
AlgorithmOptions options_of(const Context& context, const LevelChoice& choice) {
  std::vector<int> sizes;
  for (const LocalGroups& groups : choice.groups)
    sizes.push_back(static_cast<int>(groups.front().size()));
  AlgorithmOptions options = context.options;
  const std::span names(choice.algorithms);
  if (groups_for(context)) options.values["group"] = sizes;  // unequal ones the network shows
  options.values["inner"] = fmt::format("{}", fmt::join(names.first(sizes.size()), ","));
  options.values["outer"] = std::string(names.back());
  return options;
}

/// Composes the schedule by `compose`, which is try_in_levels() or schedule_in_levels(). Its name
/// has the options that were chosen.
template <class Compose>
auto composed_by(Compose compose, const Context& context, const LevelChoice& choice) {
  return compose(context.collective, *nested(choice.groups), choice.algorithms,
                 segments_in(context.options), choice.mesh ? &*choice.mesh : nullptr);
}
Schedule named(const Schedule& schedule, const Context& context, const LevelChoice& choice) {
  return schedule.with_algorithm(name_with(find_algorithm(kName), options_of(context, choice)));
}

/// Nothing if the algorithms cut blocks into units without a common multiple in range.
std::optional<Schedule> try_composed(const Context& context, const LevelChoice& choice) {
  const auto schedule = composed_by(try_in_levels, context, choice);
  if (!schedule) return std::nullopt;
  return named(*schedule, context, choice);
}

Schedule composed(const Context& context, const LevelChoice& choice) {
  return named(composed_by(schedule_in_levels, context, choice), context, choice);
}

/// Two levels, as hierarchical.cpp says.
Schedule in_two_levels(const Context& context, std::int64_t segments) {
  const LocalGroups groups = *groups_for(context);
  const Rank root = context.collective.root;
  switch (context.collective.kind) {
    case CollectiveKind::broadcast:
      return hierarchical_broadcast(groups, root, segments);
    case CollectiveKind::reduce:
      return hierarchical_reduce(groups, root, segments);
    case CollectiveKind::scatter:
      return hierarchical_scatter(groups, root, segments);
    case CollectiveKind::gather:
      return hierarchical_gather(groups, root, segments);
    default:
      return hierarchical_alltoall(groups, segments);
  }
}

/// Whether the collective passes from group to group in a row, and levels can be priced.
bool is_priced_row(const Context& context) {
  const auto& [collective, network, options] = context;
  const bool in_rows =
      collective.kind == CollectiveKind::broadcast || collective.kind == CollectiveKind::reduce;
  return in_rows && network != nullptr && collective.ranks <= kMostPricedRanks;
}

/// Whether levels may be cheaper: rows of groups are long. Scatter, gather and all-to-all send more
/// bytes with each level.
bool has_levels_to_try(const Context& context) {
  return is_priced_row(context) && group_levels_for(context).groups.size() > 1;
}

std::optional<LevelChoices> choices_for(const Context& context) {
  const LevelRequest request = request_in(context);
  return level_choices(context.collective, request.available, context.network, request.levels);
}

/// The one for large sizes. `levels`: the best, where it may be composed.
Schedule cheapest(const Context& context, const LevelChoice* levels) {
  if (in_levels(context)) return composed(context, *levels);
  const std::int64_t segments = segments_in(context.options);
  if (has_levels_to_try(context)) {
    const Network& network = *context.network;
    Schedule in_levels = composed(context, *levels);
    if (level_price(in_levels.with_segments({}), network) <
        level_price(in_two_levels(context, 1), network))
      return in_levels;
  }
  return in_two_levels(context, segments);
}

Schedule hierarchical(const Context& given) {
  const Context context = with_rows(given);
  if (!in_levels(context) && !has_levels_to_try(context)) return cheapest(context, nullptr);
  return cheapest(context, &choices_for(context)->best);
}

/// What is quicker at a small size than those before it, too.
std::vector<Schedule> variants(const Context& given) {
  const Context context = with_rows(given);
  const bool is_asked = kInner.given(context.options) || kOuter.given(context.options);
  if (is_asked || (!in_levels(context) && !is_priced_row(context))) return {hierarchical(context)};
  const auto choices = choices_for(context);
  if (!choices) return {hierarchical(context)};
  std::vector<Schedule> found{cheapest(context, &choices->best)};
  if (choices->quick.empty()) return found;
  std::vector<QuickTimes> times_s{quick_times_s(found.front(), *context.network)};
  for (std::size_t size = 0; size < choices->quick.size(); ++size) {
    auto schedule = try_composed(context, choices->quick[size]);
    if (!schedule) continue;
    const QuickTimes own_s = quick_times_s(*schedule, *context.network);
    if (std::ranges::any_of(times_s, [&](const auto& of) { return of[size] <= own_s[size]; }))
      continue;
    times_s.push_back(own_s);
    found.push_back(*std::move(schedule));
  }
  return found;
}

/// Lines of the first dimension, then of the second: on two dimensions that is DO.
std::optional<std::string_view> dimension_order_of(const Context& context) {
  const auto& [collective, network, options] = context;
  if (collective.kind != CollectiveKind::alltoall || !options.values.empty()) return std::nullopt;
  const auto hamming = hamming_of_ranks(context);
  const auto wide = [](int extent) { return extent > 1; };
  if (!hamming || std::ranges::count_if(hamming->extents, wide) != 2) return std::nullopt;
  return "do";
}

}  // namespace

Algorithm hierarchical_entry() {
  return {
      .name = kName,
      .aliases = {"two-level", "pxn"},
      .summary =
          "Inside local groups, then between equal places of the groups; pipelined, and level by "
          "level if groups nest",
      .source =
          "Traff, Rougier, MPI Collectives and Datatypes for Hierarchical All-to-all "
          "Communication, 2014; Traff, Hunold, Decomposing MPI Collectives for Exploiting "
          "Multi-lane Communication, 2020",
      .collectives = {CollectiveKind::alltoall, CollectiveKind::broadcast, CollectiveKind::reduce,
                      CollectiveKind::scatter, CollectiveKind::gather, CollectiveKind::allgather,
                      CollectiveKind::reduce_scatter, CollectiveKind::allreduce},
      .options = {kGroup, kSegments, kInner, kOuter},
      .misfit = misfit,
      .build = hierarchical,
      .build_variants = variants,
      .same_as = dimension_order_of,
      .tried_early = TriedEarly::by_groups,
  };
}

}  // namespace weft::algorithm
