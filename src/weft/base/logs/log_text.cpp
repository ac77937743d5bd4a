#include "weft/base/logs/log_text.hpp"

#include <array>
#include <cctype>
#include <cstddef>

#include "weft/base/text.hpp"

namespace weft {

namespace {

constexpr std::size_t kLongest = 120;  // label

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string_view left_trimmed(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// Takes a text of this form off the front, a digit for each 'd'.
bool take_form(std::string_view& text, std::string_view form) {
  if (text.size() < form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i]) return false;
  text.remove_prefix(form.size());
  return true;
}

std::size_t take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

// "12:30:05", perhaps with a fraction.
bool take_clock(std::string_view& text) {
  std::string_view rest = text;
  if (!take_form(rest, "dd:dd:dd")) return false;
  if (rest.size() > 1 && (rest[0] == '.' || rest[0] == ',') && is_digit(rest[1])) {
    rest.remove_prefix(1);
    take_digits(rest);
  }
  text = rest;
  return true;
}

// "Z", "+01:00", "-0500", or nothing.
void take_zone(std::string_view& text) {
  if (text.starts_with('Z')) {
    text.remove_prefix(1);
    return;
  }
  std::string_view rest = text;
  if (rest.empty() || (rest[0] != '+' && rest[0] != '-')) return;
  rest.remove_prefix(1);
  if (take_form(rest, "dd:dd") || take_form(rest, "dddd")) text = rest;
}

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// "Nov 28 12:30:05", as syslog and ts write it, perhaps with the day of the week and the year.
bool take_named_date(std::string_view& text) {
  std::string_view rest = text;
  const auto month = [&] {
    for (const std::string_view name : kMonths)
      if (rest.starts_with(name)) return true;
    return false;
  };
  if (!month() && rest.size() > 4 && rest[3] == ' ') rest.remove_prefix(4);  // Mon
  if (!month()) return false;
  rest = left_trimmed(rest.substr(3));
  if (take_digits(rest) == 0) return false;
  rest = left_trimmed(rest);
  if (!take_clock(rest)) return false;
  std::string_view year = left_trimmed(rest);
  if (take_form(year, "dddd")) rest = year;
  text = rest;
  return true;
}

bool take_date(std::string_view& text) {
  std::string_view rest = text;
  if (!take_form(rest, "dddd-dd-dd") && !take_form(rest, "dddd/dd/dd")) return false;
  if (rest.empty() || (rest[0] != 'T' && rest[0] != ' ')) return false;
  rest.remove_prefix(1);
  if (!take_clock(rest)) return false;
  take_zone(rest);
  text = rest;
  return true;
}

// A time, perhaps in brackets and before a colon; a blank or the next label follows.
bool take_time(std::string_view& text) {
  std::string_view rest = text;
  const bool bracketed = rest.starts_with('[');
  if (bracketed) rest = left_trimmed(rest.substr(1));
  if (!take_date(rest) && !take_named_date(rest) && !take_clock(rest)) return false;
  if (bracketed) {
    if (!rest.starts_with(']')) return false;
    rest.remove_prefix(1);
  }
  if (rest.starts_with(':')) rest.remove_prefix(1);
  if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '[' && rest[0] != '#')
    return false;
  text = rest;
  return true;
}

// "0: " of srun --label, "[0] " of Hydra, "[1,0]<stdout>:" of Open MPI, also behind a time.
bool take_rank(std::string_view& text) {
  std::string_view rest = text;
  if (take_digits(rest) > 0 && rest.starts_with(':') &&
      (rest.size() == 1 || rest[1] == ' ' || rest[1] == '\t')) {
    text = rest.substr(1);
    return true;
  }
  const std::size_t stream = text.substr(0, kLongest).find("]<std");
  if (stream != std::string_view::npos && text.substr(0, stream).find('[') < stream) {
    const std::size_t end = text.find(">:", stream);
    if (end == std::string_view::npos || end > stream + 12) return false;
    text.remove_prefix(end + 2);
    return true;
  }
  rest = text;
  if (!rest.starts_with('[')) return false;
  rest.remove_prefix(1);
  if (take_digits(rest) == 0 || !rest.starts_with("] ")) return false;
  text = rest.substr(1);
  return true;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}

// "n5:", or "launcher-1  |".
bool is_all_of(std::string_view label, std::string_view word) {
  return label == word || (label.ends_with('|') && trim(label.substr(0, label.size() - 1)) == word);
}

std::string_view behind_ranks_and_times(std::string_view line) {
  line = trim(left_trimmed(line));
  while (take_time(line) || take_rank(line)) line = left_trimmed(line);
  return line;
}

}  // namespace

std::string without_escapes(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      plain += text[i];
      continue;
    }
    if (i + 1 >= text.size() || text[i + 1] != '[') continue;  // another sequence: its letter stays
    // Parameters, then a letter.
    std::size_t end = i + 2;
    while (end < text.size() && text[end] >= ' ' && text[end] < '@') ++end;
    i = end < text.size() && text[end] != '\n' ? end : end - 1;
  }
  return plain;
}

LineLabels::LineLabels(std::string_view text, std::string_view mark) {
  constexpr std::size_t kMost = 10'000;
  while (!text.empty() && own_.size() < kMost) {
    const std::size_t end = text.find('\n');
    const std::string_view line = behind_ranks_and_times(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t at = line.substr(0, kLongest).find(mark);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view label = trim(line.substr(0, at));
    const bool is_label = !label.empty() && label.find_last_of(":|>])") == label.size() - 1;
    const std::string_view word = first_word(label);
    if (is_label && is_all_of(label, word)) own_.emplace(word);
  }
}

std::string_view LineLabels::behind(std::string_view line) const {
  line = behind_ranks_and_times(line);
  if (own_.empty()) return line;
  const std::string_view word = first_word(line);
  if (!own_.contains(word)) return line;
  std::string_view rest = left_trimmed(line.substr(word.size()));
  if (rest.starts_with('|')) rest.remove_prefix(1);
  return behind_ranks_and_times(rest);
}

}  // namespace weft
