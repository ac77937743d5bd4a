#include "weft/base/enumeration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft {

std::string lower_name(std::string_view name) {
  std::string result = lower(name);
  std::ranges::replace(result, '_', '-');
  return result;
}

std::size_t place_of(std::string_view name, std::span<const std::string_view> names,
                     std::string_view refusal) {
  const std::string wanted = lower_name(name);
  const auto found = std::ranges::find(names, wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::vector<std::string> known(names.begin(), names.end());
  reject("{}", fmt::format(fmt::runtime(refusal), name, suggest(wanted, known)));
}

}  // namespace weft
