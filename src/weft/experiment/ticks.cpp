#include "weft/experiment/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/base/units.hpp"

namespace weft::experiment {

namespace {

constexpr const char* kTimeUnits[] = {"ps", "ns", "us", "ms", "s"};

}  // namespace

std::string literal(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    if (c != '\n') result += c;
  }
  return result + "'";
}

std::string byte_ticks(const Range& range, int most) {
  const int first = static_cast<int>(std::floor(std::log2(std::max(range.low, 1.0))));
  const int last = static_cast<int>(std::ceil(std::log2(std::max(range.high, 1.0))));
  const int stride = std::max(1, (last - first + most - 1) / most);
  std::string ticks;
  for (int power = first; power <= last; power += stride)
    ticks += fmt::format("{}'{}' {}", ticks.empty() ? "" : ", ",
                         format_size(std::int64_t{1} << power), std::int64_t{1} << power);
  return ticks;
}

std::string second_ticks(const Range& range) {
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range.high))) + 1;
  std::string ticks;
  for (int power = first; power <= last; ++power) {
    const int unit = std::clamp((power + 12) / 3, 0, 4);
    const double value = std::pow(10.0, power - (unit * 3 - 12));
    ticks +=
        fmt::format("{}'{:g}{}' 1e{}", ticks.empty() ? "" : ", ", value, kTimeUnits[unit], power);
  }
  return ticks;
}

std::string linear_second_ticks(const Range& range) {
  const double rough = std::max(range.high, 1e-12) / 5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : 2);
  const int unit = std::clamp(static_cast<int>(std::floor(std::log10(range.high) / 3)) + 4, 0, 4);
  std::string ticks = "'0' 0";
  for (int i = 1; (i - 1) * step < range.high; ++i)
    ticks += fmt::format(", '{:.6g}{}' {:.9g}", i * step * std::pow(1000.0, 4 - unit),
                         kTimeUnits[unit], i * step);
  return ticks;
}

std::string category_ticks(const std::vector<std::string>& categories) {
  std::string ticks;
  for (std::size_t i = 0; i < categories.size(); ++i)
    ticks += fmt::format("{}{} {}", i == 0 ? "" : ", ", literal(categories[i]), i);
  return ticks;
}

}  // namespace weft::experiment
