// Recognition builds each family that the numbers allow and looks for an isomorphism: both graphs
// are put into a canonical order, and where the nodes at each place have the same links, they are
// the same. Hosts that hang on one switch by one cable are a colour of their switch, so that the
// search sees switches alone. Of all isomorphisms it is one that keeps the order of names.
//
// Where cables are missing the fabric is no such graph, but it is one once they are put back; their
// ends are the nodes with too few links. There are few ways to pair a few such ends, and each is
// tried.
#include "weft/analysis/recognition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weft/analysis/recognition/shape.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {

namespace {

using Image = std::vector<std::int32_t>;  // by node of the fabric: that of the family

// The family's cables as pairs in order, for comparison.
bool same_cables(Pairs mapped, const Pairs& sorted) {
  std::ranges::sort(mapped);
  return mapped == sorted;
}

// A family, and the canonical order of its nodes.
class Candidate {
 public:
  explicit Candidate(BuiltTopology built)
      : built_(std::move(built)),
        cables_(cables_of(built_.topology)),
        shape_(shape_of(built_.topology, cables_)) {
    std::ranges::sort(cables_);
    colours_ = shape_.graph.colours();
    std::ranges::sort(colours_);
  }

  const Topology& topology() const { return built_.topology; }
  std::int64_t cables() const { return std::ssize(cables_); }

  /// The isomorphism from the fabric with these cables, if there is one.
  std::optional<Image> match(const Topology& fabric, const Pairs& cables) {
    const Shape shape = shape_of(fabric, cables);
    std::vector<std::int64_t> colours = shape.graph.colours();
    std::ranges::sort(colours);
    if (colours != colours_) return std::nullopt;
    if (order_.empty()) order_ = graph::canonical_order(shape_.graph);
    const std::vector<int> order = graph::canonical_order(shape.graph);
    std::vector<int> places(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = order_[i];
    if (!image_under(places, fabric, shape, cables)) return std::nullopt;
    return image_under(ordered_by_names(fabric, shape, shape_, std::move(places)), fabric, shape,
                       cables);
  }

 private:
  // By nodes of the network; nothing where cables differ.
  std::optional<Image> image_under(const std::vector<int>& places, const Topology& fabric,
                                   const Shape& shape, const Pairs& cables) const {
    Image image(static_cast<std::size_t>(fabric.node_count()), -1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::int32_t from = shape.node_of[i], to = shape_.node_of[places[i]];
      if (from < 0 || to < 0) continue;
      image[from] = to;
      std::vector<std::int32_t> hosts = shape.leaf_hosts[from];
      const auto& others = shape_.leaf_hosts[to];
      if (hosts.size() != others.size()) return std::nullopt;
      std::ranges::stable_sort(hosts, [&](std::int32_t a, std::int32_t b) {
        return topology::counts_before(name_of(fabric, NodeId(a)), name_of(fabric, NodeId(b)));
      });
      for (std::size_t h = 0; h < hosts.size(); ++h) image[hosts[h]] = others[h];
    }
    Pairs mapped;
    for (const Pair& cable : cables) {
      const auto [low, high] = std::minmax(image[cable.first], image[cable.second]);
      mapped.emplace_back(low, high);
    }
    return same_cables(std::move(mapped), cables_) ? std::optional(std::move(image)) : std::nullopt;
  }

  BuiltTopology built_;
  Pairs cables_;  // sorted
  Shape shape_;
  std::vector<std::int64_t> colours_;
  std::vector<int> order_;  // of shape_, once it is needed
};

// The nodes with fewer links than others of their kind, once for each that is missing: hosts count
// by the switches that they are behind, as links to hosts do not fail here.
std::vector<std::int32_t> open_ends(const Topology& fabric, const Topology& family,
                                    std::int64_t missing) {
  // Nodes stand in classes by how many hosts they have; in each the family has its degrees.
  const auto degrees = [](const Topology& topology) {
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int32_t>>> by_hosts;
    for (const NodeId node : topology.nodes()) {
      std::int64_t hosts = topology.is_host(node) ? -1 : 0;
      for (const LinkId link : topology.out_links(node))
        if (hosts >= 0 && is_leaf_host(topology, topology.head(link))) ++hosts;
      by_hosts[hosts].emplace_back(topology.out_degree(node), node.value());
    }
    for (auto& [hosts, nodes] : by_hosts) std::ranges::sort(nodes);
    return by_hosts;
  };
  const auto here = degrees(fabric), there = degrees(family);
  std::vector<std::int32_t> ends;
  for (const auto& [hosts, nodes] : here) {
    const auto whole = there.find(hosts);
    if (whole == there.end() || whole->second.size() != nodes.size()) return {};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::int64_t lack = whole->second[i].first - nodes[i].first;
      if (lack < 0 || std::ssize(ends) + lack > 2 * missing) return {};
      ends.insert(ends.end(), static_cast<std::size_t>(lack), nodes[i].second);
    }
  }
  return std::ssize(ends) == 2 * missing ? ends : std::vector<std::int32_t>();
}

// Each way to pair the ends, until `try_pairs` takes one.
bool pair_up(std::vector<std::int32_t> ends, Pairs& pairs, const auto& try_pairs) {
  if (ends.empty()) return try_pairs(pairs);
  const std::int32_t first = ends.back();
  ends.pop_back();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] == first || (i > 0 && ends[i] == ends[i - 1])) continue;
    std::vector<std::int32_t> rest = ends;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    pairs.push_back(std::minmax(first, ends[i]));
    if (pair_up(std::move(rest), pairs, try_pairs)) return true;
    pairs.pop_back();
  }
  return false;
}

// The fabric's links by those of a network that has the same cables under the image.
IdVector<LinkId, LinkId> link_images(const Topology& fabric, const Image& image,
                                     const Topology& network) {
  std::map<Pair, std::vector<LinkId>> free;  // from the lower end, in falling order
  for (const LinkId link : network.links())
    if (network.tail(link) < network.head(link)) free[ends_of(network, link)].push_back(link);
  for (auto& [ends, links] : free) std::ranges::reverse(links);
  IdVector<LinkId, LinkId> images(fabric.link_count());
  for (const LinkId link : fabric.links()) {
    const LinkId back = *fabric.reverse(link);
    if (back < link) continue;
    const std::int32_t tail = image[fabric.tail(link).index()],
                       head = image[fabric.head(link).index()];
    auto& links = free.at(std::minmax(tail, head));
    const LinkId up = links.back(), down = *network.reverse(up);
    links.pop_back();
    images[link] = tail < head ? up : down;
    images[back] = tail < head ? down : up;
  }
  return images;
}

topology::FileSpeeds moved(const topology::FileSpeeds& speeds,
                           const IdVector<LinkId, LinkId>& images) {
  topology::FileSpeeds result;
  const auto move = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    to.resize(images.size());
    for (const LinkId link : images.ids()) to[images[link]] = from[link];
  };
  move(speeds.bandwidth_Bps, result.bandwidth_Bps);
  move(speeds.latency_ps, result.latency_ps);
  return result;
}

topology::ForwardingTables moved(const Topology& fabric, const topology::ForwardingTables& tables,
                                 const Image& image, const IdVector<LinkId, LinkId>& images,
                                 const Topology& network) {
  topology::ForwardingTables result;
  for (const NodeId host : tables.hosts) result.hosts.emplace_back(image[host.index()]);
  const std::size_t width = tables.hosts.size();
  result.next.resize(tables.next.size());
  for (std::size_t row = 0; row < fabric.switches().size(); ++row) {
    const NodeId there(image[fabric.switches()[row].index()]);
    const auto place = static_cast<std::size_t>(
        std::ranges::lower_bound(network.switches(), there) - network.switches().begin());
    for (std::size_t i = 0; i < width; ++i) {
      const std::int32_t link = tables.next[row * width + i];
      result.next[place * width + i] = link < 0 ? link : images[LinkId(link)].value();
    }
  }
  return result;
}

// The fabric under the family's numbers.
BuiltTopology renumbered(const BuiltTopology& fabric, const Image& image, const Topology& network) {
  const Topology& old = fabric.topology;
  const IdVector<LinkId, LinkId> images = link_images(old, image, network);
  topology::Facets facets = network.facets();
  topology::Names names;
  names.nodes.resize(old.node_count());
  names.ports.resize(old.link_count());
  for (const NodeId node : old.nodes())
    names.nodes[image[node.index()]] = topology::name_of(old, node);
  for (const LinkId link : old.links())
    names.ports[images[link].index()] = topology::port_of(old, link);
  if (old.facets().names) facets.names = std::make_shared<const topology::Names>(std::move(names));
  if (const auto& tables = old.facets().tables)
    facets.tables = std::make_shared<const topology::ForwardingTables>(
        moved(old, *tables, image, images, network));
  return {with_facets(network, std::move(facets), network.expression()),
          moved(fabric.speeds, images)};
}

// Numbers of the family's cables that the fabric lacks.
std::vector<CableId> lacking(const Topology& fabric, const Image& image, const Topology& family) {
  std::map<Pair, int> there;
  for (const Pair& cable : cables_of(fabric)) {
    const auto [low, high] = std::minmax(image[cable.first], image[cable.second]);
    ++there[{low, high}];
  }
  std::vector<CableId> missing;
  for (const LinkId link : family.links())
    if (family.tail(link) < family.head(link) && there[ends_of(family, link)]-- <= 0)
      missing.push_back(family.cable(link));
  std::ranges::sort(missing);
  return missing;
}

Recognition recognition_of(const BuiltTopology& fabric, const Image& image,
                           const Topology& family) {
  const std::vector<CableId> cables = lacking(fabric.topology, image, family);
  if (cables.empty()) return {renumbered(fabric, image, family), family.name(), {}};
  Recognition found{fabric, family.name(), {}};
  Image back(image.size());
  for (std::size_t i = 0; i < image.size(); ++i) back[image[i]] = static_cast<std::int32_t>(i);
  std::string without;
  for (const CableId cable : cables) {
    without += fmt::format("cable={}, ", cable.value());
    for (const LinkId link : family.links())
      if (family.cable(link) == cable) {
        const auto name = [&](NodeId node) {
          return node_text(fabric.topology, NodeId(back[node.index()]));
        };
        found.missing.push_back(name(family.tail(link)) + " - " + name(family.head(link)));
        break;
      }
  }
  found.network = renumbered(
      fabric, image, build_topology(fmt::format("without({}{})", without, family.name())).topology);
  return found;
}

std::optional<Candidate> candidate(const std::string& expression, const Topology& fabric) {
  try {
    BuiltTopology built = build_topology(expression);
    if (built.topology.node_count() != fabric.node_count() ||
        built.topology.hosts().size() != fabric.hosts().size())
      return std::nullopt;
    return Candidate(std::move(built));
  } catch (const InvalidInput&) {  // numbers that make no such network
    return std::nullopt;
  }
}

}  // namespace

std::optional<Recognition> recognise(const BuiltTopology& fabric) {
  const Topology& topology = fabric.topology;
  for (const LinkId link : topology.links())
    if (!topology.reverse(link) || topology.tail(link) == topology.head(link)) return std::nullopt;
  const Pairs cables = cables_of(topology);
  std::vector<Candidate> larger;
  for (const std::string& expression : likely_families(topology)) {
    auto family = candidate(expression, topology);
    if (!family) continue;
    if (family->cables() == std::ssize(cables)) {
      if (const auto image = family->match(topology, cables))
        return recognition_of(fabric, *image, family->topology());
    } else if (family->cables() > std::ssize(cables) &&
               family->cables() <= std::ssize(cables) + kMostMissing) {
      larger.push_back(*std::move(family));
    }
  }
  for (Candidate& family : larger) {
    std::optional<Image> image;
    Pairs added;
    (void)pair_up(open_ends(topology, family.topology(), family.cables() - std::ssize(cables)),
                  added, [&](const Pairs& pairs) {
                    if (pairs.empty()) return false;
                    Pairs whole = cables;
                    whole.insert(whole.end(), pairs.begin(), pairs.end());
                    image = family.match(topology, whole);
                    return image.has_value();
                  });
    if (image) return recognition_of(fabric, *image, family.topology());
  }
  return std::nullopt;
}

}  // namespace weft::analysis
