// What a collective costs: the groups fall into parties that share links, each party takes the
// schedule that is fastest for it, and the slowest party counts.
#include "weft/training/prices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/fields/workspace.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/training/any_network.hpp"
#include "weft/training/least.hpp"
#include "weft/training/schedules/schedules.hpp"
#include "weft/training/unequal.hpp"

namespace weft::training {

namespace {

Collective collective_of(CollectiveKind kind, std::int32_t ranks) {
  return schedule::traits_of(kind).between_two() ? schedule::point_to_point(2, Rank(0), Rank(1))
                                                 : Collective{.kind = kind, .ranks = ranks};
}

Pairs pairs_of(CollectiveKind kind) {
  return schedule::traits_of(kind).between_two() ? Pairs::first_to_second : Pairs::all;
}

// The slowest party's time.
template <class Timed>
void take(GroupPrice& price, const Timed& timed) {
  if (timed.time_s <= price.time_s && !price.schedule.empty()) return;
  price.time_s = timed.time_s;
  price.schedule = timed.schedule;
  price.segments = timed.segments;
}

// Beyond what the model rounds to the bound or the time is wrong.
void hold_against_bound(GroupPrice& price, const simulation::SimulationOptions& simulation) {
  const double rounding = rounding_of(simulation.model);
  WEFT_ASSERT(price.least_s <= price.time_s * (1 + rounding));
  if (price.least_s <= price.time_s * (1 + rounding))
    price.least_s = std::min(price.least_s, price.time_s);
}

// All-to-alls at the throughput, which has no start-ups and no latency; the bytes are those of the
// flow that reaches it.
void take_flow(std::vector<GroupPrice>& prices, const Optimum& best, const Network& group,
               std::int64_t images) {
  const Collective collective = schedule::alltoall(group.ranks());
  const auto& loads = std::get<flow::Throughput>(best.certificate).loads;
  const double factor = best.bandwidth_factor ? best.bandwidth_factor->to_double()
                                              : best.reached.value_or(best.least);
  for (GroupPrice& price : prices) {
    price.time_s =
        std::max(price.time_s, time_of_factor_s(factor, collective, group, price.size_B));
    price.least_s =
        std::max(price.least_s, time_of_factor_s(best.least, collective, group, price.size_B));
    price.schedule = algorithm::made_by(algorithm::Making::optimal_paths).name;
    add_bytes(*price.class_bytes, class_bytes(loads, group.topology()),
              static_cast<double>(images) * static_cast<double>(price.size_B));
  }
}

// Of several groups each throughput counts all links that its flow takes as its own.
void require_own_links(const Optimum& best, const OwnLinks& links, std::size_t together,
                       std::int64_t groups) {
  require(together == 1 && links.hold(std::get<flow::Throughput>(best.certificate).loads),
          "--alltoall flow gives the throughput of a single group, but some of these {} groups "
          "share links; use schedules instead of flow, or groups isolated",
          groups);
}

std::string text_of(std::span<const RankGroup> groups, std::size_t callers) {
  std::string text;
  for (const RankGroup& group : groups) text += fmt::format("{};", fmt::join(group, ","));
  return fmt::format("{} first of {}", callers, text);
}

void note_once(std::vector<std::string>& names, const std::vector<std::string>& more) {
  for (const std::string& name : more)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

PriceOptions price_options(const TrainingQuestion& asked) {
  return {.algorithms = asked.algorithms,
          .algorithm = asked.algorithm,
          .simulation = asked.simulation,
          .flow_alltoall = asked.flow_alltoall,
          .isolated = asked.isolated};
}

double rounding_of(simulation::Model model) {
  return simulation::by_packets(model) ? 1e-4 : 1e-9;
}

ClassBytes class_bytes(const std::vector<double>& link_bytes, const Topology& topology) {
  WEFT_ASSERT(std::ssize(link_bytes) == topology.link_count());
  ClassBytes bytes;
  for (const LinkId link : topology.links())
    if (const double each = link_bytes[link.index()]; each > 0)
      bytes[topology.class_names()[topology.link_class(link)]] += each;
  return bytes;
}

void add_bytes(ClassBytes& bytes, const ClassBytes& more, double times) {
  for (const auto& [name, each] : more) bytes[name] += times * each;
}

// Even ones by all sizes at once, which share what is built for them.
struct GroupPrices::Known {
  static constexpr std::size_t kMost = 256;
  fields::SharedCache<std::vector<GroupPrice>> even{kMost};
  fields::SharedCache<std::vector<Fastest>> parties{kMost};
  fields::SharedCache<LowerBounds> bounds{kMost};
  fields::SharedCache<GroupPrice> unequal{kMost};
  fields::SharedCache<Optimum> throughputs{kMost};
};

GroupPrices::GroupPrices(std::shared_ptr<const Network> network, PriceOptions options)
    : network_(std::move(network)),
      options_(std::move(options)),
      known_(std::make_unique<Known>()) {
  WEFT_ASSERT(network_ != nullptr);
}

GroupPrices::~GroupPrices() = default;

GroupPrices::All::All(std::span<const RankGroup> calling, std::span<const RankGroup> beside)
    : groups(calling.begin(), calling.end()), callers(calling.size()) {
  groups.insert(groups.end(), beside.begin(), beside.end());
}

bool GroupPrices::priced_apart() const {
  return options_.isolated || options_.simulation.model == simulation::Model::alpha_beta;
}

std::vector<GroupPrice> GroupPrices::price(CollectiveKind kind,
                                           std::span<const std::int64_t> sizes_B,
                                           std::span<const RankGroup> groups,
                                           std::span<const RankGroup> beside) const {
  WEFT_ASSERT(!groups.empty());
  WEFT_ASSERT(groups.front().size() >= 2 &&
              std::ranges::all_of(groups, [&](const RankGroup& group) {
                return group.size() == groups.front().size();
              }));
  const All all(groups, beside);
  std::vector<std::int64_t> sizes(sizes_B.begin(), sizes_B.end());
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  const auto found =
      known_->even.get(fmt::format("{} at {} of {}", name_of(kind), fmt::join(sizes, ","),
                                   text_of(all.groups, all.callers)),
                       [&] { return priced(kind, sizes, all); });
  std::vector<GroupPrice> prices;
  for (const std::int64_t size_B : sizes_B)
    prices.push_back(*std::ranges::find(*found, size_B, &GroupPrice::size_B));
  return prices;
}

std::vector<GroupPrice> GroupPrices::priced(CollectiveKind kind,
                                            const std::vector<std::int64_t>& sizes_B,
                                            const All& all) const {
  auto prices =
      priced(kind, sizes_B, all,
             link_sharers_of(*network_, all.groups, all.callers, pairs_of(kind), priced_apart()));
  // Where every schedule leads over links of other groups: all groups at once.
  std::vector<std::int64_t> astray_B;
  for (const GroupPrice& price : prices)
    if (price.time_s == INFINITY) astray_B.push_back(price.size_B);
  if (astray_B.empty()) return prices;
  LinkSharers one{.groups = {}, .callers = all.callers};
  for (std::size_t i = 0; i < all.groups.size(); ++i) one.groups.push_back(i);
  for (GroupPrice& price : priced(kind, astray_B, all, {one}))
    *std::ranges::find(prices, price.size_B, &GroupPrice::size_B) = std::move(price);
  return prices;
}

std::shared_ptr<const Optimum> GroupPrices::throughput_of(const RankGroup& group) const {
  constexpr double kNoLimit_s = 1e8;  // a busy machine finds the same
  return known_->throughputs.get(fmt::format("{}", fmt::join(group, ",")), [&] {
    return evaluate::optimum(schedule::alltoall(static_cast<std::int32_t>(group.size())),
                             network_of(*network_, group), {.time_limit_s = kNoLimit_s});
  });
}

GroupPrice GroupPrices::price_unequal(const std::vector<std::int64_t>& parts_B, bool back,
                                      std::span<const RankGroup> groups,
                                      std::span<const RankGroup> beside) const {
  WEFT_ASSERT(!groups.empty() && parts_B.size() == groups.front().size());
  const All all(groups, beside);
  return *known_->unequal.get(
      fmt::format("{} {} of {}", back, fmt::join(parts_B, ","), text_of(all.groups, all.callers)),
      [&] { return priced_unequal(parts_B, back, all); });
}

GroupPrice GroupPrices::priced_unequal(const std::vector<std::int64_t>& parts_B, bool back,
                                       const All& all) const {
  constexpr std::size_t kMostSent = 512;  // ranks, whose messages are written out one by one
  require(options_.flow_alltoall || parts_B.size() <= kMostSent,
          "an unequal all-to-all of {} ranks is too large to simulate (at most {} ranks); use "
          "alltoall flow",
          parts_B.size(), kMostSent);
  const UnequalParts parts{parts_B, back};
  GroupPrice price{.size_B = *std::ranges::max_element(parts_B),
                   .ranks = static_cast<std::int32_t>(parts_B.size()),
                   .groups = static_cast<std::int64_t>(all.callers),
                   .class_bytes = ClassBytes()};
  for (const LinkSharers& party :
       link_sharers_of(*network_, all.groups, all.callers, Pairs::all, priced_apart())) {
    if (party.callers == 0) continue;
    std::vector<RankGroup> members;
    std::vector<Network> networks;
    for (const std::size_t i : party.groups) {
      members.push_back(all.groups[i]);
      networks.push_back(network_of(*network_, all.groups[i]));
    }
    price.together = std::max(price.together, std::ssize(party.groups));
    if (options_.flow_alltoall) {
      const auto best = throughput_of(all.groups[party.groups.front()]);
      if (all.groups.size() > 1 && !priced_apart())
        require_own_links(*best, {links_of(*network_, members, Pairs::all)}, networks.size(),
                          price.groups);
      price.time_s = std::max(price.time_s, flow_unequal_s(parts, *best, networks.front()));
      price.least_s = price.time_s;
      price.schedule = algorithm::made_by(algorithm::Making::optimal_paths).name + ", by prices";
      price.class_bytes.reset();
      continue;
    }
    const TimedSchedule timed = fastest_unequal(parts, networks, party.callers, options_);
    take(price, timed);
    add_bytes(*price.class_bytes, class_bytes(timed.link_bytes, network_->topology()),
              static_cast<double>(party.images));
    price.least_s =
        std::max(price.least_s, least_unequal_s(parts, networks.front(), options_.simulation));
  }
  if (!options_.flow_alltoall) hold_against_bound(price, options_.simulation);
  return price;
}

std::vector<GroupPrice> GroupPrices::priced(CollectiveKind kind,
                                            const std::vector<std::int64_t>& sizes_B,
                                            const All& all,
                                            const std::vector<LinkSharers>& parties) const {
  WEFT_ASSERT(!all.groups.empty() && !parties.empty());
  const auto ranks = static_cast<std::int32_t>(all.groups.front().size());
  std::vector<GroupPrice> prices;
  for (const std::int64_t size_B : sizes_B)
    prices.push_back({.size_B = size_B,
                      .ranks = ranks,
                      .groups = static_cast<std::int64_t>(all.callers),
                      .class_bytes = ClassBytes()});
  const Collective collective = collective_of(kind, ranks);
  const bool has_others = parties.size() > 1 || parties.front().images > 1;
  const bool by_flow = options_.flow_alltoall && kind == CollectiveKind::alltoall;
  const bool by_formula = options_.simulation.model == simulation::Model::alpha_beta;
  for (const LinkSharers& party : parties) {
    if (party.callers == 0) continue;
    std::vector<RankGroup> members;
    for (const std::size_t i : party.groups) members.push_back(all.groups[i]);
    const RankGroup& first = members.front();
    for (GroupPrice& price : prices) price.together = std::max(price.together, std::ssize(members));
    bound_for_any_network(prices, collective, network_of(*network_, first),
                          by_flow      ? Latency::left_out
                          : by_formula ? Latency::before
                                       : Latency::beside,
                          by_flow ? simulation::SizeFactor()
                                  : simulation::best_factor(options_.simulation.factors.get()));
    if (by_flow) {
      const auto best = throughput_of(first);
      if (!priced_apart())
        require_own_links(*best, own_links(kind, members, has_others), members.size(),
                          prices.front().groups);
      take_flow(prices, *best, network_of(*network_, first), party.images);
      continue;
    }
    take_fastest(prices, kind, members, party, has_others);
  }
  if (!by_flow)
    for (GroupPrice& price : prices) hold_against_bound(price, options_.simulation);
  return prices;
}

OwnLinks GroupPrices::own_links(CollectiveKind kind, const std::vector<RankGroup>& party,
                                bool has_others) const {
  if (!has_others || options_.isolated) return {};
  return {links_of(*network_, party, pairs_of(kind))};
}

void GroupPrices::take_fastest(std::vector<GroupPrice>& prices, CollectiveKind kind,
                               const std::vector<RankGroup>& members, const LinkSharers& party,
                               bool has_others) const {
  const RankGroup& first = members.front();
  WEFT_ASSERT(party.callers >= 1 && party.callers <= members.size());
  const auto callers = std::span(members).first(party.callers);
  // Whoever calls of them, all run it, which is simulated once.
  std::vector<RankGroup> sorted = members;
  std::ranges::sort(sorted);
  const BytesOf told = callers.size() == members.size() ? BytesOf::all : BytesOf::each;
  const Collective collective = collective_of(kind, prices.front().ranks);
  std::vector<std::int64_t> sizes_B;
  for (const GroupPrice& price : prices) sizes_B.push_back(price.size_B);
  const auto found = known_->parties.get(
      fmt::format("{} at {} of {}, {} {}", name_of(kind), fmt::join(sizes_B, ","),
                  text_of(sorted, sorted.size()), has_others, told == BytesOf::each),
      [&] {
        std::vector<Network> networks;
        for (const RankGroup& group : sorted) networks.push_back(network_of(*network_, group));
        return fastest(collective, networks, sizes_B, told, own_links(kind, sorted, has_others),
                       options_);
      });
  WEFT_ASSERT(found->size() == prices.size());
  for (std::size_t i = 0; i < prices.size(); ++i) {
    GroupPrice& price = prices[i];
    const Fastest& of_size = (*found)[i];
    if (of_size.time_s == INFINITY)
      price.time_s = INFINITY;
    else if (price.time_s < INFINITY)
      take(price, of_size);
    const auto add = [&](std::size_t bytes_of) {
      if (bytes_of < of_size.bytes.size())
        add_bytes(*price.class_bytes, of_size.bytes[bytes_of], static_cast<double>(party.images));
    };
    if (told == BytesOf::all)
      add(0);
    else  // a pair may stand beside itself: two stages are next to each other both ways
      for (const RankGroup& caller : callers)
        add(static_cast<std::size_t>(std::ranges::lower_bound(sorted, caller) - sorted.begin()));
    price.least_s =
        std::max(price.least_s,
                 least_time_s(*bounds_of(collective, first, of_size.combining), collective,
                              network_of(*network_, first), price.size_B, options_.simulation));
    note_once(price.not_tried, of_size.not_tried);
  }
}

std::shared_ptr<const LowerBounds> GroupPrices::bounds_of(const Collective& collective,
                                                          const RankGroup& group,
                                                          Combining combining) const {
  return known_->bounds.get(fmt::format("{} {} of {}", name_of(collective.kind),
                                        combining == Combining::in_network, fmt::join(group, ",")),
                            [&] {
                              return lower_bounds(collective, network_of(*network_, group),
                                                  Cuts::and_optimum, combining);
                            });
}

}  // namespace weft::training
