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
// cores / spines). Routing, bisection and traffic follow from that. A network with several cables
// between two switches has the numbering of such a tree, but not its links. Where the uplinks of a
// switch are no multiple of the switches above it, some pairs have one cable more, by turns.
// A leaf with more hosts than uplinks is oversubscribed; nothing keeps it from that.
// Source: Clos, "A Study of Non-Blocking Switching Networks", BSTJ 32(2), 1953; Al-Fares,
// Loukissas, Vahdat, "A Scalable, Commodity Data Center Network Architecture", SIGCOMM 2008,
// section 2.2.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

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

// Pods of leaves and spines under cores; a leaf-spine network is one pod without cores.
struct FoldedClos {
  int pods = 1, leaves = 0, spines = 0, cores = 0;
  int hosts = 0;          // of a leaf
  int uplinks = 0;        // of a leaf, to all spines of its pod together
  int spine_uplinks = 0;  // of a spine, to all its cores together

  int cores_of_spine() const { return cores / spines; }
  bool one_cable_each() const {
    return uplinks == spines && (cores == 0 || spine_uplinks == cores_of_spine());
  }
};

// Cables of the `lower`-th of some switches to the `upper`-th of `count` above them: each gets its
// share, and those that are left over go round, so that no two above differ by more than one where
// the lower ones take turns.
int cables_between(int lower, int upper, int cables, int count) {
  const int left_over = cables % count;
  const auto turn = static_cast<int>(std::int64_t{lower} * left_over % count);
  return cables / count + ((upper - turn + count) % count < left_over ? 1 : 0);
}

// Hosts, leaves, spines and cores in this order, each in the order of its place, as in a tree.
class ParallelCables {
 public:
  explicit ParallelCables(const FoldedClos& n)
      : n_(n),
        first_leaf_(std::int64_t{n.pods} * n.leaves * n.hosts),
        first_spine_(first_leaf_ + std::int64_t{n.pods} * n.leaves),
        first_core_(first_spine_ + std::int64_t{n.pods} * n.spines),
        builder_(first_core_ + n.cores) {}

  Topology build(Expression name) && {
    for (std::int64_t node = first_leaf_; node < first_core_ + n_.cores; ++node)
      builder_.set_kind(NodeId(node), NodeKind::switch_node);
    const ClassId terminal = builder_.link_class("terminal");
    for (std::int64_t host = 0; host < first_leaf_; ++host)
      builder_.add_cable(NodeId(host), NodeId(first_leaf_ + host / n_.hosts), terminal);
    const ClassId level1 = builder_.link_class("level1");
    for (int pod = 0; pod < n_.pods; ++pod) add_pod(pod, level1);
    if (n_.cores > 0) {
      const ClassId level2 = builder_.link_class("level2");
      for (int pod = 0; pod < n_.pods; ++pod) add_uplinks_of_spines(pod, level2);
    }
    builder_.set_nominal_degree(
        static_cast<int>(*std::max_element(degrees_.begin(), degrees_.end())));
    builder_.set_facets({{Groups{n_.hosts}}, {}});
    return std::move(builder_).build(std::move(name));
  }

 private:
  void add(std::int64_t lower, std::int64_t upper, int cables, ClassId link_class) {
    for (int i = 0; i < cables; ++i) builder_.add_cable(NodeId(lower), NodeId(upper), link_class);
    degrees_.resize(static_cast<std::size_t>(first_core_ + n_.cores - first_leaf_));
    for (const std::int64_t end : {lower, upper})
      degrees_[static_cast<std::size_t>(end - first_leaf_)] += cables;
  }

  void add_pod(int pod, ClassId link_class) {
    for (int leaf = 0; leaf < n_.leaves; ++leaf)
      for (int spine = 0; spine < n_.spines; ++spine)
        add(first_leaf_ + std::int64_t{pod} * n_.leaves + leaf,
            first_spine_ + std::int64_t{pod} * n_.spines + spine,
            cables_between(leaf, spine, n_.uplinks, n_.spines), link_class);
  }

  // Core j + spines * i is the i-th of plane j.
  void add_uplinks_of_spines(int pod, ClassId link_class) {
    for (int spine = 0; spine < n_.spines; ++spine)
      for (int i = 0; i < n_.cores_of_spine(); ++i)
        add(first_spine_ + std::int64_t{pod} * n_.spines + spine,
            first_core_ + spine + std::int64_t{i} * n_.spines,
            cables_between(pod, i, n_.spine_uplinks, n_.cores_of_spine()), link_class);
  }

  const FoldedClos& n_;
  std::int64_t first_leaf_, first_spine_, first_core_;
  TopologyBuilder builder_;
  std::vector<std::int64_t> degrees_;  // cables between switches, by switch
};

Topology with_parallel_cables(const FoldedClos& n, Expression name) {
  const double leaves = 1.0 * n.pods * n.leaves, spines = 1.0 * n.pods * n.spines;
  require_size(name.to_string(), leaves * n.hosts + leaves + spines + n.cores,
               2 * (leaves * n.hosts + leaves * n.uplinks + spines * n.spine_uplinks));
  return ParallelCables(n).build(std::move(name));
}

Topology leaf_spine(const Parameters& parameters) {
  Values values = parameters.named_integers({"leaves", "spines", "hosts"}, {"uplinks"});
  FoldedClos n{.leaves = values["leaves"], .spines = values["spines"], .hosts = values["hosts"]};
  n.uplinks = values.contains("uplinks") ? values["uplinks"] : n.spines;
  std::string text = fmt::format("leaves={},spines={},hosts={}", n.leaves, n.spines, n.hosts);
  if (n.uplinks != n.spines) text += fmt::format(",uplinks={}", n.uplinks);
  Expression name{"leaf-spine", std::move(text), {}};
  require_positive(name.to_string(), values);
  require(n.uplinks >= n.spines,
          "{} has spines without a cable (uplinks count the cables of a leaf to all spines); "
          "give at least {}",
          name.to_string(), n.spines);
  if (n.one_cable_each()) return xgft_of_racks({n.hosts, n.leaves}, {1, n.spines}, std::move(name));
  return with_parallel_cables(n, std::move(name));
}

Topology clos(const Parameters& parameters) {
  Values values = parameters.named_integers({"pods", "leaves", "spines", "cores", "hosts"},
                                            {"uplinks", "spine-uplinks"});
  FoldedClos n{
      values["pods"], values["leaves"], values["spines"], values["cores"], values["hosts"], 0, 0};
  std::string text = fmt::format("pods={},leaves={},spines={},cores={},hosts={}", n.pods, n.leaves,
                                 n.spines, n.cores, n.hosts);
  for (const auto& [key, value] : values)
    if (key.ends_with("uplinks")) text += fmt::format(",{}={}", key, value);
  Expression name{"clos", std::move(text), {}};
  require_positive(name.to_string(), values);
  require(n.cores % n.spines == 0,
          "{} has unequal spines (each connects to cores / spines cores); use a multiple of {} "
          "cores",
          name.to_string(), n.spines);
  n.uplinks = values.contains("uplinks") ? values["uplinks"] : n.spines;
  n.spine_uplinks = values.contains("spine-uplinks") ? values["spine-uplinks"] : n.cores_of_spine();
  require(n.uplinks >= n.spines && n.spine_uplinks >= n.cores_of_spine(),
          "{} has switches without a cable; a leaf has at least {} uplinks and a spine {}",
          name.to_string(), n.spines, n.cores_of_spine());
  if (n.one_cable_each())
    return xgft_of_racks({n.hosts, n.leaves, n.pods}, {1, n.spines, n.cores_of_spine()},
                         std::move(name));
  return with_parallel_cables(n, std::move(name));
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
  return make_family("leaf-spine", "leaves=,spines=,hosts=[,uplinks=]",
                     "Leaves with `hosts` hosts each, and a cable from each leaf to each spine; "
                     "`uplinks` is the number of cables of a leaf to all spines",
                     "leaf-spine:leaves=8,spines=4,hosts=16", leaf_spine);
}

Family clos_family() {
  return make_family(
      "clos", "pods=,leaves=,spines=,cores=,hosts=[,uplinks=][,spine-uplinks=]",
      "Three levels: pods of leaves and spines, all linked, and cores / spines cores above each "
      "spine; `uplinks` and `spine-uplinks` count the cables of a leaf and of a spine upwards",
      "clos:pods=4,leaves=8,spines=4,cores=8,hosts=16", clos);
}

Family fat_tree_of_ports_family() {
  return make_family("fat-tree-ports", "k",
                     "Fat tree of three levels of k-port switches at full bandwidth: k^3/4 hosts",
                     "fat-tree-ports:8", [](const Parameters& parameters) {
                       return fat_tree_of_ports(parameters.integers(1)[0]);
                     });
}

}  // namespace weft::topology
