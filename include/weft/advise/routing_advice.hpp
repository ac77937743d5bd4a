// Routing advice: a routing note judged by time.
//
// A busier link need not be what a schedule waits for, and another routing may be longer: one is
// named only where the same program is simulated to be faster with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "weft/network/network.hpp"
#include "weft/program/copies.hpp"
#include "weft/schedule/routing_note.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::advise {

struct RoutingAdvice {
  schedule::RoutingNote note;  // `helps` is faster
  double speedup = 1;          // time now / time with it; of T_B where no size is known
  std::int64_t size_B = 0;     // at which; 0: T_B alone
};

/// What has been simulated already, and where.
struct Timed {
  const Verified& verified;
  std::shared_ptr<const program::CopyPlan> copies = {};
  std::int64_t size_B = 0;
  std::optional<double> time_s = {};  // by `simulation`; nothing: not simulated so far
  Shares shares = Shares::elements;
};

/// The note with the routing that makes this faster by more than a tie: its own, else
/// shortest-split; nothing where neither does. Packets are judged by the fluid model. Cost: a
/// simulation or two, one more where the time is not known.
std::optional<RoutingAdvice> advise(const schedule::RoutingNote& note, const Timed& timed,
                                    const Network& network,
                                    simulation::SimulationOptions simulation);

/// The same by T_B, where no size is known. Cost: a price or two.
std::optional<RoutingAdvice> advise(const schedule::RoutingNote& note, const Verified& verified,
                                    const Network& network);

/// One sentence, without "note:".
std::string text_of(const RoutingAdvice& advice);

}  // namespace weft::advise
