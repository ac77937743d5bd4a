#include "cli/answers/program_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/options/job_options.hpp"
#include "cli/screen/percent_bar.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/program/blocked_sends.hpp"
#include "weft/program/file.hpp"
#include "weft/simulation/measured_numbers.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

std::optional<Program> program_in(const std::string& file) {
  if (!is_regular_file(file)) return std::nullopt;
  const std::string bytes = read_file(file);
  if (!program::is_program_file(bytes)) return std::nullopt;
  return program::decode(bytes, file);
}

void check_program(const Given& given, const std::string& file, SizeOf size) {
  std::vector<std::string> said =
      all_of({{"--sync", "--layout", "--beside", "--segments", "--algorithm", "--root", "--from",
               "--to", "--calls", "--receives"},
              job_options(),
              {"--seeds"}});
  for (const algorithm::Option& option : algorithm::options())
    if (option.name != algorithm::kSegments.name) said.push_back(fmt::format("--{}", option.name));
  if (size == SizeOf::program) said.emplace_back("--size");
  given.refuse(
      said, fmt::format("on '{}', a program with its own messages and order; leave it out", file));
}

namespace {

// A program is no collective: it has no bandwidth of one.
Parts<simulation::SimulationResult> numbers() {
  return without_keys(simulation::measured_numbers(), {"algorithm_bandwidth", "bus_bandwidth"});
}

Facts facts_of(const Program& program, const Network& network, const std::string& routing,
               const simulation::SimulationResult& result) {
  Facts facts;
  facts.add("program", fmt::format("{} of {}", program.name(), counted(program.ranks(), "rank")));
  facts.add("topology", network.topology().name());
  facts.add("routing", routing);
  facts.add("time", format_seconds(result.time_s));
  WEFT_ASSERT(!result.agent_times_s.empty());
  const auto [first, last] = std::ranges::minmax_element(result.agent_times_s);
  facts.add("ranks finish", fmt::format("{} to {}", format_seconds(*first), format_seconds(*last)));
  add_facts(result, without_keys(numbers(), {"time"}), facts);
  facts.add("bytes sent", fmt::format("{:.0f}", program.payload_B()));
  if (result.packet) add_facts(*result.packet, facts);
  return facts;
}

// Ranks that wait for each other unless their sends are buffered.
program::BlockedSends blocked_sends(const Program& program, std::int64_t eager_B) {
  return program.operations() == nullptr ? program::BlockedSends()
                                         : program::blocked_sends(*program.operations(), eager_B);
}

std::string ranks_text(const std::vector<Agent>& agents) {
  constexpr std::size_t kMost = 16;
  std::vector<std::int32_t> ranks;
  for (const Agent agent : std::span(agents).first(std::min(agents.size(), kMost)))
    ranks.push_back(agent.value());
  return fmt::format("{}{}", fmt::join(ranks, ", "), agents.size() > kMost ? ", ..." : "");
}

/// What weft simulate answers of a program.
struct ProgramAnswer {
  const SimulationQuestion& asked;
  const Program& program;
  const Network& network;
  const std::string& packet_routing;
  const std::vector<Agent>& blocked;
  const simulation::SimulationResult& result;
  const std::vector<LinkId>& links;
};

UsedNetwork network_of(const ProgramAnswer& a) {
  return {a.network, a.asked.said, a.packet_routing, a.program.ranks()};
}

// What was run, and its numbers.
Parts<ProgramAnswer> run_parts() {
  constexpr PartOf<ProgramAnswer> part;
  return join(join(part.within(network_of, network_parts()),
                   part.within(
                       [](const ProgramAnswer& a) {
                         return UsedReadings{a.asked.said, true};
                       },
                       without_keys(readings_parts_of_calls(), {"calls", "receives"}))),
              join({part("program", "", Unit::none, "name of the program",
                         [](const ProgramAnswer& a) { return a.program.name(); })},
                   part.within([](const ProgramAnswer& a)
                                   -> const simulation::SimulationResult& { return a.result; },
                               numbers())));
}

Parts<ProgramAnswer> program_answer_parts() {
  constexpr PartOf<ProgramAnswer> part;
  return join(
      join(run_parts(), {part("deadlock_without_buffers", "", Unit::none,
                              "ranks that wait for each other unless sends are buffered",
                              [](const ProgramAnswer& a) { return a.blocked; }),
                         part(keys::kMessageBytes,
                              [](const ProgramAnswer& a) { return a.program.payload_B(); })}),
      join(part.within([](const ProgramAnswer& a)
                           -> const std::optional<PacketStatistics>& { return a.result.packet; },
                       simulation::packet_parts()),
           {part(keys::kRankTimes, [](const ProgramAnswer& a) { return a.result.agent_times_s; })
                .when([](const ProgramAnswer& a) { return a.asked.ranks; }),
            part.list(
                    keys::kLinkLoads,
                    [](const ProgramAnswer& a) {
                      return loaded_links(a.network, a.result, a.links);
                    },
                    buffered_link_parts())
                .when([](const ProgramAnswer& a) { return !a.asked.links.empty(); })}));
}

/// What it answers of one whose ranks wait for each other.
struct Deadlock {
  const std::vector<Agent>& ranks;
};
Parts<Deadlock> deadlock_parts() {
  constexpr PartOf<Deadlock> part;
  return {part("time", "", Unit::none, "null: it never ends",
               [](const Deadlock&) { return std::optional<double>(); }),
          part("deadlock", "", Unit::none, "ranks that wait for each other",
               [](const Deadlock& deadlock) { return deadlock.ranks; })};
}

int report_deadlock(const SimulationQuestion& asked, const program::BlockedSends& blocked,
                    std::int64_t eager_B, Streams& streams) {
  streams.err << fmt::format(
      "weft: deadlock: ranks {} wait for each other, each in a send to the next, because sends of "
      "{} "
      "or more wait for their receiver; --eager {} lets the smallest of these sends proceed\n",
      ranks_text(blocked.agents), format_size(eager_B), format_size(blocked.least_B + 1));
  if (asked.common.json)
    print_json("simulate", Deadlock{blocked.agents}, deadlock_parts(), asked.common, streams);
  return kNo;
}

}  // namespace

std::vector<answer::Shape> program_shapes() {
  return {{"a program", texts_of(program_answer_parts())},
          {"a program that would never end", texts_of(deadlock_parts())}};
}

int simulate_program(
    const SimulationQuestion& asked, const Program& program,
    const simulation::SimulationOptions& simulation, Streams& streams,
    const std::function<std::vector<LinkId>(const simulation::SimulationResult& result)>& choose) {
  require(asked.said.of("topology"), "a program needs a network; give --topology");
  const Network network = make_network(asked.said, asked.common.seed);
  simulation::SimulationOptions options = simulation;
  fit_routing(options.packet, asked.said, network);
  options.call.eager_B = 0;  // of schedules that are read by steps
  const program::BlockedSends blocked = blocked_sends(program, simulation.call.eager_B);
  if (!blocked.agents.empty() && asked.said.of("eager"))
    return report_deadlock(asked, blocked, simulation.call.eager_B, streams);
  if (!blocked.agents.empty())
    streams.notes->add(
        NoteWeight::assumption,
        fmt::format("sends of {} are assumed to be buffered, because without buffers ranks {} wait "
                    "for each other; --eager SIZE sets the largest buffered send",
                    format_size(blocked.least_B), ranks_text(blocked.agents)));
  PercentBar bar("simulate");
  options.progress = [&](double share) { bar.set(share); };
  const simulation::SimulationResult result = simulation::simulate(program, network, options);
  const auto links = asked.links.empty() ? std::vector<LinkId>() : choose(result);
  const std::string routing =
      options.packet.routing.empty() ? routing_text(network) : options.packet.routing;
  if (!asked.common.json) {
    streams.out << facts_of(program, network, routing, result).text();
    const Screen screen = screen_of(streams);
    if (!asked.links.empty())
      streams.out << '\n' << link_table(network, result, links).text(screen);
    if (asked.ranks)
      streams.out << '\n' << rank_table(network, result, program.ranks()).text(screen);
    return kFine;
  }
  print_json(
      "simulate",
      ProgramAnswer{asked, program, network, options.packet.routing, blocked.agents, result, links},
      program_answer_parts(), asked.common, streams);
  return kFine;
}

}  // namespace weft::cli
