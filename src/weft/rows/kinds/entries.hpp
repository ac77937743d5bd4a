// The kinds, one from each file of this folder, in the order in which messages list them.
#pragma once

#include "weft/rows/kind.hpp"

namespace weft::rows {

RowKind simulate_kind();
RowKind cost_kind();
RowKind topology_kind();
RowKind forecast_kind();
RowKind throughput_kind();
RowKind find_kind();
RowKind crossings_kind();
RowKind order_kind();
RowKind pairs_kind();
RowKind economics_kind();
RowKind price_kind();
RowKind embedding_kind();
RowKind phases_kind();
RowKind bounds_kind();
RowKind train_kind();
RowKind testbed_kind();
RowKind fit_kind();
RowKind load_curve_kind();
RowKind published_kind();
RowKind optimum_kind();
RowKind compare_kind();
RowKind degrade_kind();
RowKind plan_kind();
RowKind design_kind();

inline constexpr RowKind (*kKinds[])() = {
    simulate_kind,  cost_kind,    topology_kind, forecast_kind,  throughput_kind, find_kind,
    crossings_kind, order_kind,   pairs_kind,    economics_kind, price_kind,      embedding_kind,
    phases_kind,    bounds_kind,  train_kind,    testbed_kind,   fit_kind,        load_curve_kind,
    published_kind, optimum_kind, compare_kind,  degrade_kind,   plan_kind,       design_kind,
};

}  // namespace weft::rows
