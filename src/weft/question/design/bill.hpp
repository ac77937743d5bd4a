// What a network costs.
#pragma once

#include "weft/question/network_design.hpp"
#include "weft/topology/topology.hpp"

namespace weft::question {

/// The hosts of the topology are those that are asked for. Switches are bought whole, with as many
/// ports as asked for, used or not. Throws InvalidInput as analysis::fit_prices.
DesignBill bill_of(const DesignAsked& asked, const Topology& topology);

}  // namespace weft::question
