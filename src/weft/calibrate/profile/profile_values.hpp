// The values of a machine's profile that a fit may change, each with its physical limits.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  std::string_view name;
  ProfileUnit unit;
  double low, high;                          // physical limits, seconds, bytes per second or shares
  double seed;                               // where a search begins if the base profile has none
  double (*get)(const ProfileState& state);  // 0: the profile has none
  void (*set)(ProfileState& state, double value);
  bool changes_at_eager = false;  // what it stands for begins or ends at the eager limit
  bool of_base = false;           // there only if the base profile has it
  bool of_hosts = false;  // likewise where it has GPUs: their kernels add up data as it arrives

  bool is_there(const ProfileState& base) const {
    return get(base) > 0 || !(of_base || (of_hosts && base.has_gpus()));
  }
};

/// All of them, in the order of profiles.
std::span<const ProfileValue> profile_values();

/// "250ns", "11.2GBps", "0.69"; "none" for 0.
std::string profile_text(const ProfileValue& value, double number);

/// Rounded to three digits, as the file has it.
double rounded_value(const ProfileValue& value, double number);

/// The machine file. `sources` and `assumptions` are its lists of texts.
std::string profile_file(const ProfileState& state, const std::string& summary,
                         std::span<const std::string> sources,
                         std::span<const std::string> assumptions);

}  // namespace weft::calibrate
