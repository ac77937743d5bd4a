#include "weft/plan_reader/host_names.hpp"

#include <map>
#include <set>

namespace weft::plan {

namespace {

std::string_view short_name(std::string_view host) {
  return host.substr(0, host.find('.'));
}

// Whole names by their short name, each once.
std::map<std::string_view, std::set<std::string_view>> by_short_name(
    std::span<const std::string_view> names) {
  std::map<std::string_view, std::set<std::string_view>> whole;
  for (const std::string_view name : names) whole[short_name(name)].insert(name);
  return whole;
}

}  // namespace

std::vector<std::string_view> matching_hosts(std::span<const std::string_view> names,
                                             std::span<const std::string_view> known) {
  const auto own = by_short_name(names), others = by_short_name(known);
  std::vector<std::string_view> found;
  for (const std::string_view name : names) {
    std::string_view& match = found.emplace_back();
    const auto candidates = others.find(short_name(name));
    if (name.empty() || candidates == others.end()) continue;
    if (const auto whole = candidates->second.find(name); whole != candidates->second.end())
      match = *whole;
    else if (candidates->second.size() == 1 && own.at(short_name(name)).size() == 1)
      match = *candidates->second.begin();
  }
  return found;
}

}  // namespace weft::plan
