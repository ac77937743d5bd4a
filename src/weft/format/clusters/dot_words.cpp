#include "dot_words.hpp"

#include <algorithm>
#include <cctype>

#include "weft/base/suggest.hpp"

namespace weft::format::clusters {

namespace {

bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) != 0 || c == '_' || byte >= 128;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Whether nothing but blanks stands before a position in its line.
bool begins_line(std::string_view text, std::size_t at) {
  const std::size_t last = text.substr(0, at).find_last_not_of(" \t");
  return last == std::string_view::npos || text[last] == '\n';
}

}  // namespace

DotWords::DotWords(std::string_view text, const std::string& file) : text_(text), file_(file) {
  if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  read();
}

DotWord DotWords::take() {
  DotWord taken = std::move(next_);
  read();
  return taken;
}

bool DotWords::take(std::string_view mark) {
  if (!next_.is(mark)) return false;
  read();
  return true;
}

bool DotWords::is_keyword(std::string_view word) const {
  return next_.kind == DotWord::Kind::name && !next_.quoted && lower(next_.text) == word;
}

void DotWords::refuse_next(std::string_view expected) const {
  if (next_.kind == DotWord::Kind::end)
    refuse(next_.line, "the file ends where {} is expected; it may be truncated", expected);
  refuse(next_.line, "unexpected '{}' (expected {})", next_.text.substr(0, 40), expected);
}

// Blanks, comments of C and C++, and lines that begin with #, as the preprocessor leaves them;
// other readers than Graphviz take blanks before it.
void DotWords::skip() {
  for (;;) {
    const char c = peek();
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (at_ < text_.size() && (c == ' ' || c == '\t' || c == '\r' || c == '\0')) {
      ++at_;
    } else if ((c == '/' && peek(1) == '/') || (c == '#' && begins_line(text_, at_))) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '/' && peek(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) refuse(line_, "the comment is not closed by */");
      line_ += std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                          text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      at_ = end + 2;
    } else {
      return;
    }
  }
}

void DotWords::read() {
  skip();
  if (at_ >= text_.size()) {
    next_ = {DotWord::Kind::end, false, {}, line_};
    return;
  }
  const char c = peek();
  if (c == '"') {
    next_ = quoted();
  } else if (c == '<') {
    next_ = html();
  } else if (is_letter(c) || is_digit(c) || c == '.' ||
             (c == '-' && (is_digit(peek(1)) || peek(1) == '.'))) {
    next_ = plain();
  } else {
    const std::size_t length = c == '-' && (peek(1) == '-' || peek(1) == '>') ? 2 : 1;
    if (length == 1 && std::string_view("{}[];,:=").find(c) == std::string_view::npos)
      refuse(line_, "'{}' is not part of DOT; put names with it in quotes", c);
    next_ = {DotWord::Kind::mark, false, std::string(text_.substr(at_, length)), line_};
    at_ += length;
  }
}

// Backslashes stay but before quotes and line ends; strings may be joined by +.
DotWord DotWords::quoted() {
  DotWord word{DotWord::Kind::name, true, {}, line_};
  for (;;) {
    for (++at_; peek() != '"'; ++at_) {
      if (at_ >= text_.size()) refuse(word.line, "the quoted text is not closed");
      if (peek() == '\\' && peek(1) == '"') {
        ++at_;
      } else if (peek() == '\\' && peek(1) == '\n') {
        ++at_;
        ++line_;
        continue;
      } else if (peek() == '\n') {
        ++line_;
      }
      word.text += text_[at_];
    }
    ++at_;
    const std::size_t behind = at_;
    const std::int64_t line = line_;
    skip();
    if (peek() == '+') {
      ++at_;
      skip();
      if (peek() == '"') continue;
      refuse(line_, "no quoted text follows +");
    }
    at_ = behind;
    line_ = line;
    return word;
  }
}

DotWord DotWords::html() {
  DotWord word{DotWord::Kind::name, true, {}, line_};
  const std::size_t first = at_;
  int open = 0;
  do {
    if (at_ >= text_.size()) refuse(word.line, "the HTML text is not closed by >");
    open += peek() == '<' ? 1 : peek() == '>' ? -1 : 0;
    if (peek() == '\n') ++line_;
    ++at_;
  } while (open > 0);
  word.text = text_.substr(first, at_ - first);
  return word;
}

// A name of letters and digits, or a number.
DotWord DotWords::plain() {
  const std::size_t first = at_;
  const bool is_number = !is_letter(peek());
  ++at_;
  while (at_ < text_.size() &&
         (is_digit(peek()) || (is_number ? peek() == '.' : is_letter(peek()))))
    ++at_;
  const std::string text(text_.substr(first, at_ - first));
  if (is_number && at_ < text_.size() && is_letter(peek()))  // Graphviz makes two words of it
    refuse(line_, "'{}{}' starts like a number; write it in quotes", text, peek());
  return {DotWord::Kind::name, false, text, line_};
}

}  // namespace weft::format::clusters
