#include "cli/answers/shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/views.hpp"

namespace weft::cli {

namespace {

std::vector<std::string> texts(const std::vector<Rational>& numbers) {
  std::vector<std::string> result;
  for (const Rational& number : numbers) result.push_back(to_string(number));
  return result;
}

std::optional<Rational> factor_of_bfb(const Collective& collective, const Network& network) {
  if (algorithm::misfit(algorithm::find_algorithm("bfb"), {collective, &network}))
    return std::nullopt;
  const auto forecast = algorithm::forecast("bfb", collective, network);
  return forecast ? std::optional(forecast->exact_bandwidth_factor) : std::nullopt;
}

}  // namespace

std::optional<ShareReport> report_shares(const Collective& collective, const Network& network) {
  const bool gathers = collective.kind == CollectiveKind::allgather ||
                       collective.kind == CollectiveKind::reduce_scatter;
  const auto hamming = topology::as_hamming(network.topology());
  if (!gathers || !hamming || network.topology().has_switches()) return std::nullopt;
  const auto wide = std::ranges::count_if(hamming->extents, [](int m) { return m > 1; });
  std::int64_t degree = 0;
  for (const int m : hamming->extents) degree += m - 1;
  ShareReport report{algorithm::md_shares(*hamming, collective.kind),
                     algorithm::md_shares_by_steps(*hamming, wide > 3 ? 1 : 2),
                     Rational(degree, hamming->size()), factor_of_bfb(collective, network)};
  return report.by_steps.empty() ? std::nullopt : std::optional(std::move(report));
}

void add(Record& record, const ShareReport& report, const Screen& screen) {
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
