#include "words.hpp"

#include <algorithm>
#include <charconv>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::schedule {

namespace {

constexpr std::string_view kBlanks = " \t\r";

bool is_blank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A name goes on over dashes: `reduce-scatter`. A number ends at one: `2-5`.
std::size_t length_of_word(std::string_view text) {
  const auto goes_on = [&](char c) {
    if (is_letter(text.front())) return is_letter(c) || is_digit(c) || c == '-' || c == '_';
    return is_digit(text.front()) && is_digit(c);
  };
  const auto end = std::find_if_not(text.begin() + 1, text.end(), goes_on);
  return static_cast<std::size_t>(end - text.begin());
}

// Where the comment begins, or the end. '#' within a word is none: `n1 - n2#1` names a cable.
std::size_t end_of_content(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '#' && (at == 0 || is_blank(text[at - 1]))) return at;
  return text.size();
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

Words::Words(std::string_view file, std::int64_t number, std::string_view text)
    : file_(file), number_(number), rest_(text) {
  find_word();
}

void Words::find_word() {
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  if (rest_.starts_with('#')) rest_ = {};
  word_ = rest_.empty() ? rest_ : rest_.substr(0, length_of_word(rest_));
}

std::string_view Words::take() {
  const std::string_view taken = word_;
  rest_.remove_prefix(word_.size());
  // '#' right behind a word belongs to no comment and to no word: it stays, to be refused.
  if (rest_.starts_with('#'))
    word_ = rest_.substr(0, 1);
  else
    find_word();
  return taken;
}

bool Words::take_if(std::string_view word) {
  if (word_ != word) return false;
  take();
  return true;
}

void Words::expect(std::string_view word, std::string_view form) {
  if (take_if(word)) return;
  if (at_end()) fail("the line ends before '{}' (expected {})", word, form);
  fail("unexpected '{}' in place of '{}' (expected {})", word_, word, form);
}

void Words::expect_end() const {
  if (!at_end()) fail("unexpected '{}' at the end of the line; remove it", word_);
}

bool Words::is_number() const {
  return !word_.empty() && is_digit(word_.front());
}

std::int64_t Words::integer(std::string_view what, std::int64_t low, std::int64_t high) {
  WEFT_ASSERT(low <= high);
  if (at_end()) fail("the {} is missing (expected a number from {} to {})", what, low, high);
  const auto value = number_in<std::int64_t>(word_);
  if (!is_number() || (value && (*value < low || *value > high)) || !value)
    fail("{} {} is invalid (expected a number from {} to {})", what, word_, low, high);
  take();
  return *value;
}

std::string Words::value(std::string_view what) {
  if (rest_.starts_with('"')) return quoted(what);
  const std::string_view text = trim(rest_.substr(0, end_of_content(rest_)));
  if (text.empty()) fail("the {} is missing", what);
  rest_ = word_ = {};
  return std::string(text);
}

std::string Words::quoted(std::string_view what) {
  std::string text;
  for (std::size_t at = 1; at < rest_.size(); ++at) {
    char c = rest_[at];
    if (c == '"') {
      rest_.remove_prefix(at + 1);
      find_word();
      expect_end();
      return text;
    }
    if (c == '\\') {
      const std::string_view code = rest_.substr(at + 1, 3);
      unsigned byte = 0;
      if (code.starts_with('"') || code.starts_with('\\')) {
        c = code[0];
        at += 1;
      } else if (code.size() == 3 && code[0] == 'x' &&
                 std::from_chars(code.data() + 1, code.data() + 3, byte, 16).ptr ==
                     code.data() + 3) {
        c = static_cast<char>(byte);
        at += 3;
      } else {
        fail("unknown '\\{}' in the {}; write \\\", \\\\ or \\x and two hexadecimal digits",
             code.substr(0, 1), what);
      }
    }
    text += c;
  }
  fail("the quote of the {} is not closed; write \" after it", what);
}

std::string as_value(std::string_view text) {
  const bool plain = !text.empty() && trim(text) == text && text.front() != '"' &&
                     end_of_content(text) == text.size() && std::ranges::none_of(text, is_control);
  if (plain) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (is_control(c))
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return out + '"';
}

}  // namespace weft::schedule
