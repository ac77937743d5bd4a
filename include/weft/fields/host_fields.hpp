// What a host can do and what it pays, as one table: each entry is the option and axis of a member
// of HostParameters, its key in machine files, and how answers show it.
//
// A new cost is a member of HostParameters with its effect (weft/network/network.hpp), and an entry
// in host_fields.cpp. A time of a message takes effect in send_ps(), receive_ps() or message_ps()
// there; another effect is code of the simulators. The entry makes it an option of the commands
// that take times into account, and of no other command; an axis of studies; a key of [host] in
// machine files; and a line of the speeds in answers. Models that do not cover it refuse it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "weft/fields/members.hpp"
#include "weft/network/network.hpp"

namespace weft::fields {

/// What costs of hosts are paid for, in the order of answers.
enum class PaidFor : std::uint8_t { messages, sums, copies };

/// Sizes for which a cost counts: from a size on, or below it.
struct CountedSizes {
  enum class Side : std::uint8_t { from, below } side;
  std::string_view meaning;
  std::int64_t (*bound_B)(const HostParameters& host);
};

/// How answers show a cost.
struct ShownCost {
  std::string_view key, meaning;
  std::string_view words;  // for people, with {} for the value
  PaidFor paid_for = PaidFor::messages;
  bool is_time = true;                                // else a bandwidth
  std::int64_t (*value)(const HostParameters& host);  // ps or B/s; 0: nothing is paid
  std::optional<CountedSizes> sizes = {};             // nothing: all
};

struct HostField {
  Member<HostParameters> member;
  Value (*show)(const HostParameters& host);
  std::string_view machine_key;       // in [host] of machine files; empty: they do not have it
  std::optional<ShownCost> cost;      // nothing: answers do not list it
  std::string_view packets_own = {};  // the only value that models of packets cover; empty: any
};

/// In the order of the help.
std::span<const HostField> host_fields();

/// 0 where copies or reductions take no time, "free".
std::int64_t rate_or_free(std::string_view name, std::string_view text);

}  // namespace weft::fields
