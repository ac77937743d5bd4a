#include "star_product.hpp"

#include "finite_field.hpp"
#include "weft/base/modular.hpp"

namespace weft::topology {

bool is_paley(int order) {
  return order >= 5 && order % 4 == 1 && as_prime_power(order).has_value();
}

Supernode paley_graph(int order) {
  const FiniteField field(order);
  std::vector<char> square(order, 0);
  for (int exponent = 0; exponent < order - 1; exponent += 2) square[field.power(exponent)] = 1;
  Supernode paley{.size = order, .degree = (order - 1) / 2};
  for (int a = 0; a < order; ++a) {
    paley.image.push_back(field.multiply(a, field.power(1)));
    for (int b = a + 1; b < order; ++b)
      if (square[field.add(a, field.negative(b))] != 0) paley.edges.push_back({a, b});
  }
  return paley;
}

void add_star_product(TopologyBuilder& builder, const Topology& points, const Supernode& supernode,
                      ClassId local, ClassId global) {
  const std::int64_t size = supernode.size;
  const auto node = [&](NodeId point, int inside) { return NodeId(point.value() * size + inside); };
  for (const NodeId point : points.nodes()) {
    for (const Supernode::Edge& edge : supernode.edges)
      builder.add_cable(node(point, edge.from), node(point, edge.to), local);
    for (const LinkId link : points.out_links(point)) {
      const NodeId other = points.head(link);
      if (other < point) continue;
      for (int inside = 0; inside < supernode.size; ++inside)
        builder.add_cable(node(point, inside), node(other, supernode.image[inside]), global);
    }
  }
}

}  // namespace weft::topology
