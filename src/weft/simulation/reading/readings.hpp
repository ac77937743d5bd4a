// The readings of the steps of a program; see Sync.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/simulation/driver.hpp"
#include "weft/simulation/reading/least_rest.hpp"
#include "weft/simulation/reading/step_ends.hpp"
#include "weft/simulation/transport.hpp"

namespace weft::simulation {

/// Whether steps that are begun alike and do the same take the same time: not where chance or other
/// traffic decides.
enum class Repeats : std::uint8_t { differ, alike };

/// What a reading works with; the agents' times are written as they are known.
struct ReadingContext {
  const Program& program;
  const Network& network;
  StepWindow& window;
  Transport& transport;
  std::vector<double>& agent_times_s;
  Repeats repeats = Repeats::differ;
  Startups startups = startups_of(network.host());
  Driver* driver = nullptr;   // decides when messages are sent; null: what they wait for
  CallOptions call = {};      // its receives and eager messages: of readings by steps
  StepEnds* ends = nullptr;   // of readings by steps; null: nobody asks
  LeastRest* rest = nullptr;  // told who enters which step, likewise
};

/// Lockstep and per-rank: steps are loaded as agents reach them, all at first beside a `rest`.
std::unique_ptr<Reading> read_by_steps(const ReadingContext& context, Sync sync);
/// Dataflow: all steps are loaded at first.
std::unique_ptr<Reading> read_as_dataflow(const ReadingContext& context);

/// How the program is read where steps are to be read as `sync`: what is written out says itself
/// what waits for what, which is dataflow.
inline Sync reading_of(const Program& program, Sync sync) {
  return program.operations() == nullptr ? sync : Sync::dataflow;
}
inline std::unique_ptr<Reading> read(const ReadingContext& context, Sync sync) {
  const Sync reading = reading_of(context.program, sync);
  return reading == Sync::dataflow ? read_as_dataflow(context) : read_by_steps(context, reading);
}

}  // namespace weft::simulation
