// Views are read off the expression: each family's text says which small graph stands in every
// dimension, and a product strings dimensions together.
#include "weft/topology/views.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/topology/families/hyperx_view.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

enum class Shape : std::uint8_t { clique, ring, path };

struct Dimension {
  int extent;
  Shape shape;

  // Two nodes make one cable in every shape, three nodes a triangle in two.
  bool is(Shape other) const {
    if (shape == other || extent == 2) return true;
    return extent == 3 && shape != Shape::path && other != Shape::path;
  }
};

bool has_same_links(const Expression& expression) {
  return (expression.name == "hosts" || expression.name == "idle") &&
         expression.children.size() == 1;
}

// The expression of the switches' graph.
const Expression& fabric_expression(const Topology& topology) {
  const Expression* expression = &topology.expression();
  while (has_same_links(*expression)) expression = &expression->children.front();
  return *expression;
}

std::vector<int> numbers(const Expression& leaf, char separator) {
  const Parameters parameters(leaf.name, leaf.to_string(), leaf.parameters);
  return separator == 'x' ? parameters.extents() : parameters.integers_from(1);
}

std::vector<Dimension> alike(const std::vector<int>& extents, Shape shape) {
  std::vector<Dimension> dimensions;
  for (int extent : extents) dimensions.push_back({extent, shape});
  return dimensions;
}

std::optional<std::vector<Dimension>> family_dimensions(const Expression& leaf) {
  if (leaf.name == "torus") return alike(numbers(leaf, 'x'), Shape::ring);
  if (leaf.name == "mesh") return alike(numbers(leaf, 'x'), Shape::path);
  if (leaf.name == "hamming" || leaf.name == "2dfc")
    return alike(numbers(leaf, 'x'), Shape::clique);
  if (leaf.name == "hyperx") {
    const HyperxView view = hyperx_view(leaf);
    const bool single = std::ranges::count(view.parallel, 1) == std::ssize(view.parallel);
    return single ? std::optional(alike(view.extents, Shape::clique)) : std::nullopt;
  }
  if (leaf.name == "ring") return alike(numbers(leaf, ','), Shape::ring);
  if (leaf.name == "complete") return alike(numbers(leaf, ','), Shape::clique);
  if (leaf.name == "hypercube")
    return std::vector<Dimension>(static_cast<std::size_t>(numbers(leaf, ',').front()),
                                  {2, Shape::clique});
  return std::nullopt;
}

std::optional<std::vector<Dimension>> dimensions_of(const Expression& expression) {
  if (expression.is_family()) return family_dimensions(expression);
  if (expression.power != 1) return std::nullopt;
  std::size_t repeats = 1;
  if (expression.name == "power")
    repeats = static_cast<std::size_t>(numbers(expression, ',').front());
  else if (expression.name != "*")
    return std::nullopt;
  std::vector<Dimension> all;
  for (const Expression& child : expression.children) {
    const auto dimensions = dimensions_of(child);
    if (!dimensions) return std::nullopt;
    for (std::size_t i = 0; i < repeats; ++i)
      all.insert(all.end(), dimensions->begin(), dimensions->end());
  }
  return all;
}

std::optional<Extents> extents_of_shape(const Topology& topology, Shape shape) {
  const auto dimensions = dimensions_of(fabric_expression(topology));
  if (!dimensions) return std::nullopt;
  Extents result;
  for (const Dimension& dimension : *dimensions) {
    if (!dimension.is(shape)) return std::nullopt;
    result.extents.push_back(dimension.extent);
  }
  return result;
}

}  // namespace

std::int64_t Extents::size() const {
  std::int64_t nodes = 1;
  for (int extent : extents) nodes *= extent;
  return nodes;
}

int Extents::coordinate(std::int64_t node, int dimension) const {
  for (int d = 0; d < dimension; ++d) node /= extents[static_cast<std::size_t>(d)];
  return static_cast<int>(node % extents[static_cast<std::size_t>(dimension)]);
}

std::vector<int> Extents::coordinates(std::int64_t node) const {
  std::vector<int> result;
  for (int extent : extents) {
    result.push_back(static_cast<int>(node % extent));
    node /= extent;
  }
  return result;
}

std::int64_t Extents::node(std::span<const int> coordinates) const {
  WEFT_ASSERT(coordinates.size() == extents.size());
  std::int64_t result = 0;
  for (std::size_t d = extents.size(); d-- > 0;) result = result * extents[d] + coordinates[d];
  return result;
}

std::optional<HammingView> as_hamming(const Topology& topology) {
  auto extents = extents_of_shape(topology, Shape::clique);
  return extents ? std::optional(HammingView{std::move(*extents)}) : std::nullopt;
}

std::optional<HyperxView> as_hyperx(const Topology& topology) {
  const Expression& fabric = fabric_expression(topology);
  if (fabric.name == "hyperx") return hyperx_view(fabric);
  const auto hamming = as_hamming(topology);
  if (!hamming) return std::nullopt;
  return HyperxView{*hamming, std::vector<int>(hamming->extents.size(), 1)};
}

std::optional<TorusView> as_torus(const Topology& topology) {
  auto extents = extents_of_shape(topology, Shape::ring);
  return extents ? std::optional(TorusView{std::move(*extents)}) : std::nullopt;
}

std::optional<MeshView> as_mesh(const Topology& topology) {
  auto extents = extents_of_shape(topology, Shape::path);
  return extents ? std::optional(MeshView{std::move(*extents)}) : std::nullopt;
}

bool is_damaged_grid(const Topology& topology) {
  const Expression* inner = &topology.expression();
  bool damaged = false;
  while ((inner->name == "without" && inner->children.size() == 1) || has_same_links(*inner)) {
    damaged = damaged || inner->name == "without";
    inner = &inner->children.front();
  }
  return damaged && (inner->name == "hyperx" || dimensions_of(*inner));
}

std::optional<KautzView> as_kautz(const Topology& topology) {
  const Expression& leaf = fabric_expression(topology);
  if (leaf.name == "kautz") {
    const auto values = numbers(leaf, ',');
    return KautzView{values[0], values[1]};
  }
  if (leaf.name != "genkautz") return std::nullopt;
  const auto values = numbers(leaf, ',');  // K(d, k) when n = d^k + d^(k-1)
  const std::int64_t degree = values[0], nodes = values[1];
  int diameter = 1;
  for (std::int64_t size = degree + 1; size <= nodes; size *= degree, ++diameter)
    if (size == nodes) return KautzView{values[0], diameter};
  return std::nullopt;
}

std::optional<SlimflyView> as_slimfly(const Topology& topology) {
  const Expression& leaf = fabric_expression(topology);
  if (leaf.name != "slimfly") return std::nullopt;
  return SlimflyView{numbers(leaf, ',').front()};
}

std::optional<PolarflyView> as_polarfly(const Topology& topology) {
  const Expression& leaf = fabric_expression(topology);
  if (leaf.name != "polarfly") return std::nullopt;
  return PolarflyView{numbers(leaf, ',').front()};
}

std::optional<XpanderView> as_xpander(const Topology& topology) {
  const Expression& leaf = fabric_expression(topology);
  if (leaf.name != "xpander") return std::nullopt;
  const Parameters parameters(leaf.name, leaf.to_string(), leaf.parameters);
  const auto values = parameters.seeded_integers(2, "d,k").integers;
  return XpanderView{values[0], values[1]};
}

std::optional<HostAttachment> as_attached_hosts(const Topology& topology) {
  if (topology.hosts().empty()) return std::nullopt;
  HostAttachment attachment;
  attachment.switch_of.resize(static_cast<std::size_t>(topology.node_count()));
  for (NodeId host : topology.hosts()) {
    const auto links = topology.out_links(host);
    if (links.size() != 1 || topology.in_degree(host) != 1) return std::nullopt;
    const LinkId link = links[0];
    if (topology.is_host(topology.head(link)) || !topology.reverse(link)) return std::nullopt;
    attachment.switch_of[host.index()] = topology.head(link);
  }
  return attachment;
}

}  // namespace weft::topology
