// The MMS graph has two halves of q groups of q nodes. Within a group of the first half y and y'
// are linked where y - y' is in the set X, in the second half where it is in X'; between the halves
// (0, x, y) is linked with (1, m, c) where y = m x + c, a point with a line. With g primitive:
//
//   q = 4w + 1   X = {g^0, g^2, ..., g^(q-3)}                      X' = {g^1, g^3, ..., g^(q-2)}
//   q = 4w       X = {g^0, g^2, ..., g^(q-2)}                      X' = {g^1, g^3, ..., g^(q-1)}
//   q = 4w - 1   X = {g^0, .., g^(2w-2), g^(2w-1), .., g^(4w-3)}   X' = {g^1, .., g^(2w-1),
//                (even exponents, then odd ones)                         g^2w, .., g^(4w-2)}
//
// so that X' = g X, X = -X, and the two cover GF(q) less 0 (Hafner, "Geometric Realisation of the
// Graphs of McKay-Miller-Siran", J. Comb. Theory B 90, 2004).
#include "weft/topology/families/algebraic/slimfly.hpp"

#include "finite_field.hpp"
#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

constexpr int kLargest = 401;  // above it there are too many links

int delta_of(int q) {
  return q % 4 == 3 ? -1 : q % 4;
}

// A prime power other than 2 is 4w - 1, 4w or 4w + 1.
bool fits(int q) {
  return q >= 3 && as_prime_power(q).has_value();
}

// The differences of linked nodes in a group of the first half.
std::vector<int> first_differences(const FiniteField& field) {
  const int q = field.size(), w = (q + 1) / 4;
  std::vector<int> differences;
  if (delta_of(q) != -1) {
    for (int exponent = 0; exponent < q - 1; exponent += 2)
      differences.push_back(field.power(exponent));
    return differences;
  }
  for (int exponent = 0; exponent <= 2 * w - 2; exponent += 2)
    differences.push_back(field.power(exponent));
  for (int exponent = 2 * w - 1; exponent <= 4 * w - 3; exponent += 2)
    differences.push_back(field.power(exponent));
  return differences;
}

void add_groups(TopologyBuilder& builder, const FiniteField& field) {
  const ClassId local = builder.link_class("local");
  const int q = field.size();
  std::vector<int> differences = first_differences(field);
  for (int half = 0; half < 2; ++half) {
    for (int group = 0; group < q; ++group) {
      const int first = (half * q + group) * q;
      for (int y = 0; y < q; ++y)
        for (int difference : differences)
          if (const int other = field.add(y, difference); y < other)
            builder.add_cable(NodeId(first + y), NodeId(first + other), local);
    }
    for (int& difference : differences) difference = field.multiply(difference, field.power(1));
  }
}

void add_links_between_halves(TopologyBuilder& builder, const FiniteField& field) {
  const ClassId global = builder.link_class("global");
  const int q = field.size();
  for (int x = 0; x < q; ++x) {
    for (int m = 0; m < q; ++m) {
      const int product = field.multiply(m, x);
      for (int c = 0; c < q; ++c)
        builder.add_cable(NodeId(x * q + field.add(product, c)), NodeId((q + m) * q + c), global);
    }
  }
}

}  // namespace

Topology slimfly(int q) {
  if (!fits(q))
    reject("slimfly:{} does not exist (q must be a prime power of at least 3); the nearest: {}", q,
           nearest_fits(q, kLargest, fits));
  Expression name{"slimfly", std::to_string(q), {}};
  const double degree = (3.0 * q - delta_of(q)) / 2;
  require_size(name.to_string(), 2.0 * q * q, 2.0 * q * q * degree);
  const FiniteField field(q);
  TopologyBuilder builder(2 * std::int64_t{q} * q);
  add_groups(builder, field);
  add_links_between_halves(builder, field);
  builder.set_nominal_degree(static_cast<int>(degree));
  builder.set_facets({{SlimflyView{q}}, {}});
  return std::move(builder).build(std::move(name));
}

Family slimfly_family() {
  return make_family(
      "slimfly", "q",
      "Slim Fly: the McKay-Miller-Siran graph of a prime power q = 4w + delta, diameter 2",
      "slimfly:5", [](const Parameters& parameters) { return slimfly(parameters.integers(1)[0]); });
}

}  // namespace weft::topology
