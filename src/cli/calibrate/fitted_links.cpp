#include "cli/calibrate/fitted_links.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "cli/answers/parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using calibrate::Calibration;
using calibrate::Fitted;
using calibrate::FittedClass;
using calibrate::FittedTable;

/// A range of sizes, and a row of a table with the time by the model.
using SizeRange = simulation::SizeFactor;
struct ModelledRow {
  MeasuredRow row;
  double model_s;
};

std::vector<ModelledRow> rows_of(const FittedTable& table) {
  std::vector<ModelledRow> rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    rows.push_back({table.rows[i], table.model_s[i]});
  return rows;
}

Parts<Fitted> fitted_parts(Unit unit) {
  constexpr PartOf<Fitted> part;
  const auto has_interval = [](const Fitted& fitted) { return fitted.interval.has_value(); };
  return {part("value", "", unit, "the fitted value", &Fitted::value),
          part("separable", "", Unit::none, "whether the tables determine it alone",
               &Fitted::separable),
          part("low", "", unit, "lowest value that fits as well",
               [](const Fitted& fitted) { return fitted.interval->low; })
              .when(has_interval),
          part("high", "", unit, "highest value that fits as well, or null without a limit",
               [](const Fitted& fitted) {
                 const double high = fitted.interval->high;
                 return std::isfinite(high) ? std::optional(high) : std::nullopt;
               })
              .when(has_interval)};
}

Parts<SizeRange> range_parts() {
  constexpr PartOf<SizeRange> part;
  return {
      part("from", "", Unit::bytes, "smallest message of the range", &SizeRange::from_B),
      part("latency_scale", "", Unit::none, "factor of the latency", &SizeRange::latency),
      part("bandwidth_scale", "", Unit::none, "factor of the bandwidth", &SizeRange::bandwidth)};
}

Parts<FittedClass> class_parts() {
  constexpr PartOf<FittedClass> part;
  return {part("class", "", Unit::none, "class of the links", &FittedClass::name),
          part("measured", "", Unit::none, "whether the tables measure it", &FittedClass::measured),
          part.object("latency", "latency of the smallest messages", &FittedClass::latency_s,
                      fitted_parts(Unit::seconds)),
          part.object("bandwidth", "bandwidth of the largest messages", &FittedClass::bandwidth_Bps,
                      fitted_parts(Unit::bytes_per_second)),
          part.list("sizes", "ranges of message sizes with factors of their own",
                    &FittedClass::factors, range_parts())};
}

Parts<ModelledRow> row_parts() {
  constexpr PartOf<ModelledRow> part;
  return {
      part(keys::kMessageSize, [](const ModelledRow& modelled) { return modelled.row.size_B; }),
      part(keys::kMeasuredTime, [](const ModelledRow& modelled) { return modelled.row.time_s; }),
      part("model_time", "", Unit::seconds, "time by the fitted model", &ModelledRow::model_s)};
}

Parts<FittedTable> error_parts() {
  constexpr PartOf<FittedTable> part;
  return {part(keys::kMeanError, "mean error", &FittedTable::mean_error)
              .shown_as([](const FittedTable& table) {
                return fmt::format("{:.2f} %", 100 * table.mean_error);
              }),
          part(keys::kLargestError, "largest", &FittedTable::max_error)
              .shown_as([](const FittedTable& table) {
                return fmt::format("{:.2f} %", 100 * table.max_error);
              })};
}

Parts<FittedTable> table_parts() {
  constexpr PartOf<FittedTable> part;
  return {
      part(keys::kTableFile, "file", &FittedTable::path),
      part(keys::kBenchmark, "benchmark", &FittedTable::benchmark),
      part(keys::kRanks, "ranks", &FittedTable::ranks),
      part("algorithms", "algorithms", Unit::none, "algorithms whose times are closest",
           &FittedTable::algorithms)
          .shown_as([](const FittedTable& table) {
            return fmt::format("{}", fmt::join(table.algorithms, ", "));
          }),
      part.object("relative_error", "errors of the fitted model", std::identity(), error_parts()),
      part.list(keys::kMeasuredRows, rows_of, row_parts()).shown_as([](const FittedTable& table) {
        return fmt::format("{}", table.rows.size());
      })};
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

Parts<FittedLinks> fitted_links_parts() {
  constexpr PartOf<FittedLinks> part;
  const auto of_fit = [](auto member) {
    return [member](const FittedLinks& fitted) -> const auto& {
      return fitted.fit.*member;
    };
  };
  return {part(keys::kTopology,
               [](const FittedLinks& fitted) { return fitted.network.topology().name(); }),
          part(keys::kRouting,
               [](const FittedLinks& fitted) { return fitted.network.routing().name(); }),
          part.object("startup", "start-up of a message", of_fit(&Calibration::startup_s),
                      fitted_parts(Unit::seconds)),
          part.object("copy_bandwidth", "bandwidth of copies, or null if no table shows it",
                      of_fit(&Calibration::copy_Bps), fitted_parts(Unit::bytes_per_second)),
          part.object("reduce_bandwidth", "bandwidth of reductions, or null if no table shows it",
                      of_fit(&Calibration::reduce_Bps), fitted_parts(Unit::bytes_per_second)),
          part(keys::kSmallestMeasured, of_fit(&Calibration::first_B)),
          part(keys::kLargestMeasured, of_fit(&Calibration::last_B)),
          part.list("classes", "classes of links", of_fit(&Calibration::classes), class_parts()),
          part.list(keys::kMeasuredTables, of_fit(&Calibration::tables), table_parts()),
          part(keys::kRemarks, of_fit(&Calibration::remarks))};
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
  constexpr auto kColumns = std::to_array<answer::Column>(
      {{"file"}, {"benchmark"}, {"ranks"}, {"rows", "rows"}, {"mean"}, {"max"}, {"algorithms"}});
  const Table errors = table_of(answer::cells_of<FittedTable>(
      fit.tables, join(table_parts(), error_parts()), kColumns, answer::Reader::person));
  streams.out << errors.text(screen);
}

}  // namespace weft::cli
