#include "weft/topology/cayley_view.hpp"

#include <algorithm>
#include <numeric>

#include "weft/topology/families/hyperx_view.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

using Element = Group::Element;

// A group and the element of every node (empty: its own number).
struct Numbering {
  Group group;
  std::vector<Element> elements = {};
};

std::vector<int> integers(const Expression& leaf) {
  return Parameters(leaf.name, leaf.to_string(), leaf.parameters).integers_from(1);
}

std::vector<int> extents(const Expression& leaf) {
  return Parameters(leaf.name, leaf.to_string(), leaf.parameters).extents();
}

// The quotient of Z^n by the lattice of a twisted torus is Z_m1 x Z_m2 x ... with the extents as
// moduli: k e_s is the sum of k e_l over the long dimensions l for every short one s, so that
// e_s - (sum of e_l) has order k, and every long coordinate counts the short ones too.
Numbering of_twisted_torus(const std::vector<int>& sizes) {
  const Extents shape{sizes};
  const int longest = *std::max_element(sizes.begin(), sizes.end());
  Numbering result{Group::abelian(sizes)};
  for (std::int64_t node = 0; node < shape.size(); ++node) {
    auto at = shape.coordinates(node);
    int short_sum = 0;
    for (std::size_t d = 0; d < at.size(); ++d) short_sum += sizes[d] == longest ? 0 : at[d];
    for (std::size_t d = 0; d < at.size(); ++d)
      if (sizes[d] == longest) at[d] = (at[d] + short_sum) % longest;
    result.elements.push_back(static_cast<Element>(shape.node(at)));
  }
  return result;
}

std::optional<Numbering> of_family(const Expression& leaf) {
  const std::string& name = leaf.name;
  if (name == "cayley")
    return Numbering{Group::parse(leaf.parameters.substr(0, leaf.parameters.find(';')))};
  if (name == "torus" || name == "hamming" || name == "2dfc")
    return Numbering{Group::abelian(extents(leaf))};
  if (name == "hyperx") return Numbering{Group::abelian(hyperx_view(leaf).extents)};
  if (name == "twisted-torus") return of_twisted_torus(extents(leaf));
  if (name == "ring" || name == "complete" || name == "shifted-ring" || name == "circulant")
    return Numbering{Group::cyclic(integers(leaf).front())};
  if (name == "uniring" || name == "biring") return Numbering{Group::cyclic(integers(leaf).back())};
  if (name == "directed-circulant") return Numbering{Group::cyclic(integers(leaf).front() + 2)};
  if (name == "hypercube")
    return Numbering{
        Group::abelian(std::vector<int>(static_cast<std::size_t>(integers(leaf).front()), 2))};
  if (name == "bipartite") {  // (x, side), every (x, 1) a generator
    const auto sides = integers(leaf);
    if (sides.front() != sides.back()) return std::nullopt;
    return Numbering{Group::abelian(sides.front() == 1 ? std::vector<int>{2}
                                                       : std::vector<int>{sides.front(), 2})};
  }
  return std::nullopt;
}

std::vector<Element> elements_of(const Numbering& numbering) {
  if (!numbering.elements.empty()) return numbering.elements;
  std::vector<Element> own(static_cast<std::size_t>(numbering.group.order()));
  std::iota(own.begin(), own.end(), 0);
  return own;
}

Numbering product(const std::vector<Numbering>& factors) {
  std::vector<Group> groups;
  bool plain = true;
  for (const Numbering& factor : factors) {
    groups.push_back(factor.group);
    plain = plain && factor.elements.empty();
  }
  Numbering result{Group::product(groups)};
  if (plain) return result;
  result.elements = {0};
  for (const Numbering& factor : factors) {
    const auto low = result.elements;
    result.elements.clear();
    for (const Element high : elements_of(factor))
      for (const Element each : low)
        result.elements.push_back(each + high * static_cast<Element>(low.size()));
  }
  return result;
}

std::optional<Numbering> numbering_of(const Expression& expression) {
  if (expression.is_family()) return of_family(expression);
  const std::string& name = expression.name;
  const bool same_nodes =
      name == "transpose" || name == "bidirectional" || name == "hosts" || name == "idle";
  if (same_nodes) return numbering_of(expression.children.front());
  if (expression.power != 1 || (name != "*" && name != "power")) return std::nullopt;
  std::vector<Numbering> factors;
  for (const Expression& child : expression.children) {
    auto numbering = numbering_of(child);
    if (!numbering) return std::nullopt;
    factors.push_back(std::move(*numbering));
  }
  if (name == "power")
    factors.resize(static_cast<std::size_t>(integers({name, expression.parameters, {}}).front()),
                   factors.front());
  return product(factors);
}

}  // namespace

class CayleyViewBuilder {
 public:
  CayleyViewBuilder(const Topology& topology, Numbering numbering)
      : view_(topology, std::move(numbering.group)) {
    view_.elements_ = std::move(numbering.elements);
    if (view_.elements_.empty()) return;
    view_.nodes_.resize(view_.elements_.size());
    for (std::size_t node = 0; node < view_.elements_.size(); ++node)
      view_.nodes_[static_cast<std::size_t>(view_.elements_[node])] = NodeId(node);
  }

  // Nothing when a node's links are not those of the identity, moved.
  std::optional<CayleyView> build() && {
    for (const LinkId link : network_links(view_.node(0)))
      view_.generators_.push_back(view_.element(view_.topology_.head(link)));
    for (const Element generator : view_.generators_)
      moves_.push_back(view_.group_.right_translation(generator));
    if (!in_order() && !match_slots()) return std::nullopt;
    return std::move(view_);
  }

 private:
  // Host links come last.
  IdRange<LinkId> network_links(NodeId node) const {
    const auto all = view_.topology_.out_links(node);
    std::int32_t count = 0;
    while (count < all.size() && view_.topology_.head(all[count]).value() < view_.group_.order())
      ++count;
    return {all[0], LinkId(all[0].value() + count)};
  }

  NodeId goal(NodeId node, std::size_t generator) const {
    return view_.node(moves_[generator][static_cast<std::size_t>(view_.element(node))]);
  }

  bool in_order() const {
    for (const NodeId node : ids<NodeId>(view_.group_.order())) {
      const auto links = network_links(node);
      if (links.size() != view_.degree()) return false;
      for (std::int32_t k = 0; k < links.size(); ++k)
        if (view_.topology_.head(links[k]) != goal(node, static_cast<std::size_t>(k))) return false;
    }
    return true;
  }

  // The first free link that leads where the generator does.
  bool match_slots() {
    const std::size_t degree = view_.generators_.size();
    const std::size_t all = degree * static_cast<std::size_t>(view_.group_.order());
    view_.slots_.assign(all, -1);
    view_.generators_of_slots_.assign(all, -1);
    for (const NodeId node : ids<NodeId>(view_.group_.order())) {
      const auto links = network_links(node);
      if (links.size() != view_.degree()) return false;
      std::int32_t* const taken = view_.generators_of_slots_.data() + node.index() * degree;
      for (std::size_t k = 0; k < degree; ++k) {
        std::int32_t slot = 0;
        const NodeId head = goal(node, k);
        while (slot < links.size() &&
               (taken[slot] >= 0 || view_.topology_.head(links[slot]) != head))
          ++slot;
        if (slot == links.size()) return false;
        taken[slot] = static_cast<std::int32_t>(k);
        view_.slots_[node.index() * degree + k] = slot;
      }
    }
    return true;
  }

  CayleyView view_;
  std::vector<std::vector<Element>> moves_;
};

std::optional<CayleyView> as_cayley(const Topology& topology) {
  auto numbering = numbering_of(topology.expression());
  if (!numbering || numbering->group.order() > topology.node_count()) return std::nullopt;
  return CayleyViewBuilder(topology, std::move(*numbering)).build();
}

}  // namespace weft::topology
