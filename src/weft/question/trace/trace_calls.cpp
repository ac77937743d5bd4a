#include "weft/question/trace/trace_calls.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::question {

namespace {

using format::TraceKind;
using format::TraceNode;

// As --size counts it, of what a rank brings.
std::int64_t size_of(CollectiveKind kind, std::int64_t brought_B, std::int64_t ranks) {
  const bool in_parts = kind == CollectiveKind::alltoall || kind == CollectiveKind::scatter;
  return in_parts ? (brought_B + ranks - 1) / ranks : brought_B;
}

// Groups that make collectives of a kind at once, with the sizes of these.
struct Wanted {
  std::map<std::int64_t, GroupPrice> of_sizes;
};
using Groups = std::pair<CollectiveKind, std::vector<RankGroup>>;
using WantedByGroups = std::map<Groups, Wanted>;

// Of groups that are images of each other the first ones stand for all, as in a step, so that what
// is built for them serves all.
std::map<Groups, Groups> stand_ins(const WantedByGroups& wanted, const Network& network) {
  const auto shape = [](const Groups& groups) {
    return std::tuple(groups.first, groups.second.size(), groups.second.front().size());
  };
  std::map<decltype(shape(Groups())), std::int64_t> alike;
  for (const auto& [groups, sizes] : wanted) ++alike[shape(groups)];
  std::map<std::pair<CollectiveKind, std::vector<std::int64_t>>, Groups> first;
  std::map<Groups, Groups> known;
  for (const auto& [groups, sizes] : wanted) {
    const bool may_have =
        groups.first != CollectiveKind::point_to_point && alike[shape(groups)] > 1;
    known[groups] =
        may_have ? first.try_emplace({groups.first, routes_mark(network, groups.second)}, groups)
                       .first->second
                 : groups;
  }
  return known;
}

}  // namespace

TraceCalls::TraceCalls(const TraceItems& items, const Network& network, const TraceAsked& asked)
    : items_(items),
      ranks_(network.ranks()),
      calls_of_(static_cast<std::size_t>(items.count()), -1) {
  gather();
  price(network, asked);
}

std::optional<TraceCalls::Key> TraceCalls::key_of(const TraceItem& item) const {
  const TraceNode& node = items_.node(item);
  if (node.bytes == 0) return std::nullopt;
  if (node.kind == TraceKind::send && node.peer != item.rank)
    return Key{CollectiveKind::point_to_point, node.group.value_or(-1), node.bytes};
  if (node.kind != TraceKind::collective) return std::nullopt;
  const std::int64_t ranks = std::ssize(items_.collective(item).members);
  if (ranks < 2) return std::nullopt;
  return Key{node.collective, -1, size_of(node.collective, node.bytes, ranks)};
}

RankGroup TraceCalls::group_of(const TraceItem& item) const {
  if (item.collective >= 0) return items_.collective(item).members;
  return {item.rank, items_.node(item).peer};
}

// In the first round that has room for it.
TraceCalls::Place TraceCalls::place(std::vector<Round>& rounds, const RankGroup& group,
                                    bool is_message) const {
  const auto fits = [&](const Round& round) {
    if (round.groups.front().size() != group.size()) return false;
    const auto is_busy = [&](std::int32_t rank) {
      return round.busy_from[static_cast<std::size_t>(rank)];
    };
    return is_message ? !is_busy(group[0]) && !round.busy_to[static_cast<std::size_t>(group[1])]
                      : std::ranges::none_of(group, is_busy);
  };
  auto round = std::ranges::find_if(rounds, fits);
  if (round == rounds.end()) {
    const auto ranks = static_cast<std::size_t>(ranks_);
    rounds.push_back({.groups = {},
                      .made = {},
                      .busy_from = std::vector<bool>(ranks, false),
                      .busy_to = std::vector<bool>(is_message ? ranks : 0, false)});
    round = rounds.end() - 1;
  }
  if (is_message) {
    round->busy_from[static_cast<std::size_t>(group[0])] = true;
    round->busy_to[static_cast<std::size_t>(group[1])] = true;
  } else {
    for (const std::int32_t rank : group) round->busy_from[static_cast<std::size_t>(rank)] = true;
  }
  round->groups.push_back(group);
  return {static_cast<std::size_t>(round - rounds.begin()), round->groups.size() - 1};
}

void TraceCalls::gather() {
  std::map<std::pair<Key, RankGroup>, Place> places;
  for (const std::int32_t number : items_.order()) {
    const TraceItem& item = items_.item(number);
    const auto key = key_of(item);
    if (!key) continue;
    const RankGroup group = group_of(item);
    std::vector<Round>& rounds = rounds_[*key];
    const auto [found, is_new] = places.try_emplace({*key, group});
    if (is_new) found->second = place(rounds, group, key->kind == CollectiveKind::point_to_point);
    Made& made = rounds[found->second.round].made;
    made.items.push_back(number);
    ++made.of_group[found->second.group];
  }
}

// Calls of the same groups, that differ in their sizes, are priced at once.
void TraceCalls::price(const Network& network, const TraceAsked& asked) {
  const GroupPrices prices(std::make_shared<const Network>(network), price_options(asked.prices));
  const auto sorted = [](std::vector<RankGroup> groups) {  // not in the order of their calls
    std::ranges::sort(groups);
    return groups;
  };
  WantedByGroups asked_of;
  for (const auto& [key, rounds] : rounds_)
    for (const Round& round : rounds)
      asked_of[{key.kind, sorted(round.groups)}].of_sizes[key.size_B];
  const auto stands_for = stand_ins(asked_of, network);
  WantedByGroups priced;
  for (const auto& [groups, wanted] : asked_of)
    priced[stands_for.at(groups)].of_sizes.insert(wanted.of_sizes.begin(), wanted.of_sizes.end());
  for (auto& [groups, wanted] : priced) {
    std::vector<std::int64_t> sizes_B;
    for (const auto& [size_B, price] : wanted.of_sizes) sizes_B.push_back(size_B);
    for (GroupPrice& price : prices.price(groups.first, sizes_B, groups.second))
      wanted.of_sizes[price.size_B] = std::move(price);
  }
  for (const auto& [key, rounds] : rounds_)
    for (const Round& round : rounds) {
      std::int64_t uses = 0;
      for (const auto& [group, of_group] : round.made.of_group) uses = std::max(uses, of_group);
      times_made_.push_back(static_cast<double>(round.made.items.size()) /
                            static_cast<double>(round.groups.size()));
      for (const std::int32_t item : round.made.items)
        calls_of_[item] = static_cast<std::int32_t>(calls_.size());
      const Groups& groups = stands_for.at({key.kind, sorted(round.groups)});
      calls_.push_back({priced.at(groups).of_sizes.at(key.size_B),
                        {.kind = key.kind, .size_B = key.size_B},
                        uses});
    }
}

std::optional<std::map<std::string, double>> TraceCalls::class_bytes() const {
  std::map<std::string, double> all;
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (!calls_[i].class_bytes) return std::nullopt;
    for (const auto& [name, bytes] : *calls_[i].class_bytes) all[name] += times_made_[i] * bytes;
  }
  return all;
}

}  // namespace weft::question
