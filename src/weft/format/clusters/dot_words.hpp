// The words of DOT: what its grammar is made of.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "../text_lines.hpp"

namespace weft::format::clusters {

struct DotWord {
  enum class Kind : std::uint8_t { end, name, mark };  // mark: { } [ ] ; , : = -- ->

  Kind kind = Kind::end;
  bool quoted = false;  // a quoted name is no keyword
  std::string text;
  std::int64_t line = 1;

  bool is(std::string_view mark) const { return kind == Kind::mark && text == mark; }
};

class DotWords {
 public:
  DotWords(std::string_view text, const std::string& file);

  const DotWord& next() const { return next_; }
  DotWord take();
  /// Whether the next word is this mark, which is then taken.
  bool take(std::string_view mark);
  /// Case is ignored, as DOT does.
  bool is_keyword(std::string_view word) const;

  template <class... Args>
  [[noreturn]] void refuse(std::int64_t line, fmt::format_string<Args...> format,
                           Args&&... args) const {
    refuse_at(file_, line, format, std::forward<Args>(args)...);
  }
  /// Throws InvalidInput: the next word is not what stands there.
  [[noreturn]] void refuse_next(std::string_view expected) const;

 private:
  void read();
  void skip();
  DotWord quoted();
  DotWord html();
  DotWord plain();
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  DotWord next_;
};

}  // namespace weft::format::clusters
