#include "weft/topology/families/algebraic/cayley.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

std::string generators_text(const Group& group, std::span<const Group::Element> generators) {
  std::string text;
  for (const Group::Element each : generators)
    text += (text.empty() ? "" : ",") + group.to_text(each);
  return text;
}

Topology read_cayley(const Parameters& parameters) {
  const std::string_view text = parameters.text();
  const std::size_t semicolon = text.find(';');
  if (semicolon == std::string_view::npos || trim(text.substr(semicolon + 1)).empty())
    parameters.fail(fmt::format("'{}' has no generators", text));
  const Group group = Group::parse(text.substr(0, semicolon));
  return cayley(group, group.elements(text.substr(semicolon + 1)));
}

}  // namespace

std::vector<std::size_t> inverse_indices(const Group& group,
                                         std::span<const Group::Element> generators) {
  std::vector<std::size_t> inverses(generators.size());
  for (std::size_t k = 0; k < generators.size(); ++k) {
    const Group::Element back = group.inverse(generators[k]);
    inverses[k] = k;
    if (back == generators[k]) continue;
    // The j-th copy of the inverse for the j-th copy of the generator.
    const auto end = generators.begin() + static_cast<std::ptrdiff_t>(k);
    auto copies = std::count(generators.begin(), end, generators[k]);
    std::size_t i = 0;
    while (i < generators.size() && (generators[i] != back || copies-- > 0)) ++i;
    if (i == generators.size()) return {};
    inverses[k] = i;
  }
  return inverses;
}

Topology cayley(const Group& group, std::span<const Group::Element> generators) {
  Expression name{"cayley", group.text() + ";" + generators_text(group, generators), {}};
  const std::size_t degree = generators.size();
  require(degree >= 1, "{} has no generators, so it has no links; name at least one",
          name.to_string());
  require_size(name.to_string(), group.order(), 1.0 * group.order() * static_cast<double>(degree));
  const std::int32_t reached = group.generated_order(generators);
  require(reached == group.order(),
          "the generators {} do not generate {} (they reach {} of its {} elements); add "
          "another generator",
          generators_text(group, generators), group.text(), reached, group.order());

  std::vector<std::vector<Group::Element>> moves;
  for (const Group::Element generator : generators)
    moves.push_back(group.right_translation(generator));
  const auto inverses = inverse_indices(group, generators);
  TopologyBuilder builder(group.order());
  using Handle = TopologyBuilder::Handle;
  for (std::int32_t x = 0; x < group.order(); ++x)
    for (std::size_t k = 0; k < degree; ++k) {
      const std::int32_t head = moves[k][x];
      const Handle link = builder.add_link(NodeId(x), NodeId(head));
      if (!inverses.empty() && head < x)  // its reverse stands already
        builder.pair(static_cast<Handle>(head * static_cast<std::int64_t>(degree) +
                                         static_cast<std::int64_t>(inverses[k])),
                     link);
    }
  builder.set_nominal_degree(static_cast<int>(degree));
  builder.set_facets({{CayleyGroup{group}}, {}});
  return std::move(builder).build(std::move(name));
}

Family cayley_family() {
  return make_family("cayley", "GROUP;s1,s2,...",
                     "Cayley graph: element x of a group has a link to x * s for every generator "
                     "s; cables if the generators include their inverses",
                     "cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)", read_cayley);
}

}  // namespace weft::topology
