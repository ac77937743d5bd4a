// What weft economics is asked of kinds of networks, and of a topology.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/analysis/economics.hpp"
#include "weft/fields/members.hpp"

namespace weft::design {

struct EconomicsQuestion {
  std::optional<std::int64_t> endpoints = {};     // the least network of each kind with so many
  std::optional<std::int64_t> routers = {};       // the size of each kind with about so many
  std::optional<std::int64_t> radix = {};         // the largest with at most so many ports a router
  std::vector<analysis::NetworkKind> kinds = {};  // none: those that are compared
  analysis::RackLayout layout = {};               // of a topology

  /// Those asked for, or those that are compared.
  std::span<const analysis::NetworkKind> chosen() const;
};

/// In the order of the command's help.
std::span<const Member<EconomicsQuestion>> economics_members();

struct PricedDesign {
  analysis::Design design;
  analysis::Bill bill;

  double dollars_per_endpoint() const {
    return bill.dollars() / static_cast<double>(design.endpoints);
  }
};

/// A design at prices of which fit_prices() made the lines.
PricedDesign priced(const analysis::Design& design, const analysis::PriceLines& lines);

/// The cheapest of each kind with so many endpoints, in the order of the kinds. Throws InvalidInput
/// as cheapest_design().
std::vector<PricedDesign> cheapest_of_each(std::span<const analysis::NetworkKind> kinds,
                                           std::int64_t endpoints,
                                           const analysis::PriceList& prices);

}  // namespace weft::design
