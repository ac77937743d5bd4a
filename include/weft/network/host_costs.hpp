// Sums over costs of hosts.
#pragma once

#include <cstdint>

#include "weft/network/network.hpp"

namespace weft::network {

/// Start-ups of a message at both of its ends, picoseconds.
inline std::int64_t startups_ps(const HostParameters& host) {
  return host.startup_ps + host.startup_receive_ps;
}

}  // namespace weft::network
