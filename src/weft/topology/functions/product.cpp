// Cartesian products: X * Y, power(n, X).
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

using Factors = std::span<const BuiltTopology>;
using Handle = TopologyBuilder::Handle;

// Counts through all settings of the coordinates, the first fastest.
class Counter {
 public:
  explicit Counter(Factors factors) : at_(factors.size(), 0) {
    for (const BuiltTopology& factor : factors) sizes_.push_back(factor.topology.node_count());
  }
  NodeId operator[](std::size_t factor) const { return NodeId(at_[factor]); }
  void advance() {
    for (std::size_t f = 0; f < at_.size() && ++at_[f] == sizes_[f]; ++f) at_[f] = 0;
  }

 private:
  std::vector<std::int32_t> at_, sizes_;
};

double node_count(Factors factors) {
  double nodes = 1;
  for (const BuiltTopology& factor : factors) nodes *= factor.topology.node_count();
  return nodes;
}

double link_count(Factors factors) {
  double links = 0;
  for (const BuiltTopology& factor : factors)
    links += node_count(factors) / factor.topology.node_count() * factor.topology.link_count();
  return links;
}

// The class of each factor's classes: dimensions, counted on.
std::vector<IdVector<ClassId, ClassId>> number_classes(Factors factors, TopologyBuilder& builder) {
  std::vector<IdVector<ClassId, ClassId>> classes;
  int dimension = 0;
  for (const BuiltTopology& factor : factors) {
    classes.emplace_back();
    for (std::int32_t i = 0; i < factor.topology.class_names().size(); ++i)
      classes.back().push_back(builder.link_class(dimension_name(dimension++)));
  }
  return classes;
}

// Where the links of each node begin when links are added node by node.
std::vector<Handle> first_handles(Factors factors, std::int64_t nodes) {
  std::vector<Handle> first;
  first.reserve(nodes);
  Counter at(factors);
  Handle next = 0;
  for (std::int64_t node = 0; node < nodes; ++node, at.advance()) {
    first.push_back(next);
    for (std::size_t f = 0; f < factors.size(); ++f) next += factors[f].topology.out_degree(at[f]);
  }
  return first;
}

std::vector<Group::Element> elements_of(const CayleyGroup& factor) {
  if (!factor.elements.empty()) return factor.elements;
  std::vector<Group::Element> own(factor.group.order());
  std::iota(own.begin(), own.end(), 0);
  return own;
}

CayleyGroup product(const std::vector<CayleyGroup>& factors) {
  std::vector<Group> groups;
  bool plain = true;
  for (const CayleyGroup& factor : factors) {
    groups.push_back(factor.group);
    plain = plain && factor.elements.empty();
  }
  CayleyGroup result{Group::product(groups)};
  if (plain) return result;
  result.elements = {0};
  for (const CayleyGroup& factor : factors) {
    const auto low = result.elements;
    result.elements.clear();
    for (const Group::Element high : elements_of(factor))
      for (const Group::Element each : low)
        result.elements.push_back(each + high * static_cast<Group::Element>(low.size()));
  }
  return result;
}

// The facets of this kind of all factors, where every one is whole and has it.
template <class F>
std::vector<F> of_all(Factors factors) {
  std::vector<F> all;
  for (const BuiltTopology& factor : factors) {
    const Facets& facets = factor.topology.facets();
    const F* facet = facets.find<F>();
    if (facet == nullptr || facets.holes) return {};
    all.push_back(*facet);
  }
  return all;
}

// Dimensions string together, groups multiply.
Facets product_facets(Factors factors) {
  Facets result;
  if (const auto all = of_all<Coordinates>(factors); !all.empty()) {
    Coordinates together;
    for (const Coordinates& each : all)
      together.dimensions.insert(together.dimensions.end(), each.dimensions.begin(),
                                 each.dimensions.end());
    result.facets.emplace_back(std::move(together));
  }
  if (const auto all = of_all<CayleyGroup>(factors); !all.empty())
    result.facets.emplace_back(product(all));
  return result;
}

class ProductBuilder {
 public:
  explicit ProductBuilder(Factors factors)
      : factors_(factors),
        nodes_(static_cast<std::int64_t>(node_count(factors))),
        builder_(nodes_),
        classes_(number_classes(factors, builder_)),
        first_(first_handles(factors, nodes_)) {}

  BuiltTopology build(Expression expression) && {
    int degree = 0;
    for (const BuiltTopology& factor : factors_) degree += factor.topology.nominal_degree();
    Counter at(factors_);
    for (std::int64_t node = 0; node < nodes_; ++node, at.advance()) add_links(node, at);
    builder_.set_nominal_degree(degree);
    builder_.set_facets(product_facets(factors_));
    std::vector<LinkId> ids_of_handles;
    Topology topology = std::move(builder_).build(std::move(expression), &ids_of_handles);
    return {std::move(topology), std::move(speeds_).finish(ids_of_handles)};
  }

 private:
  void add_links(std::int64_t node, const Counter& at) {
    std::int64_t stride = 1;
    Handle before = 0;  // links of the node in earlier factors, the same at both ends
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const Topology& factor = factors_[f].topology;
      for (LinkId link : factor.out_links(at[f])) {
        const std::int64_t step = factor.head(link).value() - at[f].value();
        const std::int64_t head = node + step * stride;
        const Handle handle =
            builder_.add_link(NodeId(node), NodeId(head), classes_[f][factor.link_class(link)]);
        speeds_.copy(factors_[f].speeds, link);
        if (const auto reverse = factor.reverse(link); reverse && *reverse < link) {
          const Handle position = reverse->value() - factor.out_links(factor.head(link))[0].value();
          builder_.pair(first_[head] + before + position, handle);
        }
      }
      before += factor.out_degree(at[f]);
      stride *= factor.node_count();
    }
  }

  Factors factors_;
  std::int64_t nodes_;
  TopologyBuilder builder_;
  std::vector<IdVector<ClassId, ClassId>> classes_;
  std::vector<Handle> first_;
  CopiedSpeeds speeds_;
};

BuiltTopology named_product(Factors factors, Expression expression) {
  for (const BuiltTopology& factor : factors)
    require(!factor.topology.has_switches(),
            "{} has switches, so it cannot be a factor of a product; attach hosts to the "
            "product: hosts(k, X * Y)",
            factor.topology.name());
  require_size(expression.to_string(), node_count(factors), link_count(factors));
  return ProductBuilder(factors).build(std::move(expression));
}

}  // namespace

BuiltTopology cartesian_product(std::span<const BuiltTopology> factors) {
  require(factors.size() >= 2, "a product of {} factors is not possible (needs at least 2)",
          factors.size());
  Expression expression{"*", {}, {}};
  for (const BuiltTopology& factor : factors) {
    const Expression& inner = factor.topology.expression();
    if (inner.name == "*")
      expression.children.insert(expression.children.end(), inner.children.begin(),
                                 inner.children.end());
    else
      expression.children.push_back(inner);
  }
  return named_product(factors, std::move(expression));
}

BuiltTopology power(int exponent, const BuiltTopology& inner) {
  constexpr int kMost = 64;
  require(exponent >= 1 && exponent <= kMost, "power {} is out of range (needs 1 to {})", exponent,
          kMost);
  const std::vector<BuiltTopology> factors(exponent, inner);
  return named_product(factors,
                       apply("power", std::to_string(exponent), inner.topology.expression()));
}

Function product_function() {
  return {"*", "X * Y", "Cartesian product; the coordinate of X counts fastest",
          "ring:4 * complete:3", [](const Expression&, std::span<const BuiltTopology> operands) {
            return cartesian_product(operands);
          }};
}

Function power_function() {
  return {"power", "n, X", "Cartesian product of n copies of X", "power(2, kautz:2,2)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            const Parameters parameters("power(n, X)", "power(2, kautz:2,2)", node.parameters);
            return power(parameters.integers(1)[0], operands[0]);
          }};
}

}  // namespace weft::topology
