// What each algorithm costs and requires, as text for `weft list` and the reference pages.
//
// The formulas are those of an ideal star: one switch and one full-duplex port for each rank.
// Where a formula depends on the network it says so. formulas_test.cpp holds the code to them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::algorithm {

/// Cost of some collectives of one algorithm, for N ranks.
struct CostFormula {
  std::string_view algorithm;
  std::string_view collectives;  // separated by blanks
  std::string_view steps;        // T_L
  std::string_view messages;     // sent by all ranks together
  std::string_view bandwidth;    // T_B
  std::string_view when = {};    // the variant that the row is about; empty: all
};

/// A symbol of the formulas and its meaning.
struct CostSymbol {
  std::string_view symbol, meaning;
};

/// All formulas, in the order of the registry.
const std::vector<CostFormula>& cost_formulas();

/// The symbols that formulas use.
std::span<const CostSymbol> cost_symbols();

/// What the algorithm requires of ranks and network, in whole sentences; empty where it fits any.
std::string requirement_of(std::string_view algorithm);

}  // namespace weft::algorithm
