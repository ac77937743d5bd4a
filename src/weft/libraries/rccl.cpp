#include "weft/libraries/rccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/libraries/gpu_model.hpp"
#include "weft/libraries/parts.hpp"
#include "weft/libraries/rccl/facts.hpp"
#include "weft/libraries/rccl/paths.hpp"

namespace weft::libraries {

namespace {

using enum schedule::CollectiveKind;
using rccl_facts::Tuned;

constexpr std::array kRcclProtocols{NcclProtocol::ll, NcclProtocol::ll128, NcclProtocol::simple};

const rccl_facts::Tuning& tuning_of(AmdGpu gpu) {
  return gpu == AmdGpu::mi250   ? rccl_facts::kMi250
         : gpu == AmdGpu::mi300 ? rccl_facts::kMi300
                                : rccl_facts::kMi350;
}

// All rings together, GB/s, as RCCL counts them: all links of xGMI that a GPU has.
double rings_GBps(const GpuBoxes& gpus) {
  if (gpus.amd == AmdGpu::mi250) return rccl_facts::kLinksOfMi250 * rccl_facts::kLinkOfMi250;
  return std::max(1, gpus.per_box - 1) * rccl_facts::kLink;
}

double factor_of(const Tuned& tuned, std::size_t protocol, double bytes) {
  const auto log = std::bit_width(static_cast<std::uint64_t>(bytes) / 64) - 1;
  const auto& factors = tuned.factors[protocol];
  return factors[static_cast<std::size_t>(
      std::clamp<std::int64_t>(log, 0, std::ssize(factors) - 1))];
}

class RcclModel {
 public:
  explicit RcclModel(const LibraryCall& call)
      : call_(call), gpus_(call.gpus), tuning_(tuning_of(*call.gpus.amd)) {}

  std::vector<NcclEstimate> estimates() const {
    std::vector<NcclEstimate> all;
    for (const NcclProtocol protocol : kRcclProtocols)
      if (has_tree(protocol)) all.push_back(tree(protocol));
    for (const NcclProtocol protocol : kRcclProtocols) all.push_back(ring(protocol));
    return all;
  }

 private:
  bool is_old() const { return gpus_.amd == AmdGpu::mi250; }
  bool has_tree(NcclProtocol protocol) const {
    const bool is_left_out =
        protocol == NcclProtocol::simple && gpus_.boxes == 1 && !is_old();  // as RCCL does
    return call_.collective == allreduce && !is_left_out;
  }
  HopLatencies hops(const Tuned& tuned, std::size_t protocol) const {
    return {rccl_facts::kBase[protocol], tuned.inside[protocol],
            tuned.network[protocol] + slow_network_us(gpus_, kRcclProtocols[protocol])};
  }
  double rate(const Tuned& tuned, std::size_t protocol) const {
    return rings_GBps(gpus_) * (gpus_.boxes <= 2 ? tuned.few : tuned.many)[protocol];
  }

  NcclEstimate tree(NcclProtocol protocol) const {
    const auto p = static_cast<std::size_t>(protocol);
    NcclEstimate made{.algorithm = NcclAlgorithm::tree, .protocol = protocol};
    made.latency_us = tree_latency_us(hops(tuning_.tree, p), gpus_);
    const double bytes = model_bytes(call_), bus = rate(tuning_.tree, p);
    return with_bandwidth(made, bus, 0.5 * bus * factor_of(tuning_.tree, p, bytes), bytes);
  }

  NcclEstimate ring(NcclProtocol protocol) const {
    const auto p = static_cast<std::size_t>(protocol);
    const bool simple = protocol == NcclProtocol::simple;
    NcclEstimate made{.algorithm = NcclAlgorithm::ring, .protocol = protocol};
    HopLatencies of = hops(tuning_.ring, p);
    const HopLatencies rooted = hops(simple ? tuning_.tree : tuning_.ring, p);
    if (gpus_.boxes > 1)
      of.inside_us = std::max(of.inside_us, rccl_facts::kPosting * (simple ? 3 : 1));
    if (gpus_.per_box == 1) of.network_us = hops(tuning_.tree, p).network_us;
    set_ring_latency(made, of, gpus_.boxes > 1 ? rooted.network_us : rooted.inside_us, call_);
    const double bytes = model_bytes(call_);
    double bus = rate(tuning_.ring, p);
    if (protocol == NcclProtocol::ll && has_root(call_.collective) && gpus_.boxes == 1 && !is_old())
      bus *= rccl_facts::kRootedLl;
    const double factor = gpus_.boxes > 1 ? factor_of(tuning_.ring, p, bytes) : 1;
    return with_bandwidth(made, bus, bus * factor * call_.ranks / ring_steps(call_), bytes);
  }

  const LibraryCall& call_;
  const GpuBoxes& gpus_;
  const rccl_facts::Tuning& tuning_;
};

std::int64_t bytes_per_rank(const LibraryCall& call) {
  return call.collective == allreduce || call.collective == allgather ? call.size_B
                                                                      : call.size_B / call.ranks;
}

const rccl_facts::Limits& limits_of(const LibraryCall& call) {
  const rccl_facts::LimitsByCollective& all =
      call.gpus.amd == AmdGpu::mi300 ? rccl_facts::kLimitsOfMi300 : rccl_facts::kLimitsOfMi350;
  return call.collective == reduce_scatter ? all.reduce_scatter
         : call.collective == allgather    ? all.allgather
         : call.collective == allreduce    ? all.allreduce
         : call.collective == reduce       ? all.reduce
                                           : all.broadcast;
}

NcclProtocol between_boxes(const LibraryCall& call) {
  const rccl_facts::Limits& limits = limits_of(call);
  const std::int64_t bytes = bytes_per_rank(call);
  const bool scaled = call.collective == allreduce && call.gpus.boxes > 2;
  const double ll128_to =
      static_cast<double>(limits.ll128_to) * (scaled ? rccl_facts::kManyBoxes : 1);
  if (bytes > limits.ll128_from && static_cast<double>(bytes) <= ll128_to)
    return NcclProtocol::ll128;
  return bytes > 0 && bytes <= limits.ll ? NcclProtocol::ll : NcclProtocol::simple;
}

bool is_ll_in_box(const LibraryCall& call) {
  const bool is_newest = call.gpus.amd == AmdGpu::mi350;
  const std::int64_t bytes = bytes_per_rank(call);
  if (call.collective == reduce_scatter)
    return bytes <=
           (is_newest ? rccl_facts::kReduceScatterLlOfMi350 : rccl_facts::kReduceScatterLlOfMi300);
  return call.collective == allgather && is_newest && bytes <= rccl_facts::kAllgatherLlOfMi350;
}

// What RCCL sets by size once its model has chosen.
void set_protocol(NcclEstimate& chosen, const LibraryCall& call) {
  if (call.gpus.amd == AmdGpu::mi250) return;
  if (call.gpus.boxes > 1) {
    chosen.protocol = between_boxes(call);
  } else if (is_ll_in_box(call)) {
    chosen.protocol = NcclProtocol::ll;
  } else if (call.gpus.amd == AmdGpu::mi350 && call.collective == allreduce &&
             call.size_B >= rccl_facts::kTreeFrom && call.size_B <= rccl_facts::kTreeTo) {
    chosen.algorithm = NcclAlgorithm::tree;
    chosen.protocol = NcclProtocol::ll;
  }
}

template <std::size_t count>
std::int32_t at_least(const std::array<rccl_facts::ChannelsFrom, count>& table, std::int64_t bytes,
                      std::int32_t otherwise) {
  std::int32_t found = otherwise;
  for (const rccl_facts::ChannelsFrom& row : table)
    if (bytes > row.above) found = row.channels;
  return found;
}

std::int32_t most_channels(const LibraryCall& call) {
  const rccl_facts::Channels& all = call.gpus.amd == AmdGpu::mi250   ? rccl_facts::kChannelsOfMi250
                                    : call.gpus.amd == AmdGpu::mi300 ? rccl_facts::kChannelsOfMi300
                                                                     : rccl_facts::kChannelsOfMi350;
  if (call.gpus.boxes == 1) return all.one;
  if (call.gpus.amd == AmdGpu::mi350 && call.gpus.per_box > 1) {
    const std::int64_t bytes = bytes_per_rank(call);
    if (call.collective == reduce_scatter)
      return at_least(rccl_facts::kReduceScatterChannels, bytes, all.several);
    if (call.collective == allgather)
      return at_least(rccl_facts::kAllgatherChannels, bytes, all.several);
  }
  return all.several;
}

std::int32_t channels_of(const NcclEstimate& chosen, const LibraryCall& call) {
  std::int64_t each = rccl_facts::kBytesOfChannel[static_cast<std::size_t>(chosen.protocol)];
  if (chosen.algorithm == NcclAlgorithm::ring && chosen.protocol == NcclProtocol::ll)
    each *= call.ranks;
  const auto needed = static_cast<std::int64_t>(model_bytes(call)) / each + 1;
  return static_cast<std::int32_t>(std::min<std::int64_t>(needed, most_channels(call)));
}

/// Rates of what the network has, bytes a second: of all rings and of the trees.
struct Reached {
  double rings_Bps = 0, trees_Bps = 0;
};

Reached reached(const GpuBoxes& gpus) {
  const double links = gpus.per_box - 1.0;
  const auto inside = static_cast<double>(gpus.nvlink_Bps);
  const double cards = std::max(1, gpus.cards) * static_cast<double>(gpus.card_Bps);
  Reached found{1e9 * rccl_facts::kRingsOfMi250, 0.5e9 * rccl_facts::kRingsOfMi250};
  if (gpus.mesh && links > 0) {
    const double crossing = gpus.boxes == 1 ? 1 : gpus.per_box / links;  // a hop takes the card
    found = {inside * crossing, 0.5 * inside * gpus.per_box / links};
  }
  if (gpus.boxes == 1) return found;
  if (links == 0) return {cards, 0.5 * cards};
  return {std::min(found.rings_Bps, cards),
          std::min(found.trees_Bps, cards / (gpus.boxes == 2 ? 1 : 2))};
}

// A chunk passes all stages up and down the trees. Until the first has, a path (a channel, or in a
// mesh all channels that start at a GPU) has each of its links to itself, which it shares when all
// stages are busy.
double filling(const LibraryCall& call, std::int32_t channels, double trees_Bps) {
  const GpuBoxes& gpus = call.gpus;
  const int depth = std::bit_width(static_cast<std::uint32_t>(gpus.boxes - 1));
  const double stages = 2.0 * (gpus.per_box - 1 + depth);
  const double chunks =
      static_cast<double>(call.size_B) / (static_cast<double>(channels) * rccl_facts::kTreeChunk);
  const double links = gpus.mesh ? gpus.per_box - 1.0 : rccl_facts::kLinksOfMi250;
  const double link_Bps = gpus.per_box > 1 ? static_cast<double>(gpus.nvlink_Bps) / links
                                           : static_cast<double>(gpus.card_Bps);
  const std::int32_t paths = gpus.mesh ? std::max(gpus.per_box, gpus.cards) : channels;
  const double shared = std::min(1.0, trees_Bps / paths / link_Bps);
  return 1 + shared * (stages - 1) / std::max(1.0, chunks);
}

// Steps of the pair that runs, which may be another than the model chose.
DeviceTerms terms_of(const NcclEstimate& chosen, const LibraryCall& call, std::int32_t channels) {
  const auto p = static_cast<std::size_t>(chosen.protocol);
  const rccl_facts::Tuning& tuning = tuning_of(*call.gpus.amd);
  const bool simple = chosen.protocol == NcclProtocol::simple;
  const double slow_us = slow_network_us(call.gpus, chosen.protocol);
  DeviceTerms terms{.share = rccl_facts::kShare[p]};
  const Reached rates = reached(call.gpus);
  const double bytes = model_bytes(call);
  if (chosen.algorithm == NcclAlgorithm::tree) {
    terms.in_chains = true;
    terms.bus_Bps = terms.share * rates.trees_Bps;
    const HopLatencies of{rccl_facts::kBase[p], tuning.tree.inside[p],
                          tuning.tree.network[p] + slow_us};
    terms.modelled_s = 1e-6 * tree_latency_us(of, call.gpus) +
                       bytes / terms.bus_Bps * filling(call, channels, rates.trees_Bps);
    return terms;
  }
  // The ring's own 320 us for Simple over a network keep it from being chosen; a tree's hop is
  // that of the same transport.
  HopLatencies of{rccl_facts::kBase[p], tuning.ring.inside[p],
                  (simple ? tuning.tree : tuning.ring).network[p] + slow_us};
  if (call.gpus.boxes > 1)
    of.inside_us = std::max(of.inside_us, rccl_facts::kPosting * (simple ? 3 : 1));
  NcclEstimate ring;
  const double crossings = call.gpus.boxes - 1;
  set_ring_latency(
      ring, of, (crossings * of.network_us + (call.ranks - crossings) * of.inside_us) / call.ranks,
      call);
  terms.launch_ps = picoseconds(of.base_us);
  terms.hop_ps = picoseconds(of.inside_us);
  terms.network_ps = picoseconds(of.network_us);
  terms.bus_Bps = terms.share * rates.rings_Bps;
  terms.modelled_s = 1e-6 * ring.latency_us + bytes * ring_steps(call) / call.ranks / terms.bus_Bps;
  return terms;
}

}  // namespace

std::vector<NcclEstimate> rccl_estimates(const LibraryCall& call) {
  return RcclModel(call).estimates();
}

LibraryChoice rccl(const LibraryCall& call) {
  require(call.gpus.amd.has_value(),
          "rccl runs on GPUs of AMD (mi250, mi300x, mi325x, mi350x or mi355x in the name); use "
          "network:mi300x or network:mi250");
  require(call.gpus.mesh || call.gpus.amd == AmdGpu::mi250,
          "the rules of rccl for MI300X and later need one rank per GPU and an xGMI link "
          "between any two GPUs of a box; use network:mi300x");
  if (const std::optional<LibraryChoice> other = rccl_path(call)) return *other;
  const std::vector<NcclEstimate> all = rccl_estimates(call);
  NcclEstimate chosen = *std::ranges::min_element(all, {}, &NcclEstimate::time_us);
  set_protocol(chosen, call);
  const std::int32_t channels = channels_of(chosen, call);
  const std::string algorithm = chosen.algorithm == NcclAlgorithm::tree ? std::string(kBoxTrees)
                                : has_root(call.collective)             ? "chain"
                                                                        : "ring";
  return {.native = fmt::format("{}: {} channel{}", name_of(chosen.algorithm, chosen.protocol),
                                channels, channels == 1 ? "" : "s"),
          .parts = {part(call.collective, algorithm)},
          .device = terms_of(chosen, call, channels)};
}

}  // namespace weft::libraries
