#include <fmt/format.h>

#include "weft/base/memory.hpp"
#include "weft/simulation/packet/output_buffered/output_buffered.hpp"

namespace weft::simulation::packet {

void check_memory(const LinkWiring& wiring, int vcs) {
  const double needed_B =
      static_cast<double>(wiring.links.size()) *
      (static_cast<double>(vcs) * (sizeof(Channel) + sizeof(Waiting)) + sizeof(Link));
  require_memory(needed_B, fmt::format("{} links of {} virtual channels", wiring.links.size(), vcs),
                 "simulate a smaller network or use --model fluid");
}

}  // namespace weft::simulation::packet
