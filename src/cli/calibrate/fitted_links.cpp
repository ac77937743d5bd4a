#include "cli/calibrate/fitted_links.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using calibrate::Calibration;
using calibrate::Fitted;
using calibrate::FittedClass;
using calibrate::FittedTable;

Json json_of(const Fitted& fitted) {
  Json json{{"value", fitted.value}, {"separable", fitted.separable()}};
  if (fitted.interval) {
    json["low"] = fitted.interval->low;
    json["high"] = std::isfinite(fitted.interval->high) ? Json(fitted.interval->high) : Json();
  }
  return json;
}
Json json_of(const std::optional<Fitted>& fitted) {
  return fitted ? json_of(*fitted) : Json();
}

Json json_of(const FittedClass& of_class) {
  Json json{{"class", of_class.name},
            {"measured", of_class.measured},
            {"latency", json_of(of_class.latency_s)},
            {"bandwidth", json_of(of_class.bandwidth_Bps)},
            {"sizes", Json::array()}};
  for (const auto& [from_B, latency, bandwidth] : of_class.factors)
    json["sizes"].push_back(
        {{"from", from_B}, {"latency_scale", latency}, {"bandwidth_scale", bandwidth}});
  return json;
}

Json json_of(const FittedTable& table) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    rows.push_back({{"size", table.rows[i].size_B},
                    {"measured_time", table.rows[i].time_s},
                    {"model_time", table.model_s[i]}});
  return {{"file", table.path},
          {"benchmark", table.benchmark},
          {"ranks", table.ranks},
          {"algorithms", table.algorithms},
          {"relative_error", {{"mean", table.mean_error}, {"max", table.max_error}}},
          {"rows", std::move(rows)}};
}

// "1.2us", or with what is as good: "0.6us (not separable: 0s to 1.2us)".
std::string show(const Fitted& fitted, std::string (*text)(double)) {
  if (!fitted.interval) return text(fitted.value);
  if (!std::isfinite(fitted.interval->high))
    return fmt::format("{} or more (not separable)", text(fitted.interval->low));
  return fmt::format("{} (not separable: {} to {})", text(fitted.value), text(fitted.interval->low),
                     text(fitted.interval->high));
}

std::string sizes_text(const Calibration& fit, std::size_t range) {
  const bool last = range + 1 == fit.starts_B.size();
  if (fit.starts_B.size() == 1) return "all sizes";
  if (last) return "from " + format_size(fit.starts_B[range]);
  return "below " + format_size(fit.starts_B[range + 1]);
}

}  // namespace

Json links_json(const Calibration& fit, const Network& network, const OutputOptions& common) {
  Json json = answer("calibrate", common);
  json["topology"] = network.topology().name();
  json["routing"] = std::string(network.routing().name());
  json["startup"] = json_of(fit.startup_s);
  json["copy_bandwidth"] = json_of(fit.copy_Bps);
  json["reduce_bandwidth"] = json_of(fit.reduce_Bps);
  json["from"] = fit.first_B;
  json["to"] = fit.last_B;
  for (const char* key : {"classes", "tables"}) json[key] = Json::array();
  for (const FittedClass& of_class : fit.classes) json["classes"].push_back(json_of(of_class));
  for (const FittedTable& table : fit.tables) json["tables"].push_back(json_of(table));
  json["remarks"] = fit.remarks;
  return json;
}

void print_links(const Calibration& fit, const Network& network, Streams& streams) {
  const Screen screen = screen_of(streams);
  Facts facts;
  facts.add("network",
            network.topology().name() + ", routing " + std::string(network.routing().name()));
  facts.add("start-up", show(fit.startup_s, format_seconds));
  for (const FittedClass& of_class : fit.classes) {
    if (!of_class.measured) continue;
    facts.add("latency of " + of_class.name, show(of_class.latency_s, format_seconds));
    facts.add("bandwidth of " + of_class.name, show(of_class.bandwidth_Bps, format_rate));
  }
  if (fit.copy_Bps) facts.add("copies", show(*fit.copy_Bps, format_rate));
  if (fit.reduce_Bps) facts.add("reductions", show(*fit.reduce_Bps, format_rate));
  facts.add("measured",
            fmt::format("messages of {} to {}", format_size(fit.first_B), format_size(fit.last_B)));
  streams.out << facts.text(screen) << '\n';
  Table pieces({"messages", "class", "latency", "bandwidth"});
  for (std::size_t r = 0; fit.starts_B.size() > 1 && r < fit.starts_B.size(); ++r)
    for (const FittedClass& of_class : fit.classes)
      if (of_class.measured)
        pieces.add({sizes_text(fit, r), of_class.name,
                    format_seconds(of_class.latency_s.value * of_class.factors[r].latency),
                    format_rate(of_class.bandwidth_Bps.value * of_class.factors[r].bandwidth)});
  if (fit.starts_B.size() > 1) streams.out << pieces.text(screen) << '\n';
  Table errors({"file", "benchmark", "ranks", "rows", "mean error", "largest", "algorithms"});
  for (const FittedTable& table : fit.tables)
    errors.add({table.path, table.benchmark, fmt::format("{}", table.ranks),
                fmt::format("{}", table.rows.size()),
                fmt::format("{:.2f} %", 100 * table.mean_error),
                fmt::format("{:.2f} %", 100 * table.max_error),
                fmt::format("{}", fmt::join(table.algorithms, ", "))});
  streams.out << errors.text(screen);
}

}  // namespace weft::cli
