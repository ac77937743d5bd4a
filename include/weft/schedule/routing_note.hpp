// What to say of a routing that loads some link much more than it need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/network/network.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {

/// The step that suffers most.
struct RoutingNote {
  std::int64_t step = 0;  // a stored one
  double factor = 1;      // its busiest link's load to that of an equal split over shortest paths
  std::string routing;    // the network's
  std::string helps;      // the one to use instead
};

/// From this factor on there is something to say: one path for each message is never as even as a
/// split.
inline constexpr double kWorthNoting = 1.5;

/// The step of which the busiest link on which messages meet carries most above what an equal split
/// over all shortest paths would put on the busiest, both in time (load / bandwidth); nothing where
/// that is less than kWorthNoting times. `helps` is what `auto` stands for if that mends it, else
/// shortest-split. Nothing is said of schedules with explicit routes, and of routings that split
/// over shortest paths already or see whole steps.
///
/// Cost: a search of the network for each destination of a step, and a route for each message; up
/// to half a second. Where all steps come to more than 2^27 links and nodes searched, a message
/// counting as 32, every k-th is looked at; a step that alone comes to more is not (on a torus of
/// three dimensions from 4,400 nodes on, in an all-to-all at once among more than 2,000 ranks of
/// which none stands for the others by symmetry).
std::optional<RoutingNote> routing_note(const Schedule& schedule, const Network& network);

/// One sentence, without "note:".
std::string text_of(const RoutingNote& note);

}  // namespace weft::schedule
