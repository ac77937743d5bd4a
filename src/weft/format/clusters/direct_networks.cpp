#include "direct_networks.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "../imported_fabric.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format::clusters {

namespace {

using topology::NoteKind;
using Node = FabricBuilder::Node;

constexpr std::size_t kMostOfSlurm = 16;  // nodes of a ring

void finish_notes(FabricBuilder& builder, const FabricSource& source) {
  require(source.uplinks.empty(),
          "{}: --uplinks counts cables up from switches, which this network does not have; "
          "leave it out",
          source.file);
  builder.log().note("the file has no speeds; --link or the default is used for all",
                     NoteKind::speed);
}

class Rings {
 public:
  explicit Rings(FabricBuilder&& builder) : builder_(std::move(builder)) {}

  ImportedFabric build(const std::vector<RingEntry>& rings, const FabricSource& source) && {
    for (const RingEntry& ring : rings) add(ring);
    finish_notes(builder_, source);
    return built(std::move(builder_));
  }

 private:
  void add(const RingEntry& ring) {
    const auto [known, is_new] = names_.emplace(ring.name, ring.where);
    require(is_new, "{}: ring {} is repeated, first at {}", ring.where, ring.name, known->second);
    topology::ImportLog& log = builder_.log();
    if (ring.hosts.empty()) log.mend("left out, because it has no nodes", ring.name, ring.line);
    if (ring.hosts.size() > kMostOfSlurm)
      log.mend(fmt::format("accepted, though Slurm has at most {} nodes in a ring", kMostOfSlurm),
               fmt::format("{} of {} nodes", ring.name, ring.hosts.size()), ring.line);
    std::unordered_set<std::string_view> seen;
    std::vector<Node> nodes;
    for (const std::string& host : ring.hosts) {
      require(seen.insert(host).second, "{}: {} is repeated in ring {}", ring.where, host,
              ring.name);
      nodes.push_back(node(host, ring));
    }
    const std::size_t count = nodes.size();
    for (std::size_t i = 0; i < count; ++i)
      if (i + 1 < count || count > 2)
        builder_.cable(nodes[i], {}, nodes[(i + 1) % count], {}, {.line = ring.line});
  }

  // A host may be in several rings.
  Node node(const std::string& host, const RingEntry& ring) {
    const auto known = hosts_.find(host);
    if (known != hosts_.end()) {
      builder_.log().note(
          fmt::format("{} is in several rings, such as {}, and connects them", host, ring.name));
      return known->second;
    }
    const Node made = builder_.node(host, host, NodeKind::host, ring.line);
    hosts_.emplace(host, made);
    return made;
  }

  FabricBuilder builder_;
  std::unordered_map<std::string, std::string> names_;  // of rings, where they stand first
  std::unordered_map<std::string, Node> hosts_;
};

class Toruses {
 public:
  explicit Toruses(FabricBuilder&& builder) : builder_(std::move(builder)) {}

  ImportedFabric build(const std::vector<TorusEntry>& toruses, const FabricSource& source) && {
    for (const TorusEntry& torus : toruses) {
      const auto [known, is_new] = names_.emplace(torus.name, torus.where);
      require(is_new, "{}: torus {} is repeated, first at {}", torus.where, torus.name,
              known->second);
      cells_.clear();
      order_.clear();
      for (const TorusRegion& region : torus.regions) add_region(torus, region);
      add_cables(torus);
    }
    finish_notes(builder_, source);
    return built(std::move(builder_));
  }

 private:
  static constexpr std::array<const char*, 3> kDimensions{"x", "y", "z"};

  static std::string text(const Coordinates& c) {
    return fmt::format("{}x{}x{}", c[0], c[1], c[2]);
  }

  static std::int64_t index(const TorusEntry& torus, const Coordinates& at) {
    return at[0] + torus.extents[0] * (at[1] + torus.extents[1] * at[2]);
  }

  void check_region(const TorusEntry& torus, const TorusRegion& region) const {
    std::int64_t cells = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      require(region.anchor[d] + region.extents[d] <= torus.extents[d],
              "{}: the region exceeds the torus {} ({}) in {}: it starts at {} and has length {}",
              region.where, torus.name, text(torus.extents), kDimensions[d], region.anchor[d],
              region.extents[d]);
      cells *= region.extents[d];
    }
    require(cells == std::ssize(region.hosts),
            "{}: {} cells of torus {} need {}, but the list has {}", region.where,
            text(region.extents), torus.name, counted(cells, "node"), region.hosts.size());
  }

  void add_region(const TorusEntry& torus, const TorusRegion& region) {
    check_region(torus, region);
    for (std::int64_t i = 0; i < std::ssize(region.hosts); ++i) {
      const std::string& host = region.hosts[static_cast<std::size_t>(i)];
      const Coordinates at{region.anchor[0] + i % region.extents[0],
                           region.anchor[1] + i / region.extents[0] % region.extents[1],
                           region.anchor[2] + i / (region.extents[0] * region.extents[1])};
      const auto [known, is_new] = hosts_.emplace(host, region.where);
      require(is_new, "{}: {} is repeated, first at {}", region.where, host, known->second);
      const Node node = builder_.node(host, host, NodeKind::host, region.line);
      require(cells_.emplace(index(torus, at), node).second,
              "{}: the region overlaps another region of torus {}, at x {}, y {}, z {}",
              region.where, torus.name, at[0], at[1], at[2]);
      order_.push_back(at);
    }
  }

  void add_cables(const TorusEntry& torus) {
    for (const Coordinates& at : order_)
      for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t extent = torus.extents[d];
        if (extent == 1 || (extent == 2 && at[d] == 1)) continue;
        Coordinates next = at;
        next[d] = (at[d] + 1) % extent;
        const auto other = cells_.find(index(torus, next));
        if (other == cells_.end()) continue;
        builder_.cable(cells_.at(index(torus, at)), {}, other->second, {},
                       {.link_class = kDimensions[d], .line = torus.line});
      }
    const std::int64_t all = torus.extents[0] * torus.extents[1] * torus.extents[2];
    if (all > std::ssize(order_))
      builder_.log().note(fmt::format("{} of {} cells of torus {} have no node, and no cables",
                                      all - std::ssize(order_), all, torus.name),
                          NoteKind::answer);
  }

  FabricBuilder builder_;
  std::unordered_map<std::string, std::string> names_, hosts_;  // where they stand first
  std::unordered_map<std::int64_t, Node> cells_;                // of the torus at hand
  std::vector<Coordinates> order_;                              // of its cells
};

}  // namespace

ImportedFabric fabric_of_rings(const std::vector<RingEntry>& rings, FabricBuilder&& builder,
                               const FabricSource& source) {
  return Rings(std::move(builder)).build(rings, source);
}

ImportedFabric fabric_of_toruses(const std::vector<TorusEntry>& toruses, FabricBuilder&& builder,
                                 const FabricSource& source) {
  return Toruses(std::move(builder)).build(toruses, source);
}

}  // namespace weft::format::clusters
