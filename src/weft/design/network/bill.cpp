#include "weft/design/network/bill.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

#include "weft/base/error.hpp"

namespace weft::design {

bool has_panel(Build build) {
  return build == Build::patch_panel || build == Build::optical_switch;
}

const analysis::PortOffer& panel_of(const DesignQuestion& asked) {
  const auto offer =
      std::ranges::find(asked.prices.ports, name_of(asked.build), &analysis::PortOffer::panel);
  require(offer != asked.prices.ports.end(),
          "the price list '{}' has no [[port]] of panel = \"{}\"; add one with its dollars",
          asked.prices.name, name_of(asked.build));
  require(offer->most >= 2,
          "a {} of 1 port connects nothing; set most = 2 or more for its [[port]] in the price "
          "list '{}'",
          name_of(asked.build), asked.prices.name);
  return *offer;
}

namespace {

// Of so many ports; nothing where the list quotes none.
std::optional<SwitchModel> quoted_model(const analysis::PriceList& prices, std::int64_t ports) {
  std::optional<SwitchModel> model;
  for (const analysis::Offer& offer : prices.switches)
    if (std::llround(offer.size) == ports && (!model || offer.dollars < model->dollars))
      model = {static_cast<int>(ports), offer.dollars, offer.part};
  return model;
}

// Links out of the switch with most; a one-way link takes a port at each end.
std::int64_t most_ports(const Topology& topology) {
  std::int64_t most = 0;
  for (const NodeId node : topology.switches()) {
    std::int64_t ports = 0;
    for (const LinkId link : topology.out_links(node)) ports += topology.head(link) == node ? 0 : 1;
    for (const LinkId link : topology.in_links(node))
      ports += topology.reverse(link) || topology.tail(link) == node ? 0 : 1;
    most = std::max(most, ports);
  }
  return most;
}

}  // namespace

std::vector<SwitchModel> switch_models(const DesignQuestion& asked) {
  constexpr std::int64_t kFewestPorts = 2;
  std::vector<SwitchModel> models;
  if (asked.radix > 0)
    models.push_back(
        quoted_model(asked.prices, asked.radix)
            .value_or(SwitchModel{
                .ports = asked.radix,
                .dollars = analysis::fit_prices(asked.prices).switch_node(asked.radix)}));
  if (asked.radix > 0 && asked.larger == LargerSwitches::left_out) return models;
  std::set<std::int64_t> sizes;
  for (const analysis::Offer& offer : asked.prices.switches) sizes.insert(std::llround(offer.size));
  for (const std::int64_t ports : sizes)
    if (ports >= std::max<std::int64_t>(kFewestPorts, asked.radix + 1))
      models.push_back(*quoted_model(asked.prices, ports));
  require(!models.empty(), "the price list '{}' has no switch with 2 or more ports; give --radix",
          asked.prices.name);
  return models;
}

SwitchModel switch_for(const DesignQuestion& asked, const Topology& topology) {
  const std::int64_t ports = most_ports(topology);
  std::optional<SwitchModel> cheapest;
  for (SwitchModel& model : switch_models(asked))
    if (model.ports >= ports && (!cheapest || model.dollars < cheapest->dollars))
      cheapest = std::move(model);
  WEFT_ASSERT(cheapest);
  return *cheapest;
}

DesignBill bill_of(const DesignQuestion& asked, const Topology& topology) {
  const analysis::PriceLines lines = analysis::fit_prices(asked.prices);
  if (!has_panel(asked.build)) {
    analysis::Shopping list = shopping(topology, layout_of(asked));
    list.switch_nodes.clear();
    DesignBill bill{.parts = price(list, lines)};
    bill.parts.switches = std::ssize(topology.switches());
    if (bill.parts.switches > 0)
      bill.parts.switch_dollars =
          static_cast<double>(bill.parts.switches) * switch_for(asked, topology).dollars;
    return bill;
  }
  DesignBill bill{.parts = price(shopping_to_panel(topology, layout_of(asked)), lines)};
  bill.panel_ports = bill.parts.optical.count;
  const std::int64_t pairs = panel_of(asked).most / 2;  // of ports; each joins one cable's ends
  bill.panels = (bill.panel_ports / 2 + pairs - 1) / pairs;
  bill.panel_dollars = static_cast<double>(bill.panel_ports) * panel_of(asked).dollars;
  return bill;
}

analysis::RackLayout layout_of(const DesignQuestion& asked) {
  if (asked.per_rack > 0) return {.switches_per_rack = asked.per_rack};
  return {.hosts_per_rack = asked.hosts_per_rack};
}

}  // namespace weft::design
