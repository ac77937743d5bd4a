// Folded Clos networks as they are bought: by the numbers of switches and of hosts on a leaf.
//
//   leaf-spine   every leaf is cabled to every spine, once or more often
//   clos         pods of leaves and spines, and cores above them: spine j of every pod is cabled to
//                each core of plane j, so that cores / spines cores make a plane
//   fat-tree-ports:k   of k-port switches: k pods of k / 2 leaves and k / 2 spines, k / 2 hosts a
//                leaf, (k / 2)^2 cores; k^3 / 4 hosts and full bandwidth
//
// All are extended generalised fat trees while no two switches share two cables, and say so in
// their facets: XGFT(2; hosts, leaves; 1, spines) and XGFT(3; hosts, leaves, pods; 1, spines,
// cores / spines). Routing, bisection and traffic follow from that. A leaf-spine network with
// several cables between a leaf and a spine has the numbering of such a tree, but not its links.
// A leaf with more hosts than uplinks is oversubscribed; nothing keeps it from that.
// Source: Clos, "A Study of Non-Blocking Switching Networks", BSTJ 32(2), 1953; Al-Fares,
// Loukissas, Vahdat, "A Scalable, Commodity Data Center Network Architecture", SIGCOMM 2008,
// section 2.2.
#include <map>
#include <string>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/families/trees/xgft.hpp"

namespace weft::topology {

namespace {

using Values = std::map<std::string, int>;

void require_positive(const std::string& name, const Values& values) {
  for (const auto& [key, value] : values)
    require(value >= 1, "{} has {}={} (needs 1 or more)", name, key, value);
}

struct LeafSpine {
  int leaves = 0, spines = 0, hosts = 0;  // hosts of a leaf
  int uplinks = 0;                        // of a leaf, to all spines together
};

// Hosts, leaves and spines in this order, each in the order of its place, as in a tree.
Topology with_parallel_uplinks(const LeafSpine& n, Expression name) {
  const std::int64_t hosts = std::int64_t{n.leaves} * n.hosts;
  const std::int64_t nodes = hosts + n.leaves + n.spines;
  TopologyBuilder builder(nodes);
  for (std::int64_t node = hosts; node < nodes; ++node)
    builder.set_kind(NodeId(node), NodeKind::switch_node);
  const ClassId terminal = builder.link_class("terminal"), up = builder.link_class("level1");
  for (std::int64_t host = 0; host < hosts; ++host)
    builder.add_cable(NodeId(host), NodeId(hosts + host / n.hosts), terminal);
  for (std::int64_t leaf = hosts; leaf < hosts + n.leaves; ++leaf)
    for (std::int64_t spine = hosts + n.leaves; spine < nodes; ++spine)
      for (int cable = 0; cable < n.uplinks / n.spines; ++cable)
        builder.add_cable(NodeId(leaf), NodeId(spine), up);
  builder.set_nominal_degree(std::max(n.uplinks, n.uplinks / n.spines * n.leaves));
  builder.set_facets({{Groups{n.hosts}}, {}});
  return std::move(builder).build(std::move(name));
}

Topology leaf_spine(const Parameters& parameters) {
  Values values = parameters.named_integers({"leaves", "spines", "hosts"}, {"uplinks"});
  LeafSpine n{values["leaves"], values["spines"], values["hosts"], 0};
  n.uplinks = values.contains("uplinks") ? values["uplinks"] : n.spines;
  std::string text = fmt::format("leaves={},spines={},hosts={}", n.leaves, n.spines, n.hosts);
  if (n.uplinks != n.spines) text += fmt::format(",uplinks={}", n.uplinks);
  Expression name{"leaf-spine", std::move(text), {}};
  require_positive(name.to_string(), values);
  require(
      n.uplinks % n.spines == 0,
      "{} leaves its spines unequal (uplinks are those of a leaf to all spines); use a multiple "
      "of {}",
      name.to_string(), n.spines);
  if (n.uplinks == n.spines)
    return xgft_of_racks({n.hosts, n.leaves}, {1, n.spines}, std::move(name));
  const double hosts = 1.0 * n.leaves * n.hosts;
  require_size(name.to_string(), hosts + n.leaves + n.spines,
               2 * (hosts + 1.0 * n.leaves * n.uplinks));
  return with_parallel_uplinks(n, std::move(name));
}

Topology clos(const Parameters& parameters) {
  Values values = parameters.named_integers({"pods", "leaves", "spines", "cores", "hosts"}, {});
  const int pods = values["pods"], leaves = values["leaves"], spines = values["spines"];
  const int cores = values["cores"], hosts = values["hosts"];
  Expression name{"clos",
                  fmt::format("pods={},leaves={},spines={},cores={},hosts={}", pods, leaves, spines,
                              cores, hosts),
                  {}};
  require_positive(name.to_string(), values);
  require(
      cores % spines == 0,
      "{} leaves its spines unequal (each is cabled to cores / spines cores); use a multiple of "
      "{} cores",
      name.to_string(), spines);
  return xgft_of_racks({hosts, leaves, pods}, {1, spines, cores / spines}, std::move(name));
}

Topology fat_tree_of_ports(int ports) {
  require(ports >= 2 && ports % 2 == 0,
          "{} ports do not fit fat-tree-ports (needs an even number of 2 or more, half of them up)",
          ports);
  const int half = ports / 2;
  return xgft_of_racks({half, half, ports}, {1, half, half},
                       {"fat-tree-ports", std::to_string(ports), {}});
}

}  // namespace

Family leaf_spine_family() {
  return make_family(
      "leaf-spine", "leaves=,spines=,hosts=[,uplinks=]",
      "every leaf cabled to every spine; hosts of a leaf, uplinks of a leaf to all spines together "
      "(one to each if left out)",
      "leaf-spine:leaves=8,spines=4,hosts=16", leaf_spine);
}

Family clos_family() {
  return make_family("clos", "pods=,leaves=,spines=,cores=,hosts=",
                     "pods of leaves and spines, all linked, under cores: cores / spines of them "
                     "above each spine, "
                     "hosts on each leaf",
                     "clos:pods=4,leaves=8,spines=4,cores=8,hosts=16", clos);
}

Family fat_tree_of_ports_family() {
  return make_family(
      "fat-tree-ports", "k", "three levels of k-port switches at full bandwidth: k^3/4 hosts",
      "fat-tree-ports:8",
      [](const Parameters& parameters) { return fat_tree_of_ports(parameters.integers(1)[0]); });
}

}  // namespace weft::topology
