// Ticks of a chart's axes, as gnuplot's `set tics (...)` lists them: 'label' place, ...
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace weft::report {

/// What an axis spans; empty at first.
struct Range {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  void include(const std::vector<double>& values) {
    for (const double value : values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
};

/// The text in gnuplot's quotes, printable() and without line breaks.
std::string literal(std::string_view text);
/// The path in gnuplot's quotes, byte by byte.
std::string path_literal(std::string_view path);

/// "1KiB" at each power of two, thinned so that some `most` labels stay.
std::string byte_ticks(const Range& range, int most);

/// What stands at a place of an axis: "10us", "$20M", "0.5".
using Label = std::string (*)(double);
std::string second_label(double seconds);
std::string dollar_label(double dollars);
std::string plain_label(double value);

/// Whether a logarithmic axis of this range, above 0, has no more than two or three powers of ten.
bool has_few_powers(const Range& range);

/// Labels at each power of ten, and where the range has few of them at 2 and 5 times it; the range
/// is above 0.
std::string log_ticks(const Range& range, Label label);

/// Five or so round steps, from 0 on.
std::string linear_ticks(const Range& range, Label label);

/// The same of seconds, all in one unit.
std::string linear_second_ticks(const Range& range);

/// The names at 0, 1, 2, ...
std::string category_ticks(const std::vector<std::string>& categories);

}  // namespace weft::report
