// Features: what a simulation has to take into account besides messages on links.
//
// A feature is a cost of hosts, an option of calls, a way in which messages are sent and share
// links, or a property of the network or the program. Code that covers some features only, such as
// a shortcut (shortcuts.hpp), lists them. A feature that is added later is in no list, so such code
// is not used with it until somebody adds it there.
//
// A new member of HostParameters or CallOptions is a line of a table in features.cpp. Without that
// line it counts as `unlisted`, which no list contains. A new member of SimulationOptions does not
// compile before features.cpp names it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "weft/base/enum_set.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

enum class Feature : std::uint8_t {
  // Costs and other properties of hosts, one for each member of HostParameters.
  startup,
  startup_receive,
  startup_per_step,
  ports,
  copies,
  large_copies,
  layout,
  reductions,
  large_reductions,
  first_touch,
  exchanges,
  latency,
  rendezvous,
  eager_copies,
  launch,
  skew,
  source_routed,
  // Options of calls, one for each member of CallOptions.
  receives_in_step,
  eager,
  header,
  loopback,
  // How steps are read, and messages sent and shared. A model has those that affect its times.
  lockstep,
  dataflow,
  injected,
  acknowledged,
  rtt_sharing,
  smpi_sharing,
  shared_cables,
  factors,
  factors_by_class,  // classes of links of the network have different ones
  // What is asked for, and by which model; none of these two is the fluid model.
  link_statistics,
  alpha_beta,
  packets,
  // The network and the program.
  whole_step_routing,  // routes depend on what else is sent in the step
  own_routes,          // the program brings routes of messages along
  several_calls,
  // A member that has no line in features.cpp. No list contains it.
  unlisted,
};
using Features = EnumSet<Feature>;

inline constexpr Features kReductionCosts{Feature::reductions, Feature::large_reductions};

std::string_view name_of(Feature feature);
/// All features, in their order.
std::span<const Feature> every_feature();

/// Costs of hosts that are set.
Features features_of(const HostParameters& host);
/// Options of calls that are set.
Features features_of(const CallOptions& call);
/// Those of the hosts, the calls, the other options and the routing. Throws InvalidInput for
/// factors of a class that the network lacks.
Features features_of(const SimulationOptions& options, const Network& network);
/// Those of the program as well; without costs of reductions if the program has none.
Features features_of(const Program& program, const Network& network,
                     const SimulationOptions& options);

}  // namespace weft::simulation
