// The values of a machine's profile that a fit may change, each with its physical limits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fields/machine_model.hpp"
#include "weft/fields/members.hpp"

namespace weft::calibrate {

/// A profile as numbers. Messages of `eager_B` and more pay the rendezvous; smaller ones are copied
/// at both ends.
struct ProfileState {
  HostParameters host;
  topology::LinkDefaults links = {};
  std::optional<LinkSpeed> loopback = {};
  std::int64_t eager_B = 16'384;
  std::shared_ptr<const SizeFactors> factors = {};  // they are not fitted
  simulation::Release release = simulation::Release::delivered;
  /// Classes of links that share the value links.payload: "all", which stands for links that no
  /// class of the profile names, and each class whose payload the profile gives as that of "all".
  std::set<std::string, std::less<>> one_payload = {};

  /// The payload of a class, which the profile has.
  double payload(std::string_view link_class) const;
  void set_payload(std::string_view link_class, double payload);

  /// Whether links of the profile join GPUs.
  bool has_gpus() const;
  /// Moves the limit between the two.
  void set_eager(std::int64_t size_B);
};

/// The state that a machine's values say. Throws InvalidInput where links have measured bandwidths
/// in place of line rates, which leave payload open.
ProfileState profile_state(const MachineModel& machine);

enum class ProfileUnit : std::uint8_t { time, rate, share };

struct ProfileValue {
  std::string name;
  ProfileUnit unit;
  double low, high;  // physical limits, seconds, bytes per second or shares
  double seed;       // where a search begins if the base profile has none
  std::function<double(const ProfileState& state)> get;  // 0: the profile has none
  std::function<void(ProfileState& state, double value)> set;
  bool changes_at_eager = false;  // what it stands for begins or ends at the eager limit
  bool of_base = false;           // there only if the base profile has it
  bool of_hosts = false;  // likewise where it has GPUs: their kernels add up data as it arrives

  bool is_there(const ProfileState& base) const {
    return get(base) > 0 || !(of_base || (of_hosts && base.has_gpus()));
  }
};

inline constexpr std::string_view kOnePayload = "links.payload";
/// The name of the payload of one class: "links.box.payload".
std::string payload_name(std::string_view link_class);

/// All values of a base profile, in the order of profiles. A class of links whose payload differs
/// from that of other links has a value of its own.
std::vector<ProfileValue> profile_values(const ProfileState& base);

/// A value of [host] that a fit leaves as it is: "host.exchange", "4MiB,27GBps".
struct UnchangedValue {
  std::string name, text;
};
/// Those that the base profile has and `fitted` does not name, in the order of machine files.
std::vector<UnchangedValue> kept_of_hosts(const ProfileState& base,
                                          std::span<const std::string> fitted);

/// "250ns", "11.2GBps", "0.69"; "none" for 0.
std::string profile_text(const ProfileValue& value, double number);

/// Rounded to three digits, as the file has it.
double rounded_value(const ProfileValue& value, double number);

/// The machine file. `sources` and `assumptions` are its lists of texts.
std::string profile_file(const ProfileState& state, const std::string& summary,
                         std::span<const std::string> sources,
                         std::span<const std::string> assumptions);

}  // namespace weft::calibrate
