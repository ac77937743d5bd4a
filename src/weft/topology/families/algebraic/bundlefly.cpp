// BundleFly: the star product of the graph of McKay, Miller and Siran with a Paley graph.
//
// Each of the 2 q^2 points of the former becomes a supernode of p nodes, a Paley graph, and a cable
// between two points becomes a bundle of p, from y to f(y), f multiplying by an element g that is
// no square. The diameter is 3. Two points are one or two cables apart. A walk over two of them
// takes y to c y, c = g^2, 1 or g^-2, a square; with one more cable in the first or the last
// supernode all nodes are reached that differ from c y by a square, with one in the middle those
// that differ by none. Over one cable the same holds of the cables in either of its two supernodes.
// Within a supernode two cables are enough, the diameter of a Paley graph. Source: Lei, Dong, Liao,
// Duato, "Bundlefly: A Low-Diameter Topology for Multicore Fiber", ICS 2020.
#include "finite_field.hpp"
#include "star_product.hpp"
#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"
#include "weft/topology/families/algebraic/slimfly.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

bool is_mms(int q) {
  return q >= 3 && as_prime_power(q).has_value();
}

// Node y of point x, as slimfly:q numbers points, is x p + y.
Topology bundlefly(int p, int q) {
  constexpr int kLargestPaley = 10'000, kLargestMms = 401;
  Expression name{"bundlefly", fmt::format("{},{}", p, q), {}};
  if (!is_paley(p))
    reject("{} does not exist (p must be a prime power that is 1 modulo 4); the nearest p: {}",
           name.to_string(), nearest_fits(p, kLargestPaley, is_paley));
  if (!is_mms(q))
    reject("{} does not exist (q must be a prime power of at least 3); the nearest q: {}",
           name.to_string(), nearest_fits(q, kLargestMms, is_mms));
  const int delta = q % 4 == 3 ? -1 : q % 4;
  const double nodes = 2.0 * q * q * p, degree = (3.0 * q - delta) / 2 + (p - 1.0) / 2;
  require_size(name.to_string(), nodes, nodes * degree);
  const Topology points = slimfly(q);
  TopologyBuilder builder(static_cast<std::int64_t>(nodes));
  const ClassId local = builder.link_class("local"), global = builder.link_class("global");
  add_star_product(builder, points, paley_graph(p), local, global);
  builder.set_nominal_degree(static_cast<int>(degree));
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family bundlefly_family() {
  return make_family("bundlefly", "p,q",
                     "Bundlefly: star product of slimfly:q with Paley graphs of p nodes; p and q "
                     "are prime powers, p = 1 modulo 4; diameter 3",
                     "bundlefly:5,3", [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return bundlefly(values[0], values[1]);
                     });
}

}  // namespace weft::topology
