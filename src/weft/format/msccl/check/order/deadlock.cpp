// How much a connection must hold, and which sizes are safe with what it holds.
//
// With messages of up to g chunks, a step of c chunks goes as ceil(c / g) messages. Smaller
// messages can only make a deadlock more likely: a circle of waits among steps is also one among
// the last messages of these steps, because behind the last message of a step there are at least
// as many smaller messages as there were larger ones. More depth can only make it less likely. So
// the least depth and the least safe g are found by bisection, and the largest safe size is the one
// at which g chunks still fit into a message.
//
// Source of the sizes: Azure/msccl-executor-nccl src/misc/msccl/msccl_setup.cc (mscclSetupCount),
// src/device/msccl_kernel.cu, with the default buffers of NCCL.
#include "weft/format/msccl/check/order/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"

namespace weft::format::msccl {

namespace {

constexpr std::int32_t kMostChunks = 71;  // of a message

struct Channel {
  std::int64_t depth;           // messages in flight
  std::int64_t message_size_B;  // at most
};

// A broadcast and a reduce count a message as one slot of eight, though it takes four.
Channel channel_of(Protocol protocol, std::string_view collective) {
  constexpr std::int64_t kSlot = std::int64_t{512} << 10;
  switch (protocol) {
    case Protocol::ll:
      return {8, 32768};
    case Protocol::ll128:
      return {8, 576000};
    default:
      return {2, collective == "broadcast" || collective == "reduce" ? kSlot : 4 * kSlot};
  }
}

std::int32_t most_chunks_of_a_step(const Flat& flat) {
  std::int32_t most = 1;
  for (const Step* step : flat.step) most = std::max(most, step->count);
  return most;
}

// Both searches return the least number for which `safe` holds; it holds for all above.
template <class Safe>
std::int64_t bisect(std::int64_t unsafe, std::int64_t known_safe, Safe safe) {
  WEFT_ASSERT(unsafe < known_safe);
  while (known_safe - unsafe > 1) {
    const std::int64_t middle = unsafe + (known_safe - unsafe) / 2;
    (safe(middle) ? known_safe : unsafe) = middle;
  }
  return known_safe;
}

std::int64_t least_depth(Runner& runner, std::int32_t group) {
  const auto safe = [&](std::int64_t depth) { return runner.run(depth, group); };
  std::int64_t depth = 1;
  while (!safe(depth)) depth *= 2;
  return bisect(depth / 2, depth, safe);
}

// The least group that is safe with this depth; nothing if none is.
std::optional<std::int32_t> least_group(Runner& runner, const Report& report, std::int64_t depth,
                                        std::int32_t most) {
  if (*report.depth_of_chunks <= depth) return 1;
  most = std::min(most, kMostChunks);
  if (!runner.run(depth, most)) return std::nullopt;
  return static_cast<std::int32_t>(bisect(1, most, [&](std::int64_t group) {
    return runner.run(depth, static_cast<std::int32_t>(group));
  }));
}

SafeSize safe_size(Runner& runner, const Flat& flat, const Report& report, Protocol protocol,
                   std::int32_t most_chunks) {
  const Channel channel = channel_of(protocol, flat.algorithm->collective);
  const auto group = least_group(runner, report, channel.depth, most_chunks);
  if (!group) return {0};
  if (*group == 1) return {};
  return {channel.message_size_B / *group * std::max(1, flat.algorithm->chunks)};
}

// The chunks of a message at a size; nothing stands for the largest sizes.
std::int32_t chunks_of_a_message(const Algorithm& algorithm, std::optional<std::int64_t> size_B) {
  if (!size_B) return 1;
  const Channel channel = channel_of(algorithm.protocol, algorithm.collective);
  const std::int64_t chunks = std::max(1, algorithm.chunks);
  const std::int64_t chunk_B = std::max<std::int64_t>(1, (*size_B + chunks - 1) / chunks);
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(channel.message_size_B / chunk_B, 1, kMostChunks));
}

std::string advice_of(const SafeSize& safe, Protocol protocol) {
  if (*safe.size_B == 0)
    return fmt::format("no size is safe with {}; order the steps so that receives come sooner",
                       name_of(protocol));
  return fmt::format("safe up to {} bytes: set maxBytes=\"{}\"", *safe.size_B, *safe.size_B);
}

void tell_size(const Flat& flat, Runner& runner, const SafeSize& safe, Findings& findings) {
  const Algorithm& algorithm = *flat.algorithm;
  const auto most = algorithm.max_bytes.value_or(0) > 0 ? algorithm.max_bytes : std::nullopt;
  if (!safe.size_B || (most && *most <= *safe.size_B)) return;
  const Channel channel = channel_of(algorithm.protocol, algorithm.collective);
  const std::int32_t group = chunks_of_a_message(algorithm, most);
  runner.run(channel.depth, group);
  findings.add(Severity::fault, [&] {
    Finding finding = finding_at(
        flat, runner.circle_begin(), "deadlock",
        fmt::format("{} with {}, whose connections hold {} messages, here of {} each; {}",
                    most ? "at " + format_size(*most) : "at large sizes",
                    name_of(algorithm.protocol), channel.depth,
                    group == 1 ? "one chunk" : fmt::format("up to {} chunks", group),
                    advice_of(safe, algorithm.protocol)));
    finding.events = runner.circle();
    return finding;
  });
}

void tell_circle(const Flat& flat, const Runner& runner, Findings& findings) {
  findings.add(Severity::fault, [&] {
    Finding finding =
        finding_at(flat, runner.circle_begin(), "deadlock",
                   "even if connections hold any number of messages, the steps below wait for each "
                   "other");
    finding.events = runner.circle();
    return finding;
  });
}

}  // namespace

bool check_deadlock(const Flat& flat, Runner& runner, Report& report, Findings& findings) {
  if (!runner.run(kUnbounded, kWholeStep)) {
    tell_circle(flat, runner, findings);
    return false;
  }
  const std::int32_t most_chunks = most_chunks_of_a_step(flat);
  report.depth_of_steps = least_depth(runner, kWholeStep);
  report.depth_of_chunks = most_chunks == 1 ? *report.depth_of_steps : least_depth(runner, 1);
  report.safe.emplace();
  for (int p = 0; p < kProtocols; ++p)
    (*report.safe)[static_cast<std::size_t>(p)] =
        safe_size(runner, flat, report, static_cast<Protocol>(p), most_chunks);
  tell_size(flat, runner, (*report.safe)[static_cast<std::size_t>(flat.algorithm->protocol)],
            findings);
  return runner.run(kUnbounded, kWholeStep);
}

}  // namespace weft::format::msccl
