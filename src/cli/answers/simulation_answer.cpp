// What weft simulate answers: facts and tables for people, JSON for programs.
#include "cli/answers/simulation_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "cli/answers/bounds.hpp"
#include "cli/answers/collective_ends.hpp"
#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/machine/speeds.hpp"
#include "cli/options/paths.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/schedule/routing_work.hpp"
#include "weft/simulation/measured_numbers.hpp"

namespace weft::cli {

namespace {

// The packets' where they have their own.
std::string routing_of(const SimulationAnswer& a) {
  const Network& network = a.setup.network;
  return a.finds_own_ways() ? a.packet.routing : routing_text(network);
}

// What ran, and where.
void add_setting(const SimulationAnswer& a, Facts& facts) {
  const Schedule& schedule = a.setup.verified.schedule();
  facts.add(
      "schedule",
      fmt::format("{} of {}{}, by {}, {}", collective_name(schedule.collective(), a.setup.counts),
                  counted(schedule.collective().ranks, "rank"), ends_text(schedule.collective()),
                  schedule.algorithm(), counted(schedule.steps(), "step")));
  facts.add("topology", a.setup.network.topology().name());
  facts.add("routing", routing_of(a));
  facts.add("speeds", speeds_text(a.setup.network, a.options.said));
  const bool is_mean = a.setup.counts && schedule.collective().size_is_block();
  facts.add("size", format_size(a.size_B) + (is_mean ? " mean block" : ""));
  if (a.setup.counts) facts.add("counts", text_of(*a.setup.counts));
  if (schedule.segments().count > 1)
    facts.add("segments", fmt::format("{}", schedule.segments().count));
  if (!a.setup.network.host().copies_are_free())
    facts.add("block layout", std::string(name_of(a.layout)));
}

// What it took, beside the least that it can take.
void add_times(const SimulationAnswer& a, Facts& facts) {
  const Schedule& schedule = a.setup.verified.schedule();
  const Collective& collective = schedule.collective();
  facts.add("time",
            format_seconds(a.result.time_s) +
                (a.neighbour ? "; alone " + format_seconds(a.neighbour->first_time_alone_s) : ""));
  if (const std::int32_t calls = fields::calls_in(a.options.said.values); calls > 1)
    facts.add("time per call",
              fmt::format("{}, mean of {} calls", format_seconds(a.result.time_s / calls), calls));
  if (a.spread) add_facts(*a.spread, a.result.packet.has_value(), facts);
  if (const auto& times_s = a.result.agent_times_s; !times_s.empty()) {
    const auto of_ranks = std::span(times_s).first(static_cast<std::size_t>(collective.ranks));
    const auto [first, last] = std::ranges::minmax_element(of_ranks);
    facts.add("ranks finish",
              fmt::format("{} to {}", format_seconds(*first), format_seconds(*last)));
  }
  add_facts(a.result, without_keys(simulation::measured_numbers(), {"time"}), facts);
  if (const auto unequal = a.unequal_bound()) {
    if (unequal->time_s > 0)
      facts.add("lower bound", fmt::format("{} by bandwidth ({})", format_seconds(unequal->time_s),
                                           unequal->text));
    return;
  }
  evaluate::LowerBounds least;
  least.best_bandwidth = a.best_bandwidth();
  least.cut = a.cut();
  if (!least.cut) return;
  const double least_s = evaluate::least_time_s(least, collective, a.setup.network, a.size_B);
  facts.add("lower bound",
            fmt::format("{} by bandwidth ({})", format_seconds(least_s), least.cut->text));
}

// Packets, and what else was on the network.
void add_traffic(const SimulationAnswer& a, Facts& facts) {
  if (a.result.packet) add_facts(*a.result.packet, facts);
  if (a.result.packet && a.result.packet->background)
    facts.add(
        "background",
        fmt::format("{} messages, mean packet latency {}", a.result.packet->background->messages,
                    format_seconds(a.result.packet->background->packet_latency.mean_s)));
  if (a.neighbour)
    facts.add("second job",
              fmt::format("{} by {}; alone {}", format_seconds(a.neighbour->result.time_s),
                          lower_name(a.options.beside), format_seconds(a.neighbour->time_alone_s)));
}

}  // namespace

double SimulationAnswer::best_bandwidth() const {
  const auto factors = fields::read_factors("factors", options.said.text("factors"));
  return simulation::best_factor(factors.get()).bandwidth;
}

std::string drawn(const SimulationAnswer& a) {
  return a.result.packet ? draw_note(a.packet, a.setup.network.topology()) : "";
}

std::string LoadedLink::class_name() const {
  const Topology& topology = network.topology();
  return topology.class_names()[topology.link_class(link)];
}

std::vector<LoadedLink> loaded_links(const Network& network,
                                     const simulation::SimulationResult& result,
                                     const std::vector<LinkId>& links) {
  std::vector<LoadedLink> loaded;
  for (const LinkId link : links) loaded.push_back({network, result, link});
  return loaded;
}

Table link_table(const Network& network, const simulation::SimulationResult& result,
                 const std::vector<LinkId>& links) {
  constexpr auto kColumns = std::to_array<answer::Column>(
      {{"link"}, {"from"}, {"to"}, {"class"}, {"bytes"}, {"busy"}, {"utilisation"}});
  return table_of(answer::cells_of<LoadedLink>(
      loaded_links(network, result, links), loaded_link_parts(), kColumns, answer::Reader::person));
}

Table rank_table(const Network& network, const simulation::SimulationResult& result,
                 std::int32_t ranks) {
  Table table({"rank", "node", "time"});
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranks); ++r)
    table.add({fmt::format("{}", r), fmt::format("{}", network.placement().nodes[r].value()),
               format_seconds(result.agent_times_s[r])});
  return table;
}

void add_routing_notes(const SimulationAnswer& a, Notes& notes) {
  if (a.advice) notes.add(NoteWeight::assumption, text_of(*a.advice));
  if (const std::string note = drawn(a); !note.empty())
    notes.add(NoteWeight::detail, fmt::format("routing {}: {}", a.packet.routing, note));
}

void print_text(const SimulationAnswer& a, Streams& streams) {
  Facts facts;
  add_setting(a, facts);
  add_times(a, facts);
  add_traffic(a, facts);
  streams.out << facts.text();
  const Schedule& schedule = a.setup.verified.schedule();
  const Screen screen = screen_of(streams);
  if (has_paths(schedule))
    streams.out << text_of_paths(schedule, a.setup.network.topology(), screen);
  if (!a.options.links.empty())
    streams.out << '\n' << link_table(a.setup.network, a.result, a.links).text(screen);
  if (!a.options.series.interval.empty()) streams.out << '\n' << series_table(*a.result.packet);
  if (a.options.ranks)
    streams.out << '\n'
                << rank_table(a.setup.network, a.result, schedule.collective().ranks).text(screen);
}

}  // namespace weft::cli
