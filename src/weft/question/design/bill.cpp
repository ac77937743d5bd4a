#include "weft/question/design/bill.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::question {

bool has_panel(Build build) {
  return build == Build::patch_panel || build == Build::optical_switch;
}

const analysis::PortOffer& panel_of(const DesignAsked& asked) {
  const auto offer =
      std::ranges::find(asked.prices.ports, name_of(asked.build), &analysis::PortOffer::panel);
  require(offer != asked.prices.ports.end(),
          "the price list \"{}\" has no [[port]] of panel = \"{}\"; add one with its dollars",
          asked.prices.name, name_of(asked.build));
  require(
      offer->most >= 2,
      "a {} of 1 port joins nothing; give its [[port]] in the price list \"{}\" most = 2 or more",
      name_of(asked.build), asked.prices.name);
  return *offer;
}

SwitchPrice switch_price(const DesignAsked& asked) {
  const analysis::Offer* quoted = nullptr;
  for (const analysis::Offer& offer : asked.prices.switches)
    if (static_cast<std::int64_t>(offer.size) == asked.radix &&
        (quoted == nullptr || offer.dollars < quoted->dollars))
      quoted = &offer;
  if (quoted != nullptr) return {.dollars = quoted->dollars, .part = quoted->part};
  return {.dollars = analysis::fit_prices(asked.prices).switch_node(asked.radix), .part = {}};
}

DesignBill bill_of(const DesignAsked& asked, const Topology& topology) {
  const analysis::PriceLines lines = analysis::fit_prices(asked.prices);
  if (!has_panel(asked.build)) {
    analysis::Shopping list = shopping(topology, layout_of(asked));
    list.switch_nodes.clear();
    DesignBill bill{.parts = price(list, lines)};
    bill.parts.switches = std::ssize(topology.switches());
    if (bill.parts.switches > 0)
      bill.parts.switch_dollars =
          static_cast<double>(bill.parts.switches) * switch_price(asked).dollars;
    return bill;
  }
  DesignBill bill{.parts = price(shopping_to_panel(topology, layout_of(asked)), lines)};
  bill.panel_ports = bill.parts.optical.count;
  const std::int64_t pairs = panel_of(asked).most / 2;  // of ports; each joins one cable's ends
  bill.panels = (bill.panel_ports / 2 + pairs - 1) / pairs;
  bill.panel_dollars = static_cast<double>(bill.panel_ports) * panel_of(asked).dollars;
  return bill;
}

analysis::RackLayout layout_of(const DesignAsked& asked) {
  constexpr std::int64_t kNodesOfRack = 8;
  if (asked.per_rack > 0) return {.switches_per_rack = asked.per_rack};
  return {.switches_per_rack = asked.build == Build::switches ? 1 : kNodesOfRack};
}

}  // namespace weft::question
