#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "layout.hpp"
#include "thread_blocks.hpp"
#include "transfers.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/msccl_check.hpp"
#include "weft/format/msccl_export.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::format::msccl {

using schedule::Collective;
using schedule::CollectiveKind;
using schedule::Schedule;

namespace {

constexpr std::size_t kLongestName = 63;

std::string collective_text(CollectiveKind kind, const Profile& profile) {
  std::string text(schedule::name_of(kind));
  if (profile.underscore)
    std::ranges::replace(text, '-', '_');
  else
    std::erase(text, '-');
  return text;
}

void require_expressible(const Schedule& schedule, const Profile& profile) {
  const Collective& collective = schedule.collective();
  require(schedule.helpers() == 0,
          "MSCCL supports only GPUs, but {} has {} (switches that combine and copy); choose an "
          "algorithm without them",
          schedule.algorithm(), counted(schedule.helpers(), "helper"));
  require(schedule.route_count() == 0,
          "MSCCL cannot store the paths of messages, which {} has; give --drop-paths, and the "
          "network routes the messages",
          schedule.algorithm());
  require(has_collective(collective.kind), "MSCCL does not support {}; export a collective",
          name_of(collective.kind));
  const bool is_old = profile.underscore;
  require(!is_old || !(collective.rooted() && schedule::traits_of(collective.kind).splits()),
          "profile {} does not support {}; use --profile rccl", profile.name,
          name_of(collective.kind));
}

CallMode mode_of(const ExportOptions& options, const Collective& collective, const Layout& layout) {
  const bool one_mode = !options.profile.needs_window;
  const CallMode usual = !layout.can_be_in_place()   ? CallMode::out_of_place
                         : !one_mode                 ? CallMode::both
                         : collective.whole_buffer() ? CallMode::in_place
                                                     : CallMode::out_of_place;
  const CallMode mode = options.mode.value_or(usual);
  require(mode == CallMode::out_of_place || layout.can_be_in_place(),
          "an {} in place would write blocks before they are sent; export it out of place",
          name_of(collective.kind));
  require(mode != CallMode::both || !one_mode,
          "profile {} supports files for calls in place or out of place, not both; choose one",
          options.profile.name);
  return mode;
}

// Numbers the chunks of scratch that steps use, in order; those of reductions that are sent on and
// not kept are none.
void close_gaps_in_scratch(Gpu& gpu, std::int32_t chunks) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(chunks), -1);
  const auto each_place = [&](auto&& visit) {
    for (ThreadBlock& block : gpu.blocks)
      for (Step& step : block.steps)
        for (Place* place : {&step.source, &step.target})
          if (place->buffer == Buffer::scratch && place->offset >= 0) visit(step, *place);
  };
  // The side that a step does not use repeats the other one, or is made to.
  for (ThreadBlock& block : gpu.blocks)
    for (Step& step : block.steps) {
      if (step.type == StepType::receive_reduce_send) step.target = step.source;
    }
  each_place([&](const Step& step, const Place& place) {
    WEFT_ASSERT(place.offset + step.count <= chunks);
    for (std::int32_t i = 0; i < step.count; ++i)
      number[static_cast<std::size_t>(place.offset + i)] = 0;
  });
  gpu.scratch_chunks = 0;
  for (std::int32_t& one : number)
    if (one == 0) one = gpu.scratch_chunks++;
  each_place([&](const Step&, Place& place) {
    place.offset = number[static_cast<std::size_t>(place.offset)];
    WEFT_ASSERT(place.offset >= 0);
  });
}

// Before thread blocks are made, which take memory for each pair of a transfer and a block. A step
// receives once and sends once at most.
void require_few(const std::vector<GpuTransfers>& gpus, const Profile& profile) {
  for (std::size_t rank = 0; rank < gpus.size(); ++rank)
    require(std::ssize(gpus[rank].all()) <= std::int64_t{2} * profile.nodes,
            "rank {} sends, receives and copies {} times, but readers of profile {} allow {} "
            "steps; use fewer instances or segments, or an algorithm with fewer steps",
            rank, gpus[rank].all().size(), profile.name, profile.nodes);
}

// The reader of `msccl` takes 0 as itself, and allocates scratch for the largest size when it
// starts (src/init.cc), where others allocate it for the call.
std::int64_t max_bytes(const ExportOptions& options, const Algorithm& algorithm) {
  constexpr std::int64_t kNoLimit = std::int64_t{1} << 60, kWithScratch = std::int64_t{1} << 31;
  if (options.max_bytes != 0 || options.profile.needs_window) return options.max_bytes;
  const bool has_scratch =
      std::ranges::any_of(algorithm.gpus, [](const Gpu& gpu) { return gpu.scratch_chunks > 0; });
  return has_scratch ? kWithScratch : kNoLimit;
}

void require_within(const Algorithm& algorithm, const Profile& profile) {
  require(algorithm.channels <= profile.channels,
          "{} needs {} channels, but profile {} has {}; use fewer instances or segments, or an "
          "algorithm with fewer steps",
          algorithm.name, algorithm.channels, profile.name, profile.channels);
  std::int32_t rank = 0;
  for (const Gpu& gpu : algorithm.gpus) {
    const auto blocks = std::ssize(gpu.blocks);
    require(blocks <= profile.blocks,
            "rank {} needs {} thread blocks, but profile {} has {}; use fewer instances, or an "
            "algorithm with fewer peers",
            rank, blocks, profile.name, profile.blocks);
    std::ptrdiff_t nodes = 1 + std::ssize(algorithm.gpus) + blocks;
    for (const ThreadBlock& block : gpu.blocks) nodes += std::ssize(block.steps);
    require(nodes <= profile.nodes,
            "rank {} has {} steps and thread blocks, but readers of profile {} allow {}; use "
            "fewer instances or segments, or an algorithm with fewer steps",
            rank, nodes - 1 - std::ssize(algorithm.gpus), profile.name, profile.nodes);
    ++rank;
  }
  // What else its reader refuses: offsets, thread blocks to wait for, elements of one parent.
  const std::vector<Finding> limits = limits_of(algorithm, profile, 1);
  require(limits.empty(),
          "profile {} cannot read the file: {}; use fewer instances or segments, or an "
          "algorithm with fewer peers",
          profile.name, limits.empty() ? "" : limits[0].text);
}

std::string name_of(const Schedule& schedule) {
  const std::string name =
      fmt::format("weft {} {}", schedule.algorithm(), schedule.binding().topology);
  return name.substr(0, std::min(name.size(), kLongestName));
}

}  // namespace

Algorithm build(const schedule::Verified& verified, const ExportOptions& options) {
  const Profile& profile = options.profile;
  require(options.instances >= 1 && options.instances <= profile.channels,
          "{} instances are out of range (1 to {})", options.instances, profile.channels);
  require_expressible(verified.schedule(), profile);
  const Schedule schedule = expand_symmetry(verified.schedule());
  const Layout layout(schedule, options.instances);
  const CallMode mode = mode_of(options, schedule.collective(), layout);
  const auto gpus = transfers_of(schedule, layout, options.instances, mode, profile.count);
  require_few(gpus, profile);
  Blocks blocks = place_in_blocks(gpus, {.instances = options.instances,
                                         .steps = profile.steps,
                                         .peers_per_channel = profile.blocks_per_channel,
                                         .fuse = options.fuse});
  Algorithm algorithm{.name = name_of(schedule),
                      .collective = collective_text(schedule.collective().kind, profile),
                      .protocol = options.protocol,
                      .channels = blocks.channels,
                      .chunks = static_cast<std::int32_t>(layout.per_loop()),
                      .in_place = mode != CallMode::out_of_place};
  if (profile.needs_window) algorithm.out_of_place = mode != CallMode::in_place;
  algorithm.min_bytes = options.min_bytes;
  WEFT_ASSERT(blocks.of_gpu.size() == gpus.size());
  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
    const auto chunks = [&](Buffer buffer) {
      return static_cast<std::int32_t>(layout.chunks(buffer, static_cast<std::int32_t>(rank)));
    };
    Gpu& gpu = algorithm.gpus.emplace_back(Gpu{.input_chunks = chunks(Buffer::input),
                                               .output_chunks = chunks(Buffer::output),
                                               .blocks = std::move(blocks.of_gpu[rank])});
    close_gaps_in_scratch(gpu, gpus[rank].scratch_chunks());
  }
  algorithm.max_bytes = max_bytes(options, algorithm);
  require_within(algorithm, profile);
  return algorithm;
}

}  // namespace weft::format::msccl
