#include "weft/calibrate/profile/point_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/setup.hpp"
#include "weft/libraries/card_rings.hpp"
#include "weft/libraries/gpu_boxes.hpp"
#include "weft/program/copies.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {

namespace {

// Ranks of a host: as the table says, else the fewest with which all ranks have a place.
std::int32_t ranks_of_host(const ForcedPoint& point, std::int32_t hosts) {
  WEFT_ASSERT(hosts >= 1);
  if (point.per_host > 0) return point.per_host;
  return point.ranks <= hosts ? 1 : (point.ranks + hosts - 1) / hosts;
}

constexpr std::int64_t kMostRingMessages = 100'000;

// Rings through all cards of each box; none where one ring is all there is.
std::vector<std::vector<Rank>> rings_of(const ForcedPoint& point, const Network& network) {
  if (!point.by_nccl || point.algorithm != "ring") return {};
  const libraries::GpuBoxes gpus = libraries::gpu_boxes(network);
  if (gpus.boxes < 2 || gpus.cards < 2) return {};
  require(gpus.equal, "boxes with unequal numbers of GPUs cannot have rings through all cards");
  const std::int64_t ranks = network.ranks(), messages = 2 * ranks * ranks * gpus.cards;
  require(messages <= kMostRingMessages, "{} ranks with {} cards per box send {} messages, of {}",
          ranks, gpus.cards, messages, kMostRingMessages);
  return libraries::card_rings(libraries::node_ranks(network), gpus.cards);
}

schedule::Verified schedule_of(const ForcedPoint& point, const Network& network,
                               const simulation::SimulationOptions& options) {
  const Collective collective =
      fields::make_collective({{"collective", point.collective}}, network.ranks());
  if (const auto rings = rings_of(point, network); !rings.empty())
    return schedule::verify_own(libraries::on_rings(collective, rings), &network.topology());
  const algorithm::Algorithm& forced = algorithm::find_algorithm(point.algorithm, collective.kind);
  return evaluate::schedule_for_size(
      point.algorithm, collective, network,
      algorithm::with_own_radix(forced, fields::algorithm_options_in(point.options)), point.size_B,
      options);
}

// Where the point's own options differ from the profile, they count.
ProfileState state_of(const ForcedPoint& point, const ProfileState& state) {
  ProfileState own = state;
  if (point.sampling == Sampling::loop) own.host.skew_ps = 0;
  fields::set_members(own.host, fields::host_members(), point.options);
  if (point.by_nccl) own.host.startup_per = StartupPer::step;  // of all channels at once
  return own;
}

simulation::SimulationOptions simulation_of(const ForcedPoint& point, const ProfileState& state) {
  simulation::SimulationOptions options;
  options.factors = state.factors;
  options.call.loopback = state.loopback;
  options.release = state.release;
  fields::set_members(options, fields::reading_members(), point.options);
  fields::set_members(options.call, fields::call_members(), point.options);
  return options;
}

ProfileState at_line_rates(ProfileState state) {
  state.links.all.payload = 1;
  for (auto& [name, of_class] : state.links.by_class) of_class.payload = 1;
  return state;
}

// Bytes to or from other nodes, by node.
struct Ends {
  std::vector<double> sent_B, received_B;
};

Ends ends_of(const Program& program, const Network& network) {
  const std::vector<NodeId> nodes = program.nodes_on(network);
  const auto count = static_cast<std::size_t>(network.topology().node_count());
  Ends ends{std::vector<double>(count), std::vector<double>(count)};
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step, program::Copies::left_out);
    for (const program::Transfer& transfer : step.transfers) {
      const NodeId from = nodes[transfer.from.index()], to = nodes[transfer.to.index()];
      if (from == to) continue;
      ends.sent_B[from.index()] += static_cast<double>(transfer.bytes);
      ends.received_B[to.index()] += static_cast<double>(transfer.bytes);
    }
  }
  return ends;
}

}  // namespace

PointTimes::PointTimes(std::span<const ForcedPoint> points, const ProfileState& base,
                       const std::string& topology)
    : points_(points) {
  for (const ForcedPoint& point : points) {
    try {
      place_.push_back(place_of(point, topology));
    } catch (const InvalidInput& error) {
      reject("{}: {}", point.place(), error.what());
    }
  }
  build_schedules(base);
  WEFT_ASSERT(place_.size() == points_.size() && programs_.size() == points_.size());
}

void PointTimes::build_schedules(const ProfileState& state) {
  programs_.clear();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ForcedPoint& point = points_[i];
    try {
      const ProfileState own = state_of(point, state);
      const Network on = network(place(i), own);
      const schedule::Verified verified = schedule_of(point, on, simulation_of(point, own));
      // Also where the profile's copies are free: a fit gives them a rate.
      auto copies = program::plan_copies(verified, own.host.layout);
      programs_.push_back(lower(verified, {.size_B = point.size_B, .copies = std::move(copies)}));
    } catch (const InvalidInput& error) {
      reject("{}: {}", point.place(), error.what());
    }
  }
}

std::size_t PointTimes::place_of(const ForcedPoint& point, const std::string& topology) {
  std::string text = !point.topology.empty() ? point.topology : topology;
  if (text.empty()) text = fmt::format("xgft:1;{};1", point.ranks / std::max(point.per_host, 1));
  const auto known = std::ranges::find_if(places_, [&](const Place& place) {
    return place.topology == text && place.ranks == point.ranks &&
           (point.per_host == 0 || place.per_host == point.per_host);
  });
  if (known != places_.end()) return static_cast<std::size_t>(known - places_.begin());
  Place made{.topology = text, .ranks = point.ranks};
  made.built = std::make_shared<const BuiltTopology>(build_topology(text));
  const auto hosts = static_cast<std::int32_t>(made.built->topology.hosts().size());
  made.per_host = ranks_of_host(point, hosts);
  require(made.ranks % made.per_host == 0 && made.ranks / made.per_host <= hosts,
          "{} ranks, {} on each host, do not fit {}, which has {} hosts", made.ranks, made.per_host,
          text, hosts);
  made.routing = fields::network_routing({{"topology", text}, {"routing", std::string("auto")}},
                                         made.built->topology);
  places_.push_back(std::move(made));
  return places_.size() - 1;
}

Network PointTimes::network(const Place& place, const ProfileState& state) const {
  WEFT_ASSERT(place.per_host >= 1 && place.ranks % place.per_host == 0);
  NetworkSpec spec;
  spec.topology = place.topology;
  spec.routing = place.routing;
  spec.links.defaults = state.links;
  spec.host = state.host;
  spec.placing.ranks = place.ranks / place.per_host;
  spec.placing.per_host = {place.per_host};
  return fields::make_network(spec, *place.built, {});
}

double PointTimes::predicted_s(std::size_t point, const ProfileState& state) const {
  WEFT_ASSERT(point < programs_.size());
  const ProfileState own = state_of(points_[point], state);
  return simulation::simulate(programs_[point], network(place(point), own),
                              simulation_of(points_[point], own))
      .time_s;
}

BusiestPort PointTimes::busiest_port(std::size_t point, const ProfileState& state) const {
  WEFT_ASSERT(point < programs_.size());
  const Network lines = network(place(point), at_line_rates(state));
  const auto rate_of = [&](auto links) {
    double rate_Bps = 0;
    for (const LinkId link : links)
      rate_Bps += static_cast<double>(lines.fabric().bandwidth_Bps(link));
    return rate_Bps;
  };
  const Ends ends = ends_of(programs_[point], lines);
  BusiestPort busiest;
  const auto add = [&](const BusiestPort& port) {
    if (port.least_s() > busiest.least_s()) busiest = port;
  };
  for (const NodeId node : lines.topology().nodes()) {
    add({ends.sent_B[node.index()], rate_of(lines.topology().out_links(node)), true});
    add({ends.received_B[node.index()], rate_of(lines.topology().in_links(node)), false});
  }
  return busiest;
}

}  // namespace weft::calibrate
