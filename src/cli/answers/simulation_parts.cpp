// The table of parts of what weft simulate answers.
#include <fmt/format.h>

#include <span>

#include "cli/answers/bounds.hpp"
#include "cli/answers/collective_ends.hpp"
#include "cli/answers/network_parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/answers/simulation_answer.hpp"
#include "cli/options/paths.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/design/bounds/bound_parts.hpp"
#include "weft/schedule/routing_work.hpp"
#include "weft/simulation/measured_numbers.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using evaluate::LowerBounds;
using evaluate::UnequalBound;
using simulation::SimulationResult;

namespace {

const Schedule& schedule_of(const SimulationAnswer& a) {
  return a.setup.verified.schedule();
}

// A value of the schedule.
template <class Get>
auto of_schedule(Get get) {
  return [get](const SimulationAnswer& a) { return std::invoke(get, schedule_of(a)); };
}
const SimulationResult& result_of(const SimulationAnswer& a) {
  return a.result;
}
const std::optional<PacketStatistics>& packets_of(const SimulationAnswer& a) {
  return a.result.packet;
}

UsedNetwork network_of(const SimulationAnswer& a) {
  return {a.setup.network, a.options.said, a.result.packet ? a.packet.routing : ""};
}

std::optional<UsedCounts> counts_of(const SimulationAnswer& a) {
  if (!a.setup.counts) return std::nullopt;
  return UsedCounts{*a.setup.counts, schedule_of(a).collective()};
}

std::optional<UsedBackground> background_of(const SimulationAnswer& a) {
  if (!a.result.packet || !a.result.packet->background) return std::nullopt;
  return UsedBackground{a.options.said, *a.result.packet->background};
}

std::optional<LowerBounds> cut_of(const SimulationAnswer& a) {
  if (a.setup.counts) return std::nullopt;
  LowerBounds bounds;
  bounds.cut = a.cut();
  return bounds;
}

std::int32_t calls_of(const SimulationAnswer& a) {
  return fields::calls_in(a.options.said.values);
}

std::vector<double> rank_times(const SimulationAnswer& a) {
  const auto times_s = std::span(a.result.agent_times_s)
                           .first(static_cast<std::size_t>(schedule_of(a).collective().ranks));
  return {times_s.begin(), times_s.end()};
}

Parts<UnequalBound> unequal_bound_parts() {
  constexpr PartOf<UnequalBound> part;
  return {part(keys::kLeastTime, &UnequalBound::time_s),
          part(keys::kBoundReason, &UnequalBound::text)};
}

/// The second job, whose algorithm --beside names.
struct SecondJob {
  const SimulationAnswer& of;
};
Parts<SecondJob> second_job_parts() {
  constexpr PartOf<SecondJob> part;
  return {part("algorithm", "", Unit::none, "its algorithm",
               [](const SecondJob& job) { return lower_name(job.of.options.beside); }),
          part("time", "", Unit::seconds, "its time, next to the first job",
               [](const SecondJob& job) { return job.of.neighbour->result.time_s; }),
          part("time_alone", "", Unit::seconds, "its time alone",
               [](const SecondJob& job) { return job.of.neighbour->time_alone_s; })};
}

bool has_packets(const SimulationAnswer& a) {
  return a.result.packet.has_value();
}
bool has_second_job(const SimulationAnswer& a) {
  return a.neighbour.has_value();
}

// What was simulated. The functions below have the parts of packets, of times, and those that the
// user asked for.
Parts<SimulationAnswer> setting_parts() {
  constexpr PartOf<SimulationAnswer> part;
  return join(
      join(part.within(network_of, network_parts_of_jobs()),
           {part(keys::kCollective,
                 [](const SimulationAnswer& a) {
                   return collective_name(schedule_of(a).collective(), a.setup.counts);
                 }),
            part.object(keys::kCounts, counts_of, counts_parts()).left_out(),
            part(keys::kAlgorithm, of_schedule(&Schedule::algorithm))}),
      join(join(part.within(of_schedule(&Schedule::collective), ends_parts()),
                {part(keys::kSize, &SimulationAnswer::size_B)}),
           part.within([](const SimulationAnswer& a) { return UsedReadings{a.options.said}; },
                       readings_parts_of_calls())));
}

Parts<SimulationAnswer> traffic_parts() {
  constexpr PartOf<SimulationAnswer> part;
  return join(
      join({part("routing_draws", "", Unit::none, "which random choices packets make, or null",
                 [](const SimulationAnswer& a) {
                   const std::string text = drawn(a);
                   return text.empty() ? std::nullopt : std::optional(text);
                 })
                .when(has_packets)},
           part.within(packets_of, simulation::packet_parts())),
      {part.object("background", "background traffic", background_of, background_parts())
           .left_out()});
}

Parts<SimulationAnswer> result_parts() {
  constexpr PartOf<SimulationAnswer> part;
  const Parts<SimulationAnswer> numbers = part.within(result_of, simulation::measured_numbers());
  Parts<SimulationAnswer> shape{
      part(keys::kSegments,
           of_schedule([](const Schedule& schedule) { return schedule.segments().count; })),
      part(keys::kSteps, of_schedule(&Schedule::steps)),
      part(keys::kLayout, [](const SimulationAnswer& a) {
        return name_of(a.layout);
      }).when([](const SimulationAnswer& a) { return !a.setup.network.host().copies_are_free(); })};
  Parts<SimulationAnswer> calls{
      part("time_per_call", "", Unit::seconds, "mean time of a call",
           [](const SimulationAnswer& a) { return a.result.time_s / calls_of(a); })
          .when([](const SimulationAnswer& a) { return calls_of(a) > 1; }),
      seeds_part<SimulationAnswer>()};
  Parts<SimulationAnswer> ways{
      part.object(
          keys::kRoutingNote, [](const SimulationAnswer& a) { return a.advice; },
          routing_advice_parts()),
      part(keys::kForwardingHosts, [](const SimulationAnswer& a) { return a.forwarding_hosts; }),
      part(keys::kRoutingJudged, [](const SimulationAnswer& a) {
        return a.finds_own_ways() || schedule::judges_routing(schedule_of(a), a.setup.network);
      })};
  Parts<SimulationAnswer> bound{part.object("least", "lower bound of unequal blocks",
                                            &SimulationAnswer::unequal_bound, unequal_bound_parts())
                                    .left_out()};
  return join(join(join(shape, with_keys(numbers, {"time"})),
                   join(calls, with_keys(numbers, {"messages"}))),
              join(join(ways, without_keys(numbers, {"time", "messages"})), bound));
}

Parts<SimulationAnswer> asked_parts() {
  constexpr PartOf<SimulationAnswer> part;
  return {
      part.list(
              keys::kPaths,
              [](const SimulationAnswer& a) {
                return paths_of(schedule_of(a), a.setup.network.topology());
              },
              path_parts())
          .when([](const SimulationAnswer& a) { return has_paths(schedule_of(a)); }),
      part("time_alone", "", Unit::seconds, "time without the second job",
           [](const SimulationAnswer& a) { return a.neighbour->first_time_alone_s; })
          .when(has_second_job),
      part.object(
              "beside", "the second job", [](const SimulationAnswer& a) { return SecondJob{a}; },
              second_job_parts())
          .when(has_second_job),
      part.object(
              "series", "link use and queues over time",
              [](const SimulationAnswer& a) -> const PacketStatistics& { return *a.result.packet; },
              series_parts())
          .when([](const SimulationAnswer& a) { return !a.options.series.interval.empty(); }),
      part(keys::kRankTimes, rank_times).when([](const SimulationAnswer& a) {
        return a.options.ranks;
      }),
      part.list(
              keys::kLinkLoads,
              [](const SimulationAnswer& a) {
                return loaded_links(a.setup.network, a.result, a.links);
              },
              buffered_link_parts())
          .when([](const SimulationAnswer& a) { return !a.options.links.empty(); })};
}

}  // namespace

Parts<LoadedLink> loaded_link_parts() {
  constexpr PartOf<LoadedLink> part;
  return {part("link", "link", Unit::none, "index of the link", &LoadedLink::link),
          part("from", "from", Unit::none, "node at its beginning",
               [](const LoadedLink& l) { return l.network.topology().tail(l.link); }),
          part("to", "to", Unit::none, "node at its end",
               [](const LoadedLink& l) { return l.network.topology().head(l.link); }),
          part("class", "class", Unit::none, "class of the link",
               [](const LoadedLink& l) { return l.class_name(); }),
          part("bytes", "bytes", Unit::bytes, "bytes over the link",
               [](const LoadedLink& l) { return l.result.link_bytes[l.link.index()]; })
              .decimals(0),
          part("busy", "busy", Unit::seconds, "time that its bytes take",
               [](const LoadedLink& l) { return l.result.busy_s(l.link, l.network); }),
          part("utilisation", "utilisation", Unit::none, "that time, relative to the whole time",
               [](const LoadedLink& l) { return l.result.utilisation(l.link, l.network); })
              .shown_as([](const LoadedLink& l) {
                return fmt::format("{:.1f}%", 100 * l.result.utilisation(l.link, l.network));
              })};
}

Parts<LoadedLink> buffered_link_parts() {
  constexpr PartOf<LoadedLink> part;
  return join(
      loaded_link_parts(),
      {part("max_buffered", "", Unit::bytes, "most bytes in its buffers", [](const LoadedLink& l) {
         return l.result.link_peaks_B[l.link.index()];
       }).when([](const LoadedLink& l) { return !l.result.link_peaks_B.empty(); })});
}

Parts<SimulationAnswer> simulation_parts() {
  constexpr PartOf<SimulationAnswer> part;
  return join(join(join(setting_parts(), traffic_parts()), result_parts()),
              join(part.within(cut_of, Parts<LowerBounds>{design::cut_part()}), asked_parts()));
}

}  // namespace weft::cli
