// Boxes of GPUs, joined by their cards.
//
// A box is any network; its hosts are the GPUs, each with a card, or with as many cards as its
// machine file says. Where a box has its cards itself, as imported machines do, they are those of
// its switches that links of class "card" alone lead to. X is any network, too: its
// hosts are the ports that cards are plugged into, and stand for the GPUs of these cards in what
// comes out. GPUs come first, box by box, then the switches within the boxes, then those of X.
#include <algorithm>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/assembly.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

constexpr std::string_view kUsage = "boxes(n[, wiring=flat|rail], BOX[, X])";
constexpr std::string_view kExample = "boxes(4, wiring=rail, network:dgx-h100)";

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

// The nodes with cards, box by box: GPUs, or switches that stand for cards of several.
struct Plugs {
  std::int64_t boxes = 0;
  std::int64_t cards = 0, gpus = 0, switches = 0;  // of a box
  bool own = true;                                 // a card each
  std::vector<std::int64_t> inside = {};           // cards that the box has: which of its switches

  std::int64_t all() const { return boxes * cards; }
  bool added() const { return !own && inside.empty(); }  // cards become switches here
  std::int64_t box_switches() const { return switches + (added() ? cards : 0); }
  std::int64_t first_switch(std::int64_t box) const { return boxes * gpus + box * box_switches(); }
  NodeId node(std::int64_t card) const {
    if (own) return NodeId(card);
    const std::int64_t which = card % cards;
    return NodeId(first_switch(card / cards) + (added() ? switches + which : inside[which]));
  }
};

// The cards that a box has itself, as the numbers of its switches, counted from 0.
std::vector<std::int64_t> cards_inside(const Topology& box) {
  const IdVector<NodeId, NodeId> place = places(box, 0, 0);
  std::vector<std::int64_t> cards;
  for (const NodeId card : card_nodes(box)) cards.push_back(place[card].value());
  return cards;
}

// Of the fastest of them, where speeds are given.
std::optional<std::int64_t> card_bandwidth(const BuiltTopology& box,
                                           const std::vector<std::int64_t>& cards) {
  std::optional<std::int64_t> fastest;
  for (const std::int64_t card : cards)
    for (const LinkId link : box.topology.out_links(box.topology.switches()[card]))
      if (const auto own = given_speed(box.speeds, link).bandwidth_Bps)
        fastest = std::max(fastest.value_or(*own), *own);
  return fastest;
}

// Where the nodes of a copy of X stand: its hosts are every `stride`-th card from `first` on.
IdVector<NodeId, NodeId> plugged(const Topology& outside, const Plugs& plugs, std::int64_t first,
                                 std::int64_t stride, std::int64_t first_switch) {
  IdVector<NodeId, NodeId> place = places(outside, 0, first_switch);
  for (const NodeId host : outside.hosts())
    place[host] = plugs.node(first + stride * place[host].value());
  return place;
}

void add_box(Assembly& all, const BuiltTopology& box, const Plugs& plugs, std::int64_t number,
             const Topology* outside, const GivenSpeed& card) {
  const std::int64_t first_gpu = number * plugs.gpus;
  all.add_links(box, places(box.topology, first_gpu, plugs.first_switch(number)),
                [&](const std::string& own) { return class_in_box(own, outside); });
  if (!plugs.added()) return;
  for (std::int64_t gpu = 0; gpu < plugs.gpus; ++gpu)
    all.add_cable(NodeId(first_gpu + gpu),
                  plugs.node(number * plugs.cards + gpu * plugs.cards / plugs.gpus), kCardClass,
                  card);
}

// "3" of GPU3, core3 and pu3, as machines' files call their hosts; nothing of other names.
std::string_view slot_in(std::string_view name) {
  for (const std::string_view kind : {"GPU", "core", "pu"})
    if (name.starts_with(kind) &&
        name.find_first_not_of("0123456789", kind.size()) == std::string_view::npos)
      return name.substr(kind.size());
  return {};
}

// Whether each host of a box has a number of its own.
bool has_slots(const Topology& box) {
  std::set<std::string_view> slots;
  for (const NodeId host : box.hosts())
    if (slot_in(name_of(box, host)).empty() || !slots.insert(slot_in(name_of(box, host))).second)
      return false;
  return true;
}

// The GPUs of a group of each level that nests: those within the boxes, the boxes, and of X those
// that whole boxes are plugged into. A group of X by rail has a box at each of its hosts.
std::vector<int> levels_of(const Plugs& plugs, const Topology& box, const Topology* outside,
                           Wiring wiring) {
  std::vector<int> levels;
  const auto add = [&](std::int64_t gpus) {
    const std::int64_t below = levels.empty() ? 1 : levels.back();
    if (gpus > below && gpus % below == 0 && gpus < plugs.boxes * plugs.gpus)
      levels.push_back(static_cast<int>(gpus));
  };
  if (!box.facets().holes)
    for (const std::int64_t hosts : nested_group_sizes(box))
      if (plugs.gpus % hosts == 0) add(hosts);
  levels.push_back(static_cast<int>(plugs.gpus));
  const std::int64_t ports = wiring == Wiring::rail ? 1 : plugs.cards;  // of a box, on a copy of X
  if (outside != nullptr && !outside->facets().holes)
    for (const std::int64_t hosts : nested_group_sizes(*outside))
      if (hosts % ports == 0) add(hosts / ports * plugs.gpus);
  return levels.size() > 1 ? levels : std::vector<int>();
}

// Nodes of box i are called box<i>-NAME, but GPU3 box<i>:3, which is slot 3 of a host to launchers;
// switches of rail r of several rail<r>-NAME; hosts of X are plugs and have no names. Nothing where
// neither has names.
std::shared_ptr<const Names> names_of_all(const Plugs& plugs, const Topology& box,
                                          const Topology* outside, std::int64_t copies,
                                          std::vector<std::string> ports) {
  const bool has_names =
      box.facets().names != nullptr || (outside != nullptr && outside->facets().names != nullptr);
  if (!has_names) return nullptr;
  const bool slots = has_slots(box);
  Names names{{}, std::move(ports)};
  names.nodes.resize(plugs.first_switch(plugs.boxes));
  const auto call = [&](const std::string& prefix, const Topology& part,
                        const IdVector<NodeId, NodeId>& place, NodeKind kind) {
    for (const NodeId node : part.nodes()) {
      const std::string& own = name_of(part, node);
      const std::size_t at = place[node].index();
      if (own.empty() || part.kind(node) != kind) continue;
      if (names.nodes.size() <= at) names.nodes.resize(at + 1);
      const bool slot = slots && kind == NodeKind::host;
      names.nodes[at] = prefix.empty() ? own
                        : slot         ? fmt::format("{}:{}", prefix, slot_in(own))
                                       : fmt::format("{}-{}", prefix, own);
    }
  };
  for (std::int64_t i = 0; i < plugs.boxes; ++i)
    for (const NodeKind kind : {NodeKind::host, NodeKind::switch_node})
      call(fmt::format("box{}", i), box, places(box, i * plugs.gpus, plugs.first_switch(i)), kind);
  if (outside != nullptr)
    for (std::int64_t copy = 0; copy < copies; ++copy)
      call(copies > 1 ? fmt::format("rail{}", copy) : std::string(), *outside,
           places(*outside, 0,
                  plugs.first_switch(plugs.boxes) + copy * std::ssize(outside->switches())),
           NodeKind::switch_node);
  return std::make_shared<const Names>(std::move(names));
}

// Whether a machine with fewer cards than GPUs is anywhere in it.
bool has_shared_cards(const Expression& expression) {
  if (const auto cards = cards_of(expression))
    return cards->count != std::ssize(read_machine(expression.parameters).network.topology.hosts());
  return std::ranges::any_of(expression.children, has_shared_cards);
}

// The cards of the machine that it is. What a function made of one has lost them: what fails in a
// machine is told to the boxes.
std::optional<Cards> cards_of_box(const Expression& box) {
  if (auto cards = cards_of(box)) return cards;
  require(!has_shared_cards(box),
          "the owners of the cards of {} are unknown after a change of the machine; change the "
          "result instead, as in without(cable=0, boxes(...))",
          box.to_string());
  return std::nullopt;
}

}  // namespace

BuiltTopology join_boxes(int boxes, Wiring wiring, const BuiltTopology& box,
                         const BuiltTopology* outside, const std::optional<Cards>& cards) {
  const Topology& inside = box.topology;
  const Topology* network = outside == nullptr ? nullptr : &outside->topology;
  Expression name = name_of(boxes, wiring, inside, outside);
  require(boxes >= 1, "{} boxes are too few (needs 1 or more)", boxes);
  Plugs plugs{boxes, std::ssize(inside.hosts()), std::ssize(inside.hosts()),
              std::ssize(inside.switches())};
  if (cards)
    plugs.cards = cards->count;
  else
    plugs.inside = cards_inside(inside);
  if (!plugs.inside.empty()) plugs.cards = std::ssize(plugs.inside);
  require(plugs.gpus > 0, "{} has no hosts for GPUs", inside.name());
  require(!plugs.inside.empty() || (plugs.cards >= 1 && plugs.gpus % plugs.cards == 0),
          "{} cards cannot be divided evenly among {} GPUs", plugs.cards, plugs.gpus);
  plugs.own = plugs.inside.empty() && plugs.cards == plugs.gpus;
  const GivenSpeed card{cards ? cards->bandwidth_Bps : card_bandwidth(box, plugs.inside), {}};
  const std::int64_t copies = wiring == Wiring::rail ? plugs.cards : 1;
  const std::int64_t ports = plugs.all() / copies;
  if (network != nullptr)
    require(std::ssize(network->hosts()) == ports,
            "{} plugs {} cards into {}, which has {} hosts; give one host for each card{}",
            name.to_string(), ports, network->name(), network->hosts().size(),
            wiring == Wiring::rail ? " of a rail" : "");
  const std::int64_t switches = network == nullptr ? 1 : std::ssize(network->switches());
  const double links =
      network == nullptr ? 2.0 * static_cast<double>(ports) : network->link_count();
  require_size(name.to_string(),
               static_cast<double>(boxes * (plugs.gpus + plugs.box_switches())) +
                   static_cast<double>(copies) * static_cast<double>(switches),
               static_cast<double>(boxes) * (inside.link_count() + 2.0 * inside.node_count()) +
                   static_cast<double>(copies) * links);

  const std::int64_t gpus = boxes * plugs.gpus, first_outside = plugs.first_switch(boxes);
  Assembly all(gpus, first_outside - gpus + copies * switches);
  for (std::int64_t i = 0; i < boxes; ++i) add_box(all, box, plugs, i, network, card);
  for (std::int64_t copy = 0; copy < copies; ++copy) {
    const std::int64_t first_switch = first_outside + copy * switches;
    if (network != nullptr)
      all.add_links(*outside, plugged(*network, plugs, copy, copies, first_switch), std::identity(),
                    card);
    else
      for (std::int64_t port = 0; port < ports; ++port)
        all.add_cable(plugs.node(copy + copies * port), NodeId(first_switch), "terminal", card);
  }
  Facets facets{{Groups{static_cast<int>(plugs.gpus), levels_of(plugs, inside, network, wiring)}},
                {}};
  if (network != nullptr)
    if (auto groups = switch_groups_of_copies(*network, first_outside, copies))
      facets.facets.emplace_back(std::move(*groups));
  facets.part_had_tables = inside.facets().has_or_had_tables() ||
                           (network != nullptr && network->facets().has_or_had_tables());
  facets.names = names_of_all(plugs, inside, network, copies, all.ports());
  all.builder().set_facets(std::move(facets));
  return std::move(all).build(std::move(name));
}

Function boxes_function() {
  return {
      "boxes", "n[, wiring=rail], BOX[, X]",
      "n boxes of GPUs; card j of box i is in host i * cards + j of X, and with wiring=rail in "
      "host i of the j-th copy of X; without X one switch joins the cards",
      std::string(kExample), [](const Expression& node, std::span<const BuiltTopology> operands) {
        const Parameters parameters{std::string(kUsage), std::string(kExample), node.parameters};
        const auto parts = split(parameters.text(), ',');
        auto wiring = Wiring::flat;
        if (parts.size() == 2 && lower(parts[1]) == "wiring=rail")
          wiring = Wiring::rail;
        else if (parts.size() > 2 || (parts.size() == 2 && lower(parts[1]) != "wiring=flat"))
          parameters.fail(fmt::format("'{}' is not n or n,wiring=rail", parameters.text()));
        if (operands.size() > 2)
          parameters.fail(fmt::format("{} networks are too many (expected 1)", operands.size()));
        return join_boxes(parameters.integer(parts[0]), wiring, operands[0],
                          operands.size() == 2 ? &operands[1] : nullptr,
                          cards_of_box(operands[0].topology.expression()));
      }};
}

}  // namespace weft::topology
