// What shares of MD are and could be: with `weft schedule`.
#pragma once

#include <optional>

#include "cli/output.hpp"
#include "weft/algorithm/multi_dimensional.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::cli {

struct ShareReport {
  algorithm::FixedShares fixed;                  // those of the schedule
  std::vector<algorithm::RouteShares> by_steps;  // optima with proofs
  Rational factor_of_block;                      // T_B of a block over the busiest links: d / N
  std::optional<Rational> bfb;                   // its T_B
};

/// For an allgather or reduce-scatter on a Hamming network of hosts with two to four dimensions of
/// more than one node; nothing else has such shares.
std::optional<ShareReport> report_shares(const Collective& collective, const Network& network);

/// The key `shares`, and what people read of them.
void add(Record& record, const ShareReport& report, const Screen& screen);

}  // namespace weft::cli
