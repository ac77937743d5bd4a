// StepLoads: what the messages of one stored step put on each link, in units of the schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/network/ways_to.hpp"
#include "weft/schedule/route_walk.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// The load of one link. Whole units, unless the routing splits flows.
struct LinkLoad {
  LinkId link;
  Rational units;
};

/// Computes loads of stored steps, one after the other; the buffers are reused.
class StepLoads {
 public:
  StepLoads(const Schedule& schedule, const Network& network);

  /// Loads of a stored step (one segment), the links in increasing order. With shared() one link
  /// stands for its whole orbit, the one whose tail holds a representative.
  const std::vector<LinkLoad>& of(std::int64_t stored_step);

  /// Whether the last step asked for sent the same way as the one before, so that its loads are the
  /// same.
  bool repeated() const { return repeated_; }

  /// The longest latency of a route met so far.
  std::int64_t longest_latency_ps() const { return longest_latency_ps_; }

  /// Whether loads are computed from representatives alone: the symmetry is an automorphism of the
  /// network, and the routing respects it.
  bool shared() const { return shared_; }

  /// The representative of the link's orbit, when shared.
  LinkId representative(LinkId link) const;

 private:
  bool can_share() const;
  bool worth_sharing() const;
  /// Whether messages of the step are split by their targets (network/ways_to.hpp).
  bool pours(std::int64_t stored_step) const;
  void pour(std::int64_t stored_step);
  struct Inflow {
    NodeId from;
    std::int64_t units;
  };
  bool pour(NodeId target, const std::vector<Inflow>& flows);
  bool repeats_last_step(std::int64_t stored_step);
  void add_flow(const Message& message, std::int32_t element, std::int64_t units);
  void add_load(LinkId link, std::int64_t units, const Rational& share);
  bool add_scaled_load(LinkId link, std::int64_t units, const Rational& share);
  bool refine_to(Rational::Wide denominator);
  void turn_to_fractions();
  void add_split_load(LinkId link, const Rational& units);
  void route_flows();
  void collect();

  const Schedule& schedule_;
  const Network& network_;
  IdVector<Agent, NodeId> nodes_;
  std::optional<LinkAction> action_;  // when shared, or when explicit routes have translates
  bool shared_ = false;
  std::int64_t longest_latency_ps_ = 0;

  // What decides the loads of a step; of the last one.
  struct Sent {
    Agent from, to;
    RouteId route;
    std::int64_t units;
    friend bool operator==(const Sent&, const Sent&) = default;
  };
  std::vector<Sent> sent_, last_sent_;
  bool any_step_ = false, repeated_ = false;

  RouteWalk walk_;
  std::vector<std::int64_t> flow_units_;
  network::Pouring<Rational> pouring_;
  network::WaysTo ways_;
  std::int64_t scale_ = 1;                  // of whole_: a common denominator of the shares so far
  std::int64_t last_denominator_ = 0;       // of a share, which divides scale_
  std::int64_t scale_per_denominator_ = 0;  // scale_ / last_denominator_
  IdVector<LinkId, std::int64_t> whole_;    // in units / scale_
  IdVector<LinkId, Rational> split_;        // in units, once whole_ has no room; empty until then
  std::vector<LinkId> touched_;
  std::vector<LinkLoad> loads_;
};

}  // namespace weft::schedule
