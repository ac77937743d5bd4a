#include "weft/training/trace/trace_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::training {

namespace {

using format::TraceNode;

// Who makes collectives of a kind at once, and their prices by size.
using GroupCall = std::pair<CollectiveKind, Callers>;
using Wanted = std::map<GroupCall, std::map<std::int64_t, GroupPrice>>;

std::vector<RankGroup> all_of(const Callers& callers) {
  std::vector<RankGroup> all = callers.groups;
  all.insert(all.end(), callers.beside.begin(), callers.beside.end());
  return all;
}

// Of groups that are images of each other the first ones stand for all, as in a step, so that what
// is built for them serves all.
std::map<GroupCall, GroupCall> stand_ins(const Wanted& wanted, const Network& network) {
  const auto shape = [](const GroupCall& asked) {
    WEFT_ASSERT(!asked.second.groups.empty());
    const Callers& callers = asked.second;
    return std::tuple(asked.first, callers.groups.size(), callers.beside.size(),
                      callers.groups.front().size());
  };
  std::map<decltype(shape(GroupCall())), std::int64_t> alike;
  for (const auto& [asked, sizes] : wanted) ++alike[shape(asked)];
  std::map<std::pair<decltype(shape(GroupCall())), std::vector<std::int64_t>>, GroupCall> first;
  std::map<GroupCall, GroupCall> known;
  for (const auto& [asked, sizes] : wanted) {
    const bool may_have = alike[shape(asked)] > 1;
    known[asked] =
        may_have
            ? first.try_emplace({shape(asked), routes_mark(network, all_of(asked.second))}, asked)
                  .first->second
            : asked;
  }
  return known;
}

}  // namespace

TraceCalls::TraceCalls(const TraceItems& items, const Network& network, const TraceQuestion& asked)
    : items_(items),
      ranks_(network.ranks()),
      calls_of_(static_cast<std::size_t>(items.count()), -1) {
  gather();
  price(network, asked);
}

std::optional<CollectiveKind> TraceCalls::kind_of(const TraceItem& item) const {
  if (item.collective < 0 || items_.node(item).bytes == 0) return std::nullopt;
  if (items_.collective(item).members.size() < 2) return std::nullopt;
  return items_.node(item).collective;
}

// As --size counts it, of what a rank brings.
std::int64_t TraceCalls::size_of(const TraceItem& item) const {
  const TraceNode& node = items_.node(item);
  const schedule::CollectiveTraits& traits = schedule::traits_of(node.collective);
  const bool in_parts = traits.by_pair() || (traits.from_root() && traits.splits());
  if (!in_parts) return node.bytes;
  const std::int64_t ranks = std::ssize(items_.collective(item).members);
  return node.bytes / ranks + (node.bytes % ranks > 0 ? 1 : 0);
}

// In the first round that has room for it.
TraceCalls::Place TraceCalls::place(std::vector<Round>& rounds, const RankGroup& group) const {
  const auto fits = [&](const Round& round) {
    return round.groups.front().size() == group.size() &&
           std::ranges::none_of(group, [&](std::int32_t rank) {
             return round.busy[static_cast<std::size_t>(rank)];
           });
  };
  auto round = std::ranges::find_if(rounds, fits);
  if (round == rounds.end()) {
    rounds.push_back({.groups = {},
                      .made = {},
                      .busy = std::vector<bool>(static_cast<std::size_t>(ranks_), false)});
    round = rounds.end() - 1;
  }
  for (const std::int32_t rank : group) round->busy[static_cast<std::size_t>(rank)] = true;
  round->groups.push_back(group);
  return {static_cast<std::size_t>(round - rounds.begin()), round->groups.size() - 1};
}

void TraceCalls::gather() {
  std::map<std::pair<CollectiveKind, RankGroup>, Place> places;
  for (const std::int32_t number : items_.order()) {
    const TraceItem& item = items_.item(number);
    const auto kind = kind_of(item);
    if (!kind) continue;
    const RankGroup& group = items_.collective(item).members;
    std::vector<Round>& rounds = rounds_[*kind];
    const auto [found, is_new] = places.try_emplace({*kind, group});
    if (is_new) found->second = place(rounds, group);
    Made& made = rounds[found->second.round].made[size_of(item)];
    made.items.push_back(number);
    ++made.of_group[found->second.group];
  }
}

// In an order that is not that of their calls.
Callers TraceCalls::callers(const Round& round, const Made& made) {
  Callers found;
  for (std::size_t i = 0; i < round.groups.size(); ++i)
    (made.of_group.contains(i) ? found.groups : found.beside).push_back(round.groups[i]);
  std::ranges::sort(found.groups);
  std::ranges::sort(found.beside);
  return found;
}

// Calls of the same groups, that differ in their sizes, are priced at once.
void TraceCalls::price(const Network& network, const TraceQuestion& asked) {
  const GroupPrices prices(std::make_shared<const Network>(network), price_options(asked.prices));
  struct Call {
    GroupCall asked;
    std::int64_t size_B;
    const Made* made;
  };
  std::vector<Call> all;
  Wanted wanted;
  for (const auto& [kind, rounds] : rounds_)
    for (const Round& round : rounds)
      for (const auto& [size_B, made] : round.made) {
        all.push_back({{kind, callers(round, made)}, size_B, &made});
        wanted[all.back().asked][size_B];
      }
  const auto stands_for = stand_ins(wanted, network);
  Wanted priced;
  for (const auto& [callers, sizes] : wanted)
    priced[stands_for.at(callers)].insert(sizes.begin(), sizes.end());
  const auto first_of = [&](const GroupCall& asked_for) -> const TraceItem& {
    const auto call = std::ranges::find_if(
        all, [&](const Call& each) { return stands_for.at(each.asked) == asked_for; });
    return items_.item(call->made->items.front());
  };
  for (auto& [of, sizes] : priced) {
    std::vector<std::int64_t> sizes_B;
    for (const auto& [size_B, price] : sizes) sizes_B.push_back(size_B);
    try {
      for (GroupPrice& price : prices.price(of.first, sizes_B, of.second.groups, of.second.beside))
        sizes[price.size_B] = std::move(price);
    } catch (const InvalidInput& error) {
      const TraceItem& item = first_of(of);
      reject("{}: {}", items_.place(item.rank, item.node), error.what());
    }
  }
  for (const Call& call : all) {
    std::int64_t uses = 0;
    for (const auto& [group, of_group] : call.made->of_group) uses = std::max(uses, of_group);
    times_made_.push_back(static_cast<double>(call.made->items.size()) /
                          static_cast<double>(call.asked.second.groups.size()));
    for (const std::int32_t item : call.made->items)
      calls_of_[item] = static_cast<std::int32_t>(calls_.size());
    calls_.push_back({priced.at(stands_for.at(call.asked)).at(call.size_B),
                      {.kind = call.asked.first, .size_B = call.size_B},
                      uses});
  }
}

std::optional<ClassBytes> TraceCalls::class_bytes() const {
  WEFT_ASSERT(times_made_.size() == calls_.size());
  ClassBytes all;
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (!calls_[i].class_bytes) return std::nullopt;
    for (const auto& [name, bytes] : *calls_[i].class_bytes) all[name] += times_made_[i] * bytes;
  }
  return all;
}

}  // namespace weft::training
