#include "weft/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace weft {

namespace {

// The bytes that may follow the first byte of a character, as RFC 3629 (section 4) lists them: how
// many, and the range of the next one. That range alone excludes longer forms than needed,
// surrogates and what lies beyond U+10FFFF.
struct Followers {
  std::size_t count = 0;
  unsigned char least = 0x80, most = 0xbf;
};

std::optional<Followers> followers_of(unsigned char first) {
  if (first < 0x80) return Followers{};
  if (first >= 0xc2 && first <= 0xdf) return Followers{.count = 1};
  if (first == 0xe0) return Followers{.count = 2, .least = 0xa0};
  if (first == 0xed) return Followers{.count = 2, .most = 0x9f};
  if (first >= 0xe1 && first <= 0xef) return Followers{.count = 2};
  if (first == 0xf0) return Followers{.count = 3, .least = 0x90};
  if (first == 0xf4) return Followers{.count = 3, .most = 0x8f};
  if (first >= 0xf1 && first <= 0xf3) return Followers{.count = 3};
  return std::nullopt;
}

// A character at the start of a text, or the longest part of one.
struct Character {
  std::size_t length = 1;
  bool whole = false;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  auto next = followers_of(byte(0));
  Character character;
  if (!next) return character;
  for (; next->count > 0; --next->count) {
    const std::size_t at = character.length;
    if (at == text.size() || byte(at) < next->least || byte(at) > next->most) return character;
    ++character.length;
    next->least = 0x80;
    next->most = 0xbf;
  }
  character.whole = true;
  return character;
}

// Those of ASCII, and U+0080 to U+009F, which terminals obey too.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 2 && first == 0xc2)
    return static_cast<unsigned char>(character[1]) < 0xa0;
  return first < 0x20 || first == 0x7f;
}

// U+FFFE and U+FFFF are no characters, and XML may not contain them (XML 1.0, section 2.2).
bool is_noncharacter(std::string_view character) {
  return character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf";
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.length);
    if (!character.whole || is_noncharacter(bytes))
      result += "\xef\xbf\xbd";
    else if (is_control(bytes) && kept.find(bytes[0]) == std::string_view::npos)
      result += '?';
    else
      result += bytes;
    text.remove_prefix(character.length);
  }
  return result;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

std::string counted(std::int64_t count, std::string_view what, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", what);
  return many.empty() ? fmt::format("{} {}s", count, what) : fmt::format("{} {}", count, many);
}

}  // namespace weft
