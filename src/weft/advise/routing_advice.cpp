#include "weft/advise/routing_advice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "weft/advise/comparison/check_startup.hpp"
#include "weft/base/units.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::advise {

namespace {

Network with_routing(const Network& network, const std::string& name) {
  return {network.fabric(), network.placement(), network.host(),
          make_routing(name, network.fabric())};
}

// `measure` gives what takes long on a network.
std::optional<RoutingAdvice> fastest(schedule::RoutingNote note, const Network& network, double now,
                                     const std::function<double(const Network&)>& measure) {
  std::vector<std::string> names{note.helps};
  if (note.helps != "shortest-split") names.emplace_back("shortest-split");
  for (const std::string& name : names) try {
      const double then = measure(with_routing(network, name));
      if (evaluate::ties(now, then)) continue;
      note.helps = name;
      return RoutingAdvice{.note = std::move(note), .speedup = now / then};
    } catch (const std::overflow_error&) {  // shares too fine to add up: no advice
    }
  return std::nullopt;
}

}  // namespace

std::optional<RoutingAdvice> advise(const schedule::RoutingNote& note, const Timed& timed,
                                    const Network& network,
                                    simulation::SimulationOptions simulation) {
  const bool packets = by_packets(simulation.model);
  if (packets) {
    simulation.model = simulation::Model::fluid;
    simulation.background = {};
  }
  simulation.link_statistics = false;
  simulation.progress = nullptr;
  const Program program = lower(
      timed.verified, {.size_B = timed.size_B, .copies = timed.copies, .shares = timed.shares});
  const auto measure = [&](const Network& on) {
    const auto result = simulation::simulate(program, on, simulation);
    return result.ended_early ? std::numeric_limits<double>::infinity() : result.time_s;
  };
  try {
    const double now = timed.time_s && !packets ? *timed.time_s : measure(network);
    if (!std::isfinite(now)) return std::nullopt;
    simulation.limit_s = now;
    auto advice = fastest(note, network, now, measure);
    if (advice) advice->size_B = timed.size_B;
    return advice;
  } catch (const std::overflow_error&) {  // packets could be timed where flows cannot: no advice
    return std::nullopt;
  }
}

std::optional<RoutingAdvice> advise(const schedule::RoutingNote& note, const Verified& verified,
                                    const Network& network) {
  const auto measure = [&](const Network& on) {
    return schedule::cost(verified, on).bandwidth_factor.to_double();
  };
  return fastest(note, network, measure(network), measure);
}

std::string text_of(const RoutingAdvice& advice) {
  return fmt::format("{}: {:.2f} times as fast {}", schedule::text_of(advice.note), advice.speedup,
                     advice.size_B > 0 ? "at " + format_size(advice.size_B) : "by T_B");
}

}  // namespace weft::advise
