// Names, limits and profiles of MSCCL XML.
//
// Sources: microsoft/msccl src/include/msccl.h, src/graph/topo.cc; Azure/msccl-executor-nccl
// src/include/msccl/msccl_struct.h, src/misc/msccl/msccl_parser.cc; ROCm/rccl until 2026.
#include <algorithm>
#include <array>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/format/msccl.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format::msccl {

namespace {

struct TypeFacts {
  std::string_view name;
  bool sends, receives, reduces, reads_source, writes_target;
};
// In the order of StepType.
constexpr std::array<TypeFacts, kStepTypes> kTypes{{
    {"s", true, false, false, true, false},
    {"r", false, true, false, false, true},
    {"rcs", true, true, false, false, true},
    {"rrs", true, true, true, true, false},
    {"rrc", false, true, true, true, true},
    {"rrcs", true, true, true, true, true},
    {"cpy", false, false, false, true, true},
    {"re", false, false, true, true, true},
    {"nop", false, false, false, false, false},
}};
const TypeFacts& facts(StepType type) {
  WEFT_ASSERT(static_cast<std::size_t>(type) < kTypes.size());
  return kTypes[static_cast<std::size_t>(type)];
}

constexpr std::array kProfiles{
    Profile{.name = "msccl",
            .summary = "microsoft/msccl: NCCL 2.12 and older forks; 256 steps, 216 thread blocks",
            .steps = 256,
            .blocks = 216,
            .needs_window = false,
            .underscore = true},
    Profile{.name = "msccl-executor",
            .summary = "Azure/msccl-executor-nccl as it is built by default; 64 steps, 1024 thread "
                       "blocks",
            .steps = 64,  // MSCCL_MAX_NUM_STEPS in its makefiles/common.mk
            .blocks = 1024},
    Profile{.name = "rccl",
            .summary = "RCCL with MSCCL (ROCm until March 2026); 64 steps, 64 thread blocks",
            .steps = 64,
            .blocks = 64},
};

using schedule::CollectiveKind;

// The collectives that MSCCL and MSCCL++ have names for.
constexpr std::array kKinds{CollectiveKind::allreduce, CollectiveKind::allgather,
                            CollectiveKind::reduce,    CollectiveKind::broadcast,
                            CollectiveKind::alltoall,  CollectiveKind::reduce_scatter,
                            CollectiveKind::gather,    CollectiveKind::scatter};

}  // namespace

std::string_view name_of(StepType type) {
  return facts(type).name;
}

std::optional<StepType> step_type(std::string_view name) {
  for (int i = 0; i < kStepTypes; ++i)
    if (kTypes[static_cast<std::size_t>(i)].name == name) return static_cast<StepType>(i);
  return std::nullopt;
}

bool sends(StepType type) {
  return facts(type).sends;
}
bool receives(StepType type) {
  return facts(type).receives;
}
bool reduces(StepType type) {
  return facts(type).reduces;
}
bool reads_source(StepType type) {
  return facts(type).reads_source;
}
bool writes_target(StepType type) {
  return facts(type).writes_target;
}

std::string_view name_of(Buffer buffer) {
  constexpr std::array<std::string_view, 3> kNames{"i", "o", "s"};
  return kNames[static_cast<std::size_t>(buffer)];
}

std::string_view name_of(Protocol protocol) {
  constexpr std::array<std::string_view, 3> kNames{"Simple", "LL128", "LL"};
  return kNames[static_cast<std::size_t>(protocol)];
}

std::int64_t Algorithm::steps() const {
  std::int64_t steps = 0;
  for (const Gpu& gpu : gpus)
    for (const ThreadBlock& block : gpu.blocks) steps += std::ssize(block.steps);
  return steps;
}

bool has_collective(schedule::CollectiveKind kind) {
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

std::optional<schedule::Collective> collective_of(std::string_view name, std::int32_t ranks) {
  if (name == "reducescatter") name = "reduce_scatter";
  for (const CollectiveKind kind : kKinds) {
    std::string own(schedule::name_of(kind));
    for (char& c : own)
      if (c == '-') c = '_';
    if (own == name) return schedule::Collective{.kind = kind, .ranks = ranks};
  }
  return std::nullopt;
}

std::optional<BufferSizes> sizes_of(const Algorithm& algorithm) {
  const auto collective = collective_of(algorithm.collective, algorithm.ranks());
  if (!collective || algorithm.chunks <= 0) return std::nullopt;
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective->kind);
  const std::int64_t chunks = algorithm.chunks, ranks = algorithm.ranks();
  if (collective->whole_buffer()) return BufferSizes{chunks, chunks, chunks, chunks};
  if (traits.to_root()) return BufferSizes{chunks, ranks * chunks, chunks, chunks};
  if (traits.from_root()) return BufferSizes{ranks * chunks, chunks, chunks, chunks};
  if (chunks % ranks != 0) return std::nullopt;
  const std::int64_t block = chunks / ranks;
  BufferSizes sizes{chunks, chunks, block, collective->size_is_block() ? block : chunks};
  if (traits.begins_with_own()) sizes.input = block;
  if (traits.ends_with_own()) sizes.output = block;
  return sizes;
}

std::span<const Profile> profiles() {
  return kProfiles;
}

const Profile& find_profile(std::string_view name) {
  std::vector<std::string> known;
  for (const Profile& profile : kProfiles) {
    if (profile.name == lower(std::string(name))) return profile;
    known.emplace_back(profile.name);
  }
  reject_unknown({"profile", name}, known);
}

}  // namespace weft::format::msccl
