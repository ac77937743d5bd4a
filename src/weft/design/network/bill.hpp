// What a network costs.
#pragma once

#include "weft/design/network_design.hpp"
#include "weft/topology/topology.hpp"

namespace weft::design {

/// The cheapest of switch_models() that has the ports of the topology's fullest switch.
/// Precondition: there is one.
SwitchModel switch_for(const DesignQuestion& asked, const Topology& topology);

/// The hosts of the topology are those that are asked for. Switches are bought whole, all of the
/// model of switch_for(), their ports used or not. Throws InvalidInput as analysis::fit_prices.
DesignBill bill_of(const DesignQuestion& asked, const Topology& topology);

}  // namespace weft::design
