// Orbits: a program seen from one agent of each orbit of its symmetry.
//
// The idea. Let a group G act freely on the agents such that the schedule, the placement, the links
// with their speeds and the routes all move with it, and let every message be as long as its
// translates. Then the whole simulation moves with it: what happens to an agent happens to its
// translates at the same time, and rates of translated flows are equal. So it is enough to follow
// one agent of each orbit, the messages that it sends, and one link of each orbit of links.
//
// The fair shares. A link orbit has |G| links, since G acts freely on their tails, and so has the
// orbit of a message. Of the flows of a message's orbit the links of an orbit o carry together
// |G| times what the one message takes of links of o, so that each of them, all being alike,
// carries that: the representative link carries the message once for every link of o on its route.
// The constraints of the representatives are thus those of the whole problem for rates that are
// equal over orbits, which the max-min fair rates are, being unique. A link that a route names
// twice is MaxMin's to count. docs/explanation/proofs.md has the proof.
//
// Cost: the check that G acts on the network, O(generators * links), then what the representatives
// do: a step of a Cayley graph with a million nodes is that of one.
#pragma once

#include <memory>
#include <vector>

#include "weft/schedule/link_action.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

class Orbits {
 public:
  /// Nothing where the program's symmetry is trivial or not one of the whole simulation, or where
  /// finding that out costs more than it saves. Refers to the program.
  static std::unique_ptr<const Orbits> of(const Program& program, const Network& network);

  /// Agents of an orbit.
  std::int32_t order() const { return symmetry_->order(); }
  /// The messages of step t that representatives send, with the work that belongs to them.
  void step(std::int64_t t, program::StepProgram& out) const;
  /// The number of the orbit of a link, as a link.
  LinkId orbit(LinkId link) const;
  /// A link of each orbit, by its number.
  const std::vector<LinkId>& links() const { return links_; }
  /// Writes the result of the representatives out for all agents and links.
  void expand(const Network& network, SimulationResult& result) const;

 private:
  Orbits(const Program& program, const Network& network, schedule::LinkAction action);

  const Program* program_;
  const schedule::Symmetry* symmetry_;  // of the program
  const Topology* topology_;
  schedule::LinkAction action_;
  std::vector<LinkId> links_;
  std::vector<std::int32_t> first_;  // into links_, by orbit of the tail's agent
};

}  // namespace weft::simulation
