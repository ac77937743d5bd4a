#include "weft/advise/degrade/failure_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "weft/advise/degrade/failures.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"

namespace weft::advise {

namespace {

constexpr std::int64_t kEndless = std::int64_t{1} << 62;
constexpr std::int64_t kMostListed = 100'000;  // sets that are listed; of more, some are drawn

/// n over k, at most kEndless.
std::int64_t choices(std::int64_t n, std::int64_t k) {
  if (k > n) return 0;
  __extension__ using Wide = __int128;
  Wide result = 1;
  for (std::int64_t i = 1; i <= std::min(k, n - k); ++i) {
    result = result * (n - i + 1) / i;
    if (result >= kEndless) return kEndless;
  }
  return static_cast<std::int64_t>(result);
}

/// All sets of k of `ids`, in lexicographic order.
std::vector<Ids> all_sets(const Ids& ids, std::int64_t k) {
  std::vector<Ids> sets;
  std::vector<std::size_t> at(k);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = i;
  while (true) {
    Ids set;
    for (const std::size_t i : at) set.push_back(ids[i]);
    sets.push_back(std::move(set));
    std::size_t last = at.size();
    while (last > 0 && at[last - 1] == ids.size() - at.size() + last - 1) --last;
    if (last == 0) return sets;
    ++at[last - 1];
    for (std::size_t i = last; i < at.size(); ++i) at[i] = at[i - 1] + 1;
  }
}

/// `count` different sets of k of `ids`, sorted; every choice of sets is equally likely.
std::vector<Ids> drawn_sets(const Ids& ids, std::int64_t k, std::int64_t possible,
                            std::int64_t count, Rng rng) {
  if (possible <= kMostListed) {
    std::vector<Ids> sets = all_sets(ids, k);
    rng.shuffle(sets);
    sets.resize(count);
    std::ranges::sort(sets);
    return sets;
  }
  std::set<Ids> sets;
  while (std::ssize(sets) < count) {
    std::set<std::int64_t> set;
    while (std::ssize(set) < k) set.insert(ids[rng.below(std::ssize(ids))]);
    sets.emplace(set.begin(), set.end());
  }
  return {sets.begin(), sets.end()};
}

/// `count` of `ids`, sorted: of each kind the same number, or one less, as long as it has more.
std::vector<Ids> drawn_of_kinds(const Ids& ids, const std::vector<std::int32_t>& kinds,
                                std::int64_t count, Rng rng) {
  std::map<std::int32_t, Ids> of_kind;
  for (const std::int64_t id : ids) of_kind[kinds[static_cast<std::size_t>(id)]].push_back(id);
  std::vector<Ids> all;
  for (auto& [kind, members] : of_kind) {
    rng.shuffle(members);
    all.push_back(std::move(members));
  }
  rng.shuffle(all);  // there may be more of them than are drawn
  std::vector<Ids> drawn;
  for (std::size_t round = 0; std::ssize(drawn) < count; ++round)
    for (const Ids& members : all)
      if (round < members.size() && std::ssize(drawn) < count) drawn.push_back({members[round]});
  std::ranges::sort(drawn);
  return drawn;
}

// How many of all that are of its kind each single failure stands for.
std::vector<double> shares(const FailingSort& sort, std::span<const Ids> drawn,
                           const std::vector<std::int32_t>& kinds) {
  std::map<std::int32_t, double> there, tried;
  for (const std::int64_t id : sort.ids) ++there[kinds[static_cast<std::size_t>(id)]];
  for (const Ids& each : drawn) ++tried[kinds[static_cast<std::size_t>(each.front())]];
  std::vector<double> result;
  for (const Ids& each : drawn) {
    const std::int32_t kind = kinds[static_cast<std::size_t>(each.front())];
    result.push_back(there[kind] / tried[kind]);
  }
  return result;
}

bool cuts_ranks_off(const Network& network, Failure failure) {
  TimeLimit::check();
  find_ranks_left(network, Damage(network.topology(), failure), failure);
  return !failure.cut_off.empty();
}

// As Trials::Tells says.
DrawnSets representatives_of_all(const FailingSort& sort, const Network& network,
                                 const KindsOfParts* alike, Rng rng) {
  constexpr std::int64_t kAFew = 12;  // kinds that are tried in any case, if they tell of all
  // Of each kind, at least: of some routings a part of the kind's ways goes by numbers.
  const std::int64_t witnesses = network.routing().splits() ? 1 : 3;
  const std::vector<std::int32_t> of_network = kinds_of_parts(network).*sort.of;
  const std::vector<std::int32_t>& kinds = alike != nullptr ? alike->*sort.of : of_network;
  std::map<std::int32_t, Ids> members;
  for (const std::int64_t id : sort.ids) members[kinds[static_cast<std::size_t>(id)]].push_back(id);
  std::map<std::int64_t, Ids> told;  // by the one that tells
  Ids serving;
  std::int64_t serving_kinds = 0, wanted = 0;
  for (const auto& [kind, ids] : members) {
    if (cuts_ranks_off(network, sort.alone(ids.front()))) {
      told[ids.front()] = ids;
      continue;
    }
    serving.insert(serving.end(), ids.begin(), ids.end());
    ++serving_kinds;
    wanted += std::min(witnesses, std::ssize(ids));
  }
  std::ranges::sort(serving);
  const bool tells = alike != nullptr && serving_kinds <= std::max(sort.trials.count, kAFew);
  const std::vector<std::int32_t>& drawn_by = tells ? kinds : of_network;
  const std::int64_t count = tells ? std::max(wanted, sort.trials.count) : sort.trials.count;
  const std::vector<Ids> drawn =
      drawn_of_kinds(serving, drawn_by, std::min(count, std::ssize(serving)), rng);
  FailingSort those = sort;
  those.ids = serving;
  std::vector<double> stand_for = shares(those, drawn, drawn_by);
  std::map<std::int32_t, Ids> representatives;  // by kind
  std::map<std::int64_t, double> shares_of;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::int64_t id = drawn[i].front();
    representatives[drawn_by[static_cast<std::size_t>(id)]].push_back(id);
    told[id] = {id};
    shares_of[id] = stand_for[i];
  }
  std::map<std::int32_t, std::size_t> turns;
  for (const std::int64_t id : serving) {
    const std::int32_t kind = kinds[static_cast<std::size_t>(id)];
    if (!tells || std::ranges::binary_search(representatives[kind], id)) continue;
    const Ids& of_kind = representatives[kind];
    told[of_kind[turns[kind]++ % of_kind.size()]].push_back(id);
  }
  DrawnSets result;
  for (auto& [id, all] : told) {
    const auto share = shares_of.find(id);
    result.stand_for.push_back(share == shares_of.end() ? static_cast<double>(all.size())
                                                        : share->second);
    result.sets.push_back({id});
    result.alike.push_back(std::move(all));
  }
  return result;
}

// A number of random failures that the user asks for is one of those that there are.
void require_possible(const FailingSort& sort, const Topology& topology, std::int64_t at_once,
                      std::int64_t possible) {
  if (sort.trials.kind != Trials::Kind::some || sort.trials.tells == Trials::Tells::its_kind ||
      sort.trials.count <= possible)
    return;
  const std::string there = at_once == 1
                                ? fmt::format("{} {}", possible, sort.things)
                                : fmt::format("{} sets of {} {}", possible, at_once, sort.things);
  reject("--{} {} is too many, because {} has {}; give at most {}, or all", sort.what,
         sort.trials.count, topology.name(), there, possible);
}

}  // namespace

DrawnSets sets_of(const FailingSort& sort, const Network& network, std::int64_t at_once,
                  std::int64_t most, const KindsOfParts* alike, std::int64_t& all_possible,
                  Rng rng) {
  const std::int64_t possible = choices(std::ssize(sort.ids), at_once);
  require(!sort.ids.empty(), "the network has no {} that can fail; use another network",
          sort.things);
  require(possible > 0,
          "{} {} cannot fail at once, because there are {}; use --failures {} or less", at_once,
          sort.things, sort.ids.size(), sort.ids.size());
  require_possible(sort, network.topology(), at_once, possible);
  all_possible = std::min(kEndless, all_possible + possible);
  require(sort.trials.kind != Trials::Kind::all || possible <= kMostListed,
          "--{} all is {} sets of {} {}, but at most {} are tried; choose a number of random "
          "sets, such as --{} 200",
          sort.what, possible, at_once, sort.things, kMostListed, sort.what);
  if (sort.trials.tells == Trials::Tells::its_kind && at_once == 1)
    return representatives_of_all(sort, network, alike, rng);
  const std::int64_t count = sort.trials.kind == Trials::Kind::all    ? possible
                             : sort.trials.kind == Trials::Kind::some ? sort.trials.count
                                                                      : most;
  if (count >= possible && possible <= kMostListed) return {all_sets(sort.ids, at_once), {}};
  if (at_once > 1)
    return {drawn_sets(sort.ids, at_once, possible, std::min(count, possible), rng), {}};
  const std::vector<std::int32_t> kinds = kinds_of_parts(network).*sort.of;
  DrawnSets drawn{drawn_of_kinds(sort.ids, kinds, std::min(count, possible), rng), {}};
  drawn.stand_for = shares(sort, drawn.sets, kinds);
  return drawn;
}

}  // namespace weft::advise
