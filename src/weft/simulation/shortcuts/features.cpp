#include "weft/simulation/shortcuts/features.hpp"

#include <array>
#include <type_traits>

#include "weft/base/enumeration.hpp"
#include "weft/simulation/reading/readings.hpp"

namespace weft::simulation {

namespace {

using Host = HostParameters;

constexpr std::size_t kFeatures = static_cast<std::size_t>(Feature::unlisted) + 1;
constexpr Names<Feature, kFeatures> kNames{"feature",
                                           {"start-up",
                                            "start-up at the receiver",
                                            "start-up per step",
                                            "ports",
                                            "copies",
                                            "large copies",
                                            "layout",
                                            "reductions",
                                            "large reductions",
                                            "first touch",
                                            "exchanges",
                                            "latency",
                                            "rendezvous",
                                            "eager copies",
                                            "launch",
                                            "skew",
                                            "source-routed",
                                            "receives in step",
                                            "eager messages",
                                            "header",
                                            "loopback",
                                            "lockstep",
                                            "dataflow",
                                            "release injected",
                                            "release acknowledged",
                                            "sharing rtt",
                                            "sharing smpi",
                                            "shared cables",
                                            "factors",
                                            "factors by class",
                                            "link statistics",
                                            "alpha-beta",
                                            "packets",
                                            "routing of whole steps",
                                            "routes of the program",
                                            "several calls",
                                            "unlisted member"}};

// Whether a member is set to something that has an effect. A bandwidth or a time of 0 has none.
bool has_effect(const auto& value) {
  return value != std::remove_cvref_t<decltype(value)>{};
}
bool has_effect(const network::LargeCalls& calls) {
  return calls.bandwidth_Bps != 0;
}
bool has_effect(const network::Rendezvous& rendezvous) {
  return rendezvous.time_ps != 0;
}
bool has_effect(const network::EagerCopies& copies) {
  return copies.bandwidth_Bps != 0;
}

/// A member of a struct of options, and the feature that it is.
template <class Options>
struct Member {
  Feature feature;
  bool (*is_on)(const Options& options);
  void (*turn_off)(Options& options);

  template <auto member>
  static constexpr Member of(Feature feature) {
    return {feature, [](const Options& options) { return has_effect(options.*member); },
            [](Options& options) { options.*member = Options{}.*member; }};
  }
};
using OfHost = Member<HostParameters>;
using OfCall = Member<CallOptions>;

constexpr std::array kHostMembers{OfHost::of<&Host::startup_ps>(Feature::startup),
                                  OfHost::of<&Host::startup_receive_ps>(Feature::startup_receive),
                                  OfHost::of<&Host::startup_per>(Feature::startup_per_step),
                                  OfHost::of<&Host::ports>(Feature::ports),
                                  OfHost::of<&Host::copy_bandwidth_Bps>(Feature::copies),
                                  OfHost::of<&Host::large_copies>(Feature::large_copies),
                                  OfHost::of<&Host::layout>(Feature::layout),
                                  OfHost::of<&Host::reduce_bandwidth_Bps>(Feature::reductions),
                                  OfHost::of<&Host::large_reductions>(Feature::large_reductions),
                                  OfHost::of<&Host::first_touch>(Feature::first_touch),
                                  OfHost::of<&Host::exchanges>(Feature::exchanges),
                                  OfHost::of<&Host::latency_ps>(Feature::latency),
                                  OfHost::of<&Host::rendezvous>(Feature::rendezvous),
                                  OfHost::of<&Host::eager_copies>(Feature::eager_copies),
                                  OfHost::of<&Host::launch_ps>(Feature::launch),
                                  OfHost::of<&Host::skew_ps>(Feature::skew),
                                  OfHost::of<&Host::source_routed>(Feature::source_routed)};

constexpr std::array kCallMembers{OfCall::of<&CallOptions::receives>(Feature::receives_in_step),
                                  OfCall::of<&CallOptions::eager_B>(Feature::eager),
                                  OfCall::of<&CallOptions::header_B>(Feature::header),
                                  OfCall::of<&CallOptions::loopback>(Feature::loopback)};

template <class Options>
Features features_in(Options options, const auto& members) {
  Features found;
  for (const Member<Options>& member : members) {
    if (member.is_on(options)) found.add(member.feature);
    member.turn_off(options);
  }
  if (options != Options{}) found.add(Feature::unlisted);
  return found;
}

// Of the options alone. All members have names here, so that a new one is not forgotten.
Features features_of_run(const SimulationOptions& options) {
  const auto& [model, sync, release, sharing, cables, factors, call, link_statistics, packet,
               background, recall, limit_s, most_work, accuracy, many_messages, progress] = options;
  Features found;
  const auto add_if = [&](bool is_on, Feature feature) {
    if (is_on) found.add(feature);
  };
  const bool is_fluid = model == Model::fluid, is_formula = model == Model::alpha_beta;
  add_if(is_formula, Feature::alpha_beta);
  add_if(by_packets(model), Feature::packets);
  add_if(!is_formula && sync == Sync::lockstep, Feature::lockstep);
  add_if(!is_formula && sync == Sync::dataflow, Feature::dataflow);
  add_if(!is_formula && release == Release::injected, Feature::injected);
  add_if(!is_formula && release == Release::acknowledged, Feature::acknowledged);
  add_if(is_fluid && sharing == Sharing::rtt, Feature::rtt_sharing);
  add_if(is_fluid && sharing == Sharing::smpi, Feature::smpi_sharing);
  add_if(is_fluid && cables == Cables::shared, Feature::shared_cables);
  add_if(factors != nullptr, Feature::factors);
  add_if(link_statistics, Feature::link_statistics);
  return found | features_of(call);
}

}  // namespace

std::string_view name_of(Feature feature) {
  return kNames[feature];
}

std::span<const Feature> every_feature() {
  static const auto kAll = [] {
    std::array<Feature, kFeatures> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Feature>(i);
    return all;
  }();
  return kAll;
}

Features features_of(const HostParameters& host) {
  return features_in(host, kHostMembers);
}

Features features_of(const CallOptions& call) {
  return features_in(call, kCallMembers);
}

Features features_of(const SimulationOptions& options, const Network& network) {
  Features found = features_of_run(options) | features_of(network.host());
  if (options.factors != nullptr && !LinkFactors(*options.factors, network.topology()).alike())
    found.add(Feature::factors_by_class);
  if (network.routing().sees_whole_step()) found.add(Feature::whole_step_routing);
  return found;
}

Features features_of(const Program& program, const Network& network,
                     const SimulationOptions& options) {
  Features found = features_of(options, network);
  const bool has_steps =
      options.model == Model::alpha_beta || reading_of(program, options.sync) != Sync::dataflow;
  if (!has_steps) found.add(Feature::dataflow);
  if (program.route_count() > 0) found.add(Feature::own_routes);
  if (program.calls() > 1) found.add(Feature::several_calls);
  if (program.collective() && !program.collective()->reduces()) found = found - kReductionCosts;
  return found;
}

}  // namespace weft::simulation
