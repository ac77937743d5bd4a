// crossings: which links the messages of a schedule cross, and how long it takes when a link is the
// unit of time.
//
//   const Crossings crossings = schedule::crossings(verified, network);
//   crossings.of("global").messages;  // messages over global links
//
// A coarse study of a communication pattern, without sizes, bandwidths or contention, after Dorier,
// Mubarak, Ross, Li, Carothers, Ma, "Evaluation of Topology-Aware Broadcast Algorithms for
// Dragonfly Networks", CLUSTER 2016, section IV-B.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {

/// What crosses the links of one class.
struct ClassCrossings {
  std::string link_class;
  std::int64_t messages = 0;  // a message counts once for each link of the class on its route
  Rational data;              // the same, each weighed by what it carries, in units of M
};

struct Crossings {
  std::vector<ClassCrossings> classes;  // in the order of Topology::class_names()
  /// When the last message arrives, if each takes as many units of time as it crosses links,
  /// terminal ones included, and a sender waits for it: a rank sends its messages of a step one
  /// after the other, and begins its next step when they and what it receives in the step have
  /// arrived. Messages within a node take no time.
  std::int64_t makespan = 0;

  /// Nothing crossed where the network has no such class.
  const ClassCrossings& of(std::string_view link_class) const;
  /// Links crossed, all classes and messages together.
  std::int64_t total() const;
};

/// Counts all segments and orbits. O(sum of route lengths). Throws InvalidInput when the network
/// has fewer ranks than the schedule, and when its routing splits messages over paths with other
/// counts of links of a class.
Crossings crossings(const Verified& verified, const Network& network);

}  // namespace weft::schedule
