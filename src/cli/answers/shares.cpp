#include "cli/answers/shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"
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

Json json_of(const ShareReport& report) {
  Json json = {{"orders", Json::array()}, {"by_steps", Json::array()}};
  for (const auto& [order, share] : report.fixed.orders)
    json["orders"].push_back({{"order", order}, {"share", to_string(share)}});
  for (const algorithm::RouteShares& best : report.by_steps) {
    Json entry = {{"steps", best.steps()},
                  {"blocks", to_string(best.blocks)},
                  {"bandwidth_factor", to_string(best.blocks * report.factor_of_block)},
                  {"prices", Json::array()},
                  {"routes", Json::array()}};
    for (const auto& step : best.prices) entry["prices"].push_back(texts(step));
    for (const algorithm::Route& route : best.routes)
      entry["routes"].push_back(
          {{"order", route.order}, {"at", route.at}, {"share", to_string(route.share)}});
    json["by_steps"].push_back(std::move(entry));
  }
  if (report.bfb) json["bfb_bandwidth_factor"] = to_string(*report.bfb);
  return json;
}

void print_facts(const ShareReport& report, Streams& streams) {
  Facts table;
  for (const auto& [order, share] : report.fixed.orders)
    table.add("share",
              fmt::format("{} through dimensions {}", to_string(share), fmt::join(order, " ")));
  for (const algorithm::RouteShares& best : report.by_steps) {
    std::vector<std::string> prices;
    for (const auto& step : best.prices)
      prices.push_back(fmt::format("{}", fmt::join(texts(step), " ")));
    table.add(fmt::format("best T_B in {} steps", best.steps()),
              fmt::format("{}   (proved by prices {})", show(best.blocks * report.factor_of_block),
                          fmt::join(prices, "; ")));
  }
  if (report.bfb) table.add("T_B of bfb", show(*report.bfb));
  streams.out << '\n' << table.text(screen_of(streams));
}

}  // namespace weft::cli
