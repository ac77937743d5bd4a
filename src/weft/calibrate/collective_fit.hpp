// What collectives say of copies and reductions, once links are known.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "weft/calibrate/calibration.hpp"

namespace weft::calibrate {

/// The network at the speeds that were fitted.
Network fitted_network(const Calibration& calibration, const Network& network);

/// Collectives that move data tell of copies, those that reduce of reductions; both are appended to
/// the calibration's tables. Throws InvalidInput where no algorithm serves a table.
void fit_collectives(std::span<const PlacedTable> tables, const Network& network,
                     Calibration& calibration);

}  // namespace weft::calibrate
