#include "weft/base/units.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

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
constexpr std::array kPrefixes = {Unit{"", 1},
                                  Unit{"K", kK},
                                  Unit{"k", kK},
                                  Unit{"M", kK* kK},
                                  Unit{"G", kK* kK* kK},
                                  Unit{"T", kK* kK* kK* kK},
                                  Unit{"Ki", kKi},
                                  Unit{"Mi", kKi* kKi},
                                  Unit{"Gi", kKi* kKi* kKi},
                                  Unit{"Ti", kKi* kKi* kKi* kKi}};

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
  require(any, "'{}' is no {}; write {}", text, what, right);
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
  require(product % scale == 0, "{} '{}' is no whole number of {}", what, text, smallest);
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

std::int64_t parse_size(std::string_view text) {
  const Decimal value = parse_decimal(text, "size", kSizeHelp);
  const Unit* unit = find_unit(kSizeUnits, value.unit);
  require(unit != nullptr, "size '{}' has the unknown unit '{}'; write {}", text, value.unit,
          kSizeHelp);
  return scaled(value, unit->scale, 1, text, "size", "bytes");
}

double parse_seconds(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && value >= 0 && std::isfinite(value), "'{}' is no time; write {}",
          text, kSecondsHelp);
  const std::string_view name(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (name.empty()) return value;
  if (name == "min") return value * 60;
  if (name == "h") return value * 3600;
  const Unit* unit = find_unit(kTimeUnits, name);
  require(unit != nullptr, "time '{}' has the unknown unit '{}'; write {}", text, name,
          kSecondsHelp);
  return value * static_cast<double>(unit->scale) / static_cast<double>(kTimeUnits.back().scale);
}

std::vector<std::int64_t> parse_sizes(std::string_view text) {
  std::vector<std::int64_t> sizes;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const std::size_t colon = item.find(':');
    const std::int64_t first = parse_size(item.substr(0, colon));
    if (colon == std::string_view::npos) {
      sizes.push_back(first);
    } else {
      const std::int64_t last = parse_size(item.substr(colon + 1));
      require(first > 0 && first <= last,
              "size range '{}' runs downwards or from 0; write small:large, as 1KiB:64MiB", item);
      std::int64_t size = first;
      for (; size <= last && size > 0; size = size > last / 2 ? last + 1 : size * 2)
        sizes.push_back(size);
      if (sizes.back() != last) sizes.push_back(last);
    }
    if (comma == std::string_view::npos) return sizes;
    text.remove_prefix(comma + 1);
  }
}

std::int64_t parse_bandwidth(std::string_view text) {
  const Decimal value = parse_decimal(text, "bandwidth", kBandwidthHelp);
  std::string_view unit = value.unit;
  std::int64_t bits = 0;
  for (const auto& [suffix, width] :
       {Unit{"bps", 8}, Unit{"b/s", 8}, Unit{"bit/s", 8}, Unit{"Bps", 1}, Unit{"B/s", 1}})
    if (unit.ends_with(suffix)) {
      bits = width;
      unit.remove_suffix(suffix.size());
      break;
    }
  const Unit* prefix = find_unit(kPrefixes, unit);
  require(bits != 0 && prefix != nullptr, "bandwidth '{}' has the unknown unit '{}'; write {}",
          text, value.unit, kBandwidthHelp);
  const std::int64_t rate =
      scaled(value, prefix->scale, bits, text, "bandwidth", "bytes per second");
  require(rate > 0, "bandwidth '{}' is zero; write {}", text, kBandwidthHelp);
  return rate;
}

std::int64_t parse_time(std::string_view text) {
  const Decimal value = parse_decimal(text, "time", kTimeHelp);
  if (value.unit.empty() && value.digits == 0) return 0;
  const Unit* unit = find_unit(kTimeUnits, value.unit);
  require(unit != nullptr, "time '{}' has {}; write {}", text,
          value.unit.empty() ? std::string("no unit")
                             : fmt::format("the unknown unit '{}'", value.unit),
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
