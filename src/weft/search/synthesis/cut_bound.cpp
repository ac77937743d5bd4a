// The cut bound, after Dinkelbach: for a ratio p/q, a set S with outside(S) / into(S) > p/q exists
// just when p * into(S) + q * |S| < q * N, and the left side is a cut: arcs into S at p * weight
// each, and q for each node of S. So the ratio rises along minimum cuts until none is below q * N.
#include <optional>

#include "weft/base/error.hpp"
#include "weft/graph/max_flow.hpp"
#include "weft/search/synthesis/bounds.hpp"

namespace weft::search {

namespace {

/// outside(S) / into(S) for the nodes where `inside` holds.
template <class Inside>
Rational ratio_of(const Instance& instance, const Inside& inside) {
  std::int64_t outside = 0, into = 0;
  for (int v = 0; v < instance.nodes; ++v) outside += inside(v) ? 0 : 1;
  for (const Arc& arc : instance.arcs)
    if (!inside(arc.tail) && inside(arc.head)) into += arc.weight;
  WEFT_ASSERT(into > 0);  // something leads into every set
  return {outside, into};
}

/// A ratio above `ratio` of a set that holds `sink`, if there is one.
std::optional<Rational> better_ratio(const Instance& instance, int sink, const Rational& ratio) {
  const std::int64_t p = ratio.numerator(), q = ratio.denominator();
  graph::MaxFlow graph(instance.nodes + 1);
  const int source = instance.nodes;
  for (int v = 0; v < instance.nodes; ++v) graph.add_arc(source, v, q);
  for (const Arc& arc : instance.arcs) graph.add_arc(arc.tail, arc.head, p * arc.weight);
  const std::int64_t enough = q * instance.nodes;
  if (graph.max_flow(source, sink, enough) == enough) return std::nullopt;
  return ratio_of(instance, [&](int v) { return !graph.on_source_side(v); });
}

}  // namespace

Rational cut_bound(const Instance& instance) {
  if (instance.nodes == 1) return 0;
  Rational best = 0;
  for (int v = 0; v < instance.nodes; ++v)
    best = std::max(best, ratio_of(instance, [v](int u) { return u == v; }));
  for (int v = 0; v < instance.nodes; ++v)
    while (const auto better = better_ratio(instance, v, best)) best = *better;
  return best;
}

}  // namespace weft::search
