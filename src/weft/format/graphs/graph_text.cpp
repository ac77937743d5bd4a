#include "graph_text.hpp"

#include <array>
#include <utility>

#include "weft/base/text.hpp"

namespace weft::format {

namespace {

void append(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      byte(0xE0 | code >> 12);
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
    }
    byte(0x80 | (code >> 6 & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

// Of the text between & and ; the character, 0 for none.
std::uint32_t character(std::string_view name) {
  for (const auto& [known, c] : kEntities)
    if (known == name) return static_cast<unsigned char>(c);
  if (!name.starts_with('#')) return 0;
  name.remove_prefix(1);
  const bool hexadecimal = name.starts_with('x');
  if (hexadecimal) name.remove_prefix(1);
  const auto code = number_in<std::uint32_t>(name, hexadecimal ? 16 : 10);
  const bool surrogate = code && *code >= 0xD800 && *code <= 0xDFFF;
  return code && *code <= 0x10FFFF && !surrogate ? *code : 0;
}

bool is_utf8(std::string_view text) {
  constexpr std::string_view kReplacement = "\uFFFD";
  return printable(text).find(kReplacement) == std::string::npos ||
         text.find(kReplacement) != std::string_view::npos;
}

}  // namespace

std::string in_utf8(std::string_view text) {
  const bool latin = !is_utf8(text);
  if (!latin && text.find('&') == std::string_view::npos) return std::string(text);
  constexpr std::size_t kLongest = 10;
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == '&') {
      const std::size_t end = text.substr(at, kLongest).find(';');
      const std::uint32_t code =
          end == std::string_view::npos ? 0 : character(text.substr(at + 1, end - 1));
      if (code != 0) {
        append(result, code);
        at += end;
        continue;
      }
    }
    if (latin)
      append(result, byte);
    else
      result += text[at];
  }
  return result;
}

}  // namespace weft::format
