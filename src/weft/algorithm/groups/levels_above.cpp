// Groups of groups by the switches above them.
//
// A switch that is linked into one group alone is inside it, as that of a box, or a leaf whose
// hosts are the group; and so on from there. Groups with the same switches outside are together:
// boxes on one leaf, leaves under the same spines, pods under the same cores. Those switches are
// inside what the groups make, and what is above that tells the next level. In a network that is
// no tree, as a Dragonfly, no two groups have the same neighbours, and there is none.
#include "levels_above.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "weft/base/id_vector.hpp"

namespace weft::algorithm {

namespace {

constexpr std::int32_t kNobody = -1;

class Regions {
 public:
  Regions(const Network& network, LocalGroups groups)
      : topology_(network.topology()),
        groups_(std::move(groups)),
        owner_(topology_.node_count(), kNobody) {
    for (std::size_t group = 0; group < groups_.size(); ++group)
      for (const Rank rank : groups_[group])
        owner_[network.placement().nodes[rank.index()]] = static_cast<std::int32_t>(group);
  }

  const LocalGroups& groups() const { return groups_; }

  /// Whether some groups, but not all, had the same switches above and are one now.
  bool merge() {
    absorb();
    std::vector<std::set<NodeId>> above(groups_.size());
    for (const NodeId node : topology_.switches())
      for (const std::int32_t owner : owners_beside(node))
        if (owner != owner_[node]) above[owner].insert(node);
    std::map<std::set<NodeId>, std::int32_t> index;
    std::vector<std::int32_t> merged;
    for (const auto& switches : above)
      merged.push_back(
          index.try_emplace(switches, static_cast<std::int32_t>(index.size())).first->second);
    if (index.size() < 2 || index.size() == groups_.size()) return false;
    LocalGroups groups(index.size());
    for (std::size_t group = 0; group < groups_.size(); ++group)
      groups[merged[group]].insert(groups[merged[group]].end(), groups_[group].begin(),
                                   groups_[group].end());
    groups_ = std::move(groups);
    for (std::int32_t& owner : owner_)
      if (owner != kNobody) owner = merged[owner];
    return true;
  }

 private:
  std::set<std::int32_t> owners_beside(NodeId node) const {
    std::set<std::int32_t> owners;
    for (const LinkId link : topology_.in_links(node)) owners.insert(owner_[topology_.tail(link)]);
    for (const LinkId link : topology_.out_links(node)) owners.insert(owner_[topology_.head(link)]);
    owners.erase(kNobody);
    return owners;
  }

  /// Switches that are linked into one group alone, those beside them, and so on.
  void absorb() {
    for (bool more = true; more;) {
      std::vector<std::pair<NodeId, std::int32_t>> found;
      for (const NodeId node : topology_.switches()) {
        if (owner_[node] != kNobody) continue;
        const auto owners = owners_beside(node);
        if (owners.size() == 1) found.emplace_back(node, *owners.begin());
      }
      for (const auto& [node, owner] : found) owner_[node] = owner;
      more = !found.empty();
    }
  }

  const Topology& topology_;
  LocalGroups groups_;
  IdVector<NodeId, std::int32_t> owner_;  // of each node: the group that it is inside of
};

}  // namespace

std::vector<LocalGroups> levels_above(const Network& network, const LocalGroups& smallest) {
  std::vector<LocalGroups> levels;
  Regions regions(network, smallest);
  while (regions.merge()) {
    const LocalGroups& groups = regions.groups();
    const auto as_first = [&](const auto& group) { return group.size() == groups[0].size(); };
    if (std::ranges::all_of(groups, as_first)) levels.push_back(groups);
  }
  return levels;
}

}  // namespace weft::algorithm
