#include "rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::format::msccl {

using schedule::CollectiveKind;

namespace {

// A file does not name its root. If a single GPU has an input to spread, or an output to collect
// in, that is the root; else it is rank 0.
schedule::Rank root_of(const Algorithm& algorithm, CollectiveKind kind) {
  const bool spreads = kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter;
  const Buffer buffer = spreads ? Buffer::input : Buffer::output;
  std::optional<std::int32_t> root;
  for (std::int32_t rank = 0; rank < algorithm.ranks(); ++rank) {
    if (algorithm.gpus[static_cast<std::size_t>(rank)].chunks(buffer) == 0) continue;
    if (root) return schedule::Rank(0);
    root = rank;
  }
  return schedule::Rank(root.value_or(0));
}

}  // namespace

Rows::Rows(const Algorithm& algorithm)
    : algorithm_(algorithm),
      collective_(collective_of(algorithm.collective, algorithm.ranks())),
      output_(algorithm.works_out_of_place() ? kOutput : 0) {
  count_chunks(algorithm);
  if (!collective_) return;
  const CollectiveKind kind = collective_->kind;
  if (collective_->rooted()) collective_->root = root_of(algorithm, kind);
  if (kind == CollectiveKind::allgather || kind == CollectiveKind::gather) input_block_ = 1;
  if (kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::scatter) output_block_ = 1;
  if (kind == CollectiveKind::alltoall) {
    require(output_ != 0,
            "{}: an all-to-all in place is not read: its output overwrites input that belongs to "
            "other ranks' blocks; give a file with outofplace=\"1\"",
            algorithm.file);
    input_block_ = algorithm.ranks();
    output_block_ = 1;
    output_stride_ = algorithm.ranks();
  }
  require_buffers(algorithm);
}

// nchunksperloop counts the chunks of the larger buffer; those of gather and scatter, which only
// one of three readers knows, count a block's.
void Rows::count_chunks(const Algorithm& algorithm) {
  chunks_of_size_ = algorithm.chunks;
  if (!collective_ || collective_->whole_buffer()) return;
  const std::int64_t ranks = algorithm.ranks();
  const bool gathers = collective_->kind == CollectiveKind::gather;
  if (gathers || collective_->kind == CollectiveKind::scatter) {
    std::int64_t most = 0;
    for (const Gpu& gpu : algorithm.gpus)
      most = std::max<std::int64_t>(most, gathers ? gpu.output_chunks : gpu.input_chunks);
    per_block_ = chunks_of_size_;
    if (most > algorithm.chunks || ranks == 1) return;
  }
  require(algorithm.chunks % ranks == 0,
          "{}: nchunksperloop=\"{}\" is no multiple of the {} ranks, each of which has a block",
          algorithm.file, algorithm.chunks, ranks);
  per_block_ = algorithm.chunks / ranks;
  chunks_of_size_ = collective_->size_is_block() ? per_block_ : algorithm.chunks;
}

void Rows::require_buffers(const Algorithm& algorithm) const {
  const bool whole = collective_->whole_buffer();
  const std::int64_t all = whole ? algorithm.chunks : algorithm.ranks() * per_block_;
  const CollectiveKind kind = collective_->kind;
  const bool small_in = kind == CollectiveKind::allgather || kind == CollectiveKind::gather;
  const bool small_out = kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::scatter;
  for (const Gpu& gpu : algorithm.gpus) {
    require_chunks(algorithm, gpu, Buffer::input, small_in ? per_block_ : all);
    require_chunks(algorithm, gpu, Buffer::output, small_out ? per_block_ : all);
  }
}

void Rows::require_chunks(const Algorithm& algorithm, const Gpu& gpu, Buffer buffer,
                          std::int64_t most) const {
  require(gpu.chunks(buffer) <= most,
          "{}:{}: {}_chunks=\"{}\", and nchunksperloop=\"{}\" makes the {} buffer of {} {} chunks",
          algorithm.file, gpu.line, name_of(buffer), gpu.chunks(buffer), algorithm.chunks,
          buffer == Buffer::input ? "input" : "output", name_of(collective_->kind), most);
}

std::int64_t Rows::chunk_B(std::int64_t size_B) const {
  const std::int64_t chunks = chunks_of_size_, below = size_B / chunks * chunks;
  if (size_B <= 0 || below != size_B)
    reject("size {} is no whole number of the {} chunks of '{}'; use {}", size_B, chunks,
           algorithm_.file,
           below > 0 ? fmt::format("{} or {}", below, below + chunks) : fmt::format("{}", chunks));
  return size_B / chunks;
}

std::int64_t Rows::units_of_size() const {
  if (!collective_ || !collective_->whole_buffer()) return chunks_of_size_;
  return std::lcm(chunks_of_size_, std::int64_t{algorithm_.ranks()});
}

std::vector<std::string> Rows::buffers(const Algorithm& algorithm) {
  std::vector<std::string> names{"data", "through", "scratch"};
  if (algorithm.works_out_of_place()) names.emplace_back("output");
  return names;
}

}  // namespace weft::format::msccl
