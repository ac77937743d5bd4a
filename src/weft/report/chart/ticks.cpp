#include "weft/report/chart/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::report {

namespace {

constexpr const char* kTimeUnits[] = {"ps", "ns", "us", "ms", "s"};

}  // namespace

// Between apostrophes gnuplot changes nothing, but takes one at the start for the end of an empty
// text, even if it is doubled. Between quotes it runs what is between backquotes and expands
// macros, so that there a number stands for each character that could mean something.
std::string path_literal(std::string_view path) {
  if (path.find('\'') == std::string_view::npos) return fmt::format("'{}'", path);
  std::string result = "\"";
  for (const char c : path)
    if (std::string_view("'\"\\`@").find(c) != std::string_view::npos)
      fmt::format_to(std::back_inserter(result), "\\{:03o}", static_cast<unsigned char>(c));
    else
      result += c;
  return result + "\"";
}

std::string literal(std::string_view text) {
  std::string line = printable(text, "\n");
  std::erase(line, '\n');
  return path_literal(line);
}

std::string byte_ticks(const Range& range, int most) {
  WEFT_ASSERT(most >= 1);
  const int first = static_cast<int>(std::floor(std::log2(std::max(range.low, 1.0))));
  const int last = static_cast<int>(std::ceil(std::log2(std::max(range.high, 1.0))));
  const int stride = std::max(1, (last - first + most - 1) / most);
  std::string ticks;
  for (int power = first; power <= last; power += stride)
    ticks += fmt::format("{}'{}' {}", ticks.empty() ? "" : ", ",
                         format_size(std::int64_t{1} << power), std::int64_t{1} << power);
  return ticks;
}

std::string second_label(double seconds) {
  const int power = static_cast<int>(std::floor(std::log10(seconds) + 1e-9));
  const int unit = std::clamp((power + 12) / 3, 0, 4);
  return fmt::format("{:.4g}{}", seconds * std::pow(10.0, 12 - 3 * unit), kTimeUnits[unit]);
}

std::string dollar_label(double dollars) {
  constexpr const char* kThousands[] = {"", "k", "M", "B", "T"};
  std::size_t power = 0;
  while (dollars >= 999.95 && power + 1 < std::size(kThousands)) {
    dollars /= 1000;
    ++power;
  }
  return fmt::format("${:.4g}{}", dollars, kThousands[power]);
}

std::string plain_label(double value) {
  return fmt::format("{:.6g}", value);
}

bool has_few_powers(const Range& range) {
  return range.high < 150 * range.low;
}

std::string log_ticks(const Range& range, Label label) {
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range.high)));
  const bool few = has_few_powers(range);
  std::string ticks;
  for (int power = first; power <= last; ++power)
    for (const int digit : {1, 2, 5}) {
      if (digit != 1 && !few) continue;
      const double at = digit * std::pow(10.0, power);
      ticks += fmt::format("{}{} {:.9g}", ticks.empty() ? "" : ", ", literal(label(at)), at);
    }
  return ticks;
}

namespace {

/// A step of 1, 2 or 5 times a power of ten that goes into the range some five times.
double round_step(const Range& range) {
  const double rough = std::max(range.high - std::max(range.low, 0.0), 1e-12) / 5.5;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  return power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : 2);
}

/// label(x) at each multiple x of the step within the range, from 0 on.
template <class Labels>
std::string step_ticks(const Range& range, const Labels& label) {
  const double step = round_step(range);
  std::string ticks;
  for (auto i = static_cast<std::int64_t>(std::ceil(std::max(range.low, 0.0) / step));
       static_cast<double>(i) * step <= range.high; ++i) {
    const double at = static_cast<double>(i) * step;
    ticks += fmt::format("{}{} {:.9g}", ticks.empty() ? "" : ", ",
                         i == 0 ? std::string("'0'") : literal(label(at)), at);
  }
  return ticks;
}

}  // namespace

std::string linear_ticks(const Range& range, Label label) {
  return step_ticks(range, label);
}

std::string linear_second_ticks(const Range& range) {
  const int unit = std::clamp(static_cast<int>(std::floor(std::log10(range.high) / 3)) + 4, 0, 4);
  return step_ticks(range, [&](double seconds) {
    return fmt::format("{:.6g}{}", seconds * std::pow(1000.0, 4 - unit), kTimeUnits[unit]);
  });
}

std::string category_ticks(const std::vector<std::string>& categories) {
  std::string ticks;
  for (std::size_t i = 0; i < categories.size(); ++i)
    ticks += fmt::format("{}{} {}", i == 0 ? "" : ", ", literal(categories[i]), i);
  return ticks;
}

}  // namespace weft::report
