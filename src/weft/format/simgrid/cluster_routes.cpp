// Ways within SimGrid's clusters with a topology, as its 3.32 finds them.
//
// Torus: dimension by dimension; right if the target is not farther that way. Fat tree: up by the
// digits of the target (d-mod-k), down by the cables that the source's number chooses. Dragonfly:
// to the router of the own group that leads on, in chassis 0, and there to the target; within a
// group SimGrid also goes on from chassis 0, whichever it is in: such ways are no walks, and kept
// as they are, since they are what a simulation takes. A limiter of each host and switch that a
// message passes is a link of its way.
#include "route_finder.hpp"

namespace weft::format::simgrid {

namespace {

using Ids = std::vector<std::int64_t>;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

class Way {
 public:
  explicit Way(const ClusterShape& shape) : shape_(shape) {}

  void limit(std::int64_t node) {
    if (shape_.limiters) links_.push_back(*shape_.limiters + static_cast<ResourceId>(node));
  }
  void up(const Duplex& links, std::int64_t k) { links_.push_back(links.up(k)); }
  void down(const Duplex& links, std::int64_t k) { links_.push_back(links.down(k)); }
  std::vector<ResourceId> take() && { return std::move(links_); }

 private:
  const ClusterShape& shape_;
  std::vector<ResourceId> links_;
};

std::vector<ResourceId> torus_route(const ClusterShape& shape, std::int64_t from, std::int64_t to) {
  Way way(shape);
  const auto dimensions = std::ssize(shape.extents);
  std::int64_t node = from, stride = 1;
  for (std::int64_t d = 0; d < dimensions; stride *= shape.extents[at(d++)]) {
    const std::int64_t extent = shape.extents[at(d)], half = extent / 2;
    const std::int64_t mine = from / stride % extent, target = to / stride % extent;
    const bool right = (target > mine && target <= mine + half) ||
                       (mine > half && (mine + half) % extent >= target);
    while (node / stride % extent != target) {
      const std::int64_t here = node / stride % extent;
      way.limit(node);
      if (right) {
        way.up(shape.links, node * dimensions + d);
        node += here == extent - 1 ? stride - stride * extent : stride;
      } else {
        node += here == 0 ? stride * extent - stride : -stride;
        way.down(shape.links, node * dimensions + d);
      }
    }
  }
  way.limit(to);
  return std::move(way).take();
}

// A node of a fat tree, by its level and the digits of its place there.
class FatTree {
 public:
  explicit FatTree(const ClusterShape& shape) : shape_(shape) {
    std::int64_t nodes = 1;
    for (const std::int64_t each : shape.children) nodes *= each;
    std::int64_t links = 0, all = 0;
    for (std::size_t level = 0; level < shape.children.size(); ++level) {
      first_link_.push_back(links);
      first_node_.push_back(all);
      all += nodes;
      links += nodes * ports(level);
      nodes = nodes / shape.children[level] * shape.parents[level];
    }
    first_node_.push_back(all);
  }

  struct Node {
    std::size_t level = 0;
    Ids label;
  };

  Node host(std::int64_t number) const {
    Node node;
    for (const std::int64_t each : shape_.children) {
      node.label.push_back(number % each);
      number /= each;
    }
    return node;
  }
  std::int64_t ports(std::size_t level) const {
    return shape_.parents[level] * shape_.parallel[level];
  }
  std::int64_t place(const Node& node) const {
    std::int64_t place = 0;
    for (std::size_t i = node.label.size(); i-- > 0;)
      place = place * (i >= node.level ? shape_.children[i] : shape_.parents[i]) + node.label[i];
    return place;
  }
  std::int64_t number(const Node& node) const { return first_node_[node.level] + place(node); }
  std::int64_t link(const Node& child, std::int64_t port) const {
    return first_link_[child.level] + place(child) * ports(child.level) + port;
  }
  bool is_above(const Node& node, const Node& host) const {
    for (std::size_t i = node.level; i < node.label.size(); ++i)
      if (node.label[i] != host.label[i]) return false;
    return node.level > 0;
  }

 private:
  const ClusterShape& shape_;
  Ids first_link_, first_node_;  // by level
};

std::vector<ResourceId> fat_tree_route(const ClusterShape& shape, std::int64_t from,
                                       std::int64_t to) {
  const FatTree tree(shape);
  Way way(shape);
  const FatTree::Node target = tree.host(to);
  FatTree::Node node = tree.host(from);
  while (!tree.is_above(node, target)) {
    std::int64_t d = shape.first_position + to;
    for (std::size_t i = 0; i < node.level; ++i) d /= shape.parents[i];
    const std::int64_t port = d % tree.ports(node.level);
    way.limit(tree.number(node));
    way.up(shape.links, tree.link(node, port));
    node.label[node.level] = port % shape.parents[node.level];
    ++node.level;
  }
  // From a port on, the first that leads to the target; what follows at the next switch begins
  // behind that port, as SimGrid's loop does.
  while (node.level > 0) {
    const std::size_t first = node.level - 1;
    std::int64_t i = (shape.first_position + from) % shape.parallel[first] * shape.children[first];
    const std::size_t before = node.level;
    for (; node.level > 0; ++i) {
      const std::size_t level = node.level - 1;
      if (i >= shape.children[level] * shape.parallel[level]) break;
      if (i % shape.children[level] != target.label[level]) continue;
      FatTree::Node child = node;
      child.level = level;
      child.label[level] = target.label[level];
      way.down(shape.links, tree.link(child, node.label[level] +
                                                 i / shape.children[level] * shape.parents[level]));
      way.limit(tree.number(node));
      node = std::move(child);
    }
    if (node.level == before) throw NoRoute{};
  }
  way.limit(to);
  return std::move(way).take();
}

class Dragonfly {
 public:
  explicit Dragonfly(const ClusterShape& shape)
      : shape_(shape),
        groups_(shape.extents[0]),
        chassis_(shape.extents[1]),
        blades_(shape.extents[2]),
        nodes_(shape.extents[3]),
        way_(shape) {
    const bool split = shape.links.is_split;
    const auto behind = [&](const Duplex& links, std::int64_t count) {
      return Duplex{links.first + static_cast<ResourceId>(split ? 2 * count : count), split};
    };
    green_ = behind(shape.links, hosts());
    black_ = behind(green_, groups_ * chassis_ * (blades_ * (blades_ - 1) / 2));
    blue_ = behind(black_, groups_ * blades_ * (chassis_ * (chassis_ - 1) / 2));
  }

  std::vector<ResourceId> route(std::int64_t from, std::int64_t to) && {
    const Place target = place(to);
    here_ = place(from);
    const Place source = here_;
    way_.limit(from);
    way_.up(shape_.links, from);
    if (!(source == target)) {
      if (target.group != here_.group) to_group(target.group, source.group);
      if (target.blade != here_.blade) {
        limit();
        along_green(target.blade);
        here_.chassis = 0;
      }
      if (target.chassis != here_.chassis) {
        limit();
        along_black(target.chassis);
      }
    }
    here_ = target;
    limit();
    way_.down(shape_.links, to);
    way_.limit(to);
    return std::move(way_).take();
  }

 private:
  struct Place {
    std::int64_t group, chassis, blade;
    friend bool operator==(const Place&, const Place&) = default;
  };

  std::int64_t hosts() const { return groups_ * chassis_ * blades_ * nodes_; }
  Place place(std::int64_t host) const {
    const std::int64_t router = host / nodes_;
    return {router / (chassis_ * blades_), router / blades_ % chassis_, router % blades_};
  }
  void limit() {
    way_.limit(hosts() + (here_.group * chassis_ + here_.chassis) * blades_ + here_.blade);
  }
  // The k-th pair of n things, the first of which is the less.
  static std::int64_t pair(std::int64_t a, std::int64_t b, std::int64_t n) {
    return a * (2 * n - a - 1) / 2 + b - a - 1;
  }
  void along(const Duplex& links, std::int64_t k, bool up) {
    if (up)
      way_.up(links, k);
    else
      way_.down(links, k);
  }
  void along_green(std::int64_t blade) {
    if (blade >= blades_) throw NoRoute{};
    const auto [a, b] = std::minmax(here_.blade, blade);
    along(green_,
          (here_.group * chassis_ + here_.chassis) * (blades_ * (blades_ - 1) / 2) +
              pair(a, b, blades_),
          here_.blade < blade);
    here_.blade = blade;
  }
  void along_black(std::int64_t chassis) {
    const auto [a, b] = std::minmax(here_.chassis, chassis);
    along(black_,
          (here_.group * (chassis_ * (chassis_ - 1) / 2) + pair(a, b, chassis_)) * blades_ +
              here_.blade,
          here_.chassis < chassis);
    here_.chassis = chassis;
  }
  void to_group(std::int64_t group, std::int64_t own) {
    if (here_.blade != group) {
      limit();
      along_green(group);
    }
    if (here_.chassis != 0) {
      limit();
      along_black(0);
    }
    const auto [a, b] = std::minmax(own, group);
    along(blue_, pair(a, b, groups_), own < group);
    limit();
    here_ = {group, own / blades_, own % blades_};
  }

  const ClusterShape& shape_;
  std::int64_t groups_, chassis_, blades_, nodes_;
  Duplex green_, black_, blue_;
  Way way_;
  Place here_{};
};

}  // namespace

std::vector<ResourceId> cluster_route(const Zone& zone, std::int64_t from, std::int64_t to) {
  if (zone.kind == ZoneKind::torus) return torus_route(zone.shape, from, to);
  if (zone.kind == ZoneKind::fat_tree) return fat_tree_route(zone.shape, from, to);
  return Dragonfly(zone.shape).route(from, to);
}

}  // namespace weft::format::simgrid
