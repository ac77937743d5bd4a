// SimGrid's <cluster>: hosts prefix + number + suffix, joined as `topology` says.
//
//   none       a link of its own to a router for each host; with a backbone (bb_bw), which all
//              messages of the cluster share, hosts send into its one end and receive from the
//              other
//   TORUS      "X,Y,Z": host n is at n % X and so on
//   FAT_TREE   "h;m1,..;w1,..;p1,..": children, parents and parallel cables of each level
//   DRAGONFLY  "groups,b;chassis,c;routers,r;nodes": b, c and r times the bandwidth; router k of
//              group j has the link to group k
//
// Source: SimGrid 3.32's manual, "XML reference", and its examples/platforms.
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
  Cluster(const XmlFile& file, const xml_node& element, Platform& platform)
      : file_(file), element_(element), platform_(platform), id_(file.text(element, "id")) {
    facts_ = {.bandwidth_Bps = bandwidth_of(file, element, "bw"),
              .latency_ps = latency_of(file, element, "lat")};
  }

  void add() {
    if (element_.attribute("limiter_link"))
      remark("the limit of each host's own link (limiter_link) is left out");
    read_policy();
    add_hosts();
    const std::string kind = weft::lower(element_.attribute("topology").value());
    if (kind.empty() || kind == "flat")
      add_star();
    else if (kind == "torus")
      add_torus();
    else if (kind == "fat_tree")
      add_fat_tree();
    else if (kind == "dragonfly")
      add_dragonfly();
    else
      file_.refuse(element_, "topology {} is none of FLAT, TORUS, FAT_TREE and DRAGONFLY",
                   element_.attribute("topology").value());
  }

 private:
  void remark(std::string_view text) {
    platform_.remarks.push_back(fmt::format("cluster {}: {}", id_, text));
  }

  // Of each host's own link.
  void read_policy() {
    const std::string policy = weft::lower(element_.attribute("sharing_policy").value());
    if (policy == "shared")
      remark("links that both directions share (SHARED) have their bandwidth each way");
    else if (policy == "fatpipe")
      remark("links that messages do not share (FATPIPE) are shared here");
    else if (!policy.empty() && policy != "splitduplex" && policy != "fullduplex")
      file_.refuse(element_, "sharing_policy {} is none of SPLITDUPLEX, SHARED and FATPIPE",
                   element_.attribute("sharing_policy").value());
  }

  // "0-9,12": numbers and ranges.
  void add_hosts() {
    const std::string_view prefix = element_.attribute("prefix").value();
    const std::string_view suffix = element_.attribute("suffix").value();
    first_ = platform_.points.size();
    for (const std::string_view range : split(file_.text(element_, "radical"), ',')) {
      const std::size_t dash = range.find('-');
      const auto low = number_in<std::int64_t>(range.substr(0, dash));
      const auto high =
          dash == std::string_view::npos ? low : number_in<std::int64_t>(range.substr(dash + 1));
      if (!low || !high || *low < 0 || *low > *high || *high - *low >= kMostHosts - count_)
        file_.refuse(element_, "radical \"{}\" is no list of numbers and ranges, such as 0-15,20",
                     range);
      for (std::int64_t i = *low; i <= *high; ++i, ++count_)
        platform_.points.push_back(
            {fmt::format("{}{}{}", prefix, i, suffix), NodeKind::host, element_});
    }
  }

  std::size_t host(std::int64_t index) const { return first_ + static_cast<std::size_t>(index); }
  std::size_t add_switch(const std::string& name) {
    platform_.points.push_back({name, NodeKind::switch_node, element_});
    return platform_.points.size() - 1;
  }
  void cable(std::size_t a, std::size_t b, const FabricBuilder::Facts& facts) {
    platform_.cables.push_back({a, b, facts});
  }

  std::size_t add_router() {
    const std::string_view own = element_.attribute("router_id").value();
    return add_switch(own.empty()
                          ? fmt::format("{}{}_router{}", element_.attribute("prefix").value(), id_,
                                        element_.attribute("suffix").value())
                          : std::string(own));
  }

  void add_star() {
    const std::size_t router = add_router();
    const bool backbone = element_.attribute("bb_bw") && !is_fat_pipe();
    if (!backbone) {
      for (std::int64_t i = 0; i < count_; ++i) cable(host(i), router, facts_);
      return;
    }
    const std::size_t entry = add_switch(fmt::format("{}-backbone", id_));
    FabricBuilder::Facts up = facts_, along{.bandwidth_Bps = bandwidth_of(file_, element_, "bb_bw"),
                                            .latency_ps = latency_of(file_, element_, "bb_lat"),
                                            .link_class = "backbone",
                                            .one_way = true};
    up.one_way = true;
    cable(entry, router, along);
    for (std::int64_t i = 0; i < count_; ++i) {
      cable(host(i), entry, up);
      cable(router, host(i), up);
    }
  }

  // As much for every message: it is no bottleneck.
  bool is_fat_pipe() {
    const std::string policy = weft::lower(element_.attribute("bb_sharing_policy").value());
    if (!policy.empty() && policy != "shared" && policy != "fatpipe")
      file_.refuse(element_, "bb_sharing_policy {} is none of SHARED and FATPIPE",
                   element_.attribute("bb_sharing_policy").value());
    if (policy != "fatpipe") return false;
    remark("the backbone that messages do not share (FATPIPE) is left out");
    return true;
  }

  std::vector<std::int64_t> numbers(std::string_view list, std::string_view what) const {
    std::vector<std::int64_t> all;
    for (const std::string_view part : split(list, ',')) {
      const auto number = number_in<std::int64_t>(part);
      if (!number || *number < 1 || *number > kMostHosts)
        file_.refuse(element_, "topo_parameters: \"{}\" is no {}", part, what);
      all.push_back(*number);
    }
    return all;
  }
  std::string_view parameters() const { return file_.text(element_, "topo_parameters"); }

  void require_hosts(double wanted) const {
    if (wanted != static_cast<double>(count_))
      file_.refuse(element_, "topo_parameters make {} hosts and radical {}", wanted, count_);
  }

  // Of an extent of 2 SimGrid's two links are one cable: it uses one direction of each.
  void add_torus() {
    const auto extents = numbers(parameters(), "extent");
    require_hosts(std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>()));
    std::int64_t stride = 1;
    for (std::size_t d = 0; d < extents.size(); stride *= extents[d++]) {
      FabricBuilder::Facts facts = facts_;
      facts.link_class = fmt::format("d{}", d);
      for (std::int64_t i = 0; i < count_; ++i) {
        const std::int64_t at = i / stride % extents[d];
        const std::int64_t next = at + 1 == extents[d] ? i - at * stride : i + stride;
        if (extents[d] > 2 || next > i) cable(host(i), host(next), facts);
      }
    }
  }

  void add_fat_tree() {
    const auto parts = split(parameters(), ';');
    if (parts.size() != 4)
      file_.refuse(element_, "topo_parameters \"{}\" are not h;m1,..;w1,..;p1,..", parameters());
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
                                                           node.value() - first[level])));
    }
    for (const LinkId link : tree.links()) {
      const std::size_t level = level_of(tree.tail(link));
      if (level_of(tree.head(link)) < level) continue;
      for (std::int64_t i = 0; i < parallel[level]; ++i)
        cable(points[tree.tail(link).index()], points[tree.head(link).index()], facts_);
    }
  }

  FabricBuilder::Facts times(std::int64_t links, const char* link_class) const {
    FabricBuilder::Facts facts = facts_;
    require(*facts.bandwidth_Bps <= std::numeric_limits<std::int64_t>::max() / links,
            "{} links of {} bytes/s side by side are faster than weft can count", links,
            *facts.bandwidth_Bps);
    facts.bandwidth_Bps = *facts.bandwidth_Bps * links;
    facts.link_class = link_class;
    return facts;
  }

  void add_dragonfly() {
    const auto parts = split(parameters(), ';');
    std::vector<std::vector<std::int64_t>> counts;
    for (const std::string_view part : parts) counts.push_back(numbers(part, "count"));
    if (parts.size() != 4 || counts[0].size() != 2 || counts[1].size() != 2 ||
        counts[2].size() != 2 || counts[3].size() != 1)
      file_.refuse(element_, "topo_parameters \"{}\" are not groups,b;chassis,c;routers,r;nodes",
                   parameters());
    const std::int64_t groups = counts[0][0], chassis = counts[1][0], routers = counts[2][0],
                       nodes = counts[3][0];
    require_hosts(static_cast<double>(groups) * static_cast<double>(chassis) *
                  static_cast<double>(routers) * static_cast<double>(nodes));
    const std::int64_t group_size = chassis * routers;
    if (groups > group_size)
      file_.refuse(element_, "{} groups need as many routers in each, and there are {}", groups,
                   group_size);
    if (groups * group_size * (chassis + routers) > 4 * kMostHosts)
      file_.refuse(element_, "the Dragonfly has too many links");
    std::vector<std::size_t> points;
    for (std::int64_t i = 0; i < groups * group_size; ++i)
      points.push_back(add_switch(fmt::format("{}-router{}", id_, i)));
    for (std::int64_t i = 0; i < count_; ++i)
      cable(host(i), points[static_cast<std::size_t>(i / nodes)], facts_);
    const auto join = [&](std::int64_t a, std::int64_t b, const FabricBuilder::Facts& facts) {
      cable(points[static_cast<std::size_t>(a)], points[static_cast<std::size_t>(b)], facts);
    };
    const auto green = times(counts[2][1], "green"), black = times(counts[1][1], "black"),
               blue = times(counts[0][1], "blue");
    for (std::int64_t i = 0; i < groups * group_size; ++i) {
      const std::int64_t slot = i % routers, shelf = i / routers % chassis;
      for (std::int64_t k = 1; k < routers - slot; ++k) join(i, i + k, green);
      for (std::int64_t k = 1; k < chassis - shelf; ++k) join(i, i + k * routers, black);
    }
    for (std::int64_t i = 0; i < groups; ++i)
      for (std::int64_t j = i + 1; j < groups; ++j)
        join(i * group_size + j, j * group_size + i, blue);
  }

  const XmlFile& file_;
  const xml_node& element_;
  Platform& platform_;
  std::string id_;
  FabricBuilder::Facts facts_;
  std::size_t first_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace

void add_cluster(const XmlFile& file, const xml_node& element, Platform& platform) {
  Cluster(file, element, platform).add();
}

}  // namespace weft::format::simgrid
