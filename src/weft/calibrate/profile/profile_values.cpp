#include "weft/calibrate/profile/profile_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/machine/host_table.hpp"

namespace weft::calibrate {

namespace {

constexpr double kPicosecond = 1e-12;
// The last-level cache that sums leave and the size from which new buffers are mapped anew: limits
// of hosts that a fit assumes where the base profile has none.
constexpr std::int64_t kCache_B = 24 << 20, kMapped_B = 32 << 20;

double seconds_of(std::int64_t time_ps) {
  return static_cast<double>(time_ps) * kPicosecond;
}
std::int64_t picoseconds_of(double time_s) {
  return std::llround(time_s / kPicosecond);
}

template <std::int64_t HostParameters::*member>
double time_in(const ProfileState& state) {
  return seconds_of(state.host.*member);
}
template <std::int64_t HostParameters::*member>
void put_time(ProfileState& state, double time_s) {
  state.host.*member = picoseconds_of(time_s);
}
template <std::int64_t HostParameters::*member>
double rate_in(const ProfileState& state) {
  return static_cast<double>(state.host.*member);
}
template <std::int64_t HostParameters::*member>
void put_rate(ProfileState& state, double rate_Bps) {
  state.host.*member = std::llround(rate_Bps);
}
template <network::LargeCalls HostParameters::*member>
double large_in(const ProfileState& state) {
  return static_cast<double>((state.host.*member).bandwidth_Bps);
}
template <network::LargeCalls HostParameters::*member, std::int64_t from_B>
void put_large(ProfileState& state, double rate_Bps) {
  network::LargeCalls& calls = state.host.*member;
  if (calls.bandwidth_Bps == 0) calls.from_B = from_B;
  calls.bandwidth_Bps = std::llround(rate_Bps);
  if (calls.bandwidth_Bps == 0) calls.from_B = 0;
}

void put_rendezvous(ProfileState& state, double time_s) {
  state.host.rendezvous = {state.eager_B, picoseconds_of(time_s)};
}

void put_eager_copies(ProfileState& state, double rate_Bps) {
  state.host.eager_copies = {rate_Bps > 0 ? state.eager_B : 0, std::llround(rate_Bps)};
}

constexpr std::string_view kAllLinks = "all", kNvlinkClass = "nvlink", kXgmiClass = "xgmi";

bool is_between_gpus(std::string_view link_class) {
  return link_class == kNvlinkClass || link_class == kXgmiClass;
}

double one_payload(const ProfileState& state) {
  WEFT_ASSERT(!state.one_payload.empty());
  return state.payload(*state.one_payload.begin());
}
void put_one_payload(ProfileState& state, double payload) {
  for (const std::string& link_class : state.one_payload) state.set_payload(link_class, payload);
}

ProfileValue payload_of(const std::string& link_class) {
  return {.name = payload_name(link_class),
          .unit = ProfileUnit::share,
          .low = 1e-3,
          .high = 1,
          .seed = 0.8,
          .get = [link_class](const ProfileState& state) { return state.payload(link_class); },
          .set = [link_class](ProfileState& state,
                              double payload) { state.set_payload(link_class, payload); },
          .of_base = true};
}

using Host = HostParameters;
constexpr double kLeastTime = 1e-9, kMostTime = 1e-4;
constexpr double kLeastRate = 5e7, kMemoryRate = 5e10;  // of a core

const std::vector<ProfileValue>& common_values() {
  static const std::vector<ProfileValue> kValues = {
      ProfileValue{"host.startup", ProfileUnit::time, kLeastTime, kMostTime, 3e-7,
                   time_in<&Host::startup_ps>, put_time<&Host::startup_ps>},
      ProfileValue{"host.latency", ProfileUnit::time, kLeastTime, kMostTime, 3e-7,
                   time_in<&Host::latency_ps>, put_time<&Host::latency_ps>},
      ProfileValue{
          "host.rendezvous", ProfileUnit::time, kLeastTime, kMostTime, 1e-6,
          [](const ProfileState& state) { return seconds_of(state.host.rendezvous.time_ps); },
          put_rendezvous, true},
      ProfileValue{std::string(kOnePayload), ProfileUnit::share, 1e-3, 1, 0.9, one_payload,
                   put_one_payload},
      ProfileValue{"host.eager_copy", ProfileUnit::rate, kLeastRate, kMemoryRate, 2e9,
                   [](const ProfileState& state) {
                     return static_cast<double>(state.host.eager_copies.bandwidth_Bps);
                   },
                   put_eager_copies, true},
      ProfileValue{.name = "host.reduce_bandwidth",
                   .unit = ProfileUnit::rate,
                   .low = kLeastRate,
                   .high = kMemoryRate,
                   .seed = 8e9,
                   .get = rate_in<&Host::reduce_bandwidth_Bps>,
                   .set = put_rate<&Host::reduce_bandwidth_Bps>,
                   .of_hosts = true},
      ProfileValue{.name = "host.reduce_large",
                   .unit = ProfileUnit::rate,
                   .low = kLeastRate,
                   .high = kMemoryRate,
                   .seed = 5e9,
                   .get = large_in<&Host::large_reductions>,
                   .set = put_large<&Host::large_reductions, kCache_B>,
                   .of_hosts = true},
      ProfileValue{.name = "host.copy_bandwidth",
                   .unit = ProfileUnit::rate,
                   .low = kLeastRate,
                   .high = kMemoryRate,
                   .seed = 8e9,
                   .get = rate_in<&Host::copy_bandwidth_Bps>,
                   .set = put_rate<&Host::copy_bandwidth_Bps>,
                   .of_hosts = true},
      ProfileValue{.name = "host.copy_large",
                   .unit = ProfileUnit::rate,
                   .low = kLeastRate,
                   .high = kMemoryRate,
                   .seed = 5e9,
                   .get = large_in<&Host::large_copies>,
                   .set = put_large<&Host::large_copies, kCache_B>,
                   .of_hosts = true},
      ProfileValue{.name = "host.first_touch",
                   .unit = ProfileUnit::rate,
                   .low = kLeastRate,
                   .high = kMemoryRate,
                   .seed = 5e9,
                   .get = large_in<&Host::first_touch>,
                   .set = put_large<&Host::first_touch, kMapped_B>,
                   .of_hosts = true},
      ProfileValue{.name = "host.launch",
                   .unit = ProfileUnit::time,
                   .low = kLeastTime,
                   .high = kMostTime,
                   .seed = 5e-6,
                   .get = time_in<&Host::launch_ps>,
                   .set = put_time<&Host::launch_ps>,
                   .of_base = true},
      ProfileValue{"host.skew", ProfileUnit::time, kLeastTime, kMostTime, 3e-7,
                   time_in<&Host::skew_ps>, put_time<&Host::skew_ps>},
      ProfileValue{"host.loopback", ProfileUnit::rate, kLeastRate, kMemoryRate, 8e9,
                   [](const ProfileState& state) {
                     return state.loopback ? static_cast<double>(state.loopback->bandwidth_Bps) : 0;
                   },
                   [](ProfileState& state, double rate_Bps) {
                     if (rate_Bps == 0) return state.loopback.reset();
                     if (!state.loopback)
                       state.loopback = {.bandwidth_Bps = 1, .latency_ps = 300'000};
                     state.loopback->bandwidth_Bps = std::llround(rate_Bps);
                   }}};
  return kValues;
}

}  // namespace

double ProfileState::payload(std::string_view link_class) const {
  if (link_class == kAllLinks) return links.all.payload;
  const auto found = links.by_class.find(link_class);
  WEFT_ASSERT(found != links.by_class.end());
  return found->second.payload;
}

void ProfileState::set_payload(std::string_view link_class, double payload) {
  if (link_class == kAllLinks) {
    links.all.payload = payload;
    return;
  }
  const auto found = links.by_class.find(link_class);
  WEFT_ASSERT(found != links.by_class.end());
  found->second.payload = payload;
}

bool ProfileState::has_gpus() const {
  return links.by_class.contains(kNvlinkClass) || links.by_class.contains(kXgmiClass);
}

void ProfileState::set_eager(std::int64_t size_B) {
  WEFT_ASSERT(size_B >= 0);
  eager_B = size_B;
  if (host.rendezvous.time_ps > 0) host.rendezvous.from_B = size_B;
  if (host.eager_copies.bandwidth_Bps > 0) host.eager_copies.below_B = size_B;
}

ProfileState profile_state(const MachineModel& machine) {
  require(!machine.values.contains("link"),
          "{}: measured link bandwidths leave no payload to fit; name a profile with line_rate",
          machine.path);
  const NetworkSpec spec = fields::network_in(machine.values);
  const simulation::SimulationOptions options = fields::simulation_options_in(machine.values);
  ProfileState state{.host = spec.host,
                     .loopback = options.call.loopback,
                     .factors = options.factors,
                     .release = options.release,
                     .one_payload = {std::string(kAllLinks)}};
  if (const std::string text = fields::text_in(machine.values, fields::kLinkDefault.name);
      !text.empty())
    state.links = fields::read_link_defaults(fields::kLinkDefault.name, text);
  for (const auto& [name, of_class] : state.links.by_class)
    if (!is_between_gpus(name) && of_class.payload == state.links.all.payload)
      state.one_payload.insert(name);
  if (state.host.rendezvous.time_ps > 0)
    state.eager_B = state.host.rendezvous.from_B;
  else if (state.host.eager_copies.bandwidth_Bps > 0)
    state.eager_B = state.host.eager_copies.below_B;
  return state;
}

std::string payload_name(std::string_view link_class) {
  return fmt::format("links.{}.payload", link_class);
}

std::vector<ProfileValue> profile_values(const ProfileState& base) {
  std::vector<ProfileValue> values;
  for (const ProfileValue& value : common_values()) {
    values.push_back(value);
    if (value.name != kOnePayload) continue;
    for (const auto& [name, of_class] : base.links.by_class)
      if (!base.one_payload.contains(name)) values.push_back(payload_of(name));
  }
  return values;
}

std::vector<UnchangedValue> kept_of_hosts(const ProfileState& base,
                                          std::span<const std::string> fitted) {
  const fields::HostCosts costs{base.host, base.loopback, base.release}, defaults;
  std::vector<UnchangedValue> kept;
  for (const fields::HostEntry& entry : fields::host_entries()) {
    const std::string text = fields::to_text(entry.show(costs));
    UnchangedValue value{"host." + entry.key, fields::host_text(text)};
    if (text != fields::to_text(entry.show(defaults)) &&
        std::ranges::find(fitted, value.name) == fitted.end())
      kept.push_back(std::move(value));
  }
  return kept;
}

double rounded_value(const ProfileValue& value, double number) {
  if (!(number > 0)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - 2);
  return std::clamp(std::round(number / unit) * unit, value.low, value.high);
}

std::string profile_text(const ProfileValue& value, double number) {
  if (!(number > 0)) return "none";
  switch (value.unit) {
    case ProfileUnit::time:
      return format_seconds(number);
    case ProfileUnit::rate:
      return fmt::format("{:.4g}GBps", number * 1e-9);
    case ProfileUnit::share:
      break;
  }
  return fmt::format("{:.3g}", number);
}

}  // namespace weft::calibrate
