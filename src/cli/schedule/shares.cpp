#include "cli/schedule/shares.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "weft/answer/keys.hpp"
#include "weft/answer/show.hpp"
#include "weft/base/text.hpp"

namespace weft::cli {

using advise::ShareReport;
using algorithm::OrderShare;
using algorithm::Route;
using algorithm::RouteShares;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

/// The best shares in a number of steps.
struct BestShares {
  const RouteShares& best;
  Rational bandwidth_factor;
};

std::vector<BestShares> best_shares(const ShareReport& report) {
  std::vector<BestShares> all;
  for (const RouteShares& best : report.by_steps)
    all.push_back({best, best.blocks * report.factor_of_block});
  return all;
}

Parts<OrderShare> order_parts() {
  constexpr PartOf<OrderShare> part;
  return {part("order", "", Unit::none, "dimensions in their order", &OrderShare::order),
          part("share", "", Unit::none, "share of every block", &OrderShare::share)};
}

Parts<Route> route_parts() {
  constexpr PartOf<Route> part;
  return {part("order", "", Unit::none, "dimensions in their order", &Route::order),
          part("at", "", Unit::none, "step of each of these", &Route::at),
          part("share", "", Unit::none, "share of every block", &Route::share)};
}

Parts<BestShares> best_parts() {
  constexpr PartOf<BestShares> part;
  return {
      part(keys::kStepCount, [](const BestShares& shares) { return shares.best.steps(); }),
      part("blocks", "", Unit::none, "blocks over the busiest links, summed over the steps",
           [](const BestShares& shares) { return shares.best.blocks; }),
      part("bandwidth_factor", "", Unit::none,
           "lowest T_B in this number of steps, in units of M/B", &BestShares::bandwidth_factor),
      part("prices", "", Unit::none, "prices of each step and dimension, which prove it",
           [](const BestShares& shares) { return shares.best.prices; }),
      part.list(
          "routes", "shares that reach it",
          [](const BestShares& shares) -> const auto& { return shares.best.routes; },
          route_parts())};
}

std::string prices_text(const RouteShares& best) {
  std::string text;
  for (const std::vector<Rational>& step : best.prices) {
    if (!text.empty()) text += "; ";
    for (std::size_t i = 0; i < step.size(); ++i) text += (i == 0 ? "" : " ") + to_string(step[i]);
  }
  return text;
}

}  // namespace

Parts<ShareReport> share_parts() {
  constexpr PartOf<ShareReport> part;
  return {
      part.list(
          "orders", "shares of the schedule, by order of dimensions",
          [](const ShareReport& report) -> const auto& { return report.fixed.orders; },
          order_parts()),
      part.list("by_steps", "the best shares in each number of steps", best_shares, best_parts()),
      part("bfb_bandwidth_factor", "", Unit::none, "T_B of bfb, in units of M/B", &ShareReport::bfb)
          .left_out()};
}

Facts facts_of(const ShareReport& report) {
  Facts facts;
  for (const auto& [order, share] : report.fixed.orders)
    facts.add("share",
              fmt::format("{} through dimensions {}", to_string(share), fmt::join(order, " ")));
  for (const BestShares& shares : best_shares(report))
    facts.add(fmt::format("best T_B in {}", counted(shares.best.steps(), "step")),
              fmt::format("{}   (proved by prices {})", show(shares.bandwidth_factor),
                          prices_text(shares.best)));
  if (report.bfb) facts.add("T_B of bfb", show(*report.bfb));
  return facts;
}

}  // namespace weft::cli
