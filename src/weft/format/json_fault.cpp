#include "json_fault.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::format {

std::string json_fault(std::string_view text, std::size_t byte) {
  if (byte > text.size()) return "the text ends too early";
  constexpr std::size_t kMost = 20;  // characters that are shown
  const std::string_view rest = text.substr(byte == 0 ? 0 : byte - 1);
  return fmt::format("unexpected '{}'",
                     rest.substr(0, std::min(kMost, rest.find_first_of("\r\n"))));
}

}  // namespace weft::format
