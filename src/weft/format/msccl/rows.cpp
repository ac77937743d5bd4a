#include "rows.hpp"

#include <fmt/format.h>

#include <numeric>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format::msccl {

using schedule::CollectiveKind;

Rows::Rows(const Algorithm& algorithm)
    : algorithm_(algorithm),
      collective_(collective_of(algorithm.collective, algorithm.ranks())),
      output_(algorithm.works_out_of_place() ? kOutput : 0) {
  chunks_of_size_ = algorithm.chunks;
  if (!collective_) return;
  const auto sizes = sizes_of(algorithm);
  require(sizes.has_value(),
          "{}: nchunksperloop=\"{}\" is not a multiple of the {} ranks, each of which has a "
          "block",
          algorithm.file, algorithm.chunks, algorithm.ranks());
  per_block_ = sizes->block;
  chunks_of_size_ = sizes->of_size;
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective_->kind);
  if (traits.begins_with_own()) input_block_ = 1;
  if (traits.ends_with_own()) output_block_ = 1;
  if (traits.by_pair()) {
    require(output_ != 0,
            "{}: an all-to-all in place is not supported, because its output overwrites input of "
            "other blocks; give a file with outofplace=\"1\"",
            algorithm.file);
    input_block_ = algorithm.ranks();
    output_block_ = 1;
    output_stride_ = algorithm.ranks();
  }
  for (const Gpu& gpu : algorithm.gpus) {
    require_chunks(algorithm, gpu, Buffer::input, sizes->input);
    require_chunks(algorithm, gpu, Buffer::output, sizes->output);
  }
}

void Rows::require_chunks(const Algorithm& algorithm, const Gpu& gpu, Buffer buffer,
                          std::int64_t most) const {
  require(gpu.chunks(buffer) <= most,
          "{}:{}: {}_chunks=\"{}\", but with nchunksperloop=\"{}\" the {} buffer of {} needs "
          "{} chunks",
          algorithm.file, gpu.line, name_of(buffer), gpu.chunks(buffer), algorithm.chunks,
          buffer == Buffer::input ? "input" : "output", name_of(collective_->kind), most);
}

std::int64_t Rows::chunk_B(std::int64_t size_B) const {
  WEFT_ASSERT(chunks_of_size_ > 0);
  const std::int64_t chunks = chunks_of_size_, below = size_B / chunks * chunks;
  if (size_B <= 0 || below != size_B)
    reject("size {} is not a multiple of the {} chunks of '{}'; use {}", size_B, chunks,
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
