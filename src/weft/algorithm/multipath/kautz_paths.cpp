// Paths between xy and zt in Kautz(d,2), where a node is a word of two different letters and xy is
// linked to all yk.
//
//   type 1, z != y        <xyzt>, and <xykzt> for k != y, z            2, then d - 1 times 3 links
//   type 2, zt = yx       <xyx>, and <xykyx> for k != x, y             1, then d - 1 times 3
//   type 3, zt = yt       <xyt>, and <xykyt> for k != x, y, t          1, then d - 2 times 3,
//                         and <xyxtyt>                                 and one of 4
//
// The source of the types leaves the path of four links out; a limit on the hops does the same.
// Nodes are numbered by Imase and Itoh, u -> -(d u + j), so no word is formed: each neighbour yk of
// the source but the ends of the shortest path has one neighbour kz that is linked to the
// destination, unless that is the source itself (k = x in type 3).
#include "kautz_paths.hpp"

#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"

namespace weft::algorithm {

namespace {

class KautzPaths {
 public:
  KautzPaths(const Topology& topology, std::int64_t degree, NodeId from, NodeId to)
      : topology_(topology), degree_(degree), from_(from), to_(to) {}

  std::vector<std::vector<LinkId>> all() const {
    std::vector<std::vector<LinkId>> paths;
    const std::vector<LinkId> shortest = shortest_path();
    paths.push_back(shortest);
    std::optional<LinkId> back;  // to the neighbour whose way on leads through the source
    for (const LinkId first : topology_.out_links(from_)) {
      if (first == shortest.front()) continue;
      auto rest = two_links(topology_.head(first));
      if (topology_.head(rest.front()) == from_)
        back = first;
      else
        paths.push_back({first, rest.front(), rest.back()});
    }
    if (back) paths.push_back(around(*back));
    return paths;
  }

 private:
  // The link u -> -(d u + j), if there is one; links of a tail are in the order of j.
  std::optional<LinkId> link(NodeId tail, NodeId head) const {
    const std::int64_t n = topology_.node_count();
    const std::int64_t j = mod(-std::int64_t{head.value()} - degree_ * tail.value() - 1, n);
    if (j >= degree_) return std::nullopt;
    return LinkId((*topology_.out_links(tail).begin()).value() + j);
  }

  std::vector<LinkId> shortest_path() const {
    if (const auto direct = link(from_, to_)) return {*direct};
    return two_links(from_);
  }

  // The one path of two links from a node to the destination.
  std::vector<LinkId> two_links(NodeId node) const {
    for (const LinkId first : topology_.out_links(node))
      if (const auto second = link(topology_.head(first), to_)) return {first, *second};
    WEFT_ASSERT(false);
    return {};
  }

  // <xyxtyt>: after the neighbour yx that is linked back, to xt, and to the destination yt by ty,
  // which is linked both ways with it.
  std::vector<LinkId> around(LinkId first) const {
    for (const LinkId last : topology_.in_links(to_))
      if (link(to_, topology_.tail(last)))
        for (const LinkId second : topology_.out_links(topology_.head(first)))
          if (const auto third = link(topology_.head(second), topology_.tail(last)))
            return {first, second, *third, last};
    WEFT_ASSERT(false);
    return {};
  }

  const Topology& topology_;
  std::int64_t degree_;
  NodeId from_, to_;
};

}  // namespace

std::vector<std::vector<LinkId>> kautz_paths(const Topology& topology,
                                             const topology::KautzView& kautz, NodeId from,
                                             NodeId to) {
  WEFT_ASSERT(kautz.diameter == 2 && from != to);
  return KautzPaths(topology, kautz.degree, from, to).all();
}

}  // namespace weft::algorithm
