// These functions answer questions about several costs of hosts at once.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/network/network.hpp"

namespace weft::network {

/// Start-ups of a message at both of its ends, picoseconds.
inline std::int64_t startups_ps(const HostParameters& host) {
  return host.send_ps() + host.receive_ps();
}

/// The sizes at which the costs of a message jump: smaller ones pay something else than those of
/// this many bytes. Increasing, each once.
std::vector<std::int64_t> message_limits_B(const HostParameters& host);

}  // namespace weft::network
