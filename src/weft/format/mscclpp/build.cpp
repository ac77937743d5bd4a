#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "../msccl/layout.hpp"
#include "lane_writer.hpp"
#include "one_sided.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/mscclpp_export.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::format::mscclpp {

using msccl::CallMode;
using msccl::Layout;
using schedule::Collective;
using schedule::CollectiveKind;
using schedule::Schedule;

namespace {

constexpr int kMostInstances = 32;
constexpr std::int32_t kMostChunks = 32767;  // of an operation

std::string collective_text(CollectiveKind kind) {
  return kind == CollectiveKind::reduce_scatter ? "reducescatter"
                                                : std::string(schedule::name_of(kind));
}

void require_expressible(const Schedule& schedule, const ExportOptions& options) {
  require(options.instances >= 1 && options.instances <= kMostInstances,
          "{} instances are out of range (1 to {})", options.instances, kMostInstances);
  require(schedule.helpers() == 0,
          "MSCCL++ supports only GPUs, but {} has {} (switches that combine and copy); choose "
          "an algorithm without them",
          schedule.algorithm(), counted(schedule.helpers(), "helper"));
  require(schedule.route_count() == 0,
          "MSCCL++ cannot store the paths of messages, which {} has; give --drop-paths, and "
          "the network routes the messages",
          schedule.algorithm());
  require(msccl::has_collective(schedule.collective().kind),
          "an MSCCL++ plan of a {} is not supported; export a collective",
          name_of(schedule.collective().kind));
}

bool is_in_place(const ExportOptions& options, const Collective& collective) {
  const bool in_place = options.in_place.value_or(collective.whole_buffer());
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  const bool can_be = collective.whole_buffer() || (traits.is_among_all() && !traits.by_pair());
  require(!in_place || can_be, "an MSCCL++ plan of {} {} is out of place; remove --in-place",
          collective.kind == CollectiveKind::alltoall ? "an" : "a", name_of(collective.kind));
  return in_place;
}

// The executor divides by both numbers of chunks, so that no GPU may have an empty buffer; those
// that a rooted collective does not use are as large as the root's.
std::int32_t chunks_of(const Layout& layout, Buffer buffer, std::int32_t ranks) {
  std::int64_t most = 0;
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    most = std::max(most, layout.chunks(buffer, rank));
  return static_cast<std::int32_t>(most);
}

/// The channels and remote buffers of a GPU, in the order that its peers have them in as well.
class Resources {
 public:
  Resources(const OneSided& plan, std::int32_t ranks, ChannelType type) : type_(type) {
    senders_.resize(static_cast<std::size_t>(ranks * plan.instances));
    receivers_.resize(senders_.size());
    instances_ = plan.instances;
    for (const Put& put : plan.puts) {
      receivers_[at(put.from, put.instance)].insert(put.to);
      senders_[at(put.to, put.instance)].insert(put.from);
      buffers_[put.from].insert({put.to, put.landing.buffer});
    }
  }

  void add_to(Gpu& gpu, std::int32_t rank) {
    channel_.clear();
    auto& peers = type_ == ChannelType::port ? gpu.port_peers : gpu.memory_peers;
    for (std::int32_t instance = 0; instance < instances_; ++instance) {
      std::set<std::int32_t> all = senders(rank, instance);
      all.insert(receivers(rank, instance).begin(), receivers(rank, instance).end());
      for (const std::int32_t peer : all) {
        channel_[{peer, instance}] = static_cast<std::int32_t>(peers.size());
        peers.push_back(peer);
      }
    }
    number_.clear();
    for (const auto& [peer, buffer] : buffers_[rank]) {
      number_[{peer, buffer}] = static_cast<std::int32_t>(gpu.remote_buffers.size());
      gpu.remote_buffers.push_back({.rank = peer,
                                    .buffer = buffer,
                                    .by_memory = type_ == ChannelType::memory,
                                    .by_port = type_ == ChannelType::port});
    }
  }

  /// Valid until add_to() is called for another GPU.
  GpuResources of(Gpu& gpu) const {
    return {.gpu = gpu,
            .type = type_,
            .channel =
                [this](std::int32_t peer, std::int32_t instance) {
                  return channel_.at({peer, instance});
                },
            .remote_buffer =
                [this](std::int32_t peer, Buffer buffer) {
                  return number_.at({peer, buffer});
                }};
  }

  const std::set<std::int32_t>& senders(std::int32_t rank, std::int32_t instance) const {
    return senders_[at(rank, instance)];
  }
  const std::set<std::int32_t>& receivers(std::int32_t rank, std::int32_t instance) const {
    return receivers_[at(rank, instance)];
  }

 private:
  std::size_t at(std::int32_t rank, std::int32_t instance) const {
    return static_cast<std::size_t>(rank * instances_ + instance);
  }

  ChannelType type_;
  std::int32_t instances_ = 1;
  std::vector<std::set<std::int32_t>> senders_, receivers_;  // [rank * instances + instance]
  std::map<std::int32_t, std::set<std::pair<std::int32_t, Buffer>>> buffers_;  // by rank
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> channel_;      // of a GPU
  std::map<std::pair<std::int32_t, Buffer>, std::int32_t> number_;
};

void write_lanes(Gpu& gpu, std::int32_t rank, const OneSided& plan, const Resources& resources,
                 bool packets) {
  const GpuResources of_gpu = resources.of(gpu);
  for (std::int32_t instance = 0; instance < plan.instances; ++instance) {
    LaneWriter writer(of_gpu, plan, packets, instance);
    const auto& senders = resources.senders(rank, instance);
    const auto& receivers = resources.receivers(rank, instance);
    if (plan.needs_entry)
      writer.enter(std::vector(senders.begin(), senders.end()),
                   std::vector(receivers.begin(), receivers.end()));
    const Lane& lane = plan.lane(rank, instance);
    for (const LaneStep& step : lane.steps) writer.add(step);
    for (const LocalCopy& copy : lane.copies) writer.add(copy);
    for (Block& block : std::move(writer).finish()) gpu.blocks.push_back(std::move(block));
  }
  const Limits limits;
  require(std::ssize(gpu.blocks) <= limits.blocks,
          "rank {} needs {} thread blocks at once, but a GPU runs {}; use fewer instances or "
          "segments, or an algorithm with fewer steps",
          rank, gpu.blocks.size(), limits.blocks);
}

// Sizes as the executor tests them, in chunks: the output of an allgather, else the input.
std::int64_t tested_chunks(const Plan& plan) {
  const Gpu& gpu = plan.gpus.front();
  return plan.collective == "allgather" ? gpu.output_chunks : gpu.input_chunks;
}

// The executor keeps offsets in 32 bits, those of packets with their flags.
std::int64_t most_bytes_a_chunk(const Plan& plan) {
  std::int64_t chunks = 1;
  const std::int64_t scratches = std::int64_t{plan.packets ? 2 : 1} * (plan.double_scratch ? 2 : 1);
  for (const Gpu& gpu : plan.gpus)
    chunks = std::max({chunks, std::int64_t{gpu.input_chunks}, std::int64_t{gpu.output_chunks},
                       gpu.scratch_chunks * scratches});
  WEFT_ASSERT(plan.alignment_B > 0);
  const std::int64_t bytes = (Limits().buffer_B - 1) / chunks;
  return bytes / plan.alignment_B * plan.alignment_B;
}

void set_window(Plan& plan, const ExportOptions& options) {
  const Gpu& gpu = plan.gpus.front();
  const std::int64_t larger = std::max(gpu.input_chunks, gpu.output_chunks);
  const std::int64_t tested = tested_chunks(plan);
  WEFT_ASSERT(larger > 0 && tested > 0);
  const auto of_tested = [&](std::int64_t bytes) {  // rounded to whole bytes a chunk
    return (bytes + larger - 1) / larger * tested;
  };
  const std::int64_t most = most_bytes_a_chunk(plan) * tested;
  require(options.max_B / larger * tested <= most,
          "--max-size {} is more than MSCCL++ can address with this plan ({} bytes, because "
          "its offsets have 32 bits); use a smaller size, or remove it",
          options.max_B, most / tested * larger);
  plan.min_B = static_cast<std::uint64_t>(of_tested(options.min_B));
  plan.max_B =
      static_cast<std::uint64_t>(options.max_B == 0 ? most : options.max_B / larger * tested);
  require(plan.min_B <= plan.max_B,
          "--min-size {} is more than MSCCL++ can address with this plan ({} bytes); use a "
          "smaller size, or fewer instances",
          options.min_B, most / tested * larger);
}

// Executors keep what they prepared by the plan's name, so that different plans need different
// ones.
std::string name_of(const Schedule& schedule, const ExportOptions& options, bool in_place) {
  return fmt::format("weft {} {} {} {} {} x{}{}", schedule.algorithm(),
                     collective_text(schedule.collective().kind), schedule.binding().topology,
                     options.packets ? "LL" : "Simple", name_of(options.channels),
                     options.instances, in_place ? " in place" : "");
}

}  // namespace

Plan build(const schedule::Verified& verified, const ExportOptions& options) {
  require_expressible(verified.schedule(), options);
  const Schedule schedule = expand_symmetry(verified.schedule());
  const Collective& collective = schedule.collective();
  const bool in_place = is_in_place(options, collective);
  const Layout layout(schedule, options.instances);
  const auto gpus =
      transfers_of(schedule, layout, options.instances,
                   in_place ? CallMode::in_place : CallMode::out_of_place, kMostChunks);
  const OneSided one = one_sided(collective, layout, gpus,
                                 {.instances = options.instances,
                                  .in_place = in_place,
                                  .packets = options.packets,
                                  .asynchronous = options.channels == ChannelType::port});
  Plan plan{.name = name_of(schedule, options, in_place),
            .collective = collective_text(collective.kind),
            .packets = options.packets,
            .in_place = in_place,
            .double_scratch = options.packets && !one.needs_entry};
  Resources resources(one, collective.ranks, options.channels);
  for (std::int32_t rank = 0; rank < collective.ranks; ++rank) {
    Gpu& gpu = plan.gpus.emplace_back(
        Gpu{.input_chunks = chunks_of(layout, Buffer::input, collective.ranks),
            .output_chunks = chunks_of(layout, Buffer::output, collective.ranks),
            .scratch_chunks = one.scratch_chunks[static_cast<std::size_t>(rank)]});
    resources.add_to(gpu, rank);
    write_lanes(gpu, rank, one, resources, options.packets);
  }
  set_window(plan, options);
  return plan;
}

}  // namespace weft::format::mscclpp
