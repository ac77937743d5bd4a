#include "lane_writer.hpp"

#include <algorithm>
#include <map>

#include "weft/base/error.hpp"

namespace weft::format::mscclpp {

namespace {

// Calls visit(part) for parts of at most `most`.
template <class T, class Visit>
void in_parts(std::span<const T> all, std::size_t most, Visit&& visit) {
  WEFT_ASSERT(most >= 1);
  for (std::size_t at = 0; at < all.size(); at += most)
    visit(all.subspan(at, std::min(most, all.size() - at)));
}

bool is_signal(OpType type) {
  return type == OpType::signal || type == OpType::relaxed_signal;
}
bool is_wait(OpType type) {
  return type == OpType::wait || type == OpType::relaxed_wait;
}
bool is_put(OpType type) {
  return type == OpType::put || type == OpType::put_signal || type == OpType::put_signal_flush;
}
bool reads_packets(OpType type) {
  return type == OpType::unpack_packets || type == OpType::reduce_packets ||
         type == OpType::forward_packets;
}

template <class Visit>
void each_chunk(const Slice& slice, Visit&& visit) {
  if (slice.kind != Slice::Kind::local) return;
  for (std::int32_t i = 0; i < slice.size; ++i) visit(Place{slice.buffer, slice.index + i});
}

// Plain data that an operation reads and writes here. Packets wait for their flags instead.
template <class Visit>
void each_read(const Op& op, Visit&& visit) {
  for (std::size_t i = 0; i < op.sources.size(); ++i) {
    const bool is_packet = op.type == OpType::reduce_packets ? i > 0 : reads_packets(op.type);
    if (!is_packet) each_chunk(op.sources[i], visit);
  }
}
template <class Visit>
void each_write(const Op& op, Visit&& visit) {
  if (op.type == OpType::copy_to_packets) return;
  for (const Slice& target : op.targets) each_chunk(target, visit);
}

// The number of `id` in a list that it joins if it is new.
std::int32_t number_in(std::vector<std::int32_t>& list, std::int32_t id) {
  const auto found = std::ranges::find(list, id);
  if (found != list.end()) return static_cast<std::int32_t>(found - list.begin());
  list.push_back(id);
  return static_cast<std::int32_t>(list.size()) - 1;
}

std::int32_t count_with(const std::vector<std::int32_t>& list, std::set<std::int32_t> more) {
  more.insert(list.begin(), list.end());
  return static_cast<std::int32_t>(more.size());
}

}  // namespace

void LaneWriter::enter(std::span<const std::int32_t> senders,
                       std::span<const std::int32_t> receivers) {
  signal(OpType::relaxed_signal, senders);
  signal(OpType::relaxed_wait, receivers);
}

void LaneWriter::add(const LaneStep& step) {
  if (packets_ && resources_.type == ChannelType::port)
    put_packets_by_port(step);
  else if (resources_.type == ChannelType::port)
    put_by_port(step);
  else
    put_by_memory(step);
  take(step);
}

void LaneWriter::add(const LocalCopy& copy) {
  move(OpType::copy, copy.source, copy.target, copy.count);
}

void LaneWriter::put_by_memory(const LaneStep& step) {
  put_group(packets_ ? OpType::put_packets : OpType::put, step.puts, true);
  if (!packets_) signal(OpType::signal, peers_of(step.puts, false));
}

// The last put to each peer carries the signal; a proxy works in the order of its requests.
void LaneWriter::put_by_port(const LaneStep& step) {
  std::map<std::int32_t, std::vector<std::size_t>> by_peer;
  for (const std::size_t put : step.puts) by_peer[plan_.puts[put].to].push_back(put);
  std::vector<std::size_t> first, signalling, flushing;
  for (const auto& [peer, puts] : by_peer) {
    first.insert(first.end(), puts.begin(), puts.end() - 1);
    const bool flush =
        std::ranges::any_of(puts, [&](std::size_t put) { return plan_.puts[put].flush; });
    (flush ? flushing : signalling).push_back(puts.back());
  }
  put_group(OpType::put, first, false);
  put_group(OpType::put_signal, signalling, false);
  put_group(OpType::put_signal_flush, flushing, false);
}

void LaneWriter::put_packets_by_port(const LaneStep& step) {
  std::map<Place, std::vector<std::size_t>> by_staged;
  for (const std::size_t put : step.puts) by_staged[plan_.puts[put].staged].push_back(put);
  for (const auto& each : by_staged) {
    const Place& staged = each.first;
    const std::vector<std::size_t>& puts = each.second;
    const Put& one = plan_.puts[puts.front()];
    WEFT_ASSERT(std::ranges::all_of(
        puts, [&](std::size_t put) { return plan_.puts[put].count == one.count; }));
    move(OpType::copy_to_packets, one.source, staged, one.count);
    in_parts(std::span<const std::size_t>(puts), static_cast<std::size_t>(limits_.op_channels),
             [&](std::span<const std::size_t> part) {
               Op op{.type = OpType::forward_packets,
                     .channel_type = ChannelType::port,
                     .sources = {local(staged, one.count)}};
               for (const std::size_t put : part) {
                 op.channels.push_back(resources_.channel(plan_.puts[put].to, instance_));
                 op.targets.push_back(remote(plan_.puts[put]));
               }
               append(std::move(op));
             });
  }
}

// By memory, all sources of an operation are in the buffer of the first one.
void LaneWriter::put_group(OpType type, std::span<const std::size_t> puts,
                           bool keep_sources_apart) {
  std::map<Buffer, std::vector<std::size_t>> by_buffer;
  for (const std::size_t put : puts)
    by_buffer[keep_sources_apart ? plan_.puts[put].source.buffer : Buffer::input].push_back(put);
  for (const auto& [buffer, group] : by_buffer)
    in_parts(std::span<const std::size_t>(group), static_cast<std::size_t>(limits_.op_channels),
             [&](std::span<const std::size_t> part) {
               Op op{.type = type, .channel_type = resources_.type};
               for (const std::size_t index : part) {
                 const Put& put = plan_.puts[index];
                 op.channels.push_back(resources_.channel(put.to, instance_));
                 op.sources.push_back(local(put.source, put.count));
                 op.targets.push_back(remote(put));
               }
               append(std::move(op));
             });
}

void LaneWriter::signal(OpType type, std::span<const std::int32_t> peers) {
  in_parts(peers, static_cast<std::size_t>(limits_.op_channels),
           [&](std::span<const std::int32_t> part) {
             Op op{.type = type, .channel_type = resources_.type};
             for (const std::int32_t peer : part)
               op.channels.push_back(resources_.channel(peer, instance_));
             append(std::move(op));
           });
}

void LaneWriter::take(const LaneStep& step) {
  std::vector<std::size_t> puts;
  for (const Arrival& arrival : step.arrivals) puts.push_back(arrival.put);
  if (!packets_) signal(OpType::wait, peers_of(puts, true));
  std::vector<Reduction> reductions;
  for (const Arrival& arrival : step.arrivals) {
    const Put& put = plan_.puts[arrival.put];
    if (!arrival.reduces) {
      if (!put.is_direct)
        move(packets_ ? OpType::unpack_packets : OpType::copy, put.landing, arrival.target,
             put.count);
      continue;
    }
    const auto same = std::ranges::find_if(reductions, [&](const Reduction& one) {
      return one.target == arrival.operand && one.target == arrival.target &&
             one.count == put.count && std::ssize(one.landings) + 1 < limits_.op_slices;
    });
    if (same != reductions.end())
      same->landings.push_back(put.landing);
    else
      reductions.push_back({arrival.operand, arrival.target, put.count, {put.landing}});
  }
  for (const Reduction& one : reductions) reduce(one);
}

void LaneWriter::move(OpType type, Place source, Place target, std::int32_t count) {
  append({.type = type, .sources = {local(source, count)}, .targets = {local(target, count)}});
}

void LaneWriter::reduce(const Reduction& one) {
  Op op{.type = packets_ ? OpType::reduce_packets : OpType::reduce,
        .sources = {local(one.operand, one.count)},
        .targets = {local(one.target, one.count)}};
  for (const Place landing : one.landings) op.sources.push_back(local(landing, one.count));
  append(std::move(op));
}

Slice LaneWriter::local(Place place, std::int32_t count) const {
  return {.buffer = place.buffer, .index = place.offset, .size = count};
}

Slice LaneWriter::remote(const Put& put) const {
  return {.kind = Slice::Kind::remote,
          .id = resources_.remote_buffer(put.to, put.landing.buffer),
          .index = put.landing.offset,
          .size = put.count};
}

std::vector<std::int32_t> LaneWriter::peers_of(std::span<const std::size_t> puts,
                                               bool senders) const {
  std::set<std::int32_t> peers;
  for (const std::size_t put : puts)
    peers.insert(senders ? plan_.puts[put].from : plan_.puts[put].to);
  return {peers.begin(), peers.end()};
}

void LaneWriter::append(Op op) {
  if (blocks_.empty()) blocks_.emplace_back();
  bool nop = needs_nop(op);
  if (!fits(op, nop)) {
    go_on_in_another_block();
    nop = false;
  }
  if (nop) {
    blocks_.back().ops.push_back({.type = OpType::nop});
    clear();
  }
  note(op);
  make_local(op);
  blocks_.back().ops.push_back(std::move(op));
}

bool LaneWriter::needs_nop(const Op& op) const {
  if (is_wait(op.type)) return false;
  if (waited_) return true;
  if (is_signal(op.type)) return worked_;
  bool conflict = false;
  each_read(op, [&](Place place) { conflict = conflict || written_.contains(place); });
  each_write(op, [&](Place place) {
    conflict = conflict || written_.contains(place) || read_.contains(place);
  });
  if (resources_.type == ChannelType::port && is_put(op.type))
    for (const std::int32_t channel : op.channels)
      conflict = conflict || requested_.contains(channel);
  return conflict;
}

bool LaneWriter::fits(const Op& op, bool with_nop) const {
  WEFT_ASSERT(!blocks_.empty());
  const Block& block = blocks_.back();
  // A nop and a release come at the end of a block that goes on elsewhere.
  if (std::ssize(block.ops) + (with_nop ? 1 : 0) + 1 + 2 > limits_.ops) return false;
  const bool by_port = resources_.type == ChannelType::port;
  std::set<std::int32_t> buffers;
  for (const Slice& target : op.targets)
    if (target.kind == Slice::Kind::remote) buffers.insert(target.id);
  return count_with(by_port ? block.port_channels : block.memory_channels,
                    {op.channels.begin(), op.channels.end()}) <= limits_.channels &&
         count_with(by_port ? block.port_buffers : block.memory_buffers, buffers) <=
             limits_.remote_buffers;
}

void LaneWriter::go_on_in_another_block() {
  const auto semaphore = static_cast<std::int32_t>(resources_.gpu.semaphores.size());
  resources_.gpu.semaphores.push_back(0);
  auto& ops = blocks_.back().ops;
  ops.push_back({.type = OpType::nop});
  ops.push_back({.type = OpType::release, .semaphores = {semaphore}});
  blocks_.emplace_back();
  blocks_.back().ops.push_back({.type = OpType::acquire, .semaphores = {semaphore}});
  blocks_.back().ops.push_back({.type = OpType::nop});
  clear();
}

void LaneWriter::make_local(Op& op) {
  Block& block = blocks_.back();
  const bool by_port = resources_.type == ChannelType::port;
  for (std::int32_t& channel : op.channels)
    channel = number_in(by_port ? block.port_channels : block.memory_channels, channel);
  for (Slice& target : op.targets)
    if (target.kind == Slice::Kind::remote)
      target.id = number_in(by_port ? block.port_buffers : block.memory_buffers, target.id);
}

void LaneWriter::note(const Op& op) {
  if (is_wait(op.type)) waited_ = true;
  if (is_wait(op.type) || is_signal(op.type)) return;
  worked_ = true;
  each_read(op, [&](Place place) { read_.insert(place); });
  each_write(op, [&](Place place) { written_.insert(place); });
  if (resources_.type == ChannelType::port && is_put(op.type))
    requested_.insert(op.channels.begin(), op.channels.end());
}

void LaneWriter::clear() {
  waited_ = worked_ = false;
  read_.clear();
  written_.clear();
  requested_.clear();
}

}  // namespace weft::format::mscclpp
