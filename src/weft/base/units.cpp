#include "weft/base/units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <span>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/range.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t scale;
};

constexpr std::int64_t kKi = 1024, kK = 1000;
constexpr std::array kSizeUnits = {Unit{"", 1},
                                   Unit{"B", 1},
                                   Unit{"KB", kK},
                                   Unit{"kB", kK},
                                   Unit{"MB", kK* kK},
                                   Unit{"GB", kK* kK* kK},
                                   Unit{"TB", kK* kK* kK* kK},
                                   Unit{"KiB", kKi},
                                   Unit{"MiB", kKi* kKi},
                                   Unit{"GiB", kKi* kKi* kKi},
                                   Unit{"TiB", kKi* kKi* kKi* kKi}};
constexpr std::array kTimeUnits = {Unit{"ps", 1}, Unit{"ns", kK}, Unit{"us", kK* kK},
                                   Unit{"ms", kK* kK* kK}, Unit{"s", kK* kK* kK* kK}};

// The sign of a millionth as keyboards and copied text have it: U+00B5 and the Greek letter U+03BC.
std::string_view time_unit(std::string_view unit) {
  return unit == "\u00b5s" || unit == "\u03bcs" ? "us" : unit;
}
constexpr std::array kPrefixes = {Unit{"", 1},
                                  Unit{"k", kK},
                                  Unit{"m", kK* kK},
                                  Unit{"g", kK* kK* kK},
                                  Unit{"t", kK* kK* kK* kK},
                                  Unit{"ki", kKi},
                                  Unit{"mi", kKi* kKi},
                                  Unit{"gi", kKi* kKi* kKi},
                                  Unit{"ti", kKi* kKi* kKi* kKi}};

// A decimal number as digits / 10^places, so that "4.7" stays exact.
struct Decimal {
  std::int64_t digits = 0;
  std::int64_t scale = 1;
  std::string_view unit;
};

Decimal parse_decimal(std::string_view text, std::string_view what, std::string_view right) {
  Decimal value;
  std::size_t i = 0;
  bool point = false, any = false;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !point) {
      point = true;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      any = true;
      require(value.digits < std::numeric_limits<std::int64_t>::max() / 10 - 10 &&
                  value.scale < 1'000'000'000'000'000,
              "{} '{}' has too many digits; write {}", what, text, right);
      value.digits = value.digits * 10 + (c - '0');
      if (point) value.scale *= 10;
    } else {
      break;
    }
  }
  require(any, "invalid {1} '{0}' (expected {2})", text, what, right);
  value.unit = text.substr(i);
  return value;
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

// digits * unit / (scale * divisor), which must be a whole number unless `round` is set.
std::int64_t scaled(const Decimal& value, std::int64_t unit, std::int64_t divisor,
                    std::string_view text, std::string_view what, std::string_view smallest) {
  __extension__ using Wide = __int128;
  const Wide product = static_cast<Wide>(value.digits) * unit;
  const Wide scale = static_cast<Wide>(value.scale) * divisor;
  require(product / scale <= std::numeric_limits<std::int64_t>::max(),
          "{} '{}' does not fit in 64 bits", what, text);
  require(product % scale == 0, "{} '{}' is not a whole number of {}", what, text, smallest);
  return static_cast<std::int64_t>(product / scale);
}

constexpr std::string_view kSizeHelp = "bytes such as 4096, 64KiB or 1.5MB";
constexpr std::string_view kBandwidthHelp = "100Gbps (bits) or 12.5GBps (bytes)";
constexpr std::string_view kSecondsHelp = "seconds such as 60, or 12.5us, 2s, 5min, 1h";
constexpr std::string_view kTimeHelp = "a time such as 1us, 100ns or 0.5ms";

std::string exact(std::int64_t value, std::span<const Unit> units, std::string_view suffix) {
  const Unit* best = &units[0];
  for (const Unit& unit : units)
    if (value != 0 && value % unit.scale == 0 && unit.scale > best->scale) best = &unit;
  return fmt::format("{}{}{}", value / best->scale, best->name, suffix);
}

std::string four_digits(double value, double scale, std::string_view unit) {
  const double scaled_value = value / scale;
  const int decimals = scaled_value >= 1000  ? 0
                       : scaled_value >= 100 ? 1
                       : scaled_value >= 10  ? 2
                                             : 3;
  return fmt::format("{:.{}f}{}", scaled_value, decimals, unit);
}

}  // namespace

namespace {

// "64KIB" and "64kiB" too; not "64kb" or "64Kib": those may mean bits, or KiB.
const Unit* size_unit(std::string_view name) {
  if (const Unit* unit = find_unit(kSizeUnits, name)) return unit;
  for (const Unit& unit : kSizeUnits)
    if (unit.name.size() == 3 && name.ends_with('B') && lower(unit.name) == lower(name))
      return &unit;
  return nullptr;
}

// What the prefixes k, m, g and t can mean behind a number of this quantity.
struct Meanings {
  std::string_view quantity, first, first_is, second, second_is, help;
};
constexpr Meanings kSizes{"size", "iB", "powers of 1024", "B", "of 1000", kSizeHelp};
constexpr Meanings kRates{"bandwidth", "bps", "bits", "Bps", "bytes", kBandwidthHelp};

// "64K", "200G": asks which of two was meant, where the unit is a prefix and one of these endings.
[[noreturn]] void reject_unit(std::string_view text, const Decimal& value, const Meanings& known,
                              std::initializer_list<std::string_view> endings) {
  const std::string number(text.substr(0, text.find_first_not_of("0123456789.")));
  require(!value.unit.empty(), "{0} '{1}' has no unit; write {1}G{2} ({3}) or {1}G{4} ({5})",
          known.quantity, text, known.first, known.first_is, known.second, known.second_is);
  const std::string unit = lower(value.unit);
  const bool prefixed =
      !unit.empty() && std::string_view("kmgt").find(unit[0]) != std::string_view::npos;
  if (prefixed && std::ranges::count(endings, std::string_view(unit).substr(1)) > 0) {
    const char prefix = static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0])));
    reject("{} '{}' has the unknown unit '{}'; did you mean {}{}{} ({}) or {}{}{} ({})?",
           known.quantity, text, value.unit, number, prefix, known.first, known.first_is, number,
           prefix, known.second, known.second_is);
  }
  reject("{} '{}' has the unknown unit '{}'; write {}", known.quantity, text, value.unit,
         known.help);
}

}  // namespace

std::int64_t parse_size(std::string_view text) {
  const Decimal value = parse_decimal(text, "size", kSizeHelp);
  const Unit* unit = size_unit(value.unit);
  if (unit == nullptr) reject_unit(text, value, kSizes, {"", "b", "i", "ib"});
  return scaled(value, unit->scale, 1, text, "size", "bytes");
}

double parse_seconds(std::string_view text) {
  std::string_view rest = text;
  const auto number = take_number<double>(rest);
  require(number && *number >= 0, "invalid time '{}' (expected {})", text, kSecondsHelp);
  const double value = *number;
  const std::string_view name = time_unit(rest);
  const auto finite = [&](double seconds) {
    require(std::isfinite(seconds), "time '{}' is out of range (expected {})", text, kSecondsHelp);
    return seconds;
  };
  if (name.empty()) return value;
  if (name == "min") return finite(value * 60);
  if (name == "h") return finite(value * 3600);
  const Unit* unit = find_unit(kTimeUnits, name);
  require(unit != nullptr, "time '{}' has the unknown unit '{}'; write {}", text, name,
          kSecondsHelp);
  return value * static_cast<double>(unit->scale) / static_cast<double>(kTimeUnits.back().scale);
}

std::vector<std::int64_t> parse_sizes(std::string_view text) {
  require(text.find("..") == std::string_view::npos,
          "the range '{}' has one size for each byte; give a step: 1KiB:64MiB (doubling) or "
          "1KiB:8KiB:1KiB",
          text);
  return parse_ranges<std::int64_t>(text, "sizes", parse_size);
}

namespace {

/// "Gbps" is a factor over so many units a byte; bits is 0 where the unit is none.
struct RateUnit {
  std::int64_t bits_per_byte = 0;  // 8 of bits, 1 of bytes
  std::int64_t scale = 1;
};

// The prefix in any case; b is bits and B bytes, which "GBPS" may not mean.
RateUnit rate_unit(std::string_view text) {
  for (const auto& [suffix, bits] :
       {Unit{"bit/s", 8}, Unit{"bps", 8}, Unit{"b/s", 8}, Unit{"Bps", 1}, Unit{"B/s", 1}}) {
    if (!text.ends_with(suffix)) continue;
    const std::string prefix = lower(text.substr(0, text.size() - suffix.size()));
    if (const Unit* unit = find_unit(kPrefixes, prefix)) return {bits, unit->scale};
  }
  return {};
}

}  // namespace

std::int64_t parse_bandwidth(std::string_view text) {
  const Decimal value = parse_decimal(text, "bandwidth", kBandwidthHelp);
  const RateUnit unit = rate_unit(value.unit);
  if (unit.bits_per_byte == 0) reject_unit(text, value, kRates, {"", "b", "bps", "b/s", "bit"});
  const std::int64_t rate =
      scaled(value, unit.scale, unit.bits_per_byte, text, "bandwidth", "bytes per second");
  require(rate > 0, "bandwidth '{}' is zero (expected {})", text, kBandwidthHelp);
  return rate;
}

std::int64_t parse_time(std::string_view text) {
  const Decimal value = parse_decimal(text, "time", kTimeHelp);
  if (value.unit.empty() && value.digits == 0) return 0;
  const Unit* unit = find_unit(kTimeUnits, time_unit(value.unit));
  require(unit != nullptr || !value.unit.empty(), "time '{0}' has no unit; write {0}us or {0}ns",
          text);
  require(unit != nullptr, "time '{}' has the unknown unit '{}'; write {}", text, value.unit,
          kTimeHelp);
  return scaled(value, unit->scale, 1, text, "time", "picoseconds");
}

std::string format_size(std::int64_t size_B) {
  constexpr std::array units = {Unit{"", 1}, Unit{"Ki", kKi}, Unit{"Mi", kKi * kKi},
                                Unit{"Gi", kKi * kKi * kKi}};
  return exact(size_B, units, "B");
}

std::string format_bandwidth(std::int64_t bandwidth_Bps) {
  constexpr std::array units = {Unit{"", 1}, Unit{"K", kK}, Unit{"M", kK * kK},
                                Unit{"G", kK * kK * kK}};
  return bandwidth_Bps > std::numeric_limits<std::int64_t>::max() / 8
             ? exact(bandwidth_Bps, units, "Bps")
             : exact(bandwidth_Bps * 8, units, "bps");
}

std::string format_time(std::int64_t time_ps) {
  return time_ps == 0 ? "0s" : exact(time_ps, kTimeUnits, "");
}

std::string format_seconds(double time_s) {
  if (time_s == 0) return "0s";
  if (time_s < 1e-6) return four_digits(time_s, 1e-9, "ns");
  if (time_s < 1e-3) return four_digits(time_s, 1e-6, "us");
  if (time_s < 1) return four_digits(time_s, 1e-3, "ms");
  return four_digits(time_s, 1, "s");
}

std::string format_rate(double rate_Bps) {
  if (rate_Bps < 1e3) return four_digits(rate_Bps, 1, "B/s");
  if (rate_Bps < 1e6) return four_digits(rate_Bps, 1e3, "KB/s");
  if (rate_Bps < 1e9) return four_digits(rate_Bps, 1e6, "MB/s");
  return four_digits(rate_Bps, 1e9, "GB/s");
}

}  // namespace weft
