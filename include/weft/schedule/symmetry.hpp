// Symmetry: a group that acts freely on the agents, so that a schedule stores one representative
// per orbit.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/base/id.hpp"
#include "weft/schedule/collective.hpp"
#include "weft/topology/group/group.hpp"

namespace weft::schedule {

/// Who sends and receives: the ranks, then any helpers, which only pass on or combine what comes.
class Agent : public Id<struct AgentTag> {
 public:
  using Id::Id;
  constexpr Agent() = default;
  constexpr Agent(Rank rank) : Id(rank.value()) {}  // NOLINT: every rank is an agent
};

/// A group that acts freely on agents numbered orbit * order + element: g takes element x of every
/// orbit to g * x. On a Cayley graph, whose links are x -> x * s, that is an automorphism. Z_N
/// shifts all ranks of a ring; Z2^k is exclusive-or; Z_m1 x Z_m2 translates a torus. The trivial
/// group makes every agent its own orbit.
class Symmetry {
 public:
  /// The trivial group.
  Symmetry() = default;
  explicit Symmetry(Group group) : group_(std::move(group)) {}
  /// Z_m1 x Z_m2 x ..., the element in mixed radix with the first modulus fastest. Throws
  /// InvalidInput unless every modulus is 2 or more and the product fits in 31 bits.
  static Symmetry translations(const std::vector<int>& moduli) {
    return Symmetry(Group::abelian(moduli));
  }

  const Group& group() const { return group_; }
  bool is_trivial() const { return order() == 1; }
  std::int32_t order() const { return group_.order(); }

  std::int32_t orbit(Agent agent) const { return agent.value() / order(); }
  /// The group element that takes the representative of the agent's orbit to the agent, in [0,
  /// order).
  std::int32_t element(Agent agent) const { return agent.value() % order(); }
  Agent representative(std::int32_t orbit) const { return Agent(orbit * order()); }
  bool is_representative(Agent agent) const { return element(agent) == 0; }

  /// Where g takes the agent.
  Agent apply(std::int32_t g, Agent agent) const {
    const std::int32_t x = element(agent);
    return Agent(agent.value() - x + group_.multiply(g, x));
  }
  /// First b, then a.
  std::int32_t multiply(std::int32_t a, std::int32_t b) const { return group_.multiply(a, b); }
  std::int32_t inverse(std::int32_t element) const { return group_.inverse(element); }

  friend bool operator==(const Symmetry&, const Symmetry&) = default;

 private:
  Group group_;
};

}  // namespace weft::schedule

namespace weft {
using schedule::Agent;
using schedule::Symmetry;
}  // namespace weft
