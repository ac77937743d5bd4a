// LP (3) as it stands, by CLP: for small networks.
#pragma once

#include "weft/flow/throughput/found.hpp"

namespace weft::flow {

/// The flows of LP (3): hosts * arcs.
std::int64_t lp_variables(const FlowGraph& graph);

/// Solves LP (3) and proves both ends; exact where flows and prices are recognised as fractions
/// that prove the same value. Time grows quickly: about 0.1 s at 4,000 variables.
Found throughput_by_lp(const FlowGraph& graph);

}  // namespace weft::flow
