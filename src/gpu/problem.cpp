#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "weft/base/error.hpp"
#include "weft/format/msccl_check.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::gpu {

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
  require(found.has_value(),
          "{}: the collective '{}' has no definition, so its result cannot be checked",
          algorithm.file, algorithm.collective);
  collective_ = *found;
  const auto sizes = format::msccl::sizes_of(algorithm);
  require(sizes.has_value(), "{}: nchunksperloop=\"{}\" is not a multiple of the {} ranks",
          algorithm.file, algorithm.chunks, collective_.ranks);
  sizes_ = *sizes;
  if (collective_.rooted()) collective_.root = schedule::Rank(format::msccl::root_of(algorithm));
}

std::int64_t Problem::input_chunks(int rank) const {
  const bool passed = collective_.held_at_first(schedule::Rank(rank)).total() > 0;
  return std::max<std::int64_t>(algorithm_.gpus[static_cast<std::size_t>(rank)].input_chunks,
                                passed ? sizes_.input : 0);
}
std::int64_t Problem::output_chunks(int rank) const {
  return std::max<std::int64_t>(algorithm_.gpus[static_cast<std::size_t>(rank)].output_chunks,
                                is_result(rank) ? sizes_.output : 0);
}

std::vector<Word> Problem::input(int rank, std::int64_t chunk, Type type) const {
  std::vector<Word> data(static_cast<std::size_t>(input_chunks(rank) * chunk));
  for (std::size_t e = 0; e < data.size(); ++e)
    data[e] = drawn(rank, static_cast<std::int64_t>(e), type);
  return data;
}

bool Problem::is_result(int rank) const {
  return collective_.wanted(schedule::Rank(rank)).total() > 0;
}

// `element` of a rank's output. A block is what --size says, or a rank's part of it.
Word Problem::expected(int rank, std::int64_t element, std::int64_t chunk, Type type) const {
  const std::int64_t block = chunks_of_size() * chunk;
  if (!collective_.reduces()) {
    const std::int64_t wanted =
        schedule::block_at(collective_.wanted(schedule::Rank(rank)), element / block);
    const schedule::Origin from = schedule::origin_of(collective_, wanted);
    return drawn(from.rank.value(), from.position * block + element % block, type);
  }
  const bool of_own = schedule::traits_of(collective_.kind).ends_with_own();
  const std::int64_t first = of_own ? rank * (block / collective_.ranks) : 0;
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
