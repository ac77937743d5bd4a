#include "weft/base/enumeration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weft/base/error.hpp"

namespace weft {

std::string unknown_text(const UnknownName& unknown, std::span<const std::string> known,
                         std::span<const Meaning> meanings) {
  constexpr std::size_t kFew = 3;  // so few are all listed, because none is worth a guess
  const std::string remark = known.size() <= kFew && meanings.empty()
                                 ? fmt::format("known: {}", fmt::join(known, ", "))
                                 : suggest(unknown.name, known, meanings);
  return fmt::format("unknown {} '{}'{}{}; {}", unknown.kind, unknown.name,
                     unknown.where.empty() ? "" : " ", unknown.where, remark);
}

void reject_unknown(const UnknownName& unknown, std::span<const std::string> known,
                    std::span<const Meaning> meanings) {
  reject("{}", unknown_text(unknown, known, meanings));
}

std::string lower_name(std::string_view name) {
  std::string result = lower(name);
  std::ranges::replace(result, '_', '-');
  return result;
}

std::size_t place_of(std::string_view kind, std::string_view name,
                     std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, lower_name(name));
  if (found == names.end())
    reject_unknown({kind, name}, std::vector<std::string>(names.begin(), names.end()));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace weft
