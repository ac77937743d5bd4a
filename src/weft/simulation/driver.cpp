#include "weft/simulation/driver.hpp"

#include "weft/base/error.hpp"
#include "weft/program/operations.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/single_messages.hpp"

namespace weft::simulation {

namespace {

// All in one step, in their order, none of which waits for another.
Program program_of(std::span<const DrivenMessage> messages, std::int32_t ranks) {
  program::ProgramBuilder builder(ranks, {.name = "messages"});
  std::int64_t number = 0;
  for (const DrivenMessage& message : messages) {
    const program::Provenance origin{.message = number++};
    builder.add(Agent(message.from), {.kind = OperationKind::send,
                                      .peer = Agent(message.to),
                                      .bytes = message.bytes,
                                      .origin = origin});
    builder.add(Agent(message.to), {.kind = OperationKind::receive,
                                    .peer = Agent(message.from),
                                    .bytes = message.bytes,
                                    .origin = origin});
  }
  return std::move(builder).build();
}

SimulationResult run_driven(const Job& job, Driver& driver, const SimulationOptions& options) {
  if (options.model == Model::alpha_beta) return simulate_single_messages(job, options, driver);
  const std::span jobs(&job, 1);
  if (by_packets(options.model)) return std::move(simulate_packets(jobs, options, &driver).front());
  return std::move(simulate_fluid_together(jobs, options, &driver).front());
}

}  // namespace

SimulationResult simulate_driven(std::span<const DrivenMessage> messages, const Network& network,
                                 Driver& driver, const SimulationOptions& options) {
  require(!messages.empty(), "the schedule has no message to send");
  check_options(options);
  const Program program = program_of(messages, network.ranks());
  const Job job{program, network};
  SimulationResult result = run_driven(job, driver, options);
  add_numbers(job, result);
  result.run_s = result.time_s;
  return result;
}

}  // namespace weft::simulation
