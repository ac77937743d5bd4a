// MSCCL++ plans to operations.
//
// Thread blocks run side by side as far as they can, each operation after the one before it in its
// thread block. (Operations that no nop separates are concurrent; one after another is one of their
// orders.) Each thread block knows, for every other one, the last operation that is complete: what
// it puts is received after that.
#include <algorithm>
#include <limits>
#include <numeric>

#include "plan_run.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format::mscclpp {

namespace {

/// The buffers of a plan, as those of an MSCCL file.
msccl::Algorithm shell_of(const Plan& plan) {
  msccl::Algorithm algorithm;
  algorithm.name = plan.name;
  algorithm.collective = plan.collective;
  algorithm.in_place = plan.in_place;
  algorithm.out_of_place = !plan.in_place;
  algorithm.file = plan.file;
  const auto collective = msccl::collective_of(plan.collective, plan.ranks());
  const bool by_block =
      collective && collective->rooted() && schedule::traits_of(collective->kind).splits();
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (const Gpu& gpu : plan.gpus) {
    algorithm.gpus.emplace_back();
    algorithm.gpus.back().input_chunks = gpu.input_chunks;
    algorithm.gpus.back().output_chunks = gpu.output_chunks;
    algorithm.gpus.back().scratch_chunks = gpu.scratch_chunks;
    algorithm.chunks = std::max({algorithm.chunks, gpu.input_chunks, gpu.output_chunks});
    least = std::min({least, gpu.input_chunks, gpu.output_chunks});
  }
  if (by_block) algorithm.chunks = least;
  return algorithm;
}

// Parts that thread blocks share are whole bytes if a chunk has so many.
std::int64_t parts_of(const std::vector<Op>& ops, std::int64_t parts) {
  for (const Op& op : ops) {
    parts = parts_of(op.body, parts);
    if (op.shares == 1) continue;
    for (const auto* slices : {&op.sources, &op.targets})
      for (const Slice& slice : *slices)
        parts = std::lcm(parts, op.shares / std::gcd<std::int64_t>(op.shares, slice.size));
    require(parts <= 1 << 16, "the plan cuts chunks into more than {} parts", 1 << 16);
  }
  return parts;
}

}  // namespace

Program to_program(const Plan& plan, std::int64_t size_B, Signals signals) {
  const msccl::Algorithm shell = shell_of(plan);
  const msccl::Rows rows(shell);
  std::vector<std::string> buffers = msccl::Rows::buffers(shell);
  buffers.emplace_back("packets");
  const auto packets = static_cast<std::int32_t>(buffers.size()) - 1;
  ProgramBuilder builder(
      plan.ranks(),
      {.name = plan.name.empty() ? plan.file : plan.name, .size_B = size_B, .buffers = buffers});
  PlanRun(plan, rows, rows.chunk_B(size_B), builder, packets, signals).run();
  try {
    return std::move(builder).build();
  } catch (const InvalidInput& error) {
    reject("{}: {}", plan.file, error.what());
  }
}

std::optional<program::Claim> claim_of(const Plan& plan, std::int64_t size_B) {
  const msccl::Algorithm shell = shell_of(plan);
  const msccl::Rows rows(shell);
  if (!rows.collective()) return std::nullopt;
  return program::Claim{.collective = *rows.collective(),
                        .size_B = size_B,
                        .output = plan.in_place ? 0 : msccl::Rows::kOutput};
}

std::int64_t least_size_B(const Plan& plan) {
  const msccl::Algorithm shell = shell_of(plan);
  std::int64_t parts = 1;
  for (const Gpu& gpu : plan.gpus)
    for (const Block& block : gpu.blocks) parts = parts_of(block.ops, parts);
  return msccl::Rows(shell).units_of_size() * parts;
}

}  // namespace weft::format::mscclpp
