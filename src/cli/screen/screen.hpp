// How much a screen shows: its width, and whether colours reach anyone.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "cli/screen/streams.hpp"

namespace weft::cli {

struct Screen {
  int columns = 80;       // characters a line; COLUMNS, else what the terminal says, else 80
  bool terminal = false;  // somebody reads it as it comes; not a file or a pipe
  bool colour = false;    // of a terminal, unless NO_COLOR is set or TERM is dumb
};

/// Where nothing is wrapped.
inline constexpr Screen kEndless{.columns = std::numeric_limits<int>::max()};

/// What `streams.out` is shown on, `columns` wide where nobody knows. Only the process's own
/// standard output may be a terminal.
Screen screen_of(const Streams& streams, int columns = Screen{}.columns);

/// The lines of a text, broken at blanks so that each has up to `columns` characters, as far as its
/// words allow; long words are broken behind commas. At least one line.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns);

/// Characters, not bytes, of UTF-8.
std::size_t width_of(const std::string& text);

}  // namespace weft::cli
