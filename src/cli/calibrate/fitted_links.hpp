// The answer of weft calibrate to tables of messages and unforced collectives: speeds of links.
#pragma once

#include "cli/options/options.hpp"
#include "cli/output.hpp"
#include "weft/answer/part.hpp"
#include "weft/calibrate/calibration.hpp"
#include "weft/network/network.hpp"

namespace weft::cli {

/// A fit of a network's links.
struct FittedLinks {
  const calibrate::Calibration& fit;
  const Network& network;
};
answer::Parts<FittedLinks> fitted_links_parts();

/// Facts, ranges of sizes and errors by table.
void print_links(const calibrate::Calibration& fit, const Network& network, Streams& streams);

}  // namespace weft::cli
