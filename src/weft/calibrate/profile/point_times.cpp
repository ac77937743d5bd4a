#include "weft/calibrate/profile/point_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/evaluate/library/card_rings.hpp"
#include "weft/evaluate/library/gpu_boxes.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/setup.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {

namespace {

// Ranks of a host: as the table says, else the fewest with which all ranks have a place.
std::int32_t ranks_of_host(const ForcedPoint& point, std::int32_t hosts) {
  if (point.per_host > 0) return point.per_host;
  return point.ranks <= hosts ? 1 : (point.ranks + hosts - 1) / hosts;
}

constexpr std::int64_t kMostRingMessages = 100'000;

// Rings through all cards of each box; none where one ring is all there is.
std::vector<std::vector<Rank>> rings_of(const ForcedPoint& point, const Network& network) {
  if (!point.by_nccl || point.algorithm != "ring") return {};
  const evaluate::GpuBoxes gpus = evaluate::gpu_boxes(network);
  if (gpus.boxes < 2 || gpus.cards < 2) return {};
  require(gpus.equal, "boxes with unequal numbers of GPUs cannot have rings through all cards");
  const std::int64_t ranks = network.ranks(), messages = 2 * ranks * ranks * gpus.cards;
  require(messages <= kMostRingMessages, "{} ranks with {} cards per box send {} messages, of {}",
          ranks, gpus.cards, messages, kMostRingMessages);
  return evaluate::card_rings(evaluate::node_ranks(network), gpus.cards);
}

}  // namespace

PointTimes::PointTimes(std::span<const ForcedPoint> points, const ProfileState& base,
                       const std::string& topology)
    : points_(points) {
  for (const ForcedPoint& point : points) {
    try {
      place_.push_back(place_of(point, topology));
      programs_.push_back(program_of(point, network(places_[place_.back()], base)));
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
  NetworkSpec spec;
  spec.topology = place.topology;
  spec.routing = place.routing;
  spec.links.defaults = state.links;
  spec.host = state.host;
  spec.placing.ranks = place.ranks / place.per_host;
  spec.placing.per_host = {place.per_host};
  return fields::make_network(spec, *place.built, {});
}

Program PointTimes::program_of(const ForcedPoint& point, const Network& network) const {
  const Collective collective =
      fields::make_collective({{"collective", point.collective}}, network.ranks());
  if (const auto rings = rings_of(point, network); !rings.empty())
    return lower(schedule::verify_own(evaluate::on_rings(collective, rings), &network.topology()),
                 {.size_B = point.size_B});
  const Verified verified =
      evaluate::schedule_for_size(point.algorithm, collective, network,
                                  fields::algorithm_options_in(point.options), point.size_B);
  return lower(verified, {.size_B = point.size_B});
}

double PointTimes::predicted_s(std::size_t point, const ProfileState& state) const {
  ProfileState own = state;
  if (points_[point].sampling == Sampling::loop) own.host.skew_ps = 0;
  fields::set_members(own.host, fields::host_members(), points_[point].options);
  if (points_[point].by_nccl) own.host.startup_per = StartupPer::step;  // of all channels at once
  simulation::SimulationOptions options;
  options.factors = own.factors;
  options.call.loopback = own.loopback;
  options.release = own.release;
  return simulation::simulate(programs_[point], network(places_[place_[point]], own), options)
      .time_s;
}

}  // namespace weft::calibrate
