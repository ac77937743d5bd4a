// Symmetry: a group that acts freely on the agents, so that a schedule stores one representative
// per orbit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/id.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::schedule {

/// Who sends and receives: the ranks, then any helpers that only forward.
class Agent : public Id<struct AgentTag> {
 public:
  using Id::Id;
  constexpr Agent() = default;
  constexpr Agent(Rank rank) : Id(rank.value()) {}  // NOLINT: every rank is an agent
};

/// The translations of Z_m1 x Z_m2 x ... on agents numbered orbit * order + element, the element in
/// mixed radix with the first modulus fastest. {N} shifts all ranks of a ring; {2, 2, ..., 2} is
/// exclusive-or; {m1, m2} translates a torus. The trivial group (no moduli) makes every agent its
/// own orbit.
class Symmetry {
 public:
  /// The trivial group.
  Symmetry() = default;
  /// Throws InvalidInput unless every modulus is 2 or more and the product fits in 31 bits.
  static Symmetry translations(std::vector<int> moduli);

  bool is_trivial() const { return order_ == 1; }
  std::int32_t order() const { return order_; }
  const std::vector<int>& moduli() const { return moduli_; }

  std::int32_t orbit(Agent agent) const { return agent.value() / order_; }
  /// The group element that takes the representative of the agent's orbit to the agent, in [0,
  /// order).
  std::int32_t element(Agent agent) const { return agent.value() % order_; }
  Agent representative(std::int32_t orbit) const { return Agent(orbit * order_); }
  bool is_representative(Agent agent) const { return element(agent) == 0; }

  Agent apply(std::int32_t element, Agent agent) const {
    return Agent(agent.value() - agent.value() % order_ + add(element, agent.value() % order_));
  }
  std::int32_t add(std::int32_t a, std::int32_t b) const;
  std::int32_t inverse(std::int32_t element) const;

  friend bool operator==(const Symmetry&, const Symmetry&) = default;

 private:
  std::vector<int> moduli_;
  std::int32_t order_ = 1;
};

}  // namespace weft::schedule

namespace weft {
using schedule::Agent;
using schedule::Symmetry;
}  // namespace weft
