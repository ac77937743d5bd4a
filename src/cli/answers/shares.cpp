#include "cli/answers/shares.hpp"

#include <fmt/format.h>

#include "weft/base/text.hpp"

namespace weft::cli {

namespace {

std::vector<std::string> texts(const std::vector<Rational>& numbers) {
  std::vector<std::string> result;
  for (const Rational& number : numbers) result.push_back(to_string(number));
  return result;
}

}  // namespace

void add(Record& record, const advise::ShareReport& report, const Screen& screen) {
  Json json = {{"orders", Json::array()}, {"by_steps", Json::array()}};
  Facts facts;
  for (const auto& [order, share] : report.fixed.orders) {
    json["orders"].push_back({{"order", order}, {"share", share}});
    facts.add("share",
              fmt::format("{} through dimensions {}", to_string(share), fmt::join(order, " ")));
  }
  for (const algorithm::RouteShares& best : report.by_steps) {
    const Rational factor = best.blocks * report.factor_of_block;
    std::vector<std::string> prices;
    for (const auto& step : best.prices)
      prices.push_back(fmt::format("{}", fmt::join(texts(step), " ")));
    Json routes = Json::array();
    for (const algorithm::Route& route : best.routes)
      routes.push_back({{"order", route.order}, {"at", route.at}, {"share", route.share}});
    json["by_steps"].push_back({{"steps", best.steps()},
                                {"blocks", best.blocks},
                                {"bandwidth_factor", factor},
                                {"prices", best.prices},
                                {"routes", std::move(routes)}});
    facts.add(fmt::format("best T_B in {}", counted(best.steps(), "step")),
              fmt::format("{}   (proved by prices {})", show(factor), fmt::join(prices, "; ")));
  }
  if (report.bfb) {
    json["bfb_bandwidth_factor"] = *report.bfb;
    facts.add("T_B of bfb", show(*report.bfb));
  }
  record.json["shares"] = std::move(json);
  record.below += '\n' + facts.text(screen);
}

}  // namespace weft::cli
