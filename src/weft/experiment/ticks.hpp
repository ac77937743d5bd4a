// Ticks of a chart's axes, as gnuplot's `set tics (...)` lists them: 'label' place, ...
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace weft::experiment {

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

/// The text in gnuplot's quotes, without line breaks.
std::string literal(std::string_view text);

/// "1KiB" at each power of two, thinned so that some `most` labels stay.
std::string byte_ticks(const Range& range, int most);

/// "10us" at each power of ten; the range is above 0.
std::string second_ticks(const Range& range);

/// Five or so round steps from 0, all in one unit.
std::string linear_second_ticks(const Range& range);

/// The names at 0, 1, 2, ...
std::string category_ticks(const std::vector<std::string>& categories);

}  // namespace weft::experiment
