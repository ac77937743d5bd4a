#include "weft/simulation/measured_numbers.hpp"

#include <utility>
#include <vector>

#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/simulation/models.hpp"

namespace weft::simulation {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

// Whether all messages have bytes, by what is known without a look at them.
bool all_have_bytes(const Program& program) {
  constexpr std::int64_t kLargestElement_B = 32;  // a complex long double, which is never cut
  if (program.operations() != nullptr || program.has_whole_units()) return true;
  if (program.blocks() != nullptr || program.calls() > 1) return false;
  const std::int64_t bytes = program.collective()->total_bytes(program.size_B());
  return bytes / program.units() / program.pipeline().segments >= kLargestElement_B;
}

// Those without bytes are not sent. O(1), or of small sizes as simulating them step by step.
std::int64_t sent_messages(const Program& program) {
  if (program.operations() == nullptr && program.size_B() == 0) return 0;
  if (all_have_bytes(program)) return program.message_count();
  const bool alike = program.translates_alike();
  std::int64_t of_a_call = 0;
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps() / program.calls(); ++t) {
    if (alike)
      program.representatives(t, step);
    else
      program.step(t, step, program::Copies::left_out);
    of_a_call += std::ssize(step.transfers);
  }
  return of_a_call * program.calls() * (alike ? program.symmetry().order() : 1);
}

}  // namespace

void add_numbers(const Job& job, SimulationResult& result) {
  if (result.ended_early) return;
  const Program& program = job.program;
  result.messages = sent_messages(program);
  if (result.time_s <= 0) return;
  result.algorithm_bandwidth_Bps =
      static_cast<double>(program.size_B()) * program.calls() / result.time_s;
  if (program.collective())
    result.bus_bandwidth_Bps = result.algorithm_bandwidth_Bps * bus_factor(*program.collective());
}

double bus_factor(const Collective& collective) {
  const double n = collective.ranks;
  WEFT_ASSERT(n >= 1);
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  if (!traits.splits() && !traits.reduces_to_all()) return 1;
  const double passes = traits.reduces_to_all() ? 2 : collective.size_is_block() ? n : 1;
  return passes * (n - 1) / n;
}

Parts<SimulationResult> measured_numbers() {
  constexpr PartOf<SimulationResult> part;
  return {part(keys::kEndTime, "time", &SimulationResult::time_s),
          part(keys::kMessages, "messages", &SimulationResult::messages),
          part(keys::kAlgorithmBandwidth, "algorithm bandwidth",
               &SimulationResult::algorithm_bandwidth_Bps),
          part(keys::kBusBandwidth, "bus bandwidth", &SimulationResult::bus_bandwidth_Bps)};
}

Parts<SimulationResult> further_numbers() {
  return without_keys(measured_numbers(),
                      {"time", "messages", "algorithm_bandwidth", "bus_bandwidth"});
}

namespace {

// A value of each class of links, by its name.
template <class Get>
auto of_classes(Get get) {
  return [get](const PacketStatistics& statistics) {
    std::vector<std::pair<std::string, std::int64_t>> values;
    for (std::size_t c = 0; c < statistics.traffic.classes.size(); ++c)
      values.emplace_back(statistics.traffic.classes[c].name, get(statistics, c));
    return values;
  };
}
template <class Member>
auto of_traffic(Member member) {
  return of_classes([member](const PacketStatistics& statistics, std::size_t c) {
    return statistics.traffic.classes[c].*member;
  });
}

template <class T>
auto in_traffic(T TrafficStatistics::*member) {
  return [member](const PacketStatistics& statistics) { return statistics.traffic.*member; };
}
auto in_latency(double LatencySummary::*member) {
  return [member](const PacketStatistics& statistics) {
    return statistics.traffic.packet_latency.*member;
  };
}

}  // namespace

Parts<PacketStatistics> packet_parts() {
  constexpr PartOf<PacketStatistics> part;
  return {part(keys::kRouter,
               [](const PacketStatistics& statistics) { return name_of(statistics.router); }),
          part(keys::kPackets, in_traffic(&TrafficStatistics::packets)),
          part("acknowledgements", "", Unit::none, "acknowledgements received",
               in_traffic(&TrafficStatistics::acknowledgements)),
          part(keys::kMeanLatency, in_latency(&LatencySummary::mean_s)),
          part("p50_latency", "", Unit::seconds, "median latency of a packet",
               in_latency(&LatencySummary::p50_s)),
          part(keys::kP99Latency, in_latency(&LatencySummary::p99_s)),
          part(keys::kMaxLatency, in_latency(&LatencySummary::max_s)),
          part("mean_hops", "", Unit::none,
               "mean number of routers that a packet passes; of links without switches",
               in_traffic(&TrafficStatistics::mean_hops)),
          part(keys::kLinkCrossings, of_traffic(&ClassTraffic::messages)),
          part("packet_crossings", "", Unit::none, "packets over links of each class",
               of_traffic(&ClassTraffic::packets)),
          part("class_bytes", "", Unit::bytes, "bytes over links of each class",
               of_traffic(&ClassTraffic::bytes)),
          part("max_buffered", "", Unit::bytes, "most bytes in a buffer, by class of links",
               of_classes([](const PacketStatistics& statistics, std::size_t c) {
                 return statistics.engine.max_buffered_B[c];
               })),
          part("events", "", Unit::none, "events of the simulation",
               [](const PacketStatistics& statistics) { return statistics.engine.events; }),
          part("packet_hops", "", Unit::none, "links crossed by packets, or by flits",
               [](const PacketStatistics& statistics) { return statistics.engine.packet_hops; })};
}

}  // namespace weft::simulation
