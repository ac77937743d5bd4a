#include "moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"

namespace weft::format::mscclpp::checking {

namespace {

constexpr std::int64_t kMostUnits = 512;  // of a chunk

}  // namespace

bool is_wait(OpType type) {
  return type == OpType::wait || type == OpType::relaxed_wait;
}
bool is_put(OpType type) {
  return type == OpType::put || type == OpType::put_signal || type == OpType::put_signal_flush;
}

bool takes_packets(OpType type) {
  switch (type) {
    case OpType::forward_packets:
    case OpType::unpack_packets:
    case OpType::reduce_packets:
    case OpType::reduce_packets_send:
    case OpType::reduce_packets_copy:
    case OpType::reduce_packets_copy_send:
    case OpType::switch_store_packets:
      return true;
    default:
      return false;
  }
}

bool works_by_packets(OpType type) {
  return takes_packets(type) || type == OpType::put_packets || type == OpType::copy_to_packets;
}

std::vector<FlatOp> flatten(const Block& block) {
  std::vector<FlatOp> result;
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    const Op& op = block.ops[i];
    const auto index = static_cast<std::int32_t>(i);
    if (op.type != OpType::pipeline) {
      result.push_back({&op, index});
      continue;
    }
    for (std::int32_t iteration = 0; iteration < kIterations; ++iteration)
      for (std::size_t inner = 0; inner < op.body.size(); ++inner)
        result.push_back(
            {&op.body[inner], index, static_cast<std::int32_t>(inner), iteration, op.chunks});
  }
  return result;
}

Memory::Memory(const Plan& plan, std::int64_t most_slots) : plan_(plan) {
  count_units(plan);
  for (std::int32_t rank = 0; rank < plan.ranks(); ++rank) {
    const Gpu& gpu = plan.gpus[static_cast<std::size_t>(rank)];
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      bases_.push_back(slots_);
      regions_.push_back({slots_, rank, buffer});
      const bool packets = plan.packets && buffer == Buffer::scratch;
      slots_ += std::int64_t{gpu.chunks(buffer)} * units_ * (packets ? 2 : 1);
      require(slots_ <= most_slots, "{}: the plan is too large to check (more than {} chunks)",
              plan.file.empty() ? plan.name : plan.file, most_slots);
    }
  }
}

void Memory::count_units(const Plan& plan) {
  std::int64_t units = 1;
  for (const Gpu& gpu : plan.gpus)
    for (const Block& block : gpu.blocks) count_units(block.ops, units);
  require(units <= kMostUnits, "{}: the plan cuts chunks too finely to check (into {} parts)",
          plan.file.empty() ? plan.name : plan.file, units);
  units_ = static_cast<std::int32_t>(units);
}

// Each slice has to be a whole number of units for each share, and chunks for each iteration.
void Memory::count_units(const std::vector<Op>& ops, std::int64_t& units) const {
  for (const Op& op : ops) {
    if (op.type == OpType::pipeline) {
      units = std::lcm(units, std::int64_t{kIterations});
      count_units(op.body, units);
    }
    if (op.shares == 1 || units > kMostUnits) continue;
    for (const auto* slices : {&op.sources, &op.targets})
      for (const Slice& slice : *slices)
        units = std::lcm(units, op.shares / std::gcd<std::int64_t>(op.shares, slice.size));
  }
}

// In place, the smaller user buffer lies in the larger one, at the rank's own block.
Slot Memory::slot(std::int32_t rank, Buffer buffer, std::int64_t unit, bool packet) const {
  if (packet) return {base(rank, buffer) + 2 * unit, true};
  const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(rank)];
  const std::int64_t in = gpu.input_chunks, out = gpu.output_chunks;
  if (plan_.in_place && buffer == Buffer::input && in < out) {
    buffer = Buffer::output;
    if ((rank + 1) * in <= out) unit += rank * in * units_;
  } else if (plan_.in_place && buffer == Buffer::output && out <= in) {
    buffer = Buffer::input;
    if (out < in && (rank + 1) * out <= in) unit += rank * out * units_;
  }
  return {base(rank, buffer) + unit, false};
}

Slot Memory::plain(std::int32_t rank, Buffer buffer, std::int64_t unit) const {
  return slot(rank, buffer, unit, false);
}

std::int32_t Memory::owner(std::int64_t slot) const {
  return region_at(slot).rank;
}

const Memory::Region& Memory::region_at(std::int64_t slot) const {
  WEFT_ASSERT(slot >= 0 && slot < slots_);
  return *(std::ranges::upper_bound(regions_, slot, {}, &Region::first) - 1);
}

std::string Memory::name(std::int64_t slot) const {
  const Region& region = region_at(slot);
  const std::int64_t unit = slot - region.first;
  const std::string part =
      units_ == 1 ? "" : fmt::format(" (part {} of {})", unit % units_ + 1, units_);
  return fmt::format("{}[{}]{} of rank {}", msccl::name_of(region.buffer), unit / units_, part,
                     region.rank);
}

std::vector<Memory::Part> Memory::parts_of(const FlatOp& flat) const {
  const Op& op = *flat.op;
  const bool by_slices =
      is_put(op.type) || op.type == OpType::put_packets || op.type == OpType::get;
  const std::size_t slices = by_slices ? op.targets.size() : (op.sources.empty() ? 0 : 1);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < slices; ++i) {
    WEFT_ASSERT(i < op.sources.size() && op.shares >= 1);
    const std::int64_t units = std::int64_t{op.sources[i].size} * units_;
    WEFT_ASSERT(units % op.shares == 0);  // see count_units
    Part part{static_cast<std::int32_t>(i), units * op.share / op.shares,
              units * (op.share + 1) / op.shares};
    if (flat.iteration >= 0) {
      const std::int64_t each = std::int64_t{flat.pipeline_chunks} * units_ / kIterations;
      const std::int64_t begin = part.first + each * flat.iteration;
      part.end = std::min(part.end, begin + each);
      part.first = std::min(begin, part.end);
    }
    parts.push_back(part);
  }
  return parts;
}

bool Memory::packets_in_scratch(std::int32_t rank, std::int32_t block, const FlatOp& flat) const {
  const Block& of =
      plan_.gpus[static_cast<std::size_t>(rank)].blocks[static_cast<std::size_t>(block)];
  bool right = true;
  each_move(rank, of, flat, [&](const Move& move) {
    for (const auto* list : {&move.reads, &move.writes})
      for (const Slot& slot : *list)
        right = right && (!slot.packet || region_at(slot.first).buffer == Buffer::scratch);
  });
  return right;
}

std::int64_t Memory::work_of(const FlatOp& flat) const {
  std::int64_t work = 0;
  for (const Part& part : parts_of(flat)) work += part.end - part.first;
  return work * std::ssize(flat.op->sources);
}

void Memory::add(std::vector<Slot>& list, std::int32_t rank, const Block& block, const Op& op,
                 const Slice& slice, std::int64_t unit, bool packet) const {
  const std::int64_t at = std::int64_t{slice.index} * units_ + unit;
  const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(rank)];
  const auto id = static_cast<std::size_t>(slice.id);
  if (slice.kind == Slice::Kind::local) {
    list.push_back(slot(rank, slice.buffer, at, packet));
  } else if (slice.kind == Slice::Kind::remote) {
    const auto& buffers =
        op.channel_type == ChannelType::port ? block.port_buffers : block.memory_buffers;
    const RemoteBuffer& remote = gpu.remote_buffers[static_cast<std::size_t>(buffers[id])];
    list.push_back(slot(remote.rank, remote.buffer, at, packet));
  } else {
    const SwitchGroup& group =
        gpu.switch_groups[static_cast<std::size_t>(block.switch_channels[id])];
    for (const std::int32_t member : group.ranks)
      list.push_back(slot(member, group.buffer, at, packet));
  }
}

void Memory::fill(std::int32_t rank, const Block& block, const Op& op, std::int32_t slice,
                  std::int64_t unit) const {
  const auto read = [&](std::size_t i, bool packet) {
    add(move_.reads, rank, block, op, op.sources[i], unit, packet);
  };
  const auto write = [&](std::size_t i, bool packet) {
    add(move_.writes, rank, block, op, op.targets[i], unit, packet);
  };
  const auto at = static_cast<std::size_t>(slice);
  // Whether packets: of the first source and the others, of the first, second and further targets.
  const auto all = [&](bool first, bool others, bool target, bool second, bool further) {
    for (std::size_t i = 0; i < op.sources.size(); ++i) read(i, i == 0 ? first : others);
    for (std::size_t i = 0; i < op.targets.size(); ++i)
      write(i, i == 0 ? target : i == 1 ? second : further);
  };
  switch (op.type) {
    case OpType::put:
    case OpType::put_signal:
    case OpType::put_signal_flush:
    case OpType::get:
    case OpType::put_packets: {
      WEFT_ASSERT(at < op.sources.size() && at < op.targets.size());
      const bool from_port = op.type == OpType::put_packets && op.channel_type == ChannelType::port;
      read(at, from_port);
      write(at, op.type == OpType::put_packets);
      break;
    }
    case OpType::copy_to_packets:
      return all(false, false, true, true, true);
    case OpType::unpack_packets:
      return all(true, true, false, false, false);
    case OpType::forward_packets:
    case OpType::switch_store_packets:
      return all(true, true, true, true, true);
    case OpType::reduce_packets:
    case OpType::reduce_packets_send:
    case OpType::reduce_packets_copy:
    case OpType::reduce_packets_copy_send:
      return all(false, true, false, true, true);
    default:
      return all(false, false, false, false, false);
  }
}

}  // namespace weft::format::mscclpp::checking
