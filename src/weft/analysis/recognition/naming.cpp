// Which of the isomorphisms to a family keeps the order of names.
//
// The family's sites (its switches, and hosts with several cables) are taken in the order of their
// hosts. Each gets the first of the sites by name that may still have it: those in the orbit of the
// one that has it now, under the automorphisms that keep all sites before. An automorphism that
// takes the one to the other is a word in the generators that Traces finds, and changes the
// isomorphism. Where the first by name is a twin, joined to the same as the one that has the place,
// the two just change places, so that on two levels of a tree nothing is searched.
#include <algorithm>
#include <map>
#include <utility>

#include "shape.hpp"
#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

constexpr int kMostSearches = 500;

graph::ColouredGraph recoloured(const graph::ColouredGraph& graph,
                                const std::vector<std::int64_t>& colours) {
  WEFT_ASSERT(std::ssize(colours) == graph.node_count());
  graph::ColouredGraph result;
  for (const std::int64_t colour : colours) result.add_node(colour);
  for (int node = 0; node < graph.node_count(); ++node)
    for (const int head : graph.out_ends()[node]) result.add_arc(node, head);
  return result;
}

std::vector<int> sites_of(const Shape& shape) {
  std::vector<int> sites;
  for (int site = 0; site < shape.graph.node_count(); ++site)
    if (shape.node_of[site] >= 0) sites.push_back(site);
  return sites;
}

// The family's sites: those of hosts by the first of them, then the others.
std::vector<int> places_of(const Shape& family) {
  std::vector<int> sites = sites_of(family);
  std::ranges::sort(sites, {}, [&](int site) {
    const std::int32_t node = family.node_of[site];
    const auto& hosts = family.leaf_hosts[node];
    return std::pair(family.graph.colours()[site] == kSwitchColour,
                     hosts.empty() ? node : hosts.front());
  });
  return sites;
}

class Naming {
 public:
  Naming(const Topology& fabric, const Shape& from, std::vector<int> image)
      : from_(from), image_(std::move(image)), colours_(from.graph.colours()) {
    rank_sites(fabric);
  }

  std::vector<int> order(const std::vector<int>& places) && {
    for (const int place : places) {
      const int holder = holder_of(place);
      const int first = first_like(holder);
      if (first != holder && are_twins(first, holder))
        std::swap(image_[first], image_[holder]);
      else if (first != holder && !search(holder))
        break;
      colours_[holder_of(place)] = --fixed_;  // like no other
    }
    return std::move(image_);
  }

 private:
  // By the first name of its hosts, or its own; then by number.
  void rank_sites(const Topology& fabric) {
    const auto before = [&](std::int32_t a, std::int32_t b) {
      return topology::counts_before(name_of(fabric, NodeId(a)), name_of(fabric, NodeId(b)));
    };
    std::vector<std::int32_t> speaker(image_.size(), -1);
    by_name_ = sites_of(from_);
    for (const int site : by_name_) {
      const std::int32_t node = from_.node_of[site];
      const auto& hosts = from_.leaf_hosts[node];
      speaker[site] = hosts.empty() ? node : *std::ranges::min_element(hosts, before);
    }
    std::ranges::stable_sort(by_name_, before, [&](int site) { return speaker[site]; });
    rank_.resize(image_.size());
    for (std::size_t i = 0; i < by_name_.size(); ++i) rank_[by_name_[i]] = static_cast<int>(i);
  }

  int holder_of(int place) const {
    return static_cast<int>(std::ranges::find(image_, place) - image_.begin());
  }

  // The first by name that has the same colour, itself perhaps.
  int first_like(int site) const {
    return *std::ranges::find_if(by_name_,
                                 [&](int other) { return colours_[other] == colours_[site]; });
  }

  // To whom the site is joined, but for one, and how: parallel cables by their colour.
  std::vector<std::pair<int, std::int64_t>> joined_to(int site, int but) const {
    std::vector<std::pair<int, std::int64_t>> others;
    for (const int head : from_.graph.out_ends()[site]) {
      if (from_.node_of[head] >= 0) others.emplace_back(head, 0);
      if (from_.node_of[head] >= 0) continue;
      for (const int end : from_.graph.out_ends()[head])
        if (end != site) others.emplace_back(end, from_.graph.colours()[head]);
    }
    std::erase_if(others, [&](const auto& each) { return each.first == but; });
    std::ranges::sort(others);
    return others;
  }
  bool are_twins(int a, int b) const { return joined_to(a, b) == joined_to(b, a); }

  // Gives the holder's place to the first by name of its orbit; false where nothing moves, or the
  // searches have been too many.
  bool search(int holder) {
    if (++searches_ > kMostSearches) return false;
    const auto generators = graph::automorphism_generators(recoloured(from_.graph, colours_),
                                                           graph::ArcReverses::all_there);
    if (generators.empty()) return false;
    colour_orbits(generators);
    std::map<int, std::pair<int, std::size_t>> reached{
        {holder, {holder, 0}}};  // from where, by what
    std::vector<int> open{holder};
    for (std::size_t i = 0; i < open.size(); ++i)
      for (std::size_t g = 0; g < generators.size(); ++g)
        if (reached.try_emplace(generators[g][open[i]], open[i], g).second)
          open.push_back(generators[g][open[i]]);
    std::vector<std::size_t> word;  // its last letter first
    for (int at = *std::ranges::min_element(open, {}, [&](int site) { return rank_[site]; });
         at != holder; at = reached.at(at).first)
      word.push_back(reached.at(at).second);
    for (auto g = word.rbegin(); g != word.rend(); ++g) {
      std::vector<int> moved(image_.size());
      for (std::size_t node = 0; node < moved.size(); ++node)
        moved[generators[*g][node]] = image_[node];
      image_ = std::move(moved);
    }
    return true;
  }

  // Those of the automorphisms to come are parts of these: what is in another needs no search.
  void colour_orbits(const std::vector<std::vector<int>>& generators) {
    UnionFind orbits(image_.size());
    for (const std::vector<int>& generator : generators)
      for (std::size_t node = 0; node < generator.size(); ++node)
        orbits.join(static_cast<std::int32_t>(node), generator[node]);
    for (std::size_t node = 0; node < colours_.size(); ++node)
      colours_[node] = orbits.find(static_cast<std::int32_t>(node));
  }

  const Shape& from_;
  std::vector<int> image_;             // by node of the graph, parallel cables too: its place
  std::vector<std::int64_t> colours_;  // alike where a search may find more; else of one alone
  std::vector<int> by_name_, rank_;
  std::int64_t fixed_ = -1;
  int searches_ = 0;
};

}  // namespace

std::vector<int> ordered_by_names(const Topology& fabric, const Shape& from, const Shape& to,
                                  std::vector<int> image) {
  return Naming(fabric, from, std::move(image)).order(places_of(to));
}

}  // namespace weft::analysis
