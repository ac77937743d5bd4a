#include "size_window.hpp"

#include <fmt/format.h>

#include "weft/base/units.hpp"

namespace weft::format {

std::string window_note(const SizeWindow& window, std::int64_t size_B, std::string_view buffer) {
  const auto size = static_cast<std::uint64_t>(size_B);
  const bool below = size<window.min_B, above = window.max_B> 0 && size > window.max_B;
  if (!below && !above) return {};
  return fmt::format("readers do not use this file at this size: {} is {}, and {} is {}", buffer,
                     format_size(size_B), below ? window.min_key : window.max_key,
                     format_size(static_cast<std::int64_t>(below ? window.min_B : window.max_B)));
}

}  // namespace weft::format
