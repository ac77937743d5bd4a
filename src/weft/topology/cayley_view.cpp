#include "weft/topology/cayley_view.hpp"

#include "weft/topology/facets.hpp"

namespace weft::topology {

namespace {

using Element = Group::Element;

}  // namespace

class CayleyViewBuilder {
 public:
  CayleyViewBuilder(const Topology& topology, CayleyGroup numbering)
      : view_(topology, std::move(numbering.group)) {
    view_.elements_ = std::move(numbering.elements);
    if (view_.elements_.empty()) return;
    view_.nodes_.resize(view_.elements_.size());
    for (const NodeId node : view_.elements_.ids()) view_.nodes_[view_.elements_[node]] = node;
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
    return view_.node(moves_[generator][view_.element(node)]);
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
  const auto* group = topology.facets().find<CayleyGroup>();
  if (group == nullptr || topology.facets().holes) return std::nullopt;
  return CayleyViewBuilder(topology, *group).build();
}

}  // namespace weft::topology
