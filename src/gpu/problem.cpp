#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "weft/base/error.hpp"

namespace weft::gpu {

using schedule::CollectiveKind;

namespace {

// A stream of random bits for each rank (splitmix64; Steele, Lea, Flood, OOPSLA 2014).
std::uint32_t random_bits(std::uint64_t rank, std::uint64_t index) {
  std::uint64_t z = (rank + 1) * 0xD1B54A32D192ED03 + index * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

Word drawn(int rank, std::int64_t index, Type type) {
  const std::uint32_t bits =
      random_bits(static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(index));
  if (type == Type::integers) return bits;
  return std::bit_cast<Word>(static_cast<float>(static_cast<int>(bits % 128) - 64));
}

}  // namespace

Problem::Problem(const format::msccl::Algorithm& algorithm) : algorithm_(algorithm) {
  const auto found = format::msccl::collective_of(algorithm.collective, algorithm.ranks());
  require(found.has_value(), "{}: the collective '{}' has no definition to check a result by",
          algorithm.file, algorithm.collective);
  collective_ = *found;
  // The larger buffer has all chunks.
  std::int32_t most = 1;
  for (const auto& gpu : algorithm.gpus)
    most = std::max({most, gpu.input_chunks, gpu.output_chunks});
  const bool blocks =
      collective_.size_is_block() || collective_.kind == CollectiveKind::reduce_scatter;
  require(!blocks || most % collective_.ranks == 0,
          "{}: {} chunks are no whole number for each of {} ranks", algorithm.file, most,
          collective_.ranks);
  chunks_of_size_ = collective_.size_is_block() ? most / collective_.ranks : most;
}

// A file that works in place may name chunks of the larger buffer alone.
std::int64_t Problem::input_chunks(int rank) const {
  const bool root = rank == collective_.root.value();
  const std::int64_t blocks = collective_.kind == CollectiveKind::alltoall ? collective_.ranks
                              : collective_.kind == CollectiveKind::scatter
                                  ? (root ? collective_.ranks : 0)
                                  : 1;
  return std::max<std::int64_t>(algorithm_.gpus[static_cast<std::size_t>(rank)].input_chunks,
                                blocks * chunks_of_size_);
}
std::int64_t Problem::output_chunks(int rank) const {
  const bool root = rank == collective_.root.value();
  std::int64_t chunks = chunks_of_size_;
  if (collective_.kind == CollectiveKind::reduce_scatter) chunks /= collective_.ranks;
  if (collective_.kind == CollectiveKind::alltoall || collective_.kind == CollectiveKind::allgather)
    chunks *= collective_.ranks;
  if (collective_.kind == CollectiveKind::gather) chunks *= root ? collective_.ranks : 0;
  return std::max<std::int64_t>(algorithm_.gpus[static_cast<std::size_t>(rank)].output_chunks,
                                chunks);
}

std::vector<Word> Problem::input(int rank, std::int64_t chunk, Type type) const {
  std::vector<Word> data(static_cast<std::size_t>(input_chunks(rank) * chunk));
  for (std::size_t e = 0; e < data.size(); ++e)
    data[e] = drawn(rank, static_cast<std::int64_t>(e), type);
  return data;
}

bool Problem::is_result(int rank) const {
  const bool at_root =
      collective_.kind == CollectiveKind::reduce || collective_.kind == CollectiveKind::gather;
  return !at_root || rank == collective_.root.value();
}

// `element` of a rank's output. A block is what --size says, or a rank's part of it.
Word Problem::expected(int rank, std::int64_t element, std::int64_t chunk, Type type) const {
  const std::int64_t block = chunks_of_size() * chunk;
  const int peer = static_cast<int>(element / block);
  switch (collective_.kind) {
    case CollectiveKind::broadcast:
      return drawn(collective_.root.value(), element, type);
    case CollectiveKind::scatter:
      return drawn(collective_.root.value(), rank * block + element, type);
    case CollectiveKind::gather:
    case CollectiveKind::allgather:
      return drawn(peer, element % block, type);
    case CollectiveKind::alltoall:
      return drawn(peer, rank * block + element % block, type);
    default:
      break;
  }
  const std::int64_t first =
      collective_.kind == CollectiveKind::reduce_scatter ? rank * (block / collective_.ranks) : 0;
  Word integers = 0;
  float floats = 0;
  for (int r = 0; r < collective_.ranks; ++r) {
    const Word word = drawn(r, first + element, type);
    integers += word;
    if (type == Type::floats) floats += std::bit_cast<float>(word);
  }
  return type == Type::floats ? std::bit_cast<Word>(floats) : integers;
}

std::string Problem::difference(int rank, std::span<const Word> output, std::int64_t chunk,
                                Type type) const {
  if (!is_result(rank)) return "";
  for (std::int64_t e = 0; e < std::ssize(output); ++e)
    if (output[static_cast<std::size_t>(e)] != expected(rank, e, chunk, type))
      return fmt::format("the result of rank {} is wrong: element {} of chunk {} of {}", rank,
                         e % chunk, e / chunk, type == Type::floats ? "floats" : "integers");
  return "";
}

}  // namespace weft::gpu
