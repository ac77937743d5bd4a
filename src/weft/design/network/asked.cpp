// What a question about designs accepts.
#include <fmt/ranges.h>

#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/design/network_design.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/topology/placement.hpp"

namespace weft::design {

namespace {

constexpr Names<Build, 4> kBuilds{"value of --build",
                                  {"direct", "patch-panel", "optical-switch", "switches"}};

}  // namespace

Build parse_build(std::string_view name) {
  return kBuilds.value(name);
}

std::string_view name_of(Build build) {
  return kBuilds[build];
}

int default_ports(Build build) {
  return build == Build::switches ? 1 : 4;
}

void require_designable(const DesignQuestion& asked) {
  require(!asked.calls.empty(),
          "no collective is named; give the calls of the nodes: --collective "
          "allreduce:100MiB:10");
  for (const order::MixEntry& call : asked.calls) {
    require(!schedule::traits_of(call.collective).between_two(),
            "point-to-point has only two nodes, so it cannot choose a network; name collectives "
            "of all nodes, such as alltoall");
    require(call.size_B > 0, "{} of {} moves no data; give a larger size, such as 1MiB",
            name_of(call.collective), call.size_text);
  }
  require(asked.finalists >= 1, "invalid --finalists value {} (expected at least 1)",
          asked.finalists);
  const auto policies = topology::placement_policies();
  const auto of_any_network = policies.first(policies.size() - 2);  // the last two read files
  require(std::ranges::count(of_any_network, asked.placement) > 0,
          "--placement {} does not apply to all networks; use one of {}", asked.placement,
          fmt::join(of_any_network, ", "));
  if (has_panel(asked.build)) panel_of(asked);
}

}  // namespace weft::design
