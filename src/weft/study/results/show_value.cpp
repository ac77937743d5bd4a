// Values of rows and claims as people read them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/study/results.hpp"

namespace weft::study {

namespace {

// Rows have sizes in binary units without a fraction, "25000000B"; for people as "25MB".
std::string decimal_size(std::int64_t size_B) {
  constexpr std::string_view kPrefixes[] = {"", "K", "M", "G"};
  std::int64_t count = size_B;
  std::size_t prefix = 0;
  for (; prefix < 3 && count >= 1000 && count % 1000 == 0; ++prefix) count /= 1000;
  std::string decimal = fmt::format("{}{}B", count, kPrefixes[prefix]);
  std::string binary = format_size(size_B);
  return decimal.size() < binary.size() ? decimal : binary;
}

std::string shorter_sizes(const std::string& text) {
  std::vector<std::string> sizes;
  for (const std::string_view size : split(text, ','))
    sizes.push_back(decimal_size(parse_size(size)));
  return fmt::format("{}", fmt::join(sizes, ","));
}

// Rows have speeds and times in their largest unit without a fraction, "3984Mbps" and "1164360ps";
// for people as "498MBps" and "1.16436us".
std::string shorter(std::string_view column, const std::string& text) {
  try {
    if (column == "buckets" && !text.empty()) return shorter_sizes(text);
    if (column.ends_with("delay") || column == "alpha") {
      const auto time_ps = static_cast<double>(parse_time(text));
      if (text.size() <= 6 || time_ps < 1000) return text;
      constexpr std::string_view kUnits[] = {"ps", "ns", "us", "ms", "s"};
      const int unit = std::min(4, static_cast<int>(std::log10(time_ps)) / 3);
      return fmt::format("{:.10g}{}", time_ps * std::pow(1000.0, -unit), kUnits[unit]);
    }
    if (column.ends_with("bandwidth")) {
      constexpr std::string_view kPrefixes[] = {"", "K", "M", "G"};
      std::int64_t bytes = parse_bandwidth(text);
      int prefix = 0;
      for (; prefix < 3 && bytes % 1000 == 0; ++prefix) bytes /= 1000;
      std::string in_bytes = fmt::format("{}{}Bps", bytes, kPrefixes[prefix]);
      if (in_bytes.size() < text.size()) return in_bytes;
    }
  } catch (const InvalidInput&) {  // "free", "link"
  }
  return text;
}

}  // namespace

bool is_time(std::string_view column) {
  return column == "time" || column.ends_with("_time") || column.ends_with("latency");
}

std::string show_number(std::string_view column, const std::string& text) {
  const std::optional<double> number = fields::read_number(text);
  const bool measured = is_time(column) || column.ends_with("bandwidth");
  return number && measured ? show_value(column, *number) : text;
}

std::string show_printed(const Claim& claim) {
  if (claim.form == Claim::Form::below) return "below";
  std::string wanted = show_number(claim.column, claim.wanted);
  if (!claim.is_bound()) return wanted;
  return (claim.is_upper() ? "at most " : "at least ") + wanted;
}

std::string_view name_of(Claim::Over over) {
  constexpr std::string_view kNames[] = {"each",  "mean",     "median",
                                         "least", "greatest", "commonest"};
  WEFT_ASSERT(static_cast<std::size_t>(over) < std::size(kNames));
  return kNames[static_cast<std::size_t>(over)];
}

std::string show_value(std::string_view column, const Value& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value); count != nullptr && column == "size")
    return format_size(*count);
  if (const auto* count = std::get_if<std::int64_t>(&value); count != nullptr && column == "bucket")
    return decimal_size(*count);
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return shorter(column, fields::to_text(value));
  if (is_time(column)) return format_seconds(*number);
  if (column.ends_with("bandwidth")) return format_rate(*number);
  return fmt::format("{:.4g}", *number);
}

}  // namespace weft::study
