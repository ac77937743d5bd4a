// How answers name the routing of a network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "weft/advise/routing_advice.hpp"
#include "weft/answer/part.hpp"
#include "weft/network/network.hpp"

namespace weft::cli {

/// The routing's name, and why it is not the one that the network is known for, where `auto` had to
/// choose another; and for how many pairs of ranks it leads through hosts, where it does.
std::string routing_text(const Network& network);
/// That reason alone; nothing where there is none.
std::optional<std::string> routing_reason(const Network& network);
/// Of the ordered pairs of ranks those that only ways through other hosts join.
std::int64_t relayed_pairs(const Network& network);

/// Of `routing_note`.
answer::Parts<schedule::RoutingNote> routing_note_parts();
answer::Parts<advise::RoutingAdvice> routing_advice_parts();

}  // namespace weft::cli
