// The file of a fitted profile, as machine_model.hpp describes it.
#include <fmt/format.h>

#include <algorithm>

#include "weft/base/units.hpp"
#include "weft/calibrate/profile/profile_values.hpp"
#include "weft/fields/machine/toml_text.hpp"
#include "weft/fields/run_fields.hpp"

namespace weft::calibrate {

namespace {

std::string toml_list(std::string_view name, std::span<const std::string> texts) {
  if (texts.empty()) return "";
  std::string made = fmt::format("{} = [\n", name);
  for (const std::string& text : texts) made += fmt::format("  {},\n", fields::toml_text(text));
  return made + "]\n";
}

std::string host_text(const ProfileState& state) {
  std::string made = "\n[host]\n";
  const auto add = [&](std::string_view name, const Value& value) {
    made += fmt::format("{} = {}\n", name, fields::toml_text(fields::to_text(value)));
  };
  const auto add_time = [&](std::string_view name, std::int64_t time_ps) {
    if (time_ps > 0) add(name, format_time(time_ps));
  };
  const HostParameters& host = state.host;
  add("release", std::string(name_of(state.release)));
  add_time("startup", host.startup_ps);
  add_time("startup_receive", host.startup_receive_ps);
  if (host.ports > 0) add("ports", std::to_string(host.ports));
  add_time("latency", host.latency_ps);
  if (host.rendezvous.time_ps > 0) add("rendezvous", fields::show_rendezvous(host.rendezvous));
  if (host.eager_copies.bandwidth_Bps > 0)
    add("eager_copy", fields::show_eager_copies(host.eager_copies));
  add("copy_bandwidth", fields::show_rate_or_free(host.copy_bandwidth_Bps));
  if (host.large_copies.bandwidth_Bps > 0)
    add("copy_large", fields::show_large_calls(host.large_copies));
  add("reduce_bandwidth", fields::show_rate_or_free(host.reduce_bandwidth_Bps));
  if (host.large_reductions.bandwidth_Bps > 0)
    add("reduce_large", fields::show_large_calls(host.large_reductions));
  if (host.first_touch.bandwidth_Bps > 0)
    add("first_touch", fields::show_large_calls(host.first_touch));
  add_time("launch", host.launch_ps);
  add_time("skew", host.skew_ps);
  if (state.loopback) add("loopback", fields::show_loopback(state.loopback));
  return made;
}

std::string links_text(const std::string& name, const topology::LinkDefault& links,
                       const simulation::FactorsBySize* factors) {
  std::string made = fmt::format(
      "\n[links.{}]\nline_rate = \"{}\"\npayload = {:.3g}\nlatency = \"{}\"\nswitch_latency = "
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
                     toml_list("source", sources) + toml_list("assumption", assumptions) +
                     host_text(state);
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
