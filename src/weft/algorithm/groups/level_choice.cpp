// Which levels, and which algorithm at each.
//
// The usual groups come first, with the best algorithms within and across; then each other level
// that nests is put beside them, with the best algorithm for it, and stays where that is cheaper.
// What counts is the exact T_B of many segments on the network, in which levels overlap and steps
// of different levels meet on links; the fill of the pipeline weighs the steps.
//
// Small sizes have one segment, whose steps, start-ups and T_B are sums over the levels. So the
// fastest algorithm of a level is the same whatever the algorithms of the other levels are, and the
// same trials show which one it is.
#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "weft/algorithm/groups/levels.hpp"
#include "weft/algorithm/groups/mesh_of_groups.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/segments/costs_by_segments.hpp"
#include "weft/schedule/serial_startups.hpp"

namespace weft::algorithm {

namespace {

// Levels that overlap are priced in so many segments; above so many ranks only those that are best
// where links are alike.
constexpr std::int64_t kPricedSegments = 32;
constexpr std::int32_t kMostPricedThoroughly = 256;
constexpr std::string_view kPricedFirst[] = {"spread", "pairwise", "bruck", "rabenseifner",
                                             kOfMeshes};

/// Takes the fewest bytes on every number of ranks; of a mesh all its cables.
std::string_view usual_name(CollectiveKind kind, bool of_mesh, bool outermost) {
  using enum CollectiveKind;
  if (kind == alltoall) return "pairwise";
  if (of_mesh) return kOfMeshes;
  if (kind == scatter || kind == gather) return "binomial";
  return (kind == broadcast || kind == reduce) && outermost ? "chain" : "ring";
}

bool is_priced(const Collective& collective, const Network* network) {
  return network != nullptr && collective.ranks <= kMostPricedRanks;
}

bool is_thorough(const Collective& collective) {
  return collective.ranks <= kMostPricedThoroughly;
}

std::optional<Network> mesh_of(const GroupLevels& levels, const Network* network) {
  return network == nullptr ? std::nullopt : mesh_of_groups(levels.front(), *network);
}

/// The network, if it is known, and whether what is tried on it is priced.
struct Ground {
  const Network* network = nullptr;
  bool priced = true;
};

/// What a schedule costs with many segments, and with one.
struct Priced {
  LevelPrice price;
  QuickTimes quick_s;
};

constexpr std::int64_t kCounts[]{1, kPricedSegments};

QuickTimes quick_times_of(const Schedule& schedule, const Network& network,
                          const schedule::Cost& in_one) {
  using enum schedule::MessageEnd;
  const HostParameters& host = network.host();
  const auto startups_s = [&](schedule::MessageEnd end, std::int64_t each_ps) {
    if (each_ps == 0) return 0.0;
    const auto startups = schedule::serial_startups(schedule, end, host.startup_per);
    return static_cast<double>(startups.first * each_ps) * kSecondsPerPicosecond;
  };
  const double latency_s =
      static_cast<double>(in_one.steps * in_one.longest_latency_ps) * kSecondsPerPicosecond +
      startups_s(sender, host.send_ps()) + startups_s(receiver, host.receive_ps());
  const double per_byte_s =
      in_one.bandwidth_factor.to_double() / static_cast<double>(network.fabric().node_egress_Bps());
  QuickTimes times_s{};
  for (std::size_t size = 0; size < times_s.size(); ++size)
    times_s[size] = latency_s + per_byte_s * kQuickSizes_B[size];
  return times_s;
}

/// Of a schedule in one segment.
Priced priced_in_one(const Schedule& schedule, const Network& network) {
  const auto costs = schedule::costs_before_proof(schedule, network, kCounts);
  return {{costs[1].bandwidth_factor, costs[0].bandwidth_factor, costs[0].steps},
          quick_times_of(schedule, network, costs[0])};
}

/// Algorithms for all levels, and what they cost where that is asked; why they do not fit. Those
/// that are quick at each of kQuickSizes_B, where they are priced.
struct Filled {
  LevelAlgorithms algorithms;
  std::optional<LevelPrice> price = {};
  std::optional<std::string> misfit = {};
  std::vector<LevelAlgorithms> quick = {};
};
Filled fill(const Collective& collective, const GroupLevels& levels, const Ground& ground,
            const LevelAlgorithms& given) {
  const LevelShape shape = shape_of(levels);
  const std::optional<Network> own = mesh_of(levels, ground.network);
  const Network* mesh = own ? &*own : nullptr;
  const auto misfit = [&](const LevelAlgorithms& algorithms) {
    return misfit_of_levels(collective.kind, shape, algorithms, mesh);
  };
  // Priced, bfb comes last: where it is as dear as another, that one is named.
  const bool priced = ground.priced && is_priced(collective, ground.network);
  const auto usual = [&](bool of_mesh) {
    LevelAlgorithms names = given;
    for (std::size_t level = 0; level < names.size(); ++level)
      if (names[level].empty())
        names[level] =
            usual_name(collective.kind, of_mesh && level == 0, level + 1 == names.size());
    return names;
  };
  LevelAlgorithms best = usual(!priced && mesh != nullptr);
  if (misfit(best)) best = usual(false);
  if (auto why = misfit(best)) return {std::move(best), {}, std::move(why)};
  if (!priced) return {std::move(best)};
  const auto price = [&](const LevelAlgorithms& algorithms) -> std::optional<Priced> {
    const auto schedule = try_in_levels(collective, levels, algorithms, 1, mesh);
    return schedule ? std::optional(priced_in_one(*schedule, *ground.network)) : std::nullopt;
  };
  std::optional<Priced> least = price(best);
  std::vector<LevelAlgorithms> quick(std::size(kQuickSizes_B), best);
  for (std::size_t level = 0; level < best.size(); ++level) {
    if (!given[level].empty()) continue;
    const LevelAlgorithms before = best;
    std::vector<std::string_view> names(std::begin(kLevelChoices), std::end(kLevelChoices));
    if (level == 0 && mesh != nullptr) names.push_back(kOfMeshes);
    QuickTimes least_s;
    least_s.fill(std::numeric_limits<double>::infinity());
    for (const std::string_view name : names) {
      LevelAlgorithms tried = before;
      tried[level] = name;
      if (misfit(tried) ||
          (!is_thorough(collective) && std::ranges::count(kPricedFirst, name) == 0))
        continue;
      const auto cost = price(tried);
      if (!cost) continue;
      for (std::size_t size = 0; size < quick.size(); ++size)
        if (cost->quick_s[size] < least_s[size]) {
          least_s[size] = cost->quick_s[size];
          quick[size][level] = name;
        }
      if (!least || cost->price < least->price) {
        least = cost;
        best = std::move(tried);
      }
    }
  }
  return {
      std::move(best), least ? std::optional(least->price) : std::nullopt, {}, std::move(quick)};
}

/// Levels that were chosen of those available.
struct Chosen {
  std::vector<std::size_t> levels;  // ascending
  Filled filled;
  std::vector<std::size_t> quick_levels = levels;  // of filled.quick

  bool is_better_than(const Chosen& other) const {
    return filled.price && (!other.filled.price || *filled.price < *other.filled.price);
  }
};

class Search {
 public:
  Search(const Collective& collective, const LocalGroupLevels& available, const Ground& ground,
         const LevelOptions& asked)
      : collective_(collective), available_(available.groups), ground_(ground), asked_(asked) {}

  std::optional<Chosen> with(std::vector<std::size_t> levels) const {
    const LevelAlgorithms names = names_for(levels.size());
    return with(std::move(levels), names);
  }

  std::optional<std::string> misfit(const std::vector<std::size_t>& levels) const {
    return fill(collective_, nesting_of(levels), ground_, names_for(levels.size())).misfit;
  }

  /// All sets of so many levels, the first that is best; nothing where the names fit none.
  std::optional<Chosen> best_of(std::size_t count) const {
    std::optional<Chosen> best;
    std::vector<char> taken(available_.size(), 0);
    std::fill_n(taken.begin(), count, 1);
    do {
      std::vector<std::size_t> levels;
      for (std::size_t level = 0; level < taken.size(); ++level)
        if (taken[level] != 0) levels.push_back(level);
      auto chosen = with(std::move(levels));
      if (chosen && (!best || chosen->is_better_than(*best))) best = std::move(chosen);
    } while (std::ranges::prev_permutation(taken).found);
    return best;
  }

  /// From the usual level on, each other that makes it cheaper, until none does.
  std::optional<Chosen> grown(std::size_t usual) const {
    std::optional<Chosen> best = with({usual});
    const std::optional<Chosen> alone = best;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t level = 0; level < available_.size(); ++level) {
        auto larger = best ? beside(*best, level) : with({level});
        if (!larger || (best && !larger->is_better_than(*best))) continue;
        best = std::move(larger);
        more = true;
      }
    }
    if (!best || best->levels.size() == 1) return best;
    auto anew = with(best->levels);  // algorithms found beside fewer levels may suit these less
    if (anew && anew->is_better_than(*best)) best = std::move(anew);
    if (alone) {  // each level more takes more steps
      best->filled.quick = alone->filled.quick;
      best->quick_levels = alone->levels;
    }
    return best;
  }

 private:
  GroupLevels nesting_of(const std::vector<std::size_t>& levels) const {
    std::vector<LocalGroups> groups;
    for (const std::size_t level : levels) groups.push_back(available_[level]);
    return *nested(groups);
  }

  LevelAlgorithms names_for(std::size_t levels) const {
    LevelAlgorithms names = asked_.inner;
    names.resize(levels);
    names.push_back(asked_.outer);
    return names;
  }

  std::optional<Chosen> with(std::vector<std::size_t> levels, const LevelAlgorithms& names) const {
    Filled filled = fill(collective_, nesting_of(levels), ground_, names);
    if (filled.misfit) return std::nullopt;
    return Chosen{std::move(levels), std::move(filled)};
  }

  /// The same and this level, whose algorithm is sought and, of few ranks, that across all anew.
  std::optional<Chosen> beside(const Chosen& chosen, std::size_t level) const {
    std::vector<std::size_t> levels = chosen.levels;
    const auto place = std::ranges::lower_bound(levels, level);
    if (place != levels.end() && *place == level) return std::nullopt;
    LevelAlgorithms names = chosen.filled.algorithms;
    if (is_thorough(collective_)) names.back() = asked_.outer;
    names.insert(names.begin() + (place - levels.begin()), std::string_view());
    levels.insert(place, level);
    return with(std::move(levels), names);
  }

  const Collective& collective_;
  const std::vector<LocalGroups>& available_;
  const Ground ground_;
  const LevelOptions& asked_;
};

/// The levels from the usual one outwards, or so many, where prices don't tell: an all-to-all sends
/// more bytes at each.
std::vector<std::size_t> by_rule(CollectiveKind kind, const LocalGroupLevels& available,
                                 std::size_t count) {
  const std::size_t all = available.groups.size();
  WEFT_ASSERT(count <= all && available.usual < all);
  if (count == 0) count = kind == CollectiveKind::alltoall ? 1 : all - available.usual;
  std::vector<std::size_t> levels(count);
  std::iota(levels.begin(), levels.end(), std::min(available.usual, all - count));
  return levels;
}

/// Levels that are asked for; 0: as many as are best.
std::size_t count_of(const LevelOptions& asked, const LocalGroupLevels& available) {
  return asked.all && asked.inner.empty() ? available.groups.size() : asked.inner.size();
}

std::optional<Chosen> choose(const Collective& collective, const LocalGroupLevels& available,
                             const Ground& ground, const LevelOptions& asked) {
  const std::size_t count = count_of(asked, available);
  if (count > available.groups.size()) return std::nullopt;
  const Search search(collective, available, ground, asked);
  std::optional<Chosen> chosen;
  if (!ground.priced || !is_priced(collective, ground.network))
    chosen = search.with(by_rule(collective.kind, available, count));
  else if (count == 0)
    chosen = search.grown(available.usual);
  return chosen ? chosen : search.best_of(std::max<std::size_t>(count, 1));
}

}  // namespace

QuickTimes quick_times_s(const Schedule& schedule, const Network& network) {
  const Schedule in_one = schedule.with_segments({});
  return quick_times_of(
      in_one, network,
      schedule::costs_before_proof(in_one, network, std::span(kCounts).first(1)).front());
}

LevelPrice level_price(const Schedule& schedule, const Network& network) {
  const std::int64_t counts[]{schedule.segments().count, kPricedSegments};
  const auto costs = schedule::costs_before_proof(schedule, network, counts);
  return {costs[1].bandwidth_factor, costs[0].bandwidth_factor, costs[0].steps};
}

std::optional<std::string> misfit_of_asked(CollectiveKind kind, const LocalGroupLevels& available,
                                           const Network* network, const LevelOptions& asked) {
  const std::size_t count = count_of(asked, available), all = available.groups.size();
  if (count > all || (asked.all && count < all))
    return fmt::format("inner names {}, and the groups are of {}",
                       counted(static_cast<std::int64_t>(count), "algorithm"),
                       counted(static_cast<std::int64_t>(all), "level"));
  const Collective collective{.kind = kind, .ranks = ranks_in(available.groups.front())};
  const Ground ground{network, false};
  if (choose(collective, available, ground, asked)) return std::nullopt;
  return Search(collective, available, ground, asked)
      .misfit(by_rule(kind, available, std::max<std::size_t>(count, 1)));
}

std::optional<LevelChoices> level_choices(const Collective& collective,
                                          const LocalGroupLevels& available, const Network* network,
                                          const LevelOptions& asked) {
  const auto chosen = choose(collective, available, {network}, asked);
  if (!chosen) return std::nullopt;
  const auto choice_of = [&](const std::vector<std::size_t>& levels,
                             const LevelAlgorithms& algorithms) {
    LevelChoice choice{{}, algorithms};
    for (const std::size_t level : levels) choice.groups.push_back(available.groups[level]);
    choice.mesh = mesh_of(choice.groups, network);
    return choice;
  };
  LevelChoices choices{choice_of(chosen->levels, chosen->filled.algorithms)};
  for (const LevelAlgorithms& quick : chosen->filled.quick)
    choices.quick.push_back(choice_of(chosen->quick_levels, quick));
  return choices;
}

}  // namespace weft::algorithm
