// The file of a fitted profile, as machine_model.hpp describes it.
#include <fmt/format.h>

#include <algorithm>

#include "weft/base/units.hpp"
#include "weft/calibrate/profile/profile_values.hpp"
#include "weft/fields/machine/host_table.hpp"
#include "weft/fields/machine/toml_text.hpp"

namespace weft::calibrate {

namespace {

std::string toml_list(std::string_view name, std::span<const std::string> texts) {
  if (texts.empty()) return "";
  std::string made = fmt::format("{} = [\n", name);
  for (const std::string& text : texts) made += fmt::format("  {},\n", fields::toml_text(text));
  return made + "]\n";
}

std::string links_text(const std::string& name, const topology::LinkDefault& links,
                       const simulation::FactorsBySize* factors) {
  std::string made = fmt::format(
      "\n[links.{}]\nline_rate = \"{}\"\npayload = {:.6g}\nlatency = \"{}\"\nswitch_latency = "
      "\"{}\"\n",
      fields::toml_key(name), format_bandwidth(links.line.bandwidth_Bps), links.payload,
      format_time(links.line.latency_ps), format_time(links.switch_latency_ps));
  if (factors == nullptr) return made;
  // The payload is fitted, so a factor above 1 may now exceed the line rate.
  for (const auto& [from_B, latency, bandwidth] : *factors)
    made += fmt::format("\n[[links.{}.sizes]]\nfrom = \"{}\"\nlatency = {}\nbandwidth = {}\n",
                        fields::toml_key(name), format_size(from_B), latency,
                        std::min(bandwidth, std::max(1.0, 1 / links.payload)));
  return made;
}

}  // namespace

std::string profile_file(const ProfileState& state, const std::string& summary,
                         std::span<const std::string> sources,
                         std::span<const std::string> assumptions) {
  std::string made = "summary = " + fields::toml_text(summary) + '\n' +
                     toml_list("source", sources) + toml_list("assumption", assumptions) + '\n' +
                     fields::host_table({state.host, state.loopback, state.release});
  const SizeFactors* factors = state.factors.get();
  const auto of_class = [&](const std::string& name) -> const simulation::FactorsBySize* {
    if (!factors) return nullptr;
    const auto own = factors->by_class.find(name);
    return own == factors->by_class.end() ? nullptr : &own->second;
  };
  made += links_text("all", state.links.all,
                     factors && !factors->all.empty() ? &factors->all : nullptr);
  for (const auto& [name, links] : state.links.by_class)
    made += links_text(name, links, of_class(name));
  return made;
}

}  // namespace weft::calibrate
