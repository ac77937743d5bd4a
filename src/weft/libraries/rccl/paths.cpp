// DDA ("direct data access") kernels read the buffers of the other seven GPUs of a box: all of each
// for a small allreduce, which is done in one shot, else a part of each in two. Direct exchange
// sends a message to each rank. Their latencies are not published: the launch is the base latency
// of RCCL's protocols and a step that of a ring, which are assumptions.
//
// Source: RCCL (rocm-systems 006a440), src/rccl_wrap.cc and src/algorithms/dda.
#include "weft/libraries/rccl/paths.hpp"

#include "weft/libraries/gpu_model.hpp"
#include "weft/libraries/parts.hpp"
#include "weft/libraries/rccl/facts.hpp"

namespace weft::libraries {

namespace {

using enum schedule::CollectiveKind;

std::int64_t whole_bytes(const LibraryCall& call) {
  return static_cast<std::int64_t>(model_bytes(call));
}

LibraryChoice dda_choice(const LibraryCall& call) {
  constexpr std::size_t kLl = 0;
  const double hop_us = rccl_facts::kMi300.ring.inside[kLl];
  DeviceTerms terms{.launch_ps = picoseconds(rccl_facts::kBase[kLl]),
                    .hop_ps = picoseconds(hop_us),
                    .network_ps = picoseconds(hop_us),
                    .share = 1};
  const double link_Bps = static_cast<double>(call.gpus.nvlink_Bps) / (call.gpus.per_box - 1);
  if (call.collective == allreduce && call.size_B <= rccl_facts::kDdaOneShot) {
    terms.modelled_s =
        1e-6 * (rccl_facts::kBase[kLl] + hop_us) + static_cast<double>(call.size_B) / link_Bps;
    return {.native = "DDA one-shot", .device = terms};
  }
  const double steps = call.collective == allreduce ? 2 : 1;
  terms.modelled_s = 1e-6 * (rccl_facts::kBase[kLl] + steps * hop_us) +
                     steps * model_bytes(call) / call.ranks / link_Bps;
  return {.native = call.collective == allreduce ? "DDA two-shot" : "DDA",
          .parts = {part(call.collective, "direct")},
          .device = terms};
}

bool takes_dda(const LibraryCall& call) {
  if (call.gpus.boxes > 1 || call.ranks != rccl_facts::kDdaGpus || !call.gpus.mesh ||
      has_root(call.collective))
    return false;
  const std::int64_t limit =
      call.gpus.amd == AmdGpu::mi300 ? rccl_facts::kDdaOfMi300 : rccl_facts::kDdaOfMi350;
  const std::int64_t bytes = whole_bytes(call);
  const bool in_parts = call.collective != allreduce || bytes > rccl_facts::kDdaOneShot;
  const std::int64_t word = rccl_facts::kDdaWord * (in_parts ? call.ranks : 1);
  return bytes > 0 && bytes <= limit && bytes % word == 0;
}

bool takes_hierarchical(const LibraryCall& call) {
  const std::int32_t boxes = call.gpus.boxes;
  if (call.collective != allgather || boxes < 8) return false;
  const std::int64_t limit_Mi = boxes >= 32 ? 128 : boxes >= 16 ? 64 : 32;
  return whole_bytes(call) <= limit_Mi << 20;
}

bool takes_direct_allgather(const LibraryCall& call) {
  constexpr std::int64_t kOfMi300 = 4 << 20, kOfOneMi350 = 8 << 20, kOfEachMi350 = 2 << 20,
                         kOtherwise = 75'497'472;
  if (call.collective != allgather || call.ranks % 8 != 0) return false;
  const std::int64_t boxes = call.gpus.boxes;
  const std::int64_t limit = call.gpus.amd == AmdGpu::mi300 ? kOfMi300
                             : boxes == 1                   ? kOfOneMi350
                             : boxes < 64                   ? boxes * kOfEachMi350
                                                            : kOtherwise;
  return whole_bytes(call) <= limit;
}

// Of gfx950 alone, and where GPUs reach cards of others (PXN), which takes 32 ranks.
bool takes_direct_reduce_scatter(const LibraryCall& call) {
  constexpr std::int32_t kRanksOfPxn = 32;
  if (call.collective != reduce_scatter || call.gpus.amd != AmdGpu::mi350 ||
      call.ranks < kRanksOfPxn)
    return false;
  const std::int32_t boxes = call.gpus.boxes;
  const std::int64_t limit_Mi = boxes == 4 ? 4 : boxes == 8 || boxes == 16 ? 8 : 0;
  const std::int64_t bytes = whole_bytes(call);
  if (boxes == 2) return bytes >= 128 << 10 && bytes <= 2 << 20;
  return bytes <= limit_Mi << 20;
}

LibraryChoice exchange(const LibraryCall& call, const char* native, const char* algorithm) {
  constexpr std::size_t kSimple = 2;
  const bool is_crossing = call.gpus.boxes > 1;
  const rccl_facts::Tuning& tuning = rccl_facts::kMi300;  // that of gfx950 has the same steps
  const double hop_us = tuning.ring.inside[kSimple];
  const double network_us = is_crossing ? tuning.tree.network[kSimple] : hop_us;
  DeviceTerms terms{.launch_ps = picoseconds(rccl_facts::kBase[kSimple]),
                    .hop_ps = picoseconds(hop_us),
                    .network_ps = picoseconds(network_us),
                    .share = 1};
  const double far = is_crossing ? call.ranks - call.gpus.per_box : call.ranks - 1;
  const double rate_Bps =
      static_cast<double>(is_crossing ? call.gpus.card_Bps : call.gpus.nvlink_Bps);
  terms.modelled_s = 1e-6 * (rccl_facts::kBase[kSimple] + network_us) +
                     model_bytes(call) / call.ranks * far / rate_Bps;
  return {.native = native, .parts = {part(call.collective, algorithm)}, .device = terms};
}

}  // namespace

std::optional<LibraryChoice> rccl_path(const LibraryCall& call) {
  if (call.gpus.amd == AmdGpu::mi250) return std::nullopt;
  if (takes_dda(call)) return dda_choice(call);
  if (takes_hierarchical(call)) return exchange(call, "Hierarchical", "hierarchical");
  if (takes_direct_allgather(call) || takes_direct_reduce_scatter(call))
    return exchange(call, "Direct Simple", call.gpus.boxes == 1 ? "direct" : "spread");
  return std::nullopt;
}

}  // namespace weft::libraries
