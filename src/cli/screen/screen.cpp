#include "cli/screen/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "weft/base/text.hpp"

namespace weft::cli {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// What a terminal narrower than this shows is no table any more.
constexpr int kLeastColumns = 20;

int columns_of(bool terminal, int otherwise) {
  const std::string_view given = environment("COLUMNS");
  const int columns = number_in<int>(given).value_or(0);
  if (columns >= kLeastColumns) return columns;
  winsize size{};
  if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeastColumns)
    return size.ws_col;
  return otherwise;
}

}  // namespace

Screen screen_of(const Streams& streams, int columns) {
  Screen screen;
  screen.terminal = &streams.out == &std::cout && ::isatty(STDOUT_FILENO) == 1;
  screen.columns = columns_of(screen.terminal, columns);
  screen.colour =
      screen.terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return screen;
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

namespace {

// What must stay in one piece, and what stands before it on the line.
struct Piece {
  std::string text;
  std::string_view before;
};

// A word; one too long for any column, such as the parameters of a family, in the parts between its
// commas.
void add_word(std::string_view word, std::vector<Piece>& pieces) {
  constexpr std::size_t kLong = 24;
  std::string_view before = " ";
  while (word.size() > kLong) {
    const std::size_t cut = word.find_first_of(",;|");
    if (cut == std::string_view::npos || cut + 1 == word.size()) break;
    pieces.push_back({std::string(word.substr(0, cut + 1)), before});
    word.remove_prefix(cut + 1);
    before = "";
  }
  pieces.push_back({std::string(word), before});
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  if (width_of(text) <= columns) return {text};
  std::vector<Piece> pieces;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    add_word(std::string_view(text).substr(at, end - at), pieces);
    at = end;
  }
  std::vector<std::string> lines;
  for (const Piece& piece : pieces) {
    const bool fits =
        !lines.empty() &&
        width_of(lines.back()) + piece.before.size() + width_of(piece.text) <= columns;
    if (fits)
      lines.back().append(piece.before).append(piece.text);
    else
      lines.push_back(piece.text);
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

}  // namespace weft::cli
