#include "weft/fields/machine/host_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/host_fields.hpp"
#include "weft/fields/machine/toml_text.hpp"
#include "weft/fields/run_fields.hpp"

namespace weft::fields {

const std::vector<HostEntry>& host_entries() {
  static const std::vector<HostEntry> entries = [] {
    std::vector<HostEntry> made;
    for (const HostField& each : host_fields())
      if (!each.machine_key.empty())
        made.push_back({std::string(each.machine_key), each.member.field,
                        [show = each.show](const HostCosts& costs) { return show(costs.host); }});
    made.push_back({"loopback", &kLoopback,
                    [](const HostCosts& costs) { return kLoopback.show(costs.loopback); }});
    made.push_back({"release", &kRelease,
                    [](const HostCosts& costs) { return kRelease.show(costs.release); }});
    return made;
  }();
  return entries;
}

std::string host_text(std::string_view value) {
  constexpr std::int64_t kLeast_Bps = 1'000'000;  // smaller ones would need an exponent
  std::vector<std::string> parts;
  for (const std::string_view part : split(value, ',')) {
    const std::int64_t rate_Bps = lower(part).ends_with("bps") ? parse_bandwidth(part) : 0;
    parts.push_back(rate_Bps < kLeast_Bps
                        ? std::string(part)
                        : fmt::format("{:.15g}GBps", 1e-9 * static_cast<double>(rate_Bps)));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

std::string host_table(const HostCosts& costs) {
  const HostCosts defaults;
  std::string made = "[host]\n";
  for (const HostEntry& entry : host_entries()) {
    const std::string text = to_text(entry.show(costs));
    if (entry.field != &kRelease && text == to_text(entry.show(defaults))) continue;
    made += fmt::format("{} = {}\n", entry.key, toml_text(host_text(text)));
  }
  return made;
}

}  // namespace weft::fields
