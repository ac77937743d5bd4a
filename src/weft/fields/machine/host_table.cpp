#include "weft/fields/machine/host_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "weft/fields/machine/toml_text.hpp"
#include "weft/fields/members.hpp"
#include "weft/fields/run_fields.hpp"

namespace weft::fields {

namespace {

// Costs of hosts whose key in machine files is not the name of the option.
constexpr auto kOtherKeys =
    std::to_array<std::pair<const Field*, std::string_view>>({{&kAlpha, "startup"},
                                                              {&kAlphaReceive, "startup_receive"},
                                                              {&kHostLatency, "latency"},
                                                              {&kBarrierSkew, "skew"}});
constexpr std::array<const Field*, 3> kNotOfMachines = {&kAlphaPer, &kLayout, &kSourceRouted};

std::string key_of(const Field& field) {
  const auto other =
      std::ranges::find(kOtherKeys, &field, &std::pair<const Field*, std::string_view>::first);
  std::string key(other != kOtherKeys.end() ? other->second : field.name);
  std::ranges::replace(key, '-', '_');
  return key;
}

}  // namespace

const std::vector<HostEntry>& host_entries() {
  static const std::vector<HostEntry> entries = [] {
    std::vector<HostEntry> made;
    for (const ShownMember<HostParameters>& each : shown_host_members()) {
      const Field* field = each.member.field;
      if (std::ranges::find(kNotOfMachines, field) != kNotOfMachines.end()) continue;
      made.push_back({key_of(*field), field,
                      [show = each.show](const HostCosts& costs) { return show(costs.host); }});
    }
    made.push_back({"loopback", &kLoopback,
                    [](const HostCosts& costs) { return kLoopback.show(costs.loopback); }});
    made.push_back({"release", &kRelease,
                    [](const HostCosts& costs) { return kRelease.show(costs.release); }});
    return made;
  }();
  return entries;
}

std::string host_table(const HostCosts& costs) {
  const HostCosts defaults;
  std::string made = "[host]\n";
  for (const HostEntry& entry : host_entries()) {
    const std::string text = to_text(entry.show(costs));
    if (entry.field != &kRelease && text == to_text(entry.show(defaults))) continue;
    made += fmt::format("{} = {}\n", entry.key, toml_text(text));
  }
  return made;
}

}  // namespace weft::fields
