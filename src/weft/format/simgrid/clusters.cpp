// SimGrid's <cluster>: hosts prefix + number + suffix, joined as `topology` says.
//
//   none       a link of its own to a router for each host; with a backbone (bb_bw), which all
//              messages of the cluster cross, also those from outside and to there
//   TORUS      "X,Y,Z": host n is at n % X and so on
//   FAT_TREE   "h;m1,..;w1,..;p1,..": children, parents and parallel cables of each level
//   DRAGONFLY  "groups,b;chassis,c;routers,r;nodes": b, c and r times the bandwidth; router k of
//              group j has the link to group k
//
// Each makes resources, a zone that knows its routes, and the cables that these suggest; what both
// directions share is a bus. Source: SimGrid 3.32's manual, "XML reference".
#include <algorithm>
#include <limits>
#include <numeric>

#include "platform.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/registry.hpp"

namespace weft::format::simgrid {

namespace {

using pugi::xml_node;

constexpr std::int64_t kMostHosts = 1'000'000;

class Cluster {
 public:
  Cluster(const XmlFile& file, const xml_node& element, std::optional<std::size_t> parent,
          Platform& platform)
      : file_(file),
        element_(element),
        platform_(platform),
        id_(file.text(element, "id")),
        bandwidth_Bps_(bandwidth_of(file, element, "bw")),
        latency_ps_(latency_of(file, element, "lat")),
        kind_(kind()),
        zone_(add_zone(element, id_, kind_, parent, platform)) {
    read_policy();
    has_limiter_ = has("limiter_link");
  }

  void add() {
    add_hosts();
    if (kind_ == ZoneKind::star) return add_star();
    if (kind_ == ZoneKind::torus) return add_torus();
    if (has_limiter_)
      platform_.no_cables =
          fmt::format("the switches of cluster {} have limits (limiter_link)", id_);
    if (kind_ == ZoneKind::fat_tree)
      add_fat_tree();
    else
      add_dragonfly();
  }

 private:
  ZoneKind kind() const {
    const std::string name = weft::lower(element_.attribute("topology").value());
    if (name.empty() || name == "flat") return ZoneKind::star;
    if (name == "torus") return ZoneKind::torus;
    if (name == "fat_tree") return ZoneKind::fat_tree;
    if (name == "dragonfly") return ZoneKind::dragonfly;
    file_.refuse_value(element_, "topology", {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"});
  }

  void read_policy() {
    const std::string policy = weft::lower(element_.attribute("sharing_policy").value());
    is_shared_ = policy != "fatpipe";
    is_split_ = policy.empty() || policy == "splitduplex" || policy == "fullduplex";
    if (!is_split_ && policy != "shared" && policy != "fatpipe")
      file_.refuse_value(element_, "sharing_policy", {"SPLITDUPLEX", "SHARED", "FATPIPE"});
  }

  void add_hosts() {
    const std::string_view prefix = element_.attribute("prefix").value();
    const std::string_view suffix = element_.attribute("suffix").value();
    first_ = platform_.points.size();
    for (const std::int64_t number : radical_of(file_, element_))
      platform_.add_point(zone_, fmt::format("{}{}{}", prefix, number, suffix), NodeKind::host,
                          element_);
    count_ = static_cast<std::int64_t>(platform_.points.size() - first_);
  }
  ClusterShape& shape() { return platform_.zones[zone_].shape; }
  std::size_t host(std::int64_t index) const { return first_ + static_cast<std::size_t>(index); }

  Duplex add_links(std::int64_t count, std::int64_t width = 1) {
    require(bandwidth_Bps_ <= std::numeric_limits<std::int64_t>::max() / width,
            "{} parallel links of {} bytes/s exceed the largest bandwidth of weft", width,
            bandwidth_Bps_);
    const Duplex links{static_cast<ResourceId>(platform_.resources.size()), is_split_};
    for (std::int64_t i = 0; i < count * (is_split_ ? 2 : 1); ++i)
      platform_.add_resource({}, bandwidth_Bps_ * width, latency_ps_, is_shared_);
    return links;
  }
  // For hosts, and for switches behind them.
  ResourceId add_limiters(std::int64_t count) {
    const std::int64_t limit_Bps = bandwidth_of(file_, element_, "limiter_link");
    const auto first = static_cast<ResourceId>(platform_.resources.size());
    for (std::int64_t i = 0; i < count; ++i) platform_.add_resource({}, limit_Bps, 0);
    return first;
  }

  void join(std::size_t a, std::size_t b, const Duplex& links, std::int64_t k,
            const char* link_class = "") {
    if (is_split_ || !is_shared_)
      platform_.cables.push_back({a, b, links.up(k), links.down(k), link_class});
    else
      add_shared_cable(a, b, b, links.up(k), platform_);
  }

  std::size_t add_router() {
    const std::string_view own = element_.attribute("router_id").value();
    return platform_.add_point(
        zone_,
        own.empty() ? fmt::format("{}{}_router{}", element_.attribute("prefix").value(), id_,
                                  element_.attribute("suffix").value())
                    : std::string(own),
        NodeKind::switch_node, element_);
  }

  bool has(const char* key) const { return element_.attribute(key).value()[0] != '\0'; }
  // A router that messages enter and leave the cluster by; with a backbone they cross that, too,
  // from the switch that hosts send to on to the one that they receive from.
  void add_star() {
    const Duplex links = add_links(count_);
    std::optional<ResourceId> limiters, backbone;
    if (has_limiter_) limiters = add_limiters(count_);
    if (has("bb_bw"))
      backbone = platform_.add_resource(
          fmt::format("{}_backbone", id_), bandwidth_of(file_, element_, "bb_bw"),
          has("bb_lat") ? latency_of(file_, element_, "bb_lat") : 0, !is_fat_pipe());
    const std::size_t router = add_router();
    std::size_t in = router, out = router;
    if (backbone) {
      in = add_switch(fmt::format("{}-backbone", id_), element_, platform_);
      out = add_switch(fmt::format("{}-backbone-out", id_), element_, platform_);
      platform_.cables.push_back({in, out, *backbone, {}, "backbone"});
      platform_.cables.push_back({out, router, {}, {}, "bus"});
      platform_.cables.push_back({router, in, {}, {}, "bus"});
    }
    for (std::int64_t i = 0; i < count_; ++i) {
      StarEnd end;
      std::size_t near = host(i);
      if (limiters) {
        end.up.push_back(*limiters + static_cast<ResourceId>(i));
        near = add_limit(near, end.up.back());
      }
      end.up.push_back(links.up(i));
      end.down.push_back(links.down(i));
      if (backbone) end.up.push_back(*backbone);
      if (backbone) end.down.insert(end.down.begin(), *backbone);
      if (limiters) end.down.push_back(*limiters + static_cast<ResourceId>(i));
      platform_.zones[zone_].ends.emplace(host(i), std::move(end));
      if (!backbone) {
        join(near, router, links, i);
      } else if (is_split_ || !is_shared_) {
        platform_.cables.push_back({near, in, links.up(i), {}, ""});
        platform_.cables.push_back({out, near, links.down(i), {}, ""});
      } else {
        add_shared_cable(near, in, out, links.up(i), platform_);
      }
    }
  }

  // What the host sends and receives passes one limit; returns the switch before the host's link.
  std::size_t add_limit(std::size_t host, ResourceId limit) {
    const std::string& name = platform_.points[host].name;
    const std::size_t outside = add_switch(fmt::format("{}-port", name), element_, platform_);
    add_shared_cable(host, outside, outside, limit, platform_);
    return outside;
  }
  bool is_fat_pipe() const {
    const std::string policy = weft::lower(element_.attribute("bb_sharing_policy").value());
    if (!policy.empty() && policy != "shared" && policy != "fatpipe")
      file_.refuse_value(element_, "bb_sharing_policy", {"SHARED", "FATPIPE"});
    return policy == "fatpipe";
  }
  std::vector<std::int64_t> numbers(std::string_view list, std::string_view what) const {
    std::vector<std::int64_t> all;
    for (const std::string_view part : split(list, ',')) {
      const auto number = number_in<std::int64_t>(part);
      if (!number || *number < 1 || *number > kMostHosts)
        file_.refuse(element_, "topo_parameters: '{}' is not a {}", part, what);
      all.push_back(*number);
    }
    return all;
  }
  std::string_view parameters() const { return file_.text(element_, "topo_parameters"); }
  void require_hosts(double wanted) const {
    if (wanted != static_cast<double>(count_))
      file_.refuse(element_, "topo_parameters make {} hosts, but radical {}", wanted, count_);
  }

  // Of an extent of 2 SimGrid's two links are one cable: it uses one of them.
  void add_torus() {
    const auto extents = numbers(parameters(), "extent");
    require_hosts(std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>()));
    const auto dimensions = std::ssize(extents);
    const Duplex links = add_links(count_ * dimensions);
    shape().extents = extents;
    shape().links = links;
    if (has_limiter_) add_torus_limits();
    std::int64_t stride = 1;
    for (std::int64_t d = 0; d < dimensions; stride *= extents[static_cast<std::size_t>(d++)]) {
      const std::int64_t extent = extents[static_cast<std::size_t>(d)];
      const std::string link_class = fmt::format("d{}", d);
      for (std::int64_t i = 0; i < count_; ++i) {
        const std::int64_t at = i / stride % extent;
        const std::int64_t next = at + 1 == extent ? i - at * stride : i + stride;
        if (extent > 2 || next > i) {
          const std::int64_t k = i * dimensions + d;
          if (has_limiter_)
            join_behind_limits(i, next, links, k, link_class);
          else
            join(host(i), host(next), links, k, link_class.c_str());
        }
      }
    }
  }

  // What a host sends, receives and passes on takes its limit: an arc from the switch that all
  // links come to on to the one that they leave.
  void add_torus_limits() {
    shape().limiters = add_limiters(count_);
    for (std::int64_t i = 0; i < count_; ++i) {
      const std::string name = platform_.points[host(i)].name;
      limits_.push_back(add_switch(name + "-in", element_, platform_));
      limits_.push_back(add_switch(name + "-out", element_, platform_));
      const auto limit = *shape().limiters + static_cast<ResourceId>(i);
      platform_.cables.push_back({limit_in(i), limit_out(i), limit, {}, "bus"});
      platform_.cables.push_back({host(i), limit_in(i), {}, {}, "bus"});
      platform_.cables.push_back({limit_out(i), host(i), {}, {}, "bus"});
    }
  }
  std::size_t limit_in(std::int64_t i) const { return limits_[static_cast<std::size_t>(2 * i)]; }
  std::size_t limit_out(std::int64_t i) const {
    return limits_[static_cast<std::size_t>(2 * i + 1)];
  }
  void join_behind_limits(std::int64_t i, std::int64_t next, const Duplex& links, std::int64_t k,
                          const std::string& link_class) {
    if (!is_split_) platform_.no_cables = fmt::format("the links of cluster {} are shared", id_);
    platform_.cables.push_back({limit_out(i), limit_in(next), links.up(k), {}, link_class});
    platform_.cables.push_back({limit_out(next), limit_in(i), links.down(k), {}, link_class});
  }

  void add_fat_tree() {
    const auto parts = split(parameters(), ';');
    if (parts.size() != 4)
      file_.refuse(element_, "topo_parameters '{}' are not h;m1,..;w1,..;p1,..", parameters());
    const std::int64_t height = numbers(parts[0], "height").front();
    const auto parallel = numbers(parts[3], "number of parallel cables");
    if (std::ssize(parallel) != height)
      file_.refuse(element_, "topo_parameters have {} numbers of parallel cables for {} levels",
                   parallel.size(), height);
    const Topology tree = [&] {
      try {
        return build_topology(fmt::format("xgft:{};{};{}", height, parts[1], parts[2])).topology;
      } catch (const InvalidInput& error) {
        file_.refuse(element_, "{}", error.what());
      }
    }();
    require_hosts(static_cast<double>(tree.hosts().size()));
    set_fat_tree_shape(numbers(parts[1], "number of children"),
                       numbers(parts[2], "number of parents"), parallel);
    cable_fat_tree(tree);
  }

  void set_fat_tree_shape(std::vector<std::int64_t> children, std::vector<std::int64_t> parents,
                          std::vector<std::int64_t> parallel) {
    std::int64_t links = 0, nodes = count_, switches = 0;
    for (std::size_t level = 0; level < children.size(); ++level) {
      links += nodes * parents[level] * parallel[level];
      nodes = nodes / children[level] * parents[level];
      switches += nodes;
    }
    if (links > 8 * kMostHosts) file_.refuse(element_, "the fat tree has too many links");
    const std::int64_t position = hosts_of_fat_trees(platform_) - count_;
    const Duplex all = add_links(links);
    shape() = {.children = std::move(children),
               .parents = std::move(parents),
               .parallel = std::move(parallel),
               .links = all,
               .first_position = position};
    if (has_limiter_) shape().limiters = add_limiters(count_ + switches);
  }

  void cable_fat_tree(const Topology& tree);
  void add_dragonfly();

  const XmlFile& file_;
  const xml_node& element_;
  Platform& platform_;
  std::string id_;
  std::int64_t bandwidth_Bps_, latency_ps_;
  ZoneKind kind_;
  std::size_t zone_;
  bool is_split_ = true, is_shared_ = true, has_limiter_ = false;
  std::size_t first_ = 0;
  std::int64_t count_ = 0;
  std::vector<std::size_t> limits_;  // of a torus: two switches of each host
};

// The links of a node to its parents are in a row, those of each level behind those of the one
// below: number label of the parent + cable * parents.
void Cluster::cable_fat_tree(const Topology& tree) {
  const auto& first = tree.facets().find<topology::XgftView>()->first_of_level;
  const auto level_of = [&](NodeId node) {
    return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), node.value()) -
                                    first.begin() - 1);
  };
  std::vector<std::size_t> points;
  for (const NodeId node : tree.nodes()) {
    const std::size_t level = level_of(node);
    points.push_back(level == 0 ? host(node.value())
                                : add_switch(fmt::format("{}-level{}-{}", id_, level,
                                                         node.value() - first[level]),
                                             element_, platform_));
  }
  const ClusterShape own = shape();
  std::int64_t before = 0;  // links of lower levels
  for (std::size_t level = 0; level < own.children.size(); ++level) {
    std::int64_t below = 1;  // parents of one position, in the order of their labels, are so far
    for (std::size_t i = 0; i < level; ++i) below *= own.parents[i];
    const std::int64_t nodes = first[level + 1] - first[level], parents = own.parents[level],
                       children = own.children[level];
    for (std::int64_t node = 0; node < nodes; ++node)
      for (std::int64_t label = 0; label < parents; ++label)
        for (std::int64_t j = 0; j < own.parallel[level]; ++j) {
          const std::int64_t parent =
              node % below + below * (label + parents * (node / below / children));
          join(points[static_cast<std::size_t>(first[level] + node)],
               points[static_cast<std::size_t>(first[level + 1] + parent)], own.links,
               before + (node * own.parallel[level] + j) * parents + label);
        }
    before += nodes * parents * own.parallel[level];
  }
}

void Cluster::add_dragonfly() {
  const auto parts = split(parameters(), ';');
  std::vector<std::vector<std::int64_t>> counts;
  for (const std::string_view part : parts) counts.push_back(numbers(part, "count"));
  if (parts.size() != 4 || counts[0].size() != 2 || counts[1].size() != 2 ||
      counts[2].size() != 2 || counts[3].size() != 1)
    file_.refuse(element_, "topo_parameters '{}' are not groups,b;chassis,c;routers,r;nodes",
                 parameters());
  const std::int64_t groups = counts[0][0], chassis = counts[1][0], blades = counts[2][0],
                     nodes = counts[3][0];
  require_hosts(static_cast<double>(groups) * static_cast<double>(chassis) *
                static_cast<double>(blades) * static_cast<double>(nodes));
  const std::int64_t group_size = chassis * blades, routers = groups * group_size;
  if (groups > group_size)
    file_.refuse(element_, "{} groups need as many routers in each, but there are {}", groups,
                 group_size);
  if (routers * (chassis + blades) > 4 * kMostHosts)
    file_.refuse(element_, "the Dragonfly has too many links");
  std::vector<std::size_t> points;
  for (std::int64_t i = 0; i < routers; ++i)
    points.push_back(add_switch(fmt::format("{}-router{}", id_, i), element_, platform_));
  const auto router = [&](std::int64_t i) { return points[static_cast<std::size_t>(i)]; };
  const Duplex links = add_links(count_);
  shape() = {.extents = {groups, chassis, blades, nodes}, .links = links};
  for (std::int64_t i = 0; i < count_; ++i) join(host(i), router(i / nodes), links, i);
  // Pairs of blades, of chassis and of groups, in SimGrid's order.
  const Duplex green = add_links(groups * chassis * (blades * (blades - 1) / 2), counts[2][1]);
  std::int64_t k = 0;
  for (std::int64_t shelf = 0; shelf < groups * chassis; ++shelf)
    for (std::int64_t a = 0; a < blades; ++a)
      for (std::int64_t b = a + 1; b < blades; ++b)
        join(router(shelf * blades + a), router(shelf * blades + b), green, k++, "green");
  const Duplex black = add_links(groups * blades * (chassis * (chassis - 1) / 2), counts[1][1]);
  k = 0;
  for (std::int64_t group = 0; group < groups; ++group)
    for (std::int64_t a = 0; a < chassis; ++a)
      for (std::int64_t b = a + 1; b < chassis; ++b)
        for (std::int64_t slot = 0; slot < blades; ++slot)
          join(router((group * chassis + a) * blades + slot),
               router((group * chassis + b) * blades + slot), black, k++, "black");
  const Duplex blue = add_links(groups * (groups - 1) / 2, counts[0][1]);
  k = 0;
  for (std::int64_t a = 0; a < groups; ++a)
    for (std::int64_t b = a + 1; b < groups; ++b)
      join(router(a * group_size + b), router(b * group_size + a), blue, k++, "blue");
  if (has_limiter_) shape().limiters = add_limiters(count_ + routers);
}

}  // namespace

void add_cluster(const XmlFile& file, const xml_node& element, std::optional<std::size_t> parent,
                 Platform& platform) {
  Cluster(file, element, parent, platform).add();
}

}  // namespace weft::format::simgrid
