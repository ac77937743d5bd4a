// Boxes of GPUs, joined by their cards.
//
// A box is any network; its hosts are the GPUs, and card j is GPU j's. X is any network, too: its
// hosts are the ports that cards are plugged into, and stand for the GPUs of these cards in what
// comes out. GPUs come first, box by box, then the switches within the boxes, then those of X.
#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/assembly.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr std::string_view kUsage = "boxes(n[, wiring=flat|rail], BOX[, X])";
constexpr std::string_view kExample =
    "boxes(4, (leaf-spine:leaves=2,spines=2,hosts=4), fat-tree:2,5)";

// A class of links within the boxes: apart from those outside that have the same name.
std::string class_in_box(const std::string& name, const Topology* outside) {
  if (name == "link") return "box";
  const bool taken = outside == nullptr ? name == "terminal"
                                        : std::ranges::find(outside->class_names(), name) !=
                                              outside->class_names().end();
  return taken ? "box-" + name : name;
}

Expression name_of(int boxes, Wiring wiring, const Topology& box, const BuiltTopology* outside) {
  Expression name{"boxes", std::to_string(boxes), {box.expression()}};
  if (wiring == Wiring::rail) name.parameters += ", wiring=rail";
  if (outside != nullptr) name.children.push_back(outside->topology.expression());
  return name;
}

// The GPU whose card is plugged into each host of a copy of X; X's switches after `first_switch`.
std::vector<NodeId> plugged(const Topology& outside, std::int64_t first, std::int64_t stride,
                            std::int64_t first_switch) {
  std::vector<NodeId> place = places(outside, 0, first_switch);
  for (const NodeId host : outside.hosts())
    place[host.index()] = NodeId(first + stride * place[host.index()].value());
  return place;
}

}  // namespace

BuiltTopology join_boxes(int boxes, Wiring wiring, const BuiltTopology& box,
                         const BuiltTopology* outside) {
  const Topology& inside = box.topology;
  Expression name = name_of(boxes, wiring, inside, outside);
  require(boxes >= 1, "{} boxes are too few (needs 1 or more)", boxes);
  const std::int64_t cards = std::ssize(inside.hosts());
  const std::int64_t gpus = boxes * cards, box_switches = std::ssize(inside.switches());
  const std::int64_t copies = wiring == Wiring::rail ? cards : 1, ports = gpus / copies;
  if (outside != nullptr)
    require(std::ssize(outside->topology.hosts()) == ports,
            "{} plugs {} cards into {}, which has {} hosts; give it one for each card{}",
            name.to_string(), ports, outside->topology.name(), outside->topology.hosts().size(),
            wiring == Wiring::rail ? " of a rail" : "");
  const std::int64_t switches = outside == nullptr ? 1 : std::ssize(outside->topology.switches());
  const double links =
      outside == nullptr ? 2.0 * static_cast<double>(ports) : outside->topology.link_count();
  require_size(
      name.to_string(),
      static_cast<double>(boxes) * inside.node_count() +
          static_cast<double>(copies) * static_cast<double>(switches),
      static_cast<double>(boxes) * inside.link_count() + static_cast<double>(copies) * links);

  const std::int64_t first_outside = gpus + boxes * box_switches;
  Assembly all(gpus, first_outside - gpus + copies * switches);
  const Topology* network = outside == nullptr ? nullptr : &outside->topology;
  for (std::int64_t i = 0; i < boxes; ++i)
    all.add_links(box, places(inside, i * cards, gpus + i * box_switches),
                  [&](const std::string& own) { return class_in_box(own, network); });
  for (std::int64_t copy = 0; copy < copies; ++copy) {
    const std::int64_t first_switch = first_outside + copy * switches;
    if (outside != nullptr)
      all.add_links(*outside, plugged(*network, copy, copies, first_switch), std::identity());
    else
      for (std::int64_t port = 0; port < ports; ++port)
        all.add_cable(NodeId(copy + copies * port), NodeId(first_switch), "terminal");
  }
  all.builder().set_facets({{Groups{static_cast<int>(cards)}}, {}});
  return std::move(all).build(std::move(name));
}

Function boxes_function() {
  return {
      "boxes", "n[, wiring=rail], BOX[, X]",
      "n boxes of GPUs, card j of box i in host i * cards + j of X, by rail in host i of X "
      "number j; without X in a switch",
      std::string(kExample), [](const Expression& node, std::span<const BuiltTopology> operands) {
        const Parameters parameters{std::string(kUsage), std::string(kExample), node.parameters};
        const auto parts = split(parameters.text(), ',');
        auto wiring = Wiring::flat;
        if (parts.size() == 2 && lower(parts[1]) == "wiring=rail")
          wiring = Wiring::rail;
        else if (parts.size() > 2 || (parts.size() == 2 && lower(parts[1]) != "wiring=flat"))
          parameters.fail(fmt::format("\"{}\" is not n or n, wiring=rail", parameters.text()));
        if (operands.size() > 2)
          parameters.fail(fmt::format("{} networks are too many", operands.size()));
        return join_boxes(parameters.integer(parts[0]), wiring, operands[0],
                          operands.size() == 2 ? &operands[1] : nullptr);
      }};
}

}  // namespace weft::topology
