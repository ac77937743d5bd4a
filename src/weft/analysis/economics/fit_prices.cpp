#include <cmath>

#include "weft/analysis/economics_prices.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

// slope = cov(x, y) / var(x); the line goes through the means.
PriceLine least_squares(const std::vector<Offer>& offers) {
  double count = 0, sum_x = 0, sum_y = 0;
  for (const Offer& offer : offers) {
    if (!offer.fit) continue;
    count += 1;
    sum_x += offer.size;
    sum_y += offer.dollars;
  }
  WEFT_ASSERT(count >= 2);
  const double mean_x = sum_x / count, mean_y = sum_y / count;
  double covariance = 0, variance = 0;
  for (const Offer& offer : offers) {
    if (!offer.fit) continue;
    covariance += (offer.size - mean_x) * (offer.dollars - mean_y);
    variance += (offer.size - mean_x) * (offer.size - mean_x);
  }
  WEFT_ASSERT(variance > 0);
  const double slope = covariance / variance;
  return {slope, mean_y - slope * mean_x};
}

}  // namespace

// A line that falls or starts below zero gives negative prices somewhere.
PriceLine fit_offers(const std::vector<Offer>& offers, std::string_view what,
                     std::string_view unit) {
  const PriceLine line = least_squares(offers);
  require(std::isfinite(line.slope) && std::isfinite(line.constant) && line.slope >= 0 &&
              line.constant >= 0,
          "the line fitted to the prices of {} is {:.6g} dollars plus {:.6g} per {}, which "
          "gives negative prices; correct an offer, or exclude it with fit = false",
          what, line.constant, line.slope, unit);
  return line;
}

PriceLines fit_prices(const PriceList& prices) {
  return {fit_offers(prices.electrical, "electrical cables", "metre"),
          fit_offers(prices.optical, "optical cables", "metre"),
          fit_offers(prices.switches, "switches", "port")};
}

}  // namespace weft::analysis
