// weft fit FILE.csv: alpha, epsilon and 1/B from measured times.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/fit/fit.hpp"

namespace weft::cli {

namespace {

struct FitCommand {
  std::string file;
  std::string method = "joint";
  OutputOptions common;
};

Json json_of(const calibrate::RelativeError& error) {
  return {{"mean", error.mean}, {"max", error.max}};
}

std::string show(const calibrate::RelativeError& error) {
  return fmt::format("mean {:.2f} %, largest {:.2f} %", 100 * error.mean, 100 * error.max);
}

// A fit may be negative where the times do not follow the model; units keep its sign.
std::string show_seconds(double time_s) {
  return time_s < 0 ? "-" + format_seconds(-time_s) : format_seconds(time_s);
}

Record record_of(const calibrate::Fit& fit, std::size_t rows, const FitCommand& options) {
  Record record{answer("fit", options.common)};
  record.json["method"] = name_of(calibrate::parse_fit_method(options.method));
  record.json["rows"] = rows;
  record.add("alpha", fit.alpha_s, "alpha", show_seconds(fit.alpha_s) + " a step");
  record.add("epsilon", fit.epsilon_s, "epsilon", show_seconds(fit.epsilon_s) + " a call");
  record.add("inverse_bandwidth", fit.inverse_B_s, "1/B",
             fmt::format("{:.4g} us/byte", fit.inverse_B_s * 1e6));
  record.json["bandwidth"] = nullptr;
  if (fit.inverse_B_s > 0)
    record.add(
        "bandwidth", 1 / fit.inverse_B_s, "B",
        fmt::format("{:.4g} Gbps ({})", 8e-9 / fit.inverse_B_s, format_rate(1 / fit.inverse_B_s)));
  record.add("relative_error", json_of(fit.all), "error",
             fmt::format("{} ({} rows)", show(fit.all), rows));
  record.add("relative_error_smallest", json_of(fit.small), "  smallest size", show(fit.small));
  record.add("relative_error_largest", json_of(fit.large), "  largest size", show(fit.large));
  return record;
}

int run(const FitCommand& options, Streams& streams) {
  const auto method = calibrate::parse_fit_method(options.method);
  const auto rows = calibrate::read_measurements(read_file(options.file), options.file);
  calibrate::Fit fit;
  try {
    fit = calibrate::fit(rows, method);
  } catch (const InvalidInput& error) {
    reject("{}: {}", options.file, error.what());
  }
  print(record_of(fit, rows.size(), options), options.common, streams);
  return kFine;
}

}  // namespace

void add_fit_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<FitCommand>();
  const Command command =
      program.add_command("fit", "Fit alpha, epsilon and 1/B to measured times");
  const OptionAdder add(command);
  add("file", options->file,
      "CSV file with columns steps, bandwidth_factor, size, time; - is standard input")
      .required();
  add("--method", options->method,
      "Method: joint (all rows, least squares of relative errors) or two-sizes (latency from the "
      "smallest size, bandwidth from the largest)");
  add_output_options(command, options->common);
  command.footer(
      "Examples:\n"
      "  # Which latency and bandwidth explain my measurements best?\n"
      "  weft fit measured.csv\n"
      "  # Which follow from the smallest and the largest size only?\n"
      "  weft fit measured.csv --method two-sizes");
  draws_nothing(command);
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
