#include "weft/format/msccl/check/result/memory.hpp"

#include <algorithm>

#include "weft/schedule/collective_traits.hpp"

namespace weft::format::msccl {

using schedule::CollectiveKind;

namespace {

// Where input and output begin in the user's one buffer.
struct Shift {
  std::int64_t input = 0, output = 0;
};

// Nothing if they are apart.
std::optional<Shift> overlay(const Algorithm& algorithm, Mode mode, std::int32_t rank,
                             std::int32_t root) {
  if (mode == Mode::out_of_place) return std::nullopt;
  const auto collective = collective_of(algorithm.collective, algorithm.ranks());
  const auto sizes = sizes_of(algorithm);
  if (!collective || !sizes) return Shift{};
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective->kind);
  const bool only_root = traits.rooted() && traits.splits();
  if (only_root && rank != root) return std::nullopt;
  const std::int64_t part = rank * sizes->block;
  if (traits.begins_with_own()) return Shift{part, 0};
  if (traits.ends_with_own()) return Shift{0, part};
  return Shift{};
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
