#include "edited_graph.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {

bool Edits::touches(int link) const {
  for (const auto& cut : cuts)
    if (std::find(cut.begin(), cut.end(), link) != cut.end()) return true;
  for (const auto& [a, b] : exchanges)
    if (a == link || b == link) return true;
  return false;
}

EditedGraph::EditedGraph(Topology base, int added)
    : base_(std::move(base)),
      added_(added),
      original_{base_.node_count() + added, {}},
      touched_(original_.nodes) {
  original_.rows.assign(degree(), std::vector<Node>(nodes()));
  slots_.resize(base_.link_count());
  for (const LinkId link : base_.links()) {
    tails_.push_back(static_cast<Node>(base_.tail(link).value()));
    heads_.push_back(static_cast<Node>(base_.head(link).value()));
  }
  for (const NodeId node : base_.nodes()) {
    const auto links = base_.in_links(node);
    WEFT_ASSERT(links.size() == original_.rows.size());
    for (std::size_t slot = 0; slot < links.size(); ++slot) {
      slots_[links[slot].index()] = static_cast<int>(slot);
      original_.rows[slot][node.index()] = tails_[links[slot].index()];
    }
  }
}

void EditedGraph::touch(Node node) {
  if (touched_[node] != 0) return;
  touched_[node] = 1;
  roots_.push_back(node);
}

void EditedGraph::splice(Node added, const std::vector<int>& cut) {
  std::size_t slot = 0;
  const auto cut_one = [&](std::size_t link) {
    rows_.rows[slot++][added] = tails_[link];
    rows_.rows[slots_[link]][heads_[link]] = added;
    touch(heads_[link]);
  };
  touch(added);
  for (const int link : cut) {
    cut_one(static_cast<std::size_t>(link));
    if (const auto reverse = base_.reverse(LinkId(link))) cut_one(reverse->index());
  }
  WEFT_ASSERT(slot == rows_.rows.size());
}

bool EditedGraph::is_simple(Node node) const {
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    const Node tail = rows_.rows[r][node];
    if (tail == node) return false;
    for (std::size_t other = 0; other < r; ++other)
      if (rows_.rows[other][node] == tail) return false;
  }
  return true;
}

bool EditedGraph::apply(const Edits& edits) {
  WEFT_ASSERT(std::ssize(edits.cuts) <= added_);
  rows_ = original_;
  roots_.clear();
  std::fill(touched_.begin(), touched_.end(), char{0});
  Node next = static_cast<Node>(base_.node_count());
  for (const auto& cut : edits.cuts) splice(next++, cut);
  for (const auto& [a, b] : edits.exchanges) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    std::swap(rows_.rows[slots_[i]][heads_[i]], rows_.rows[slots_[j]][heads_[j]]);
    touch(heads_[i]);
    touch(heads_[j]);
  }
  for (int node = 0; node < nodes(); ++node) touch(static_cast<Node>(node));
  return std::all_of(roots_.begin(), roots_.end(), [&](Node node) { return is_simple(node); });
}

std::string EditedGraph::text(const Edits& edits) const {
  topology::BuiltTopology graph{base_, {}};
  for (const auto& cut : edits.cuts) {
    topology::Splice splice;
    for (const int link : cut) {
      if (base_.reverse(LinkId(link)))  // links keep their ids from splice to splice, cables not
        splice.cables.push_back(graph.topology.cable(LinkId(link)).value());
      else
        splice.links.push_back(link);
    }
    std::sort(splice.links.begin(), splice.links.end());
    std::sort(splice.cables.begin(), splice.cables.end());
    graph = topology::splice_node(splice, graph);
  }
  if (edits.exchanges.empty()) return graph.topology.name();
  std::vector<int> links;
  for (const auto& [a, b] : edits.exchanges) links.insert(links.end(), {a, b});
  return topology::exchange_heads(links, graph).topology.name();
}

}  // namespace weft::search
