#include "weft/schedule/transforms.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/action.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/most_messages.hpp"

namespace weft::schedule {

namespace {

ScheduleOptions options_of(const Schedule& schedule) {
  return {.algorithm = schedule.algorithm(),
          .units_per_block = schedule.units_per_block(),
          .helpers = schedule.helpers(),
          .symmetry = schedule.symmetry(),
          .segments = schedule.segments(),
          .binding = schedule.binding()};
}

// Copies all explicit routes, each through `link_of`, so that route ids stay.
void copy_routes(const Schedule& from, ScheduleBuilder& to,
                 const std::function<LinkId(LinkId)>& link_of) {
  for (const RouteId route : ids<RouteId>(from.route_count())) {
    std::vector<LinkId> links;
    for (LinkId link : from.route(route)) links.push_back(link_of(link));
    to.add_route(links);
  }
}

// The pieces of a message under a group element.
std::vector<Piece> translated(const Schedule& schedule, std::int32_t element,
                              std::span<const Piece> pieces) {
  std::vector<Piece> result;
  for (const Piece& piece : pieces)
    translate(schedule, element, piece, [&](Piece image) { result.push_back(image); });
  return result;
}

// The action that explicit routes need under a symmetry. Throws InvalidInput.
std::optional<LinkAction> action_of_routes(const Schedule& schedule, const Topology* topology) {
  if (schedule.route_count() == 0 || schedule.symmetry().is_trivial()) return std::nullopt;
  require(topology != nullptr,
          "explicit routes can move under a symmetry only with their topology ({})",
          schedule.binding().topology);
  auto action = LinkAction::of(schedule.symmetry(), schedule.binding().nodes, *topology);
  require(action.has_value(), "the symmetry {} of the schedule is not a symmetry of {}",
          schedule.symmetry().group().text(), topology->name());
  return action;
}

// The block of a pair (s, d) becomes that of (d, s); the blocks of other collectives stay.
std::vector<Piece> transposed_pieces(const Schedule& schedule, std::span<const Piece> pieces) {
  if (!traits_of(schedule.collective().kind).by_pair()) return {pieces.begin(), pieces.end()};
  const std::int64_t n = schedule.collective().ranks, units = schedule.units_per_block();
  std::vector<Piece> result;
  for (const Piece& piece : pieces)
    for (std::int64_t unit = piece.first; unit < piece.end();) {
      const std::int64_t block = unit / units;
      const std::int64_t count = std::min(piece.end(), (block + 1) * units) - unit;
      result.push_back({(block % n * n + block / n) * units + unit % units, count});
      unit += count;
    }
  return result;
}

Collective concatenated(const Collective& first, const Collective& second) {
  using Kind = CollectiveKind;
  const bool same_root = first.root == second.root;
  const auto are = [&](Kind a, Kind b) { return first.kind == a && second.kind == b; };
  require(first.ranks == second.ranks, "schedules of {} and {} ranks cannot run one after another",
          first.ranks, second.ranks);
  if (are(Kind::reduce_scatter, Kind::allgather)) return allreduce(first.ranks);
  if (are(Kind::reduce, Kind::broadcast) && same_root) return allreduce(first.ranks);
  if (are(Kind::scatter, Kind::allgather)) return broadcast(first.ranks, first.root);
  if (are(Kind::gather, Kind::broadcast) && same_root) return allgather(first.ranks);
  reject(
      "{} and then {} do not make a collective; use reduce-scatter + allgather, reduce + "
      "broadcast, scatter + allgather or gather + broadcast",
      name_of(first.kind), name_of(second.kind));
}

Schedule expanded_unless(bool keep, const Schedule& schedule) {
  return keep ? schedule : expand_symmetry(schedule);
}

// Writes the messages of `schedule`, its units scaled and shifted within each block, from
// `first_step` on.
struct UnitMap {
  std::int64_t scale = 1, offset = 0, units_per_block = 1;
};
void append(const Schedule& schedule, const UnitMap& map, std::int64_t first_step,
            ScheduleBuilder& builder) {
  const std::int32_t first_route = [&] {
    std::int32_t first = -1;
    for (const RouteId route : ids<RouteId>(schedule.route_count())) {
      const RouteId added = builder.add_route(schedule.route(route));
      if (first < 0) first = added.value();
    }
    return first;
  }();
  const std::int64_t units = schedule.units_per_block();
  WEFT_ASSERT(map.scale >= 1 && map.offset + units * map.scale <= map.units_per_block);
  std::vector<Piece> pieces;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      pieces.clear();
      for (const Piece& piece : schedule.pieces(m)) {
        if (map.scale * units == map.units_per_block) {  // whole blocks stay neighbours
          pieces.push_back({piece.first * map.scale, piece.count * map.scale});
          continue;
        }
        for (std::int64_t unit = piece.first; unit < piece.end();) {
          const std::int64_t block = unit / units;
          const std::int64_t count = std::min(piece.end(), (block + 1) * units) - unit;
          pieces.push_back({block * map.units_per_block + map.offset + unit % units * map.scale,
                            count * map.scale});
          unit += count;
        }
      }
      const Message& message = schedule.message(m);
      const RouteId route =
          message.route == kRouted ? kRouted : RouteId(message.route.value() + first_route);
      builder.at(first_step + t).send(message.from, message.to, pieces, message.arrival, route);
    }
}

// Explicit routes and helpers hold on one network and placement only.
void require_same_places(const Schedule& a, const Schedule& b) {
  const bool anywhere = a.route_count() + b.route_count() + a.helpers() == 0;
  require(anywhere || a.binding() == b.binding(),
          "schedules with explicit routes or helpers on {} and on {} cannot be joined (they "
          "need one network and one placement)",
          a.binding().topology, b.binding().topology);
}

void require_permutation(std::span<const Agent> image, std::int32_t ranks) {
  std::vector<bool> taken(image.size(), false);
  for (std::size_t a = 0; a < image.size(); ++a) {
    const bool in_range = image[a].value() >= 0 && image[a].index() < image.size();
    require(in_range && !taken[image[a].index()] &&
                (image[a].value() < ranks) == (a < static_cast<std::size_t>(ranks)),
            "the image of agent {} is {}: not a permutation of the ranks (and of the helpers)", a,
            image[a].value());
    taken[image[a].index()] = true;
  }
}

bool same_symmetries(std::span<const Share> shares) {
  return std::all_of(shares.begin(), shares.end(), [&](const Share& share) {
    return share.schedule.symmetry() == shares[0].schedule.symmetry();
  });
}

void check_shares(std::span<const Share> shares) {
  require(!shares.empty(), "there are no schedules to merge");
  Rational sum;
  for (const auto& [schedule, share] : shares) {
    require(share > 0, "a share of {} is not above 0", to_string(share));
    require(schedule.collective() == shares[0].schedule.collective(),
            "schedules of different collectives cannot be merged");
    require(schedule.segments() == shares[0].schedule.segments(),
            "schedules with different segments cannot be merged");
    require(schedule.helpers() == shares[0].schedule.helpers(),
            "schedules with different helpers cannot be merged");
    require_same_places(shares[0].schedule, schedule);
    sum += share;
  }
  require(sum == 1, "shares add up to {}, not 1", to_string(sum));
}

}  // namespace

Schedule without_routes(const Schedule& schedule) {
  ScheduleBuilder builder(schedule.collective(), options_of(schedule));
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const Message& message = schedule.message(m);
      builder.at(t).send(message.from, message.to, schedule.pieces(m), message.arrival);
    }
  Schedule routed = std::move(builder).build();
  WEFT_ASSERT(routed.stored_messages() == schedule.stored_messages());
  return routed;
}

Schedule expand_symmetry(const Schedule& schedule, const Topology* topology) {
  const Symmetry& symmetry = schedule.symmetry();
  if (symmetry.is_trivial()) return schedule;
  require_holdable(schedule.message_count() / schedule.segments().count);
  const auto action = action_of_routes(schedule, topology);
  ScheduleOptions options = options_of(schedule);
  options.symmetry = {};
  ScheduleBuilder builder(schedule.collective(), std::move(options));
  const auto route_of = [&](RouteId route, std::int32_t g) {
    if (route == kRouted) return route;
    std::vector<LinkId> links;
    for (const LinkId link : schedule.route(route)) links.push_back(action->translate(g, link));
    return builder.add_route(links);
  };
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m)
      for (std::int32_t g = 0; g < symmetry.order(); ++g) {
        const Message& message = schedule.message(m);
        builder.at(t).send(symmetry.apply(g, message.from), symmetry.apply(g, message.to),
                           translated(schedule, g, schedule.pieces(m)), message.arrival,
                           route_of(message.route, g));
      }
  Schedule expanded = std::move(builder).build();
  WEFT_ASSERT(expanded.message_count() == schedule.message_count());
  return expanded;
}

namespace {

// By which element a transposed message moves, so that a representative sends it.
std::int32_t back_to_representative(const Schedule& schedule, const Message& message) {
  const Symmetry& symmetry = schedule.symmetry();
  return symmetry.inverse(symmetry.element(message.to));
}

// Explicit routes backwards, with their ids: each moves as the messages do that take it, all of
// which end at its end.
void transpose_routes(const Schedule& schedule, const Topology* topology,
                      ScheduleBuilder& builder) {
  require(schedule.route_count() == 0 || topology != nullptr,
          "explicit routes can be transposed only with their topology");
  const auto action = action_of_routes(schedule, topology);
  std::vector<std::int32_t> backs(schedule.route_count(), 0);
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
    if (const Message& message = schedule.message(m); message.route != kRouted)
      backs[message.route.index()] = back_to_representative(schedule, message);
  for (const RouteId route : ids<RouteId>(schedule.route_count())) {
    std::vector<LinkId> links;
    for (const LinkId link : schedule.route(route)) {
      const auto reverse = topology->reverse(link);
      require(reverse.has_value(), "link {} is one-way, so a route over it has no transpose",
              link.value());
      links.push_back(action ? action->translate(backs[route.index()], *reverse) : *reverse);
    }
    std::reverse(links.begin(), links.end());
    builder.add_route(links);
  }
}

}  // namespace

Schedule transpose(const Schedule& schedule, const Topology* topology) {
  Collective collective = schedule.collective();
  const auto kind = transposed(collective.kind);
  require(kind.has_value(),
          "an {} has no transpose; transpose its reduce-scatter and its allgather",
          name_of(collective.kind));
  const bool toggles = collective.reduces() != Collective{*kind, collective.ranks}.reduces();
  collective.kind = *kind;
  if (traits_of(*kind).between_two()) std::swap(collective.root, collective.peer);

  ScheduleBuilder builder(collective, options_of(schedule));
  transpose_routes(schedule, topology, builder);
  const Symmetry& symmetry = schedule.symmetry();
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const Message& message = schedule.message(m);
      const bool reduces = (message.arrival == Arrival::reduce) != toggles;
      if (message.from == message.to && reduces) continue;  // a copy to oneself changes nothing
      const std::int32_t back = back_to_representative(schedule, message);
      builder.at(schedule.stored_steps() - 1 - t)
          .send(symmetry.apply(back, message.to), symmetry.apply(back, message.from),
                transposed_pieces(schedule, translated(schedule, back, schedule.pieces(m))),
                reduces ? Arrival::reduce : Arrival::copy, message.route);
    }
  return std::move(builder).build();
}

Schedule concatenate(const Schedule& first, const Schedule& second) {
  const Collective collective = concatenated(first.collective(), second.collective());
  require(first.segments() == second.segments(),
          "schedules with different segments cannot run one after another");
  require(first.helpers() == second.helpers(),
          "schedules with different helpers cannot run one after another");
  require_same_places(first, second);
  const bool keep = first.symmetry() == second.symmetry() && !collective.rooted();
  const Schedule a = expanded_unless(keep, first), b = expanded_unless(keep, second);

  const std::int64_t units = std::lcm(a.units_per_block(), b.units_per_block());
  ScheduleOptions options = options_of(a);
  options.units_per_block = units;
  if (b.algorithm() != a.algorithm()) options.algorithm = a.algorithm() + " + " + b.algorithm();
  ScheduleBuilder builder(collective, std::move(options));
  append(a, {units / a.units_per_block(), 0, units}, 0, builder);
  append(b, {units / b.units_per_block(), 0, units}, a.stored_steps(), builder);
  return std::move(builder).build();
}

Schedule relabel(const Schedule& schedule, std::span<const Agent> image,
                 std::span<const LinkId> link_image) {
  const std::int32_t ranks = schedule.collective().ranks;
  require(image.size() == static_cast<std::size_t>(schedule.agents()),
          "{} images are given for {} agents", image.size(), schedule.agents());
  require_permutation(image, ranks);
  const Schedule plain = expand_symmetry(schedule);
  Collective collective = plain.collective();
  const auto rank_image = [&](Rank rank) { return Rank(image[rank.index()].value()); };
  const CollectiveTraits& traits = traits_of(collective.kind);
  require(traits.contributors == nullptr || std::ranges::is_sorted(image),
          "the results of a {} depend on the numbers of the ranks", name_of(collective.kind));
  if (collective.rooted()) collective.root = rank_image(collective.root);
  if (traits.between_two()) collective.peer = rank_image(collective.peer);
  const auto block_image = [&](std::int64_t block) -> std::int64_t {
    if (traits.between_two()) return block;
    if (!traits.by_pair()) return image[block].value();
    return std::int64_t{image[block / ranks].value()} * ranks + image[block % ranks].value();
  };

  ScheduleOptions options = options_of(plain);
  if (link_image.empty())
    for (std::size_t a = 0; a < plain.binding().nodes.size(); ++a)
      options.binding.nodes[image[a].index()] = plain.binding().nodes[a];
  ScheduleBuilder builder(collective, std::move(options));
  copy_routes(plain, builder, [&](LinkId link) {
    if (link_image.empty()) return link;
    require(link.value() >= 0 && link.index() < link_image.size(),
            "link {} of an explicit route has no image ({} are given)", link.value(),
            link_image.size());
    return link_image[link.index()];
  });
  const std::int64_t units = plain.units_per_block();
  std::vector<Piece> pieces;
  for (std::int64_t t = 0; t < plain.stored_steps(); ++t)
    for (std::int64_t m = plain.first_message(t); m < plain.first_message(t + 1); ++m) {
      pieces.clear();
      for (const Piece& piece : plain.pieces(m))
        for (std::int64_t unit = piece.first; unit < piece.end();) {
          const std::int64_t count = std::min(piece.end(), (unit / units + 1) * units) - unit;
          pieces.push_back({block_image(unit / units) * units + unit % units, count});
          unit += count;
        }
      const Message& message = plain.message(m);
      builder.at(t).send(image[message.from.index()], image[message.to.index()], pieces,
                         message.arrival, message.route);
    }
  return std::move(builder).build();
}

Schedule merge(std::span<const Share> shares) {
  check_shares(shares);
  const bool keep = same_symmetries(shares);

  // The least units per block in which every share is whole: lcm of denominator(share / units of
  // its schedule).
  std::int64_t units = 1;
  for (const auto& [schedule, share] : shares) {
    const std::int64_t needed = (share / schedule.units_per_block()).denominator();
    units = checked_mul(units / std::gcd(units, needed), needed);
    require(units <= kMaxUnitsPerBlock, "the shares need more than {} units per block",
            kMaxUnitsPerBlock);
  }
  ScheduleOptions options = options_of(shares[0].schedule);
  options.units_per_block = units;
  if (!keep) options.symmetry = {};
  ScheduleBuilder builder(shares[0].schedule.collective(), std::move(options));
  std::int64_t offset = 0;
  for (const auto& [schedule, share] : shares) {
    const std::int64_t scale = (share * units / schedule.units_per_block()).numerator();
    append(expanded_unless(keep, schedule), {scale, offset, units}, 0, builder);
    offset += scale * schedule.units_per_block();
  }
  WEFT_ASSERT(offset == units);  // the shares cover every block
  return std::move(builder).build();
}

}  // namespace weft::schedule
