// Parts that many answers share: the network with its speeds and machine, and the readings of
// steps.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// A network as an answer used it.
struct UsedNetwork {
  const Network& network;
  const GivenFields& said;
  std::string packet_routing = {};  // of packets that choose their own links; empty elsewhere
  std::int32_t program_ranks = 0;   // of a program, which may leave hosts idle; 0 elsewhere
};
/// topology, ranks, routing, placement, link, start-ups, speeds, machine, ...
answer::Parts<UsedNetwork> network_parts();
/// The same, and per_host, of commands with the options of job_members().
answer::Parts<UsedNetwork> network_parts_of_jobs();

/// How steps were read, each under the name of its field: model, sync, release, ...
struct UsedReadings {
  const GivenFields& said;
  bool is_program = false;  // which waits for what it says: its sync is null
};
answer::Parts<UsedReadings> readings_parts();
/// The same, and the fields of calls that were given, of commands that have them as options.
answer::Parts<UsedReadings> readings_parts_of_calls();

}  // namespace weft::cli
