// A schedule past a failure: the network that is left, and what of the schedule fits it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "weft/advise/degradation.hpp"
#include "weft/advise/degrade/failures.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/network/network.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::advise {

/// The whole network, and what of it all failures need.
class Intact {
 public:
  /// Refers to the network.
  Intact(const Network& network, std::uint64_t seed);

  const Network& network() const { return network_; }
  /// What is left, the ranks that live on the nodes where they were. The network's routing where it
  /// fits what is left and is not that of `auto` here; else that of `auto` there.
  Network without(const Failure& failure, const Damage& damage) const;

 private:
  const Network& network_;
  std::uint64_t seed_;
  BuiltTopology built_;  // with the speed of every link
  bool automatic_;
};

/// The collective of the ranks that live; nothing where the root or an end is not among them, or
/// only one is.
std::optional<Collective> among_those_left(const Collective& collective, const Failure& failure);

/// A schedule made for the whole network, to be run on what failures leave of it.
class ScheduleOfWhole {
 public:
  ScheduleOfWhole(schedule::Verified verified, std::int64_t size_B,
                  std::shared_ptr<const program::CopyPlan> copies, const Network& whole);

  const Program& program() const { return program_; }
  /// The program there; nothing where one of its own routes, or a node that it forwards through,
  /// failed. Precondition: no rank failed.
  std::optional<Program> on(const Network& damaged, const Damage& damage) const;

 private:
  std::optional<schedule::Verified> moved(const Network& damaged, const Damage& damage) const;

  schedule::Verified verified_;
  std::int64_t size_B_;
  Program program_;
  /// With its symmetry written out, where it has routes of its own.
  std::optional<schedule::Schedule> routed_;
};

}  // namespace weft::advise
