// A GPU library's terms as a simulated network: links within a box together carry what all channels
// do, links between boxes as much for each card, start-ups are the steps' latencies. Who shares a
// link with others then gets less of it, which the library's own model does not know.
//
// Trees pass thousands of chunks, whose latencies overlap. Of these the rate is simulated, from
// pipelines of two lengths, without latencies; these are the model's. So are those of rings whose
// steps between boxes take much longer than the others (AMD's, and on slow networks): a rank would
// wait for the slowest of its rings at each step, but they run one by one.
#include "weft/libraries/device_time.hpp"

#include <algorithm>
#include <cmath>

#include "weft/algorithm/algorithm.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/libraries/box_trees.hpp"
#include "weft/libraries/card_rings.hpp"
#include "weft/libraries/gpu_model.hpp"
#include "weft/libraries/nccl_facts.hpp"

namespace weft::libraries {

namespace {

// Of schedules that have no symmetry.
constexpr std::int64_t kMostMessages = 500'000;

/// Bytes per second of a GPU's links within the box together, and of a card.
struct Rates {
  double inside_Bps = 0, card_Bps = 0;
  std::int64_t crossing_ps = 0;  // of a step between boxes, beyond one within
};

std::int64_t scaled(std::int64_t bandwidth_Bps, double rate_Bps, std::int64_t of_Bps) {
  if (of_Bps == 0) return bandwidth_Bps;
  const double factor = rate_Bps / static_cast<double>(of_Bps);
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(bandwidth_Bps) * factor));
}

/// The same topology with such links.
topology::Fabric fabric_of(const Network& network, const Rates& rates, const GpuBoxes& gpus) {
  const Topology& topology = network.topology();
  topology::BuiltTopology built{topology, {}};
  const std::vector<bool> in_boxes = links_in_boxes(topology);
  const double card_Bps = std::min(rates.card_Bps, static_cast<double>(gpus.card_Bps));
  for (const LinkId link : topology.links()) {
    const bool inside = in_boxes[link.index()];
    const bool at_host =
        topology.is_host(topology.tail(link)) || topology.is_host(topology.head(link));
    built.speeds.bandwidth_Bps.push_back(scaled(network.fabric().bandwidth_Bps(link),
                                                inside ? rates.inside_Bps : card_Bps,
                                                inside ? gpus.nvlink_Bps : gpus.card_Bps));
    built.speeds.latency_ps.push_back(inside || !at_host ? 0 : rates.crossing_ps / 2);
  }
  return topology::Fabric(built);
}

Network network_of(const Network& network, const Rates& rates, const DeviceTerms& terms,
                   const GpuBoxes& gpus) {
  HostParameters host;
  host.startup_ps = terms.hop_ps;
  host.startup_per = StartupPer::step;  // all channels work at once
  host.launch_ps = terms.launch_ps;
  host.source_routed = network.host().source_routed;
  const topology::Fabric fabric = fabric_of(network, rates, gpus);
  return {fabric, network.placement(), host, make_routing(network.routing().name(), fabric)};
}

/// The network's own links, of which a protocol uses a share.
Rates of_share(const DeviceTerms& terms, const GpuBoxes& gpus, std::int64_t crossing_ps) {
  return {terms.share * static_cast<double>(gpus.nvlink_Bps),
          terms.share * static_cast<double>(gpus.card_Bps), crossing_ps};
}

Rates of_ring(const DeviceTerms& terms, const GpuBoxes& gpus) {
  const std::int64_t crossing_ps = std::max<std::int64_t>(0, terms.network_ps - terms.hop_ps);
  if (terms.share > 0) return of_share(terms, gpus, crossing_ps);
  return {terms.bus_Bps, terms.bus_Bps / std::max(1, gpus.cards), crossing_ps};
}

/// Rates at which the trees reach the model's where nobody shares links. A card sends its share up
/// once and down twice in the tree where its box has children, but not up in the other: twice in
/// all, or once between two boxes. In a chain a GPU sends both ways what it is not the head of.
Rates of_trees(const DeviceTerms& terms, const GpuBoxes& gpus) {
  if (terms.share > 0) return of_share(terms, gpus, 0);
  const double others = (gpus.per_box - 1.0) / gpus.per_box;
  return {2 * others * terms.bus_Bps,
          terms.bus_Bps * (gpus.boxes == 2 ? 1 : 2) / std::max(1, gpus.cards), 0};
}

/// The part of a ring's time that is data, at the rate of its terms.
double ring_data_s(const DeviceTerms& terms, const LibraryCall& call) {
  return model_bytes(call) * ring_steps(call) / call.ranks / terms.bus_Bps;
}

}  // namespace

double DeviceTimer::simulated_s(const schedule::Schedule& schedule, const Network& network,
                                std::int64_t size_B) const {
  const evaluate::Candidate candidate =
      evaluate::given_candidate(schedule::verify_own(schedule, &network.topology()), network);
  const program::Program program = candidate.program_of(candidate.verified, size_B);
  simulation::SimulationOptions own = options_;
  own.recall = nullptr;
  return simulation::simulate(program, network, own).time_s;
}

double DeviceTimer::slowdown_of_trees(const DeviceTerms& terms, const LibraryCall& call) const {
  constexpr std::int64_t kShort = 16, kLong = 32, kSegment_B = 16 << 20;
  DeviceTerms rate_only;
  rate_only.bus_Bps = terms.bus_Bps;
  const InBox in_box = !terms.in_chains ? InBox::at_once
                       : call.gpus.mesh ? InBox::path
                                        : InBox::chain;
  const Network network = network_of(network_, of_trees(terms, call.gpus), rate_only, call.gpus);
  const auto with = [&](std::int64_t segments) {
    const auto schedule =
        on_box_trees(collective_, boxes_, std::max(1, call.gpus.cards), in_box, segments);
    return simulated_s(schedule, network, segments * kSegment_B);
  };
  const double each_s = (with(kLong) - with(kShort)) / static_cast<double>(kLong - kShort);
  return std::max(1.0, each_s * terms.bus_Bps / static_cast<double>(kSegment_B));
}

double DeviceTimer::slowdown_of_rings(const DeviceTerms& terms, LibraryCall call) const {
  constexpr std::int64_t kBlock_B = 64 << 20;
  call.size_B = collective_.kind == CollectiveKind::allgather ? kBlock_B : kBlock_B * call.ranks;
  DeviceTerms rate_only;
  rate_only.bus_Bps = terms.bus_Bps;
  rate_only.share = terms.share;
  const Network network = network_of(network_, of_ring(rate_only, call.gpus), rate_only, call.gpus);
  const auto schedule = on_rings(collective_, rings(call.gpus));
  return std::max(1.0, simulated_s(schedule, network, call.size_B) / ring_data_s(terms, call));
}

std::vector<std::vector<Rank>> DeviceTimer::rings(const GpuBoxes& gpus) const {
  return gpus.mesh ? mesh_rings(boxes_)
                   : card_rings(boxes_, gpus.boxes == 1 ? 1 : std::max(1, gpus.cards));
}

double DeviceTimer::slowdown(const LibraryChoice& choice, const LibraryCall& call) {
  const DeviceTerms& terms = *choice.device;
  // Where cards limit the rate, the slowdown depends on it; otherwise sizes share one.
  const bool is_limited =
      of_trees(terms, call.gpus).card_Bps > static_cast<double>(call.gpus.card_Bps);
  const std::string name = choice.native.substr(0, choice.native.find(':'));
  const auto [at, is_new] = slowdowns_.try_emplace({name, is_limited ? terms.bus_Bps : 0.0}, 1.0);
  if (is_new)
    at->second = terms.in_chains || choice.algorithm() == kBoxTrees
                     ? slowdown_of_trees(terms, call)
                     : slowdown_of_rings(terms, call);
  return at->second;
}

DeviceTime DeviceTimer::time(const LibraryChoice& choice, const LibraryCall& call) {
  const DeviceTerms& terms = *choice.device;
  const GpuBoxes& gpus = call.gpus;
  const std::string algorithm = choice.algorithm();
  const std::int64_t cards = gpus.boxes == 1 ? 1 : std::max(1, gpus.cards);
  const std::int64_t ranks = collective_.ranks;
  const DeviceTime modelled{terms.modelled_s, true};
  // Rings of boxes whose GPUs no switch joins are known here for equal meshes of AMD's GPUs alone.
  const bool is_unknown = gpus.amd ? !gpus.mesh : gpus.nvlink_Bps > 0 && !gpus.has_nvswitch;
  if (algorithm.empty() || !gpus.equal || collective_.rooted() || is_unknown) return modelled;
  if (algorithm == kBoxTrees) {
    if (gpus.boxes == 1 || 4 * cards * ranks * 32 > kMostMessages) return modelled;
    const double data_s = static_cast<double>(call.size_B) / terms.bus_Bps;
    return {terms.modelled_s + data_s * (slowdown(choice, call) - 1), false};
  }
  const Network network = network_of(network_, of_ring(terms, gpus), terms, gpus);
  if (algorithm == "ring") {
    const auto rings = this->rings(gpus);
    if (2 * std::ssize(rings) * ranks * ranks > kMostMessages) return modelled;
    if (terms.share > 0 || gpus.slow_network_us > nccl_facts::kCounted)
      return {terms.modelled_s + ring_data_s(terms, call) * (slowdown(choice, call) - 1), false};
    return {simulated_s(on_rings(collective_, rings), network, call.size_B), false};
  }
  algorithm::AlgorithmOptions options;
  if (algorithm == "switch-tree") options.values["segments"] = std::int64_t{64};
  const algorithm::Context context{collective_, &network_, options};
  if (algorithm::misfit(algorithm::find_algorithm(algorithm), context)) return modelled;
  const auto schedule = algorithm::build_schedule(algorithm, collective_, &network_, options);
  return {simulated_s(schedule, network, call.size_B), false};
}

}  // namespace weft::libraries
