// Questions about all costs of hosts at once, for code that covers some of them only: shortcuts,
// bounds and estimates. Their answers are on the safe side for a cost that is added later, so that
// code outside the simulators need not be touched for it.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/network/network.hpp"

namespace weft::network {

/// Start-ups of a message at both of its ends, picoseconds.
std::int64_t startups_ps(const HostParameters& host);

/// Whether a message costs hosts its start-up at the sender, latency and sums at most: a host sends
/// as many messages at once as it likes, and copies and receives them for nothing. False with a
/// cost that is added later.
bool pays_for_sends_and_sums_only(const HostParameters& host);

/// Whether it may matter in which order a host sends what it sends in a step. True with a cost that
/// is added later.
bool may_send_in_a_row(const HostParameters& host);

/// Whether a message may cost more than the time of its bytes on links. True with a cost that is
/// added later.
bool may_pay_for_messages(const HostParameters& host);

/// The sizes at which the costs of a message jump: smaller ones pay something else than those of
/// this many bytes. Increasing, each once.
std::vector<std::int64_t> message_limits_B(const HostParameters& host);

}  // namespace weft::network
