#include "weft/libraries/nccl.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "weft/base/error.hpp"
#include "weft/libraries/gpu_model.hpp"
#include "weft/libraries/nccl_facts.hpp"
#include "weft/libraries/parts.hpp"

namespace weft::libraries {

namespace {

using enum schedule::CollectiveKind;
using nccl_facts::Latencies;

constexpr std::array kProtocols{NcclProtocol::ll, NcclProtocol::ll128, NcclProtocol::simple};

class Model {
 public:
  explicit Model(const LibraryCall& call)
      : call_(call),
        gpus_(call.gpus),
        found_(nccl_search(call.gpus)),
        generation_(static_cast<std::size_t>(gpus_.generation)),
        where_(static_cast<std::size_t>(std::min(gpus_.boxes, 3) - 1)),
        bytes_(model_bytes(call)),
        bus_(found_.channels * (gpus_.boxes <= 2 ? found_.inside : found_.outside)) {}

  std::vector<NcclEstimate> estimates() const {
    std::vector<NcclEstimate> all;
    if (call_.collective == allreduce)
      for (const NcclProtocol protocol : kProtocols) all.push_back(tree(protocol));
    for (const NcclProtocol protocol : kProtocols) all.push_back(ring(protocol));
    if (found_.heads > 1 && gpus_.boxes == 1 && !has_root(call_.collective)) all.push_back(nvls());
    if (found_.heads > 1 && gpus_.boxes > 1 && call_.collective == allreduce)
      all.push_back(nvls_tree());
    if (gpus_.per_box == 1 && (call_.collective == allgather || call_.collective == reduce_scatter))
      all.push_back(pat());
    return all;
  }

 private:
  double log_boxes() const { return std::bit_width(static_cast<std::uint32_t>(gpus_.boxes)) - 1.0; }
  double inner(const Latencies& of, std::size_t protocol) const {
    return gpus_.nvlink_Bps > 0 ? of.nvlink[protocol] : of.pci[protocol];
  }
  double crossing_us(const Latencies& of, std::size_t protocol) const {
    return of.network[protocol] + slow_network_us(gpus_, kProtocols[protocol]);
  }
  HopLatencies hops(const Latencies& of, std::size_t protocol) const {
    return {of.base[protocol], inner(of, protocol), crossing_us(of, protocol)};
  }
  double steps() const { return ring_steps(call_); }
  double all_of_ll() const {
    return gpus_.boxes == 1 ? nccl_facts::kAllOfLl[generation_]
                            : nccl_facts::kAllOfLlBetween[where_ - 1];
  }

  NcclEstimate tree(NcclProtocol protocol) const {
    const auto p = static_cast<std::size_t>(protocol);
    NcclEstimate made{.algorithm = NcclAlgorithm::tree, .protocol = protocol};
    made.latency_us = tree_latency_us(hops(nccl_facts::kTree, p), gpus_);
    const double inside = gpus_.boxes <= 2 ? found_.channels * found_.tree_inside : bus_;
    double bus =
        std::min(0.92 * inside, found_.channels * nccl_facts::kTreeChannel[generation_][where_]);
    if (protocol == NcclProtocol::ll) bus = std::min(bus / 3.8, all_of_ll());
    if (protocol == NcclProtocol::ll128)
      bus = std::min(bus * (gpus_.boxes == 1 ? 7.0 / 9 : 120.0 / 128),
                     found_.channels * nccl_facts::kTreeLl128[generation_][where_]);
    if (found_.simple_tree) bus *= 0.85;
    return with_bandwidth(made, bus, 0.5 * bus * tree_factor(p), bytes_);
  }

  double tree_factor(std::size_t protocol) const {
    const auto units = static_cast<std::uint64_t>(bytes_) / 64;
    const auto& factors = nccl_facts::kTreeFactors[protocol];
    const auto log = static_cast<std::size_t>(std::bit_width(units));
    return log == 0 || log > factors.size() ? 1 : factors[log - 1];
  }

  NcclEstimate ring(NcclProtocol protocol) const {
    const auto p = static_cast<std::size_t>(protocol);
    const bool simple = protocol == NcclProtocol::simple;
    const double posting = gpus_.boxes == 1 ? 0 : nccl_facts::kPosting * (simple ? 3 : 1);
    NcclEstimate made{.algorithm = NcclAlgorithm::ring, .protocol = protocol};
    HopLatencies of = hops(nccl_facts::kRing, p);
    const double rooted_hop_us = simple ? inner(nccl_facts::kTree, p) : of.inside_us;
    of.inside_us = std::max(of.inside_us, posting);
    if (gpus_.per_box == 1) of.network_us = crossing_us(nccl_facts::kTree, p);
    set_ring_latency(made, of, rooted_hop_us, call_);
    if (simple && call_.collective == allreduce && gpus_.boxes > 1 &&
        bytes_ / (static_cast<double>(found_.in_use) * call_.ranks) >= 64)
      slow_down(made);
    const double bus =
        protocol == NcclProtocol::ll ? std::min(all_of_ll(), 0.5 * bus_)
        : simple                     ? bus_
                 : std::min(0.92 * bus_, found_.channels * nccl_facts::kRingLl128[generation_]);
    return with_bandwidth(made, bus, bus * call_.ranks / steps(), bytes_);
  }

  void slow_down(NcclEstimate& made) const {
    const double factor = gpus_.generation == GpuGeneration::volta ? 1.9 : 1.4;
    for (double* const term : {&made.base_us, &made.hop_us, &made.network_us, &made.latency_us})
      *term *= factor;
  }

  double head(double outside) const {
    const double efficiency = nccl_facts::kNvlsEfficiency[generation_];
    const double others = (found_.heads - 1.0) / found_.heads;
    const double twice = call_.collective == allreduce ? 2 : (gpus_.per_box - 1.0) / gpus_.per_box;
    return std::min(found_.head_inside * efficiency * others * twice, outside);
  }

  NcclEstimate nvls() const {
    NcclEstimate made{.algorithm = NcclAlgorithm::nvls};
    made.latency_us = nccl_facts::kNvls;
    const double bus = found_.heads * head(1e9);
    return with_bandwidth(
        made, bus, call_.collective == allreduce ? bus * call_.ranks / steps() : bus, bytes_);
  }

  NcclEstimate nvls_tree() const {
    NcclEstimate made{.algorithm = NcclAlgorithm::nvls_tree};
    made.latency_us = nccl_facts::kNvls + 2 * log_boxes() *
                                              (nccl_facts::kNvlsTreeNetwork +
                                               slow_network_us(gpus_, NcclProtocol::simple));
    const double outside = std::min(found_.head_outside * (gpus_.boxes == 2 ? 2 : 1),
                                    nccl_facts::kNvlsTreeChannel[generation_][where_]);
    const double bus = found_.heads * head(outside);
    return with_bandwidth(made, bus, bus * call_.ranks / steps(), bytes_);
  }

  NcclEstimate pat() const {
    NcclEstimate made{.algorithm = NcclAlgorithm::pat};
    made.latency_us = nccl_facts::kPatBase +
                      log_boxes() * (nccl_facts::kPatNetwork +
                                     slow_network_us(gpus_, NcclProtocol::simple) / 3.5) +
                      nccl_facts::kPatRank * call_.ranks;
    return with_bandwidth(made, 0.75 * bus_, 0.75 * bus_, bytes_);
  }

  const LibraryCall& call_;
  const GpuBoxes& gpus_;
  NcclSearch found_;
  std::size_t generation_, where_;
  double bytes_, bus_;
};

// Of a call: chunks for each head and channel, which NCCL makes smaller for small calls.
std::int64_t chunk_of(const LibraryCall& call, std::int64_t streams) {
  std::int64_t chunk_B = call.gpus.boxes >= 4 ? 64 << 10 : 128 << 10;
  const auto& limits = call.gpus.boxes == 1 ? nccl_facts::kNvlsChunks : nccl_facts::kNvlsTreeChunks;
  for (const auto& [fewer_than, bytes] : limits)
    if (call.size_B < fewer_than * streams * chunk_B) chunk_B = std::min(chunk_B, bytes);
  return chunk_B;
}

/// The time of a call through the switches as data at a rate, and all else.
struct Pipelined {
  double rate_GBps = 0;
  double other_us = 0;
};

// What the cost model leaves out: data moves in rounds of a chunk for each head and channel. Ranks
// hand over after each, some rounds pass before the first is through all stages, and the rate of
// the model counts the hand-overs of the largest chunks already. The chunks are NCCL's rules; the
// five constants here are not NCCL's but assumptions, fitted to published sweeps of nccl-tests. So
// that such a sweep is met is no independent check of them.
Pipelined pipelined(const NcclEstimate& chosen, const LibraryCall& call) {
  constexpr double kRaw = 1.085, kHandOver = 4.2, kFill = 1.8, kLaunch = 12, kHop = 8;
  const auto generation = static_cast<std::size_t>(call.gpus.generation);
  const int depth = std::bit_width(static_cast<std::uint32_t>(call.gpus.boxes)) - 1;
  const std::int64_t streams =
      std::int64_t{call.gpus.per_box} * nccl_facts::kNvlsChannels[generation];
  const auto size_B = static_cast<double>(std::max<std::int64_t>(1, call.size_B));
  const double round_B = std::min(size_B, static_cast<double>(streams * chunk_of(call, streams)));
  const double rate = kRaw * chosen.algorithm_GBps;
  const double filling = kFill + depth;
  const double hop_us = kHop + slow_network_us(call.gpus, NcclProtocol::simple);
  return {rate, kLaunch + 2 * depth * hop_us + filling * round_B / (1e3 * rate) +
                    (size_B / round_B + filling) * kHandOver};
}

// Of the parts that weft has a schedule for.
std::vector<LibraryPart> parts_of(const NcclEstimate& chosen, CollectiveKind kind) {
  switch (chosen.algorithm) {
    case NcclAlgorithm::ring:
      return {part(kind, has_root(kind) ? "chain" : "ring")};
    case NcclAlgorithm::tree:
    case NcclAlgorithm::nvls_tree:
      return {part(kind, std::string(kBoxTrees))};
    case NcclAlgorithm::nvls:
      if (kind == allreduce) return {part(kind, "switch-tree")};
      return {};
    default:
      return {};
  }
}

}  // namespace

std::vector<NcclEstimate> nccl_estimates(const LibraryCall& call) {
  return Model(call).estimates();
}

LibraryChoice nccl(const LibraryCall& call) {
  require(!call.gpus.amd,
          "nccl runs on GPUs of NVIDIA, but this network has GPUs of AMD; use --library rccl");
  const std::vector<NcclEstimate> all = nccl_estimates(call);
  const NcclEstimate& chosen = *std::ranges::min_element(all, {}, &NcclEstimate::time_us);
  LibraryChoice choice{.native = name_of(chosen.algorithm, chosen.protocol),
                       .parts = parts_of(chosen, call.collective)};
  DeviceTerms terms{.launch_ps = picoseconds(chosen.base_us),
                    .hop_ps = picoseconds(chosen.hop_us),
                    .network_ps = picoseconds(chosen.network_us),
                    .bus_Bps = 1e9 * chosen.bus_GBps,
                    .modelled_s = 1e-6 * chosen.time_us,
                    .in_chains = chosen.algorithm == NcclAlgorithm::tree};
  if (terms.in_chains) terms.bus_Bps = 1e9 * chosen.algorithm_GBps;
  const bool by_switch =
      chosen.algorithm == NcclAlgorithm::nvls || chosen.algorithm == NcclAlgorithm::nvls_tree;
  if (by_switch && call.collective == allreduce) {
    const Pipelined moved = pipelined(chosen, call);
    terms.launch_ps = picoseconds(moved.other_us);
    terms.bus_Bps = 1e9 * moved.rate_GBps;
    terms.modelled_s =
        1e-6 * (moved.other_us + static_cast<double>(call.size_B) / (1e3 * moved.rate_GBps));
  }
  choice.device = terms;
  return choice;
}

}  // namespace weft::libraries
