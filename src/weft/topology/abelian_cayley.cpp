#include "weft/topology/abelian_cayley.hpp"

#include <utility>

#include "weft/base/error.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

struct Translation {
  std::int64_t stride, extent, offset;

  std::int64_t operator()(std::int64_t node) const {
    const std::int64_t coordinate = node / stride % extent;
    const std::int64_t moved = coordinate + offset;
    return node + ((moved < extent ? moved : moved - extent) - coordinate) * stride;
  }
};

std::vector<Translation> translations(const std::vector<int>& extents,
                                      const std::vector<Generator>& generators) {
  std::vector<std::int64_t> strides{1};
  for (int extent : extents) strides.push_back(strides.back() * extent);
  std::vector<Translation> moves;
  for (const Generator& generator : generators) {
    WEFT_ASSERT(generator.dimension >= 0 && generator.dimension < std::ssize(extents));
    const auto d = static_cast<std::size_t>(generator.dimension);
    moves.push_back({strides[d], extents[d], generator.offset});
  }
  return moves;
}

}  // namespace

void append_generators(std::vector<Generator>& generators, int extent, int dimension, int offset,
                       const std::string& link_class) {
  WEFT_ASSERT(offset >= 1 && offset < extent);
  const std::size_t index = generators.size();
  const bool involution = 2 * std::int64_t{offset} == extent;
  generators.push_back({dimension, offset, involution ? index : index + 1, link_class});
  if (!involution) generators.push_back({dimension, extent - offset, index, link_class});
}

Topology abelian_cayley(const std::vector<int>& extents, const std::vector<Generator>& generators,
                        Expression expression, std::optional<Coordinates> coordinates) {
  double nodes = 1;
  for (int extent : extents) nodes *= extent;
  const std::size_t degree = generators.size();
  require_size(expression.to_string(), nodes, nodes * static_cast<double>(degree));
  const auto moves = translations(extents, generators);

  TopologyBuilder builder(static_cast<std::int64_t>(nodes));
  std::vector<ClassId> classes;
  for (const Generator& generator : generators)
    classes.push_back(builder.link_class(generator.link_class));

  using Handle = TopologyBuilder::Handle;
  const auto count = static_cast<std::int64_t>(nodes);
  for (std::int64_t u = 0; u < count; ++u) {
    for (std::size_t k = 0; k < degree; ++k) {
      const std::int64_t v = moves[k](u);
      const Handle link = builder.add_link(NodeId(u), NodeId(v), classes[k]);
      if (v < u) {  // its reverse stands already
        const std::int64_t reverse = v * static_cast<std::int64_t>(degree) +
                                     static_cast<std::int64_t>(generators[k].inverse);
        builder.pair(static_cast<Handle>(reverse), link);
      }
    }
  }
  builder.set_nominal_degree(static_cast<int>(degree));
  Facets facets;
  if (coordinates) facets.facets.emplace_back(*std::move(coordinates));
  facets.facets.emplace_back(CayleyGroup{Group::abelian(extents)});
  builder.set_facets(std::move(facets));
  return std::move(builder).build(std::move(expression));
}

}  // namespace weft::topology
