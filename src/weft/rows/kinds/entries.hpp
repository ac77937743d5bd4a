// The kinds, one from each file of this folder, in the order in which messages list them.
#pragma once

#include "weft/rows/kind.hpp"

namespace weft::rows {

Kind simulate_kind();
Kind cost_kind();
Kind topology_kind();
Kind forecast_kind();
Kind throughput_kind();
Kind find_kind();
Kind crossings_kind();
Kind order_kind();
Kind pairs_kind();
Kind economics_kind();
Kind price_kind();
Kind embedding_kind();
Kind phases_kind();
Kind bounds_kind();
Kind train_kind();
Kind testbed_kind();
Kind fit_kind();
Kind load_curve_kind();
Kind published_kind();
Kind optimum_kind();
Kind compare_kind();
Kind degrade_kind();
Kind plan_kind();
Kind design_kind();

inline constexpr Kind (*kKinds[])() = {
    simulate_kind,  cost_kind,    topology_kind, forecast_kind,  throughput_kind, find_kind,
    crossings_kind, order_kind,   pairs_kind,    economics_kind, price_kind,      embedding_kind,
    phases_kind,    bounds_kind,  train_kind,    testbed_kind,   fit_kind,        load_curve_kind,
    published_kind, optimum_kind, compare_kind,  degrade_kind,   plan_kind,       design_kind,
};

}  // namespace weft::rows
