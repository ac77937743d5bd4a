// k-nomial trees: the ranks' distances from the root, written in radix k, are the paths.
//
// Let v = rank - root (modulo N). A rank's parent is v with its lowest non-zero digit set to zero,
// so that the subtree below digit j of v is the interval [v, v + k^j). The root serves the highest
// digit first: in the step of weight w = k^j every v that is a multiple of k w sends to v + z w,
// z = 1 .. k-1. After ceil(log_k N) steps all are reached. A scatter sends to each child what its
// interval wants. Reduce and gather are the transposes; with root 0 every operand is an interval of
// ranks, and the order of operands is kept.
// The k - 1 messages of a digit share a step, as in Bruck's algorithm. Where a rank serves all its
// children together (as Open MPI does), it sends to them in the step after the one that reached it,
// which is the number of its non-zero digits.
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient Algorithms for All-to-All Communications
// in Multiport Message-Passing Systems", IEEE TPDS 8(11), 1997 (k-port trees); radix 2: Thakur,
// Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH", 2005.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../radixes.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/trees/tree.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

constexpr CountOption kTreeRadix = kRadix.or_else("4");

int nonzero_digits(std::int64_t number, int radix) {
  WEFT_ASSERT(number >= 0 && radix >= 2);
  int digits = 0;
  for (; number > 0; number /= radix) digits += number % radix != 0 ? 1 : 0;
  return digits;
}

/// Broadcast or scatter: `collective` decides what a child is sent.
Schedule down_the_tree(const Collective& collective, int radix, TreeChildren children) {
  require(radix >= 2, "radix {} is too small for knomial (needs 2 or more)", radix);
  ScheduleBuilder builder(collective, {.algorithm = "knomial"});
  const std::int64_t n = collective.ranks, root = collective.root.value();
  const int steps = ceil_log(radix, n);
  std::int64_t weight = 1;
  for (int step = 0; step + 1 < steps; ++step) weight *= radix;
  for (int step = 0; step < steps; ++step, weight /= radix)
    for (std::int64_t v = 0; v < n; v += weight * radix) {
      const int sent = children == TreeChildren::together ? nonzero_digits(v, radix) : step;
      for (std::int64_t child = v + weight; child < std::min(n, v + weight * radix);
           child += weight) {
        const auto pieces = collective.kind == CollectiveKind::broadcast
                                ? std::vector{builder.everything()}
                                : builder.cyclic_blocks(root + child, std::min(weight, n - child));
        builder.at(sent).send(Agent((root + v) % n), Agent((root + child) % n), pieces);
      }
    }
  return std::move(builder).build();
}

}  // namespace

Schedule knomial_broadcast(std::int32_t ranks, Rank root, int radix, TreeChildren children) {
  return down_the_tree(schedule::broadcast(ranks, root), radix, children);
}

Schedule knomial_reduce(std::int32_t ranks, Rank root, int radix, TreeChildren children) {
  return schedule::transpose(knomial_broadcast(ranks, root, radix, children));
}

Schedule knomial_scatter(std::int32_t ranks, Rank root, int radix, TreeChildren children) {
  return down_the_tree(schedule::scatter(ranks, root), radix, children);
}

Schedule knomial_gather(std::int32_t ranks, Rank root, int radix, TreeChildren children) {
  return schedule::transpose(knomial_scatter(ranks, root, radix, children));
}

namespace {

Schedule knomial(const Collective& collective, int radix, TreeChildren children) {
  const auto& [kind, ranks, root, peer] = collective;
  switch (kind) {
    case CollectiveKind::broadcast:
      return knomial_broadcast(ranks, root, radix, children);
    case CollectiveKind::reduce:
      return knomial_reduce(ranks, root, radix, children);
    case CollectiveKind::scatter:
      return knomial_scatter(ranks, root, radix, children);
    default:
      return knomial_gather(ranks, root, radix, children);
  }
}

Schedule build(const Context& context) {
  return knomial(context.collective, static_cast<int>(kTreeRadix.in(context.options)),
                 children_in(context.options));
}

// Each radix with each order of children. In a tree of one level the order makes no difference.
std::vector<Schedule> variants(const Context& context) {
  const std::int32_t ranks = context.collective.ranks;
  std::vector<Schedule> schedules;
  for (const std::int64_t radix : radixes_to_try(kTreeRadix, context.options, ranks))
    for (const std::string_view children : kServed) {
      const auto given = kChildren.given(context.options);
      if (given ? *given != children : radix >= ranks && children != kServed.front()) continue;
      AlgorithmOptions chosen = context.options;
      chosen.values.insert_or_assign(std::string(kRadix.name), radix);
      if (children != kServed.front())
        chosen.values.insert_or_assign(std::string(kChildren.name), std::string(children));
      schedules.push_back(knomial(context.collective, static_cast<int>(radix), children_in(chosen))
                              .with_algorithm(name_with(find_algorithm("knomial"), chosen)));
    }
  return schedules;
}

}  // namespace

Algorithm knomial_entry() {
  return {
      .name = "knomial",
      .aliases = {},
      .summary = "Tree in which a rank gets up to radix - 1 children on each level",
      .source =
          "Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient Algorithms for All-to-All "
          "Communications in Multiport Message-Passing Systems, 1997",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                      CollectiveKind::gather},
      .options = {kTreeRadix, kChildren},
      .build = build,
      .build_variants = variants,
      .outline = {.messages = Outline::Messages::logarithmic, .spread = Outline::Spread::tree},
  };
}

}  // namespace weft::algorithm
