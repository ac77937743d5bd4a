// What an operation of a plan does, thread by thread.
#include "support/gpu/mscclpp_machine.hpp"

namespace weft::test::plan_runs {

bool Machine::act(const Actor& actor, const Op& op, Thread& self) {
  switch (op.type) {
    case OpType::nop:
      return pass_nop(actor, self);
    case OpType::signal:
    case OpType::relaxed_signal:
      if (mine(actor, self) >= op.channels.size()) return next(self);
      send_signal(actor, op, mine(actor, self));
      return next_of_mine(self);
    case OpType::wait:
    case OpType::relaxed_wait:
      if (mine(actor, self) >= op.channels.size()) return next(self);
      return take_signal(actor, op, mine(actor, self)) && next_of_mine(self);
    case OpType::acquire:
      if (actor.thread < std::ssize(op.semaphores) && !acquire(actor, op)) return false;
      return next(self);
    case OpType::release:
      if (actor.thread < std::ssize(op.semaphores))
        ++at(actor.rank)
              .semaphores[static_cast<std::size_t>(
                  op.semaphores[static_cast<std::size_t>(actor.thread)])];
      return next(self);
    case OpType::put:
    case OpType::put_signal:
    case OpType::put_signal_flush:
      return op.channel_type == ChannelType::port ? request(actor, op, self)
                                                  : each_slice(actor, op, self);
    case OpType::put_packets:
      return each_slice(actor, op, self);
    case OpType::forward_packets:
      return forward(actor, op, self);
    default:
      return each_element(actor, op, self);
  }
}

bool Machine::next(Thread& self) {
  self = {.op = self.op + 1};
  return true;
}

std::size_t Machine::mine(const Actor& actor, const Thread& self) const {
  return static_cast<std::size_t>(self.element * run_.threads + actor.thread);
}

bool Machine::next_of_mine(Thread& self) {
  ++self.element;
  return true;
}

bool Machine::pass_nop(const Actor& actor, Thread& self) {
  for (const Thread& other : at(actor.rank).blocks[static_cast<std::size_t>(actor.block)])
    if (other.op < self.op) return false;
  return next(self);
}

const Block& Machine::block(const Actor& actor) const {
  return gpu(actor.rank).blocks[static_cast<std::size_t>(actor.block)];
}

std::int32_t Machine::channel(const Actor& actor, const Op& op, std::size_t i) const {
  const auto& list = op.channel_type == ChannelType::port ? block(actor).port_channels
                                                          : block(actor).memory_channels;
  return list[static_cast<std::size_t>(op.channels[i])];
}

void Machine::send_signal(const Actor& actor, const Op& op, std::size_t i) {
  const std::int32_t one = channel(actor, op, i);
  if (op.channel_type == ChannelType::port)
    at(actor.rank).requests[static_cast<std::size_t>(one)].push_back({.is_signal = true});
  else
    raise(actor.rank, one, false);
}

bool Machine::take_signal(const Actor& actor, const Op& op, std::size_t i) {
  const std::int32_t one = channel(actor, op, i);
  std::int32_t& count = (op.channel_type == ChannelType::port
                             ? at(actor.rank).port_signals
                             : at(actor.rank).memory_signals)[static_cast<std::size_t>(one)];
  if (count == 0) return false;
  --count;
  return true;
}

bool Machine::acquire(const Actor& actor, const Op& op) {
  std::int32_t& value = at(actor.rank)
                            .semaphores[static_cast<std::size_t>(
                                op.semaphores[static_cast<std::size_t>(actor.thread)])];
  if (value <= 0) return false;
  --value;
  return true;
}

Machine::Site Machine::site(const Actor& actor, const Op& op, const Slice& slice,
                            std::int32_t element, bool packets) const {
  Site one{actor.rank, slice.buffer, slice.index * run_.elements + element};
  if (slice.kind == Slice::Kind::remote) {
    const auto& list = op.channel_type == ChannelType::port ? block(actor).port_buffers
                                                            : block(actor).memory_buffers;
    const RemoteBuffer& remote =
        gpu(actor.rank)
            .remote_buffers[static_cast<std::size_t>(list[static_cast<std::size_t>(slice.id)])];
    one.rank = remote.rank;
    one.buffer = remote.buffer;
  }
  if (packets) one.element *= 2;
  if (one.buffer == Buffer::scratch) one.element += scratch_offset(one.rank, at(actor.rank).call);
  return one;
}

void Machine::write_plain(const Site& one, Value value) {
  cell(one.rank, one.buffer, one.element) = {.value = value};
}

void Machine::write_packet(const Site& one, Value value, std::int32_t flag) {
  for (std::int32_t half = 0; half < 2; ++half)
    cell(one.rank, one.buffer, one.element + half) = {.value = value, .flag = flag};
}

bool Machine::has_packet(const Site& one, std::int32_t flag) {
  return cell(one.rank, one.buffer, one.element).flag == flag &&
         cell(one.rank, one.buffer, one.element + 1).flag == flag;
}

std::int32_t Machine::element_of(const Actor& actor, const Op& op, const Thread& self) const {
  const bool packets = op.type == OpType::put_packets || op.type == OpType::copy_to_packets ||
                       op.type == OpType::unpack_packets || op.type == OpType::reduce_packets;
  return self.element * run_.threads + (packets ? run_.threads - 1 - actor.thread : actor.thread);
}

bool Machine::each_slice(const Actor& actor, const Op& op, Thread& self) {
  const bool packets = op.type == OpType::put_packets;
  while (self.slice < std::ssize(op.targets)) {
    const Slice& target = op.targets[static_cast<std::size_t>(self.slice)];
    Slice source = op.sources[static_cast<std::size_t>(self.slice)];
    source.buffer = op.sources[0].buffer;  // as the executor has it
    const std::int32_t element = element_of(actor, op, self);
    if (element >= target.size * run_.elements) {
      ++self.slice;
      self.element = 0;
      continue;
    }
    const Value value = plain(site(actor, op, source, element, false));
    const Site to = site(actor, op, target, element, packets);
    packets ? write_packet(to, value, at(actor.rank).call) : write_plain(to, value);
    ++self.element;
    return true;
  }
  return next(self);
}

bool Machine::request(const Actor& actor, const Op& op, Thread& self) {
  const std::size_t i = mine(actor, self);
  if (i >= op.targets.size()) return next(self);
  auto& queue = at(actor.rank).requests[static_cast<std::size_t>(channel(actor, op, i))];
  if (self.slice == 0) {
    queue.push_back(request_of(actor, op, op.sources[i], op.targets[i], false));
    if (op.type != OpType::put) queue.push_back({.is_signal = true});
    if (op.type != OpType::put_signal_flush) return next_of_mine(self);
    self.slice = 1;
    return true;
  }
  if (!queue.empty()) return false;  // a flush
  self.slice = 0;
  return next_of_mine(self);
}

Request Machine::request_of(const Actor& actor, const Op& op, const Slice& source,
                            const Slice& target, bool packets) const {
  const Site from = site(actor, op, source, 0, packets), to = site(actor, op, target, 0, packets);
  return {.source_buffer = static_cast<std::int32_t>(from.buffer),
          .source = from.element,
          .target_rank = to.rank,
          .target_buffer = static_cast<std::int32_t>(to.buffer),
          .target = to.element,
          .count = target.size * run_.elements * (packets ? 2 : 1)};
}

bool Machine::forward(const Actor& actor, const Op& op, Thread& self) {
  const Slice& source = op.sources[0];
  if (self.slice == 0) {
    const std::int32_t element = self.element * run_.threads + actor.thread;
    if (element < source.size * run_.elements) {
      if (!has_packet(site(actor, op, source, element, true), at(actor.rank).call)) return false;
      ++self.element;
      return true;
    }
    self.slice = 1;
    return true;
  }
  for (const Thread& other : at(actor.rank).blocks[static_cast<std::size_t>(actor.block)])
    if (other.op < self.op || (other.op == self.op && other.slice == 0)) return false;
  const auto i = static_cast<std::size_t>(actor.thread);
  for (std::size_t k = i; k < op.targets.size(); k += static_cast<std::size_t>(run_.threads))
    at(actor.rank)
        .requests[static_cast<std::size_t>(channel(actor, op, k))]
        .push_back(request_of(actor, op, source, op.targets[k], true));
  return next(self);
}

bool Machine::each_element(const Actor& actor, const Op& op, Thread& self) {
  const std::int32_t element = element_of(actor, op, self);
  if (element >= op.sources[0].size * run_.elements) return next(self);
  const std::int32_t flag = at(actor.rank).call;
  const auto source = [&](std::size_t i, bool packets) {
    return site(actor, op, op.sources[i], element, packets);
  };
  const auto target = [&](bool packets) {
    return site(actor, op, op.targets[0], element, packets);
  };
  Value value = 0;
  switch (op.type) {
    case OpType::copy:
      write_plain(target(false), plain(source(0, false)));
      break;
    case OpType::reduce:
      for (std::size_t i = 0; i < op.sources.size(); ++i) value += plain(source(i, false));
      write_plain(target(false), value);
      break;
    case OpType::copy_to_packets:
      write_packet(target(true), plain(source(0, false)), flag);
      break;
    case OpType::unpack_packets:
      if (!has_packet(source(0, true), flag)) return false;
      write_plain(target(false), plain(source(0, true)));
      break;
    case OpType::reduce_packets:
      for (std::size_t i = 1; i < op.sources.size(); ++i) {
        if (!has_packet(source(i, true), flag)) return false;
        value += plain(source(i, true));
      }
      write_plain(target(false), value + plain(source(0, false)));
      break;
    default:
      error_ = fmt::format("no such operation here: {}", name_of(op.type));
  }
  ++self.element;
  return true;
}

bool Machine::is_over(std::int32_t rank) const {
  const GpuState& one = at(rank);
  for (std::size_t b = 0; b < one.blocks.size(); ++b)
    for (const Thread& thread : one.blocks[b])
      if (thread.op < gpu(rank).blocks[b].ops.size()) return false;
  return true;
}

bool Machine::all_done() const {
  for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank)
    if (at(rank).call <= run_.calls && !is_over(rank)) return false;
  return true;
}

void Machine::end_call(std::int32_t rank) {
  check_result(rank);
  ++at(rank).call;
  if (at(rank).call <= run_.calls) {
    begin_call(rank);
    if (is_over(rank)) end_call(rank);
  }
}

void Machine::check_result(std::int32_t rank) {
  const std::int32_t call = at(rank).call;
  for (std::int32_t e = 0; e < wanted_chunks(rank) * run_.elements; ++e)
    if (cell(rank, Buffer::output, e).value != wanted(rank, call, e)) {
      error_ = fmt::format("rank {} has a wrong chunk {} in its output in call {}", rank,
                           e / run_.elements, call);
      return;
    }
  for (std::int32_t e = 0; !plan_.in_place && e < gpu(rank).input_chunks * run_.elements; ++e)
    if (cell(rank, Buffer::input, e).value != own(call, rank, e))
      error_ = fmt::format("rank {} has its input changed in call {}", rank, call);
}

std::int64_t Machine::elements_of_block() const {
  const Gpu& first = plan_.gpus[0];
  switch (collective_.kind) {
    case CollectiveKind::allgather:
    case CollectiveKind::gather:
      return first.input_chunks * run_.elements;
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::scatter:
      return first.output_chunks * run_.elements;
    default:
      return first.input_chunks / plan_.ranks() * run_.elements;
  }
}

Value Machine::wanted(std::int32_t rank, std::int32_t call, std::int64_t e) const {
  const std::int64_t in_block = elements_of_block();
  const auto sum = [&](std::int64_t element) {
    Value total = 0;
    for (std::int32_t r = 0; r < plan_.ranks(); ++r) total += own(call, r, element);
    return total;
  };
  switch (collective_.kind) {
    case CollectiveKind::allgather:
    case CollectiveKind::gather:
      return own(call, static_cast<std::int32_t>(e / in_block), e % in_block);
    case CollectiveKind::reduce_scatter:
      return sum(rank * in_block + e);
    case CollectiveKind::scatter:
      return own(call, collective_.root.value(), rank * in_block + e);
    case CollectiveKind::alltoall:
      return own(call, static_cast<std::int32_t>(e / in_block), rank * in_block + e % in_block);
    case CollectiveKind::broadcast:
      return own(call, collective_.root.value(), e);
    default:
      return sum(e);
  }
}

std::int32_t Machine::wanted_chunks(std::int32_t rank) const {
  const bool is_root = rank == collective_.root.value();
  const bool at_root =
      collective_.kind == CollectiveKind::gather || collective_.kind == CollectiveKind::reduce;
  return at_root && !is_root ? 0 : gpu(rank).output_chunks;
}

std::string Machine::leftovers() const {
  for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank) {
    for (const auto* signals : {&at(rank).memory_signals, &at(rank).port_signals})
      for (const std::int32_t count : *signals)
        if (count != 0) return fmt::format("rank {} leaves signals", rank);
    if (at(rank).semaphores != gpu(rank).semaphores)
      return fmt::format("rank {} leaves a semaphore raised", rank);
  }
  return error_;
}

std::string Machine::deadlock() const {
  for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank)
    for (std::size_t b = 0; b < at(rank).blocks.size(); ++b)
      for (const Thread& thread : at(rank).blocks[b])
        if (thread.op < gpu(rank).blocks[b].ops.size())
          return fmt::format("deadlock in call {}: rank {}, block {}, operation {} waits",
                             at(rank).call, rank, b, thread.op);
  return "deadlock";
}

std::uint64_t Machine::hash() const {
  std::uint64_t h = 0;
  const auto add = [&](std::uint64_t x) { h = mix(h ^ x) + 0x9E3779B97F4A7C15ULL; };
  for (const GpuState& one : state_) {
    add(static_cast<std::uint64_t>(one.call));
    for (const auto& buffer : one.memory)
      for (const Cell& cell : buffer) add(cell.value + static_cast<std::uint64_t>(cell.flag));
    for (const auto& block : one.blocks)
      for (const Thread& thread : block)
        add(thread.op * 4096 + static_cast<std::uint64_t>(thread.slice * 64 + thread.element));
    for (const auto* list : {&one.semaphores, &one.memory_signals, &one.port_signals})
      for (const std::int32_t value : *list) add(static_cast<std::uint64_t>(value));
    for (const auto& queue : one.requests) {
      add(queue.size());
      for (const Request& request : queue)
        add(static_cast<std::uint64_t>(request.source * 64 + request.target) * 2 +
            (request.is_signal ? 1 : 0));
    }
  }
  return h;
}

}  // namespace weft::test::plan_runs
