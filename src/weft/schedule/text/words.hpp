// One line of a schedule's text, read word by word.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/error.hpp"

namespace weft::schedule {

/// A line with a place in it. Words are names (`copy`, `units-per-block`, `h0`), numbers, and
/// single signs; blanks between them are free. `#` at the start or after a blank begins a comment.
class Words {
 public:
  /// `file` and `number` are for messages. All arguments must outlive the object.
  Words(std::string_view file, std::int64_t number, std::string_view text);

  std::int64_t number() const { return number_; }
  bool at_end() const { return word_.empty(); }
  /// The word at the present place; empty at the end of the line.
  std::string_view word() const { return word_; }
  /// Moves to the next word and returns the one before.
  std::string_view take();
  /// Moves on if the word is this one.
  bool take_if(std::string_view word);
  /// Moves over this word. Throws InvalidInput with `form`, what the line should look like.
  void expect(std::string_view word, std::string_view form);
  /// Throws InvalidInput unless the line ends here.
  void expect_end() const;

  /// A whole number in [low, high]. Throws InvalidInput with `what` it is.
  std::int64_t integer(std::string_view what, std::int64_t low, std::int64_t high);
  bool is_number() const;

  /// The rest of the line as one value, which may be "quoted". Throws InvalidInput for a quote that
  /// does not end, or an unknown \ in it.
  std::string value(std::string_view what);

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    reject("{}:{}: {}", file_, number_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  void find_word();
  std::string quoted(std::string_view what);

  std::string_view file_;
  std::int64_t number_;
  std::string_view rest_;  // from the present word on
  std::string_view word_;
};

/// The text as Words::value() reads it back.
std::string as_value(std::string_view text);

}  // namespace weft::schedule
