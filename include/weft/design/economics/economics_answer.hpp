// Answer of weft economics: kinds of networks or one topology, with sizes and prices.
//
//   const EconomicsAnswer answer = price_kinds({.endpoints = 1000}, "shipped");
//   for (const SizedKind& each : answer.rows) ... each.bill->dollars() ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/analysis/economics.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/design/economics/economics_question.hpp"

namespace weft::design {

struct Prices {
  analysis::PriceList list;
  analysis::PriceLines lines;
};

/// The size of a kind that answers the question.
struct SizedKind {
  analysis::NetworkKind kind{};
  std::optional<analysis::Design> design = {};  // none: no size is the largest
  bool fits = true;                             // without a design: whether any size fits
  std::optional<double> formula_endpoints = {};
  std::optional<analysis::Bill> bill = {};
  std::optional<double> normalized = {};  // dollars per endpoint over those of the cheapest

  /// Where there is a bill.
  std::optional<double> dollars_per_endpoint() const;
};

struct PricedTopology {
  std::string name;
  std::int64_t hosts = 0;
  std::optional<analysis::Bisection> bisection = {};  // none: too large to look for it
  analysis::Bill bill;
};

/// Rows, or a topology.
struct EconomicsAnswer {
  std::optional<Prices> prices = {};
  EconomicsQuestion asked = {};
  std::vector<SizedKind> rows = {};
  std::optional<PricedTopology> topology = {};
};

/// Sizes kinds of networks by `endpoints`, `routers` or `radix`, whichever is set. Only sizes by
/// endpoints have prices. Throws InvalidInput as cheapest_design() and load_price_list().
EconomicsAnswer price_kinds(const EconomicsQuestion& asked, const std::string& price_list);
/// Prices one topology. Throws InvalidInput as load_price_list() and shopping().
EconomicsAnswer price_topology(const Topology& topology, const EconomicsQuestion& asked,
                               const std::string& price_list);

/// Tables of parts of the answer, of one of its rows, and of a topology.
answer::Parts<EconomicsAnswer> economics_parts();
answer::Parts<SizedKind> sized_kind_parts();
answer::Parts<PricedTopology> priced_topology_parts();

/// Columns of the table of rows for people, by question; columns of rows of studies.
std::vector<answer::Column> economics_columns(const EconomicsQuestion& asked);
std::vector<answer::Column> economics_row_columns();

}  // namespace weft::design
