#include "weft/format/msccl/check/links/flat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "weft/base/error.hpp"
#include "weft/format/msccl/check/links/links.hpp"

namespace weft::format::msccl {

namespace {

// What would take more than some gigabytes and a minute is refused; 1,024 ranks have a hundredth.
constexpr std::int64_t kMostSteps = 1 << 28, kMostChunks = 100'000'000, kMostMoved = 200'000'000;

void require_checkable(const Algorithm& algorithm) {
  std::int64_t chunks = 2 * std::int64_t{algorithm.chunks} * algorithm.ranks(), moved = 0;
  for (const Gpu& gpu : algorithm.gpus) {
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch})
      chunks += gpu.chunks(buffer);
    for (const ThreadBlock& block : gpu.blocks)
      for (const Step& step : block.steps) moved += std::max(0, step.count);
  }
  require(algorithm.steps() < kMostSteps, "{} has {} steps, too many to check (at most {})",
          algorithm.file, algorithm.steps(), kMostSteps);
  require(chunks <= kMostChunks,
          "{} has buffers of {} chunks in total, too many to check (at most {})", algorithm.file,
          chunks, kMostChunks);
  require(moved <= kMostMoved, "{} moves {} chunks in total, too many to check (at most {})",
          algorithm.file, moved, kMostMoved);
}

void flatten(Flat& flat, const Algorithm& algorithm) {
  require_checkable(algorithm);
  WEFT_ASSERT(flat.algorithm == nullptr && flat.step.empty());
  flat.algorithm = &algorithm;
  const auto steps = static_cast<std::size_t>(algorithm.steps());
  flat.step.reserve(steps);
  flat.block.reserve(steps);
  for (std::int32_t g = 0; g < algorithm.ranks(); ++g) {
    flat.first_block.push_back(flat.blocks());
    for (const ThreadBlock& block : algorithm.gpus[Flat::index(g)].blocks) {
      flat.first_step.push_back(flat.steps());
      for (const Step& step : block.steps) {
        flat.step.push_back(&step);
        flat.block.push_back(flat.blocks());
      }
      flat.gpu.push_back(g);
    }
  }
  flat.first_block.push_back(flat.blocks());
  flat.first_step.push_back(flat.steps());
  WEFT_ASSERT(std::ssize(flat.first_block) == algorithm.ranks() + 1);
  WEFT_ASSERT(std::ssize(flat.first_step) == flat.blocks() + 1 && flat.step.size() == steps);
}

}  // namespace

bool link(Flat& flat, const Algorithm& algorithm, Findings& findings) {
  flatten(flat, algorithm);
  const bool placed = check_places(flat, findings);
  const bool connected = connect(flat, findings);
  const bool paired = connected && pair(flat, findings);
  const bool ordered = link_dependencies(flat, findings);
  return placed && paired && ordered;
}

std::string name_of_block(const Flat& flat, std::int32_t b) {
  return fmt::format("rank {}, thread block {}", flat.gpu[Flat::index(b)], flat.number_of_block(b));
}

std::string name_of(const Flat& flat, StepIndex s) {
  return fmt::format("{}, step {} ({})", name_of_block(flat, flat.block[Flat::index(s)]),
                     flat.number_of_step(s), name_of(flat.step[Flat::index(s)]->type));
}

std::string name_of(Place place, std::int32_t count) {
  if (count <= 1) return fmt::format("{}[{}]", name_of(place.buffer), place.offset);
  return fmt::format("{}[{}..{}]", name_of(place.buffer), place.offset, place.offset + count - 1);
}

Finding finding_at_block(const Flat& flat, std::int32_t b, std::string kind, std::string text) {
  return {.kind = std::move(kind),
          .rank = flat.gpu[Flat::index(b)],
          .block = flat.number_of_block(b),
          .line = flat.thread_block(b).line,
          .text = std::move(text),
          .events = {}};
}

Finding finding_at(const Flat& flat, StepIndex s, std::string kind, std::string text) {
  Finding finding =
      finding_at_block(flat, flat.block[Flat::index(s)], std::move(kind), std::move(text));
  finding.step = flat.number_of_step(s);
  finding.line = flat.step[Flat::index(s)]->line;
  return finding;
}

}  // namespace weft::format::msccl
