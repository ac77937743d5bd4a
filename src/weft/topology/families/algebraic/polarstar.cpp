// In a star product every node x of one graph becomes a copy of another, its supernode, and a link
// from x to y joins node y' of the one to f(y') of the other, f a fixed permutation. Two points of
// the polarity graph have exactly one common neighbour, who is one of them where that one is
// orthogonal to itself: any two supernodes are two links apart, in which f is undone or done twice.
// A third link, within the first, the middle or the last of these supernodes, leads to the
// neighbours of y' in the supernode's graph S and in its image f(S). So the diameter is 3 where S
// and f(S) together join all:
//
//   Paley graphs         y' and z' are linked if y' - z' is a square, and f multiplies by an
//   element
//                        that is none: then they are linked in S or in f(S), and f twice keeps S.
//                        What lies one link apart is reached by it and two links of S, whose
//                        diameter is 2, so that points need no link with themselves.
//   inductive quads      f pairs the nodes, and of the two links that f takes to each other one is
//                        there, for all nodes but the pairs; those are a walk of three links apart.
//                        Points that are orthogonal to themselves link their supernode's pairs.
//
// Of degree d there are d + 1 pairs. Between two of them stand two links, one of each two that f
// exchanges, so that they meet in one node, whose pair wins. A node has as many links as it should
// if each pair wins as often by either of its nodes. The graph of degree 3 is four pairs of which
// three win in a circle, and all three of the fourth; four more pairs lose to all before them, two
// to the one node of each, two to the other.
#include "weft/topology/families/algebraic/polarstar.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "finite_field.hpp"
#include "star_product.hpp"
#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"
#include "weft/topology/families/algebraic/polarfly.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

struct Win {
  int winner, side, loser;  // pairs; side: which node of the winner's
};
// As the authors drew them; which side wins against whom matters for those that follow.
constexpr std::array<Win, 6> kFourPairs{
    {{1, 0, 0}, {1, 1, 3}, {2, 0, 0}, {2, 1, 1}, {3, 0, 2}, {3, 1, 0}}};

// Pair i is the nodes 2 i and 2 i + 1.
Supernode inductive_quad(int degree) {
  Supernode quad{.size = 2 * (degree + 1), .degree = degree};
  for (int node = 0; node < quad.size; ++node) quad.image.push_back(node ^ 1);
  const auto win = [&](int winner, int side, int loser) {
    for (const int node : {2 * loser, 2 * loser + 1})
      quad.edges.push_back({2 * winner + side, node});
  };
  for (int first = (degree + 1) % 4; first <= degree; first += 4) {
    for (int earlier = 0; earlier < first; ++earlier)
      for (int i = 0; i < 4; ++i) win(earlier, i / 2, first + i);
    for (const Win& of_four : kFourPairs)
      win(first + of_four.winner, of_four.side, first + of_four.loser);
  }
  return quad;
}

// Of points orthogonal to themselves: whether f links their supernode's nodes.
enum class SelfLinks : std::uint8_t { none, by_pair };

Topology star_product(const Expression& name, int q, const Supernode& supernode, SelfLinks self) {
  const Topology points = polarfly(q);
  const std::int64_t size = supernode.size;
  TopologyBuilder builder(points.node_count() * size);
  const ClassId local = builder.link_class("local"), global = builder.link_class("global");
  add_star_product(builder, points, supernode, local, global);
  const auto node = [&](NodeId point, int inside) { return NodeId(point.value() * size + inside); };
  for (const NodeId point : points.nodes()) {
    if (self == SelfLinks::none || points.out_degree(point) != q) continue;
    for (int inside = 0; inside < supernode.size; inside += 2)
      builder.add_cable(node(point, inside), node(point, supernode.image[inside]), global);
  }
  builder.set_nominal_degree(q + 1 + supernode.degree);
  return std::move(builder).build(name);
}

// Before anything is built.
Expression checked_name(int q, const char* kind, int parameter, double size, double degree) {
  Expression name{"polarstar", fmt::format("q={},{}={}", q, kind, parameter), {}};
  const auto is_field = [](int order) { return as_prime_power(order).has_value(); };
  constexpr int kLargest = 577;  // as of polarfly
  if (!is_field(q))
    reject("{} does not exist (q must be a prime power); the nearest: {}", name.to_string(),
           nearest_fits(q, kLargest, is_field));
  const double nodes = (1.0 * q * q + q + 1) * size;
  require_size(name.to_string(), nodes, nodes * (q + 1 + degree));
  return name;
}

bool is_quad(int degree) {
  return degree >= 0 && (degree % 4 == 0 || degree % 4 == 3);
}

}  // namespace

Topology polarstar_of_inductive_quads(int q, int degree) {
  constexpr int kLargest = 10'000;
  require(is_quad(degree),
          "no inductive quad has degree {} (it must be 0 or 3 modulo 4); the nearest: {}", degree,
          nearest_fits(degree, kLargest, is_quad));
  const Expression name = checked_name(q, "iq", degree, 2.0 * (degree + 1.0), degree);
  return star_product(name, q, inductive_quad(degree), SelfLinks::by_pair);
}

Topology polarstar_of_paley_graphs(int q, int order) {
  constexpr int kLargest = 10'000;
  require(is_paley(order),
          "no Paley graph has {} nodes (it must be a prime power that is 1 modulo 4); the "
          "nearest: {}",
          order, nearest_fits(order, kLargest, is_paley));
  const Expression name = checked_name(q, "paley", order, order, (order - 1.0) / 2);
  return star_product(name, q, paley_graph(order), SelfLinks::none);
}

Family polarstar_family() {
  return make_family(
      "polarstar", "q=,iq= or q=,paley=",
      "PolarStar: star product of polarfly:q with inductive quads of degree iq, or "
      "with Paley graphs of that order; diameter 3",
      "polarstar:q=3,iq=3", [](const Parameters& parameters) {
        const auto values = parameters.named_integers({"q"}, {"iq", "paley"});
        if (values.contains("iq") == values.contains("paley"))
          parameters.fail("only one of iq and paley can be given, for the supernodes");
        return values.contains("iq")
                   ? polarstar_of_inductive_quads(values.at("q"), values.at("iq"))
                   : polarstar_of_paley_graphs(values.at("q"), values.at("paley"));
      });
}

}  // namespace weft::topology
