#include "weft/topology/link_classes.hpp"

#include <algorithm>
#include <array>

#include "weft/base/text.hpp"

namespace weft::topology {

namespace {

constexpr std::array<std::string_view, 23> kNames{
    "link",   "terminal", "local", "global",  "chassis", "group", "board",  "row",
    "column", "x",        "y",     "z",       "box",     "card",  "nvlink", "xgmi",
    "pci",    "sys",      "c2c",   "package", "numa",    "l3",    "core"};
constexpr std::array<std::string_view, 4> kNumbered{"level", "d", "nvlink-x", "xgmi-x"};
constexpr std::string_view kBox = "box-";

bool is_numbered(std::string_view name) {
  return std::ranges::any_of(kNumbered, [&](std::string_view before) {
    if (!name.starts_with(before)) return false;
    const auto number = number_in<int>(name.substr(before.size()));
    return number && *number >= 0;
  });
}

}  // namespace

std::vector<std::string> usual_link_classes() {
  std::vector<std::string> names(kNames.begin(), kNames.end());
  names.insert(names.end(), {"level0", "level1", "level2", "d4", "d5", "nvlink-x2", "xgmi-x2"});
  return names;
}

bool is_usual_link_class(std::string_view name) {
  if (name.starts_with(kBox)) name.remove_prefix(kBox.size());
  return std::ranges::find(kNames, name) != kNames.end() || is_numbered(name);
}

LinkBundle bundle_in(std::string_view link_class) {
  const std::size_t mark = link_class.rfind("-x");
  if (mark == 0 || mark == std::string_view::npos) return {.link_class = link_class};
  const auto links = number_in<std::int64_t>(link_class.substr(mark + 2));
  if (!links || *links < 1) return {.link_class = link_class};
  return {.link_class = link_class.substr(0, mark), .links = *links};
}

}  // namespace weft::topology
