// Rail-optimised networks of boxes of GPUs: card j of every box hangs on leaf j, its rail, so that
// collectives between equal cards cross one switch. Within a box one switch joins the GPUs. Spines
// above the leaves join the rails; without them (rail-only) what goes from one rail to another
// passes a GPU of the box on either side.
// Source: Wang, Ghobadi, Shakeri, Zhang, Hasani, "Rail-only: A Low-Cost High-Performance Network
// for Training LLMs with Trillion Parameters", Hot Interconnects 2024 (arXiv 2307.12169).
#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// GPUs box by box, then the switches of the boxes, the leaves and the spines.
Topology rail(int boxes, int gpus, int spines) {
  Expression name{"rail", fmt::format("boxes={},gpus={},spines={}", boxes, gpus, spines), {}};
  require(boxes >= 1 && gpus >= 1 && spines >= 0,
          "{} is too small (needs at least one box and one GPU; 0 spines make it rail-only)",
          name.to_string());
  const std::int64_t hosts = std::int64_t{boxes} * gpus;
  const std::int64_t first_leaf = hosts + boxes, first_spine = first_leaf + gpus;
  const std::int64_t nodes = first_spine + spines;
  require_size(name.to_string(), static_cast<double>(nodes),
               4.0 * static_cast<double>(hosts) + 2.0 * gpus * spines);
  TopologyBuilder builder(nodes);
  for (std::int64_t node = hosts; node < nodes; ++node)
    builder.set_kind(NodeId(node), NodeKind::switch_node);
  const ClassId box = builder.link_class("box"), terminal = builder.link_class("terminal");
  for (std::int64_t host = 0; host < hosts; ++host) {
    builder.add_cable(NodeId(host), NodeId(hosts + host / gpus), box);
    builder.add_cable(NodeId(host), NodeId(first_leaf + host % gpus), terminal);
  }
  if (spines > 0) {
    const ClassId up = builder.link_class("level1");
    for (std::int64_t leaf = first_leaf; leaf < first_spine; ++leaf)
      for (std::int64_t spine = first_spine; spine < nodes; ++spine)
        builder.add_cable(NodeId(leaf), NodeId(spine), up);
  }
  builder.set_facets({{Groups{gpus}}, {}});
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family rail_family() {
  return make_family("rail", "boxes=,gpus=,spines=",
                     "Boxes of GPUs with a switch inside; card j of every box hangs on leaf j, and "
                     "leaves have cables to every spine; spines=0 is rail-only",
                     "rail:boxes=16,gpus=8,spines=8", [](const Parameters& parameters) {
                       auto values = parameters.named_integers({"boxes", "gpus", "spines"}, {});
                       return rail(values["boxes"], values["gpus"], values["spines"]);
                     });
}

}  // namespace weft::topology
