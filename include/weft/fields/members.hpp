// Fields as members of what answering takes: the one way from what was said, as an option of a
// command or in a row, to the values that the rooms below read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/fields/field.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/placement.hpp"

namespace weft::fields {

template <class T>
struct Member {
  const Field* field;
  /// Throws InvalidInput for text that is no value of the field.
  void (*set)(T& target, std::string_view text);
};

/// A member whose value can be shown as text of its field.
template <class T>
struct ShownMember {
  Member<T> member;
  Value (*show)(const T& source);
};

/// A network and the ranks on it.
struct NetworkSpec {
  std::string topology = {};  // an expression
  LinkOptions links = {};
  std::string routing = "auto";
  /// Where the ranks are; untouched: linear, or as a schedule's file has it. Its seed is `seed`.
  topology::PlacementOptions placing = {};
  std::string hosts = {};  // numbers or a file; empty: all
  std::uint64_t seed = 1;  // of what is drawn
  HostParameters host = {};
};

/// A collective and the ranks that it names.
struct CollectiveSpec {
  CollectiveKind kind = {};
  std::int64_t root = 0;
  std::optional<std::int64_t> from = {}, to = {};  // of point-to-point
};

/// What is asked of the network (its hosts and seed apart), of hosts, of the collective; how steps
/// are read; how packets travel (but for their routing and seed), and beside what.
std::span<const Member<NetworkSpec>> network_members();
/// Those of them that place ranks: placement, ranks, hosts. Code that hands a placement on, refuses
/// it, leaves it out or shows it asks this table.
std::span<const Member<NetworkSpec>> placing_members();
/// The fields of placing_members() apart from the policy and the number of ranks, which the keys of
/// all rows have. Keys have these only where they differ from their defaults, so that a new one
/// changes no key of older rows.
std::vector<const Field*> further_placing_fields();
/// Fields that place ranks in commands for MPI jobs alone: per-host. Rows do not have them.
std::span<const Member<NetworkSpec>> job_members();
/// What a row or a command says of the placement, without the hosts and the seed. Throws
/// InvalidInput.
topology::PlacementOptions placing_in(const Values& said);
std::span<const Member<HostParameters>> host_members();
std::span<const Member<CollectiveSpec>> collective_members();
std::span<const Member<simulation::SimulationOptions>> reading_members();
/// How an MPI's messages begin and end, of single simulations alone.
std::span<const Member<simulation::CallOptions>> call_members();
/// Calls in a row that are asked for; 1 where nothing is said. Throws InvalidInput.
std::int32_t calls_in(const Values& said);
std::span<const Member<PacketOptions>> packet_members();
std::span<const Member<simulation::BackgroundOptions>> background_members();
/// Routers and traffic of load curves.
std::span<const Member<simulation::LoadCurveOptions>> load_curve_members();
/// How all-to-all throughput is found.
std::span<const Member<flow::ThroughputOptions>> throughput_members();
/// One for each option of algorithms.
std::span<const Field> option_fields();

/// Sets the members that are named there. Throws InvalidInput.
template <class T>
void set_members(T& target, std::span<const Member<T>> members, const Values& parameters) {
  for (const Member<T>& member : members)
    if (const auto found = parameters.find(member.field->name); found != parameters.end())
      member.set(target, to_text(found->second));
}

/// What was said of it all, as an option wrote it or in the canonical form of rows. Under the model
/// alpha-beta a start-up is of a step, unless it is said of what. Throws InvalidInput.
NetworkSpec network_in(const Values& said);
algorithm::AlgorithmOptions algorithm_options_in(const Values& said);
/// With packets where the model has them; their routing as it was said.
simulation::SimulationOptions simulation_options_in(const Values& said);

/// On these hosts, none for all. A schedule's own placement serves where nothing was said of one.
/// Throws InvalidInput where they make no sense together.
Network make_network(const NetworkSpec& spec, const BuiltTopology& built,
                     std::span<const std::int32_t> hosts, const Schedule* schedule = nullptr);
Collective make_collective(const CollectiveSpec& spec, std::int32_t ranks);

}  // namespace weft::fields

namespace weft {
using fields::Member;
using fields::NetworkSpec;
}  // namespace weft
