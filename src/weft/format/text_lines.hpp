// Lines of words, as most text formats have them.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::format {

/// The lines of a text, without their ends; views of it.
std::vector<std::string_view> lines_of(std::string_view text);

/// Throws InvalidInput: FILE:LINE, then the message.
template <class... Args>
[[noreturn]] void refuse_at(std::string_view file, std::int64_t line,
                            fmt::format_string<Args...> format, Args&&... args) {
  reject("{}:{}: {}", file, line, fmt::format(format, std::forward<Args>(args)...));
}

/// One line, its words parted by blanks and tabs.
class Line {
 public:
  /// `file` and `number` are for messages.
  Line(std::string_view file, std::int64_t number, std::string_view text);

  std::int64_t number() const { return number_; }
  std::size_t words() const { return words_.size(); }
  std::string_view word(std::size_t index) const { return words_[index]; }
  const std::vector<std::string_view>& all() const& { return words_; }
  /// A whole number, also as 1e6. Throws InvalidInput where there is none in [low, high].
  std::int64_t integer(std::size_t index, std::int64_t low, std::int64_t high,
                       std::string_view what) const;
  /// A number of 0 or more.
  double seconds(std::size_t index) const;

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    refuse_at(file_, number_, format, std::forward<Args>(args)...);
  }

 private:
  double real(std::size_t index, std::string_view what) const;

  std::string_view file_;
  std::int64_t number_;
  std::vector<std::string_view> words_;
};

/// The first lines that say something, so many at most: neither empty nor comments behind #.
std::vector<Line> first_lines(std::string_view text, std::size_t most);

}  // namespace weft::format
