// Prices of cables and switches: a list of offers, and the straight lines fitted through them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::analysis {

/// One line of a price list.
struct Offer {
  double size = 0;     // metres of a cable, ports of a switch; > 0
  double dollars = 0;  // > 0
  bool fit = true;     // whether the fitted line sees it
  std::string part = {};
};

/// What a port of a panel costs, whatever the number of ports.
struct PortOffer {
  std::string panel;      // "patch-panel", "optical-switch"
  double dollars = 0;     // > 0
  std::int64_t most = 0;  // ports of one panel, >= 1
  std::string source;
};

struct PriceList {
  std::string name;
  std::string source;
  std::vector<Offer> electrical;  // two sizes or more that count for the fit, in each list
  std::vector<Offer> optical;
  std::vector<Offer> switches;
  std::vector<PortOffer> ports = {};  // one a panel; may be empty
  /// Of the cables that the lines are fitted to, bytes per second; 0 where the list does not say.
  std::int64_t bandwidth_Bps = 0;
};

/// Reads a price list (docs/reference/machine-files.md, TOML). Throws InvalidInput, "PATH:LINE:
/// ...", for what is
/// missing, unknown, not a number or not above 0, and for offers that fit_offers() refuses.
PriceList read_price_list(std::string_view text, const std::string& path);

/// The path of a list: "shipped" is the one that comes with weft. Throws InvalidInput where that is
/// not found.
std::string price_list_path(const std::string& named);
/// Reads the list that is named so.
PriceList load_price_list(const std::string& named);

/// dollars(x) = slope * x + constant.
struct PriceLine {
  double slope = 0;     // dollars a metre or a port
  double constant = 0;  // dollars

  double operator()(double x) const { return slope * x + constant; }
};

struct PriceLines {
  PriceLine electrical;   // by metres
  PriceLine optical;      // by metres
  PriceLine switch_node;  // by ports
};

/// Least squares through the offers that count; `what` is priced by `unit`. Throws InvalidInput for
/// a line that falls or starts below zero.
PriceLine fit_offers(const std::vector<Offer>& offers, std::string_view what,
                     std::string_view unit);

/// Least squares through each list's offers that count. Throws InvalidInput for a line that falls
/// or starts below zero. Source: thesis on Kautz and 2dfc
/// collectives, section 4.4.2.
PriceLines fit_prices(const PriceList& prices);

}  // namespace weft::analysis
