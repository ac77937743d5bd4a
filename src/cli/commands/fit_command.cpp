// weft fit FILE.csv: alpha, epsilon and 1/B from measured times.
#include <fmt/format.h>

#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/fit/fit.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using calibrate::RelativeError;

struct FitCommand {
  std::string file;
  std::string method = "joint";
  OutputOptions common;
};

struct FitAnswer {
  calibrate::FitMethod method;
  std::size_t rows;
  calibrate::Fit fit;
};

Parts<RelativeError> error_parts() {
  constexpr PartOf<RelativeError> part;
  return {part(keys::kMeanError, &RelativeError::mean),
          part(keys::kLargestError, &RelativeError::max)};
}

std::string show(const RelativeError& error) {
  return fmt::format("mean {:.2f} %, largest {:.2f} %", 100 * error.mean, 100 * error.max);
}

// A fit may be negative where the times do not follow the model; units keep its sign.
std::string show_seconds(double time_s) {
  return time_s < 0 ? "-" + format_seconds(-time_s) : format_seconds(time_s);
}

// B, where 1/B is above 0.
std::optional<double> bandwidth_of(const FitAnswer& a) {
  return a.fit.inverse_B_s > 0 ? std::optional(1 / a.fit.inverse_B_s) : std::nullopt;
}

Parts<FitAnswer> fit_parts() {
  constexpr PartOf<FitAnswer> part;
  const auto of_fit = [](auto member) {
    return [member](const FitAnswer& a) -> const auto& {
      return a.fit.*member;
    };
  };
  using calibrate::Fit;
  return {
      part("method", "", Unit::none, "method of the fit: joint or two-sizes",
           [](const FitAnswer& a) { return name_of(a.method); }),
      part("rows", "", Unit::none, "number of times", &FitAnswer::rows),
      part("alpha", "alpha", Unit::seconds, "time of a step", of_fit(&Fit::alpha_s))
          .shown_as([](const FitAnswer& a) { return show_seconds(a.fit.alpha_s) + " a step"; }),
      part("epsilon", "epsilon", Unit::seconds, "time of a call", of_fit(&Fit::epsilon_s))
          .shown_as([](const FitAnswer& a) { return show_seconds(a.fit.epsilon_s) + " a call"; }),
      part("inverse_bandwidth", "1/B", Unit::seconds, "time of a byte at bandwidth factor 1",
           of_fit(&Fit::inverse_B_s))
          .shown_as([](const FitAnswer& a) {
            return fmt::format("{:.4g} us/byte", a.fit.inverse_B_s * 1e6);
          }),
      part("bandwidth", "", Unit::bytes_per_second, "B, or null if 1/B is not above 0",
           bandwidth_of),
      part.line("B",
                [](const FitAnswer& a) {
                  return fmt::format("{:.4g} Gbps ({})", 8e-9 / a.fit.inverse_B_s,
                                     format_rate(*bandwidth_of(a)));
                })
          .when([](const FitAnswer& a) { return bandwidth_of(a).has_value(); }),
      part.object("relative_error", "errors of the model over all rows", of_fit(&Fit::all),
                  error_parts()),
      part.line(
          "error",
          [](const FitAnswer& a) { return fmt::format("{} ({} rows)", show(a.fit.all), a.rows); }),
      part.object("relative_error_smallest", "the same over the rows of the smallest size",
                  of_fit(&Fit::small), error_parts()),
      part.line("  smallest size", [](const FitAnswer& a) { return show(a.fit.small); }),
      part.object("relative_error_largest", "the same over the rows of the largest size",
                  of_fit(&Fit::large), error_parts()),
      part.line("  largest size", [](const FitAnswer& a) { return show(a.fit.large); })};
}

int run(const FitCommand& options, Streams& streams) {
  const auto method = calibrate::parse_fit_method(options.method);
  const auto rows = calibrate::read_measurements(read_file(options.file), options.file);
  FitAnswer found{method, rows.size(), {}};
  try {
    found.fit = calibrate::fit(rows, method);
  } catch (const InvalidInput& error) {
    reject("{}: {}", options.file, error.what());
  }
  if (options.common.json)
    print_json("fit", found, fit_parts(), options.common, streams);
  else
    streams.out << facts_from(found, fit_parts()).text();
  return kFine;
}

}  // namespace

std::vector<answer::Shape> fit_shapes() {
  return {{.parts = texts_of(fit_parts())}};
}

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
