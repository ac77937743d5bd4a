#include "weft/format/msccl/check/result/memory.hpp"

#include <algorithm>

namespace weft::format::msccl {

using schedule::CollectiveKind;

std::optional<BufferSizes> sizes_of(const Algorithm& algorithm) {
  const auto collective = collective_of(algorithm.collective, algorithm.ranks());
  if (!collective || algorithm.chunks <= 0) return std::nullopt;
  const std::int64_t large = algorithm.chunks;
  const std::int64_t small = large / algorithm.ranks();
  const bool divides = large % algorithm.ranks() == 0;
  // The readers count a gather and a scatter by what one rank has, all others by all of it.
  const std::int64_t all = large * algorithm.ranks();
  switch (collective->kind) {
    case CollectiveKind::gather:
      return BufferSizes{large, all};
    case CollectiveKind::scatter:
      return BufferSizes{all, large};
    case CollectiveKind::allreduce:
    case CollectiveKind::reduce:
    case CollectiveKind::broadcast:
      return BufferSizes{large, large};
    case CollectiveKind::allgather:
      return divides ? std::optional(BufferSizes{small, large}) : std::nullopt;
    case CollectiveKind::reduce_scatter:
      return divides ? std::optional(BufferSizes{large, small}) : std::nullopt;
    case CollectiveKind::alltoall:
      return divides ? std::optional(BufferSizes{large, large}) : std::nullopt;
    default:
      return std::nullopt;
  }
}

namespace {

// Where input and output begin in the user's one buffer; nothing if they are apart.
std::optional<BufferSizes> overlay(const Algorithm& algorithm, Mode mode, std::int32_t rank,
                                   std::int32_t root) {
  if (mode == Mode::out_of_place) return std::nullopt;
  const auto collective = collective_of(algorithm.collective, algorithm.ranks());
  if (!collective) return BufferSizes{0, 0};
  const std::int64_t share = algorithm.chunks / algorithm.ranks();
  const bool by_rank =
      collective->kind == CollectiveKind::gather || collective->kind == CollectiveKind::scatter;
  const std::int64_t part = rank * (by_rank ? algorithm.chunks : share);
  switch (collective->kind) {
    case CollectiveKind::allgather:
      return BufferSizes{part, 0};
    case CollectiveKind::reduce_scatter:
      return BufferSizes{0, part};
    case CollectiveKind::gather:
      return rank == root ? std::optional(BufferSizes{part, 0}) : std::nullopt;
    case CollectiveKind::scatter:
      return rank == root ? std::optional(BufferSizes{0, part}) : std::nullopt;
    default:
      return BufferSizes{0, 0};
  }
}

}  // namespace

Memory::Memory(const Algorithm& algorithm, Mode mode, std::int32_t root) {
  const BufferSizes least = sizes_of(algorithm).value_or(BufferSizes{});
  for (std::int32_t rank = 0; rank < algorithm.ranks(); ++rank) {
    const Gpu& gpu = algorithm.gpus[static_cast<std::size_t>(rank)];
    const std::int64_t input = std::max<std::int64_t>(gpu.input_chunks, least.input);
    const std::int64_t output = std::max<std::int64_t>(gpu.output_chunks, least.output);
    Bases bases{{cells_, cells_ + input, 0}};
    std::int64_t users = input + output;
    if (const auto shift = overlay(algorithm, mode, rank, root)) {
      bases = {{cells_ + shift->input, cells_ + shift->output, 0}};
      users = std::max(shift->input + input, shift->output + output);
    }
    bases.of[2] = cells_ + users;
    base_.push_back(bases);
    cells_ += users + gpu.scratch_chunks;
  }
}

}  // namespace weft::format::msccl
