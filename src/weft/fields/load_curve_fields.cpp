// What weft load-curve asks of routers and traffic, as fields.
#include <array>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/fields/run_fields.hpp"

namespace weft::fields {

namespace {

using simulation::LoadCurveOptions;
using simulation::PipelinedRouter;

// Of any size: the simulator says what it can run.
template <class T>
std::int64_t read_whole(std::string_view name, std::string_view text) {
  const auto number = number_in<T>(text);
  require(number.has_value(), "invalid {1} '{0}' (expected a number)", text, name);
  return *number;
}
template <class T = int>
constexpr auto whole(std::string_view name, std::string_view fallback, std::string_view help) {
  return field<read_whole<T>, as_is<std::int64_t>>(name, fallback).numbered().helped(help);
}

constexpr auto kTraffic =
    text<any_text>("traffic", "uniform")
        .helped("Traffic pattern of the hosts, such as uniform or tornado; see weft list traffic");
constexpr auto kChannels = whole("vcs", "8", "Virtual channels per link");
constexpr auto kBufferFlits = whole("buffer", "8", "Buffer of a virtual channel, in flits");
constexpr auto kRoutingCycles = whole(
    "routing-cycles", "0",
    "Cycles of a head flit before it requests a channel; 0 means routing one router ahead [0]");
constexpr auto kLinkCycles = text<any_text>("link-cycles", "1")
                                 .helped(
                                     "Cycles of a flit between two routers: N, or CLASS=N for a "
                                     "class of links; repeatable [1]")
                                 .repeatable();
constexpr auto kTerminalCycles =
    whole("terminal-cycles", "1", "Cycles of a flit between a host and its router");
constexpr auto kCreditCycles =
    whole("credit-cycles", "2", "Cycles from the arrival of a credit until it counts");
constexpr auto kIterations =
    whole("iterations", "1", "Number of rounds of both allocators (iSLIP)");
constexpr auto kEjection = choice<simulation::parse_ejection>("ejection", "any")
                               .helped(
                                   "Channels that a packet may use to its host: any, or phase "
                                   "(Dragonfly only, as in BookSim)");
constexpr auto kPacketFlits = whole("packet-flits", "1", "Number of flits in a packet");
constexpr auto kWarmup = whole<std::int64_t>(
    "warmup", "", "Cycles before the measurement [by the network: 10000, fewer in large networks]");
constexpr auto kMeasure = whole<std::int64_t>(
    "measure", "", "Cycles of the measurement [by the network: 20000, fewer in large networks]");

// "N" and "CLASS=N" separated by ';'.
void set_link_cycles(LoadCurveOptions& options, std::string_view texts) {
  for (const std::string_view text : split(texts, ';')) {
    const std::size_t equals = text.find('=');
    const bool all = equals == std::string_view::npos;
    const auto cycles = number_in<int>(all ? text : text.substr(equals + 1));
    require(cycles.has_value(), "invalid link-cycles '{}' (expected N or CLASS=N)", text);
    if (all)
      options.router.link_cycles = *cycles;
    else
      options.router.cycles_of_class.push_back({std::string(text.substr(0, equals)), *cycles});
  }
}

}  // namespace

std::span<const Member<LoadCurveOptions>> load_curve_members() {
  constexpr auto router = &LoadCurveOptions::router;
  static constexpr std::array kMembers = {
      kAsSaid<kTraffic, &LoadCurveOptions::traffic>,
      kMember<kChannels, router, &PipelinedRouter::channels>,
      kMember<kBufferFlits, router, &PipelinedRouter::buffer_flits>,
      kMember<kRoutingCycles, router, &PipelinedRouter::routing_cycles>,
      Member<LoadCurveOptions>{&kLinkCycles, set_link_cycles},
      kMember<kTerminalCycles, router, &PipelinedRouter::terminal_cycles>,
      kMember<kCreditCycles, router, &PipelinedRouter::credit_cycles>,
      kMember<kIterations, router, &PipelinedRouter::iterations>,
      kMember<kEjection, router, &PipelinedRouter::ejection>,
      kMember<kPacketFlits, &LoadCurveOptions::packet_flits>,
      kMember<kWarmup, &LoadCurveOptions::warmup_cycles>,
      kMember<kMeasure, &LoadCurveOptions::measured_cycles>};
  return kMembers;
}

}  // namespace weft::fields
