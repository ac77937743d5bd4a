// Multi-ring: a network that is made of rings through all nodes runs each of them on a share of the
// data.
//
// On a circulant whose jumps s are coprime to N every jump and direction is a one-way ring. Cut in
// as many parts as there are rings, part i of each block goes once round ring i: N - 1 steps, all
// links equally busy, (N-1)/N (ShiftedRing). With the two directions of a jump taken together, part
// i spreads from its owner both ways as in the bidirectional ring: floor(N / 2) steps, again
// (N-1)/N (ShiftedBFBRing).
// Source: Wang et al., "TopoOpt", NSDI 2023 (the networks); Zhao et al., "Efficient Direct-Connect
// Topologies for Collective Communications", sections 8.2 and 8.3.
#include <algorithm>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/grids/linear_placement.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::algorithm {

namespace {

using topology::CayleyView;
using Element = Group::Element;

/// A one-way ring: its generator, and the part of every block that goes round it.
struct Ring {
  std::int32_t generator = 0;  // index in the view
  Element forward = 0, back = 0;
};

std::vector<Ring> rings_of(const CayleyView& view) {
  const Group& group = view.group();
  std::vector<Ring> rings;
  for (std::int32_t k = 0; k < view.degree(); ++k) {
    const Element s = view.generators()[k];
    require(group.generated_order(std::span(&s, 1)) == group.order(),
            "generator {} makes rings of {} nodes, not of all {} nodes; use jumps that share no "
            "factor with the number of nodes",
            group.to_text(s), group.generated_order(std::span(&s, 1)), group.order());
    rings.push_back({k, s, group.inverse(s)});
  }
  return rings;
}

/// Each ring with one that runs the other way, every ring used once.
std::vector<std::pair<Ring, Ring>> two_way_rings(const CayleyView& view) {
  std::vector<Ring> rest = rings_of(view);
  std::vector<std::pair<Ring, Ring>> pairs;
  while (!rest.empty()) {
    const Ring ring = rest.front();
    rest.erase(rest.begin());
    const auto other = std::ranges::find(rest, ring.back, &Ring::forward);
    require(other != rest.end(),
            "generator {} has no inverse among the generators (two-way rings "
            "need both directions)",
            view.group().to_text(ring.forward));
    pairs.emplace_back(ring, *other);
    rest.erase(other);
  }
  WEFT_ASSERT(2 * std::ssize(pairs) == view.degree());  // every ring is used once
  return pairs;
}

bool has_parallel(const CayleyView& view) {
  auto sorted = view.generators();
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) != sorted.end();
}

/// Sends along generators, from the identity alone: the group's symmetry makes the others' of them.
/// Parallel links need explicit routes, which it moves too.
class RingBuilder {
 public:
  RingBuilder(const CayleyView& view, CollectiveKind kind, const char* algorithm,
              std::int64_t units_per_block)
      : arrival_(kind == CollectiveKind::allgather ? Arrival::copy : Arrival::reduce),
        builder_({.kind = kind, .ranks = view.group().order()},
                 {.algorithm = algorithm,
                  .units_per_block = units_per_block,
                  .symmetry = Symmetry(view.group())}),
        routes_(view.generators().size(), kRouted) {
    if (!has_parallel(view)) return;
    for (std::int32_t k = 0; k < view.degree(); ++k) {
      const LinkId link = view.link(view.node(0), k);
      routes_[k] = builder_.add_route(std::span(&link, 1));
    }
  }

  /// The identity sends `count` units from `first` of the block of `origin` along the ring.
  void send(std::int64_t step, const Ring& ring, Element origin, std::int64_t first,
            std::int64_t count) {
    builder_.at(step).send(Agent(0), Agent(ring.forward),
                           Piece{origin * builder_.units_per_block() + first, count}, arrival_,
                           routes_[ring.generator]);
  }
  Schedule build() && { return std::move(builder_).build(); }

 private:
  Arrival arrival_;
  ScheduleBuilder builder_;
  std::vector<RouteId> routes_;  // by generator
};

/// N - 1 steps; (N-1)/N. Every generator of the view is a one-way ring through all nodes, which its
/// elements number. In step t pass on what arrived last, the block of the node t behind; when
/// reducing, the one t + 1 behind, which is whole when it has come round to its node.
Schedule one_way(const CayleyView& view, CollectiveKind kind) {
  const std::vector<Ring> rings = rings_of(view);
  RingBuilder builder(view, kind, "multi-ring", std::max<std::int64_t>(1, std::ssize(rings)));
  for (std::int64_t part = 0; part < std::ssize(rings); ++part) {
    const Ring& ring = rings[part];
    Element origin = kind == CollectiveKind::allgather ? 0 : ring.back;
    for (std::int64_t t = 0; t + 1 < view.group().order(); ++t) {
      builder.send(t, ring, origin, part, 1);
      origin = view.group().multiply(origin, ring.back);
    }
  }
  return std::move(builder).build();
}

/// floor(N / 2) steps; (N-1)/N: a ring and its inverse are one two-way ring with BFB's schedule
/// (bidirectional_ring.cpp). The allgather: in step t a ring passes on the block of the node t
/// behind; of an even number of nodes the opposite one's comes in halves from both sides. The
/// reduce-scatter is its reversal, where a ring takes back what its partner brought.
Schedule two_way(const CayleyView& view, CollectiveKind kind) {
  const auto pairs = two_way_rings(view);
  const bool gathers = kind == CollectiveKind::allgather;
  const Group& group = view.group();
  const std::int64_t n = group.order(), steps = n / 2;
  RingBuilder builder(view, kind, "multi-ring-bfb",
                      std::max<std::int64_t>(1, 2 * std::ssize(pairs)));
  for (std::int64_t part = 0; part < std::ssize(pairs); ++part)
    for (const bool swapped : {false, true}) {
      const auto& [first, second] = pairs[part];
      const Ring& brings = swapped ? second : first;
      const Ring& carries = swapped == gathers ? second : first;
      Element origin = gathers ? 0 : brings.back;
      for (std::int64_t t = 0; t < steps; ++t) {
        const bool halves = n % 2 == 0 && t + 1 == steps;
        builder.send(gathers ? t : steps - 1 - t, carries, origin,
                     2 * part + (halves && swapped ? 1 : 0), halves ? 1 : 2);
        origin = group.multiply(origin, brings.back);
      }
    }
  return std::move(builder).build();
}

/// The view that rings need: cyclic, simple enough to be more than one two-way ring, rank r on
/// element r.
std::optional<CayleyView> view_for(const Context& context) {
  if (context.network == nullptr) return std::nullopt;
  auto view = topology::as_cayley(context.network->topology());
  if (!view || !view->nodes_are_elements() || view->group().order() < 2 || view->degree() < 2 ||
      !rank_is_node(*context.network, view->group().order()))
    return std::nullopt;
  const bool two_way_ring =
      view->degree() == 2 && view->generators()[0] == view->group().inverse(view->generators()[1]);
  if (two_way_ring || (has_parallel(*view) && context.network->topology().has_switches()))
    return std::nullopt;
  return view;
}

Schedule build(const Context& context, Schedule (*half)(const CayleyView&, CollectiveKind)) {
  const CayleyView view = *view_for(context);
  const CollectiveKind kind = context.collective.kind;
  if (kind != CollectiveKind::allreduce) return half(view, kind);
  return schedule::concatenate(half(view, CollectiveKind::reduce_scatter),
                               half(view, CollectiveKind::allgather));
}

template <class RingsOf>
std::optional<std::string> misfit_for(const Context& context, RingsOf rings) {
  const auto view = view_for(context);
  if (!view) return "it needs a network of several rings on a cyclic group, rank r on node r";
  try {
    rings(*view);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return std::nullopt;
}

const char* const kSource =
    "Zhao et al., Efficient Direct-Connect Topologies for Collective Communications, 2022";
const std::vector<CollectiveKind> kServes = {
    CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::allreduce};

}  // namespace

Algorithm multi_ring_entry() {
  return {
      .name = "multi-ring",
      .aliases = {"shifted-ring", "shiftedring"},
      .summary =
          "One-way rings along every generator of a cyclic network, each with its share of the "
          "data",
      .source = kSource,
      .collectives = kServes,
      .options = {kRoutes},
      .misfit = [](const Context& context) { return misfit_for(context, rings_of); },
      .build = [](const Context& context) { return build(context, one_way); },
  };
}

Algorithm multi_ring_bfb_entry() {
  return {
      .name = "multi-ring-bfb",
      .aliases = {"shifted-bfb-ring", "shiftedbfbring"},
      .summary = "Two-way rings along every cable of a cyclic network, in half of the steps",
      .source = kSource,
      .collectives = kServes,
      .options = {kRoutes},
      .misfit = [](const Context& context) { return misfit_for(context, two_way_rings); },
      .build = [](const Context& context) { return build(context, two_way); },
  };
}

}  // namespace weft::algorithm
