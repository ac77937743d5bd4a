// Options and hosts that have a feature of simulations, for tests of what covers which features.
#pragma once

#include <memory>
#include <string>

#include "weft/simulation/shortcuts/features.hpp"

namespace weft::test {

/// What a simulation is asked for; the network's topology and routing, and the schedule, are not
/// part of it.
struct FeatureSetting {
  HostParameters host = {};
  SimulationOptions options = {};
  std::int32_t calls = 1;
};

/// Turns on one feature, in steps of some kilobytes a message over links of 1 GB/s. Returns whether
/// a setting alone can do so; classes of links are those of the topology. A feature without a line
/// here does not compile.
inline bool turn_on(simulation::Feature feature, const Topology& topology,
                    FeatureSetting& setting) {
  using simulation::Feature;
  HostParameters& host = setting.host;
  SimulationOptions& options = setting.options;
  const auto factors = [](double latency, double bandwidth) {
    return simulation::FactorsBySize{{0, 1, 0.25}, {600, latency, bandwidth}};
  };
  switch (feature) {
    case Feature::startup:
      host.startup_ps = 700'000;
      return true;
    case Feature::startup_receive:
      host.startup_receive_ps = 400'000;
      return true;
    case Feature::startup_per_step:
      host.startup_per = StartupPer::step;
      return true;
    case Feature::ports:
      host.ports = 1;
      return true;
    case Feature::copies:
      host.copy_bandwidth_Bps = 2'000'000'000;
      return true;
    case Feature::large_copies:
      host.large_copies = {1, 1'500'000'000};
      return true;
    case Feature::layout:
      host.layout = BlockLayout::combined;
      return true;
    case Feature::reductions:
      host.reduce_bandwidth_Bps = 5'000'000'000;
      return true;
    case Feature::large_reductions:
      host.large_reductions = {1, 2'000'000'000};
      return true;
    case Feature::first_touch:
      host.first_touch = {1, 3'000'000'000};
      return true;
    case Feature::exchanges:
      host.exchanges = {1, 4'000'000'000};
      return true;
    case Feature::latency:
      host.latency_ps = 900'000;
      return true;
    case Feature::rendezvous:
      host.rendezvous = {800, 1'500'000};
      return true;
    case Feature::eager_copies:
      host.eager_copies = {1200, 600'000'000};
      return true;
    case Feature::launch:
      host.launch_ps = 2'000'000;
      return true;
    case Feature::skew:
      host.skew_ps = 1'000'000;
      return true;
    case Feature::source_routed:
      host.source_routed = true;
      return true;
    case Feature::receives_in_step:
      options.call.receives = Receives::in_step;
      return true;
    case Feature::eager:
      options.call.eager_B = 100'000;
      return true;
    case Feature::header:
      options.call.header_B = 160;
      return true;
    case Feature::loopback:
      options.call.loopback = LinkSpeed{.bandwidth_Bps = 498'000'000, .latency_ps = 15'000'000};
      return true;
    case Feature::lockstep:
      options.sync = Sync::lockstep;
      return true;
    case Feature::dataflow:
      options.sync = Sync::dataflow;
      return true;
    case Feature::injected:
      options.release = Release::injected;
      return true;
    case Feature::acknowledged:
      options.release = Release::acknowledged;
      return true;
    case Feature::rtt_sharing:
      options.sharing = Sharing::rtt;
      return true;
    case Feature::smpi_sharing:
      options.sharing = Sharing::smpi;
      return true;
    case Feature::shared_cables:
      options.cables = Cables::shared;
      return true;
    case Feature::factors:
      options.factors = std::make_shared<const SizeFactors>(
          SizeFactors{.all = factors(1.5, 0.9), .by_class = {}});
      return true;
    case Feature::factors_by_class: {
      if (topology.class_names().size() < 2) return false;
      const std::string first = topology.class_names()[topology::ClassId(0)];
      options.factors = std::make_shared<const SizeFactors>(
          SizeFactors{.all = factors(1.5, 0.9), .by_class = {{first, factors(3, 0.5)}}});
      return true;
    }
    case Feature::link_statistics:
      options.link_statistics = true;
      return true;
    case Feature::alpha_beta:
      options.model = Model::alpha_beta;
      return true;
    case Feature::packets:
      options.model = Model::packet;
      return true;
    case Feature::several_calls:
      setting.calls = 9;
      return true;
    case Feature::whole_step_routing:  // of the network
    case Feature::own_routes:          // of the program
    case Feature::unlisted:
      return false;
  }
  return false;
}

}  // namespace weft::test
