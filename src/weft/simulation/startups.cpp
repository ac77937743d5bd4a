#include "weft/simulation/startups.hpp"

#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

Startups startups_of(const HostParameters& host) {
  const double send_s = seconds(host.send_ps()), receive_s = seconds(host.receive_ps());
  if (host.startup_per == StartupPer::step) return {.delay_s = send_s, .last_receive_s = receive_s};
  if (host.ports > 0) return {.on_port_s = send_s, .receive_s = receive_s};
  return {.with_packing_s = send_s, .receive_s = receive_s};
}

}  // namespace weft::simulation
