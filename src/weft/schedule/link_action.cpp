#include "weft/schedule/link_action.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::schedule {

namespace {

constexpr std::int32_t kNoAgent = -1;

bool any_parallel_links(const Topology& topology) {
  for (const NodeId node : topology.nodes())
    for (const LinkId link : topology.out_links(node))
      if (topology.find_link(node, topology.head(link)) != link) return true;
  return false;
}

}  // namespace

LinkAction::LinkAction(const Symmetry& symmetry, std::span<const NodeId> nodes,
                       const Topology& topology)
    : symmetry_(symmetry), topology_(topology), nodes_(nodes.begin(), nodes.end()) {}

std::optional<LinkAction> LinkAction::of(const Symmetry& symmetry, std::span<const NodeId> nodes,
                                         const Topology& topology) {
  WEFT_ASSERT(std::ssize(nodes) % symmetry.order() == 0);  // the group acts freely on the agents
  LinkAction action(symmetry, nodes, topology);
  if (!action.place_agents()) return std::nullopt;
  action.has_parallel_links_ = any_parallel_links(topology);
  if (!action.moves_all_links()) return std::nullopt;
  return action;
}

// Whether each node holds one agent.
bool LinkAction::place_agents() {
  if (nodes_.size() != topology_.node_count()) return false;
  agents_.assign(nodes_.size(), kNoAgent);
  for (const Agent a : nodes_.ids()) {
    std::int32_t& agent = agents_[nodes_[a]];
    if (agent != kNoAgent) return false;
    agent = a.value();
  }
  return true;
}

// Images of different links differ, so that each generator permutes all links.
bool LinkAction::moves_all_links() const {
  IdVector<NodeId, NodeId> moved(agents_.size());
  for (const Group::Element generator : symmetry_.group().generators()) {
    for (const NodeId node : topology_.nodes()) moved[node] = translate(generator, node);
    for (const NodeId node : topology_.nodes()) {
      const auto links = topology_.out_links(node), images = topology_.out_links(moved[node]);
      for (std::int32_t k = 0; k < links.size(); ++k) {
        const bool in_place = !has_parallel_links_ && k < images.size() &&
                              topology_.head(images[k]) == moved[topology_.head(links[k])];
        if (!in_place && !image(generator, links[k])) return false;
      }
    }
  }
  return true;
}

std::optional<LinkId> LinkAction::image(std::int32_t element, LinkId link) const {
  const NodeId tail = topology_.tail(link), head = topology_.head(link);
  const NodeId from = translate(element, tail), to = translate(element, head);
  if (!has_parallel_links_) {
    // On Cayley graphs links mostly keep their place among the links of a node.
    const auto moved = topology_.out_links(from);
    const std::int32_t place = link.value() - topology_.out_links(tail)[0].value();
    if (place < moved.size() && topology_.head(moved[place]) == to) return moved[place];
    return topology_.find_link(from, to);
  }
  std::int32_t earlier = 0;  // of those parallel to it
  for (const LinkId other : topology_.out_links(tail)) {
    if (other == link) break;
    if (topology_.head(other) == head) ++earlier;
  }
  for (const LinkId other : topology_.out_links(from))
    if (topology_.head(other) == to && earlier-- == 0) return other;
  return std::nullopt;
}

}  // namespace weft::schedule
