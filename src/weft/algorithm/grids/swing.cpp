// Swing: recursive doubling for tori, whose partners stay near by swinging from side to side.
//
// On a ring of p nodes, in step s an even node r talks to r + rho(s) and an odd one to r - rho(s),
// rho(s) = 1 - 2 + 4 - ... = (1 - (-2)^(s+1)) / 3: 1, -1, 3, -5, 11, ... As in recursive doubling
// the nodes that one has heard of double in each step, but the distance is a third of 2^(s+1) where
// recursive doubling's is 2^s, so that fewer messages share a link.
//
// On a torus the steps take the dimensions in turn, each with an s of its own, and leave out those
// that are done. 2D such collectives run at once, each on its share of every block: one from each
// dimension, and its mirror image, where even nodes begin to the left. In every step they use
// different dimensions and directions, so that a step of distance delta puts delta messages on each
// link, and an allreduce takes 2 * sum over i of delta(floor(i / D)) / 2^(i+1) times M / B: 1.2 of
// the optimum for D = 2 and large tori, 1.037 for D = 3, 1.008 for D = 4.
//
// What is sent. Allgather: the steps from last to first (far ones while there is little to send),
// everything that the partner has not. For powers of two that is all that one holds; for other even
// extents, where ceil(log2 p) steps reach some nodes twice, blocks that are there already are left
// out. Reduce-scatter is the transpose, and allreduce both: the bandwidth variant. In the latency
// variant partners swap their whole sums in the steps of one phase, which needs powers of two, or
// some would be added twice. Odd extents have a node without a partner and are refused.
//
// Symmetry. Let g take node x to g + x if g is even and to g - x if it is odd: nodes and partners
// go to nodes and partners, so that these maps, one for each node, are a group of automorphisms in
// each dimension (DRn of group.hpp), and node 0's messages are stored alone.
// Source: De Sensi, Bonato, Saam, Hoefler, "Swing: Short-cutting Rings for Higher Bandwidth
// Allreduce", NSDI 2024.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/grids/linear_placement.hpp"
#include "weft/algorithm/halves.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

using topology::TorusView;

constexpr std::array<std::string_view, 2> kVariants = {"bandwidth", "latency"};
constexpr ChoiceOption kVariant{{.name = "variant",
                                 .what = "Variant",
                                 .type = Option::Type::choice,
                                 .choices = kVariants,
                                 .fallback = "bandwidth"}};

/// A step of all nodes along one dimension: even ones to x + offset, odd ones to x - offset.
struct Swap {
  int dimension = 0;
  std::int64_t offset = 0;
};

/// 1, -1, 3, -5, 11, ...
std::int64_t rho(int step) {
  WEFT_ASSERT(step >= 0);
  std::int64_t sum = 0, power = 1;
  for (int i = 0; i <= step; ++i, power *= -2) sum += power;
  return sum;
}

class Swing {
 public:
  explicit Swing(const TorusView& torus) : torus_(torus) {
    std::vector<Group> groups;
    for (int d = 0; d < torus.dimensions(); ++d) {
      if (extent(d) == 1) continue;
      dimensions_.push_back(d);
      groups.push_back(Group::parse(fmt::format("DR{}", extent(d) / 2)));
    }
    group_ = Group::product(groups);
  }

  /// Twice as many as dimensions; of one node, none.
  std::int64_t collectives() const { return 2 * std::ssize(dimensions_); }
  std::int64_t nodes() const { return torus_.size(); }

  /// The steps of collective c, nearest partners first.
  std::vector<Swap> swaps_of(std::int64_t c) const {
    const std::int64_t direction = c % 2 == 0 ? 1 : -1;
    std::vector<Swap> swaps;
    for (int step = 0;; ++step) {
      const std::size_t before = swaps.size();
      for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        const auto turn = static_cast<std::size_t>(c / 2) + i;
        const int dimension = dimensions_[turn % dimensions_.size()];
        if (step < ceil_log(2, extent(dimension)))
          swaps.push_back({dimension, direction * rho(step)});
      }
      if (swaps.size() == before) return swaps;
    }
  }

  /// What takes node 0 to each node; its products are where that takes the others.
  const Group& group() const { return group_; }

  Group::Element partner_of_0(const Swap& swap) const {
    std::vector<int> at(torus_.extents.size(), 0);
    at[static_cast<std::size_t>(swap.dimension)] =
        static_cast<int>(mod(swap.offset, extent(swap.dimension)));
    return static_cast<Group::Element>(torus_.node(at));
  }

 private:
  int extent(int dimension) const { return torus_.extents[static_cast<std::size_t>(dimension)]; }

  TorusView torus_;
  std::vector<int> dimensions_;  // those of more than one node
  Group group_;
};

/// The steps from last to first, each node sending its partner what that lacks.
Schedule swing_allgather(const TorusView& torus) {
  const Swing swing(torus);
  const std::int64_t nodes = swing.nodes(), collectives = swing.collectives();
  ScheduleBuilder builder(schedule::allgather(static_cast<std::int32_t>(nodes)),
                          {.algorithm = "swing",
                           .units_per_block = std::max<std::int64_t>(1, collectives),
                           .symmetry = Symmetry(swing.group())});
  for (std::int64_t c = 0; c < collectives; ++c) {
    std::vector<Group::Element> held{0};  // by node 0; node g holds their images
    std::vector<bool> holds(nodes, false);
    holds[0] = true;
    const std::vector<Swap> swaps = swing.swaps_of(c);
    for (std::int64_t t = 0; t < std::ssize(swaps); ++t) {
      const Group::Element partner = swing.partner_of_0(*(swaps.rbegin() + t));
      std::vector<Piece> sent;
      std::vector<Group::Element> got;
      for (const Group::Element x : held) {
        // The partner holds x if node 0 holds its image: to swap twice is to stay.
        const Group::Element image = swing.group().multiply(partner, x);
        if (holds[static_cast<std::size_t>(image)]) continue;
        sent.push_back({x * collectives + c, 1});
        got.push_back(image);
      }
      builder.at(t).send(Agent(0), Agent(partner), sent);
      for (const Group::Element x : got) holds[static_cast<std::size_t>(x)] = true;
      held.insert(held.end(), got.begin(), got.end());
    }
  }
  return std::move(builder).build();
}

/// Partners swap their whole sums of their collective's share. Precondition: powers of two.
Schedule swing_by_sums(const TorusView& torus) {
  const Swing swing(torus);
  const std::int64_t nodes = swing.nodes(), collectives = swing.collectives();
  ScheduleBuilder builder(
      schedule::allreduce(static_cast<std::int32_t>(nodes)),
      {.algorithm = "swing", .units_per_block = std::max<std::int64_t>(1, collectives)});
  for (std::int64_t c = 0; c < collectives; ++c) {
    const std::vector<Swap> swaps = swing.swaps_of(c);
    for (std::int64_t t = 0; t < std::ssize(swaps); ++t) {
      const Group::Element partner = swing.partner_of_0(swaps[static_cast<std::size_t>(t)]);
      for (Group::Element from = 0; from < nodes; ++from)
        builder.at(t).send(Agent(from), Agent(swing.group().multiply(from, partner)),
                           {c * nodes, nodes}, Arrival::reduce);
    }
  }
  return std::move(builder).build();
}

bool by_sums(const Context& context) {
  return kVariant.in(context.options) == "latency";
}

std::optional<std::string> swing_misfit(const Context& context) {
  const auto torus = torus_of_ranks(context.network);
  if (!torus) return "it needs a torus or ring with rank r on node r";
  for (const int extent : torus->extents)
    if (extent > 1 && extent % 2 != 0)
      return fmt::format("it needs even extents, because {} nodes cannot be paired", extent);
  if (!by_sums(context)) return std::nullopt;
  if (context.collective.kind != CollectiveKind::allreduce)
    return "its variant latency is for allreduce";
  for (const int extent : torus->extents)
    if (!is_power_of_two(extent))
      return fmt::format("its variant latency needs powers of two, not {} nodes in a ring", extent);
  return std::nullopt;
}

Schedule build_swing(const Context& context) {
  const TorusView torus = *torus_of_ranks(context.network);
  return by_sums(context) ? swing_by_sums(torus)
                          : from_allgather(swing_allgather(torus), context.collective.kind);
}

}  // namespace

Algorithm swing_entry() {
  return {
      .name = "swing",
      .aliases = {},
      .summary = "Doubling on tori, with partners that alternate between both sides and stay near",
      .source =
          "De Sensi, Bonato, Saam, Hoefler, Swing: Short-cutting Rings for Higher Bandwidth "
          "Allreduce, 2024",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce},
      .options = {kVariant},
      .misfit = swing_misfit,
      .build = build_swing,
      .outline = {.messages = Outline::Messages::logarithmic},
  };
}

}  // namespace weft::algorithm
