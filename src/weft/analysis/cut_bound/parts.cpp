// Parts of a network that cuts are taken around.
#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "oriented.hpp"
#include "weft/analysis/leaves.hpp"
#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"

namespace weft::analysis {

namespace {

constexpr std::size_t kMostSpeeds = 8;

// The components, numbered by their lowest node.
Parts parts_of(UnionFind components, std::size_t nodes, std::string word) {
  Parts result{.word = std::move(word), .part = std::vector<std::int32_t>(nodes, -1)};
  for (std::size_t v = 0; v < nodes; ++v) {
    const std::int32_t root = components.find(static_cast<std::int32_t>(v));
    result.part[v] = root == static_cast<std::int32_t>(v) ? result.count++ : result.part[root];
  }
  return result;
}

Parts joined_by(const Topology& topology, std::string word,
                const std::function<bool(LinkId)>& joins) {
  const auto nodes = static_cast<std::size_t>(topology.node_count());
  UnionFind components(nodes);
  for (const LinkId link : topology.links())
    if (joins(link)) components.join(topology.tail(link).value(), topology.head(link).value());
  return parts_of(std::move(components), nodes, std::move(word));
}

// Switches with the hosts that hang on them alone; other hosts are parts of their own.
Parts leaves(const Topology& topology) {
  Parts parts{.word = "leaf switch",
              .part = std::vector<std::int32_t>(topology.node_count(), -1),
              .named_by_node = true};
  const auto switch_of = leaf_switches(topology);
  for (const NodeId node : topology.switches()) {
    parts.part[node.index()] = parts.count++;
    parts.names.push_back(node.value());
  }
  for (const NodeId host : topology.hosts()) {
    const std::int32_t leaf = switch_of[host];
    if (leaf < 0) parts.names.push_back(host.value());
    parts.part[host.index()] = leaf < 0 ? parts.count++ : parts.part[leaf];
  }
  return parts;
}

// What is left without the links of a class; nothing for classes whose loss leaves no known kind.
std::string known_word(const std::string& link_class) {
  if (link_class == "global") return "group";
  return link_class.starts_with("level") ? "subtree" : "";
}

void add_by_class(const Topology& topology, bool known, std::vector<Parts>& all) {
  const auto classes = topology.class_names().values();
  for (std::size_t c = 0; classes.size() > 1 && c < classes.size(); ++c) {
    const std::string word = known_word(classes[c]);
    if (word.empty() == known) continue;
    all.push_back(joined_by(topology, known ? word : "part without " + classes[c] + " links",
                            [&](LinkId link) { return topology.link_class(link).index() != c; }));
  }
}

void add_by_speed(const Topology& topology, std::span<const std::int64_t> capacity,
                  std::vector<Parts>& all) {
  const std::set<std::int64_t, std::greater<>> speeds(capacity.begin(), capacity.end());
  std::size_t taken = 0;
  for (const std::int64_t speed : speeds) {  // the slowest joins all that hangs together
    if (speed == *speeds.rbegin() || ++taken > kMostSpeeds) break;
    all.push_back(
        joined_by(topology, "box", [&](LinkId link) { return capacity[link.index()] >= speed; }));
  }
}

}  // namespace

Parts single_hosts(const Topology& topology) {
  Parts parts{.word = "host node",
              .part = std::vector<std::int32_t>(topology.node_count(), -1),
              .named_by_node = true};
  if (!topology.has_switches()) parts.word = "node";
  for (const NodeId host : topology.hosts()) {
    parts.part[host.index()] = parts.count++;
    parts.names.push_back(host.value());
  }
  return parts;
}

std::vector<Parts> structural_parts(const Topology& topology,
                                    std::span<const std::int64_t> capacity) {
  WEFT_ASSERT(std::ssize(capacity) == topology.link_count());
  std::vector<Parts> all{single_hosts(topology)};
  if (topology.has_switches()) all.push_back(leaves(topology));
  add_by_class(topology, true, all);
  add_by_speed(topology, capacity, all);
  add_by_class(topology, false, all);
  std::erase_if(all, [](const Parts& parts) { return parts.count < 2; });
  return all;
}

std::vector<std::int32_t> nodes_in_order(const Topology& topology) {
  const auto switch_of = leaf_switches(topology);
  std::vector<std::int32_t> order(topology.node_count());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::int32_t node) {
    const std::int32_t leaf = switch_of[NodeId(node)];
    return leaf < 0 ? node : leaf;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
  return order;
}

}  // namespace weft::analysis
