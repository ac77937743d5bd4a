#include "weft/base/error.hpp"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

std::string without_nul(std::string text) {
  std::ranges::replace(text, '\0', '?');
  return text;
}

}  // namespace

InvalidInput::InvalidInput(std::string message)
    : std::runtime_error(without_nul(std::move(message))) {}

void assertion_failed(const char* condition, const char* file, int line) {
  throw std::logic_error(
      fmt::format("internal error: {} does not hold ({}:{})", condition, file, line));
}

}  // namespace weft
