// Cables that a schedule's symmetry takes to each other: one simulation for all of them.
//
// A symmetric program sends the same messages when its agents are moved by its group. Where the
// group moves the network too, links of one speed to each other, the network without cable c is
// moved to the network without its image g c. Both runs take equally long if the routes of all
// messages are moved with it: that is looked at, for every pair of agents that exchange messages,
// since a routing may break ties by the numbers of nodes. Packets are left out: which of them is
// first in a queue depends on numbers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "weft/advise/degrade/failures.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/rational.hpp"
#include "weft/program/program.hpp"

namespace weft::advise {

class AlikeCables {
 public:
  /// Nothing where the program or the network has no symmetry, or where other than single cables
  /// fail. Precondition: simulation::Shortcut::alike_cables covers what the simulation is asked
  /// for.
  static std::unique_ptr<const AlikeCables> of(const Program& program, const Network& whole,
                                               std::span<const Failure> failures);

  /// The first failure that a group element takes to this one; itself where there is none.
  std::size_t first(std::size_t failure) const { return origins_[failure].first; }

  /// The routes of all messages past a failure, by pairs of agents: links of the whole network in
  /// order, with their shares.
  struct Way {
    std::vector<std::pair<LinkId, Rational>> links;
    std::int64_t latency_ps = 0;
    friend bool operator==(const Way&, const Way&) = default;
  };
  using Ways = std::vector<Way>;
  Ways ways(const Network& left, const Damage& damage) const;

  /// Whether the ways past a failure are those past its first one, moved.
  bool moved(const Ways& past_first, const Ways& past_failure, std::size_t failure) const;

 private:
  struct Origin {
    std::size_t first = 0;
    std::int32_t element = 0;  // that takes it here
  };

  AlikeCables(const Program& program, const Network& whole, schedule::LinkAction action);
  void find_pairs(const Program& program);
  void find_origins(std::span<const Failure> failures);

  const Topology topology_;
  schedule::Symmetry symmetry_;
  schedule::LinkAction action_;
  IdVector<Agent, NodeId> nodes_;
  std::map<std::pair<schedule::Agent, schedule::Agent>, std::size_t> pairs_;
  std::vector<Origin> origins_;  // by failure
};

}  // namespace weft::advise
