// The sizes that a file for GPUs is for, as its readers compare them with a call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::format {

struct SizeWindow {
  std::uint64_t min_B = 0, max_B = 0;  // a maximum of 0: no limit
  std::string_view min_key, max_key;   // as the file calls them
};

/// One line for a call whose size, as the readers count it, is outside of the window; else empty.
std::string window_note(const SizeWindow& window, std::int64_t size_B, std::string_view buffer);

}  // namespace weft::format
