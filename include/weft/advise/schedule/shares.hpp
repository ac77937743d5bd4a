// What shares of multi-dimensional schedules are and could be.
#pragma once

#include <optional>
#include <vector>

#include "weft/algorithm/multi_dimensional.hpp"
#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::advise {

struct ShareReport {
  algorithm::FixedShares fixed;                  // those of the schedule
  std::vector<algorithm::RouteShares> by_steps;  // optima with proofs
  Rational factor_of_block;                      // T_B of a block over the busiest links: d / N
  std::optional<Rational> bfb;                   // its T_B
};

/// For an allgather or reduce-scatter on a Hamming network of hosts with two to four dimensions of
/// more than one node; nothing else has such shares.
std::optional<ShareReport> report_shares(const Collective& collective, const Network& network);

}  // namespace weft::advise
