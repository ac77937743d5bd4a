// The parameters of a hyperx expression, for the views.
#pragma once

#include "weft/topology/expression.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

/// The extents and counts of `leaf`, the expression of a built HyperX network.
HyperxView hyperx_view(const Expression& leaf);

}  // namespace weft::topology
