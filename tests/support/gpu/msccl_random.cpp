#include "support/gpu/msccl_random.hpp"

#include <algorithm>

#include "support/gpu/msccl_builder.hpp"

namespace weft::test {

using namespace format::msccl;

namespace {

class Generator {
 public:
  explicit Generator(Rng& rng) : rng_(rng) {}

  Algorithm make() {
    const auto ranks = static_cast<std::int32_t>(1 + rng_.below(4));
    algorithm_ =
        MscclBuilder(ranks, chance(2) ? "allreduce" : "custom", 3).buffers(3, 3, 2).build();
    algorithm_.in_place = chance(2);
    algorithm_.out_of_place = !algorithm_.in_place;
    for (std::int32_t r = 0; r < ranks; ++r) add_blocks(r);
    connect();
    const std::int64_t actions = 2 + rng_.below(ranks == 4 ? 6 : 8);
    for (std::int64_t a = 0; a < actions; ++a) act();
    for (Gpu& gpu : algorithm_.gpus) add_dependencies(gpu);
    MscclBuilder::set_flags(algorithm_);
    return algorithm_;
  }

 private:
  struct Connection {
    std::int32_t from, from_block, to, to_block;
  };

  bool chance(std::int64_t of) { return rng_.below(of) == 0; }
  std::int32_t below(std::int64_t bound) { return static_cast<std::int32_t>(rng_.below(bound)); }
  Gpu& gpu(std::int32_t r) { return algorithm_.gpus[static_cast<std::size_t>(r)]; }
  ThreadBlock& block(std::int32_t r, std::int32_t b) {
    return gpu(r).blocks[static_cast<std::size_t>(b)];
  }

  void add_blocks(std::int32_t r) {
    const std::int32_t blocks = 1 + below(3);
    for (std::int32_t b = 0; b < blocks; ++b) gpu(r).blocks.push_back({.channel = 0, .steps = {}});
  }

  // Joins random ends that are free; a connection is one of its two ranks.
  void connect() {
    for (int tries = 0; tries < 12; ++tries) {
      const std::int32_t from = below(algorithm_.ranks()), to = below(algorithm_.ranks());
      if (from == to || std::ranges::any_of(connections_, [&](const Connection& c) {
            return c.from == from && c.to == to;
          }))
        continue;
      const std::int32_t out = below(std::ssize(gpu(from).blocks));
      const std::int32_t in = below(std::ssize(gpu(to).blocks));
      if (block(from, out).send_peer >= 0 || block(to, in).receive_peer >= 0) continue;
      block(from, out).send_peer = to;
      block(to, in).receive_peer = from;
      connections_.push_back({from, out, to, in});
    }
  }

  Place place(std::int32_t count) {
    const auto buffer = static_cast<Buffer>(below(3));
    return {buffer, below((buffer == Buffer::scratch ? 2 : 3) - count + 1)};
  }

  // Source and target are the same or in different memory, so that no step overlaps itself.
  Step step(StepType type, std::int32_t count) {
    Step step{.type = type, .source = place(count), .target = place(count), .count = count};
    const bool source_scratch = step.source.buffer == Buffer::scratch;
    if (source_scratch == (step.target.buffer == Buffer::scratch)) step.target = step.source;
    return step;
  }

  void act() {
    if (connections_.empty() || chance(4)) return act_locally();
    const Connection& c = connections_[static_cast<std::size_t>(below(std::ssize(connections_)))];
    const std::int32_t count = chance(3) ? 2 : 1;
    if (chance(4)) return exchange(c);
    send(block(c.from, c.from_block), count);
    receive(c, count);
  }

  // Some messages both ways, all sent before any is received, for which a connection needs room.
  void exchange(const Connection& c) {
    const std::int32_t messages = 1 + below(3);
    for (const Connection& back : connections_) {
      if (back.from != c.to || back.to != c.from) continue;
      for (std::int32_t m = 0; m < messages; ++m) send(block(c.from, c.from_block), 1);
      for (std::int32_t m = 0; m < messages; ++m) send(block(back.from, back.from_block), 1);
      for (std::int32_t m = 0; m < messages; ++m) receive(c, 1);
      for (std::int32_t m = 0; m < messages; ++m) receive(back, 1);
    }
  }

  void receive(const Connection& c, std::int32_t count) {
    auto& to = block(c.to, c.to_block).steps;
    to.push_back(step(chance(2) ? StepType::receive : StepType::receive_reduce_copy, count));
    if (to.size() > 1 && chance(10)) std::swap(to[to.size() - 1], to[to.size() - 2]);
    repair_counts(c);
  }

  // Sends in a step of its own, or in the last one if that receives as much.
  void send(ThreadBlock& from, std::int32_t count) {
    if (!from.steps.empty() && from.steps.back().count == count && chance(2)) {
      StepType& type = from.steps.back().type;
      if (type == StepType::receive) {
        type = StepType::receive_copy_send;
        return;
      }
      if (type == StepType::receive_reduce_copy) {
        type = chance(2) ? StepType::receive_reduce_send : StepType::receive_reduce_copy_send;
        return;
      }
    }
    from.steps.push_back(step(StepType::send, count));
  }

  // After a swap the counts of a connection may not match: the receiver takes those of the sender.
  void repair_counts(const Connection& c) {
    const auto& sender = block(c.from, c.from_block).steps;
    auto send = sender.begin();
    for (Step& own : block(c.to, c.to_block).steps) {
      if (!receives(own.type)) continue;
      while (!sends(send->type)) ++send;
      if (own.count != send->count) make_single(c);
      ++send;
    }
  }
  void make_single(const Connection&) {
    for (Gpu& own : algorithm_.gpus)
      for (ThreadBlock& any : own.blocks)
        for (Step& one : any.steps) one.count = 1;
  }

  void act_locally() {
    const std::int32_t r = below(algorithm_.ranks());
    auto& steps = block(r, below(std::ssize(gpu(r).blocks))).steps;
    steps.push_back(step(chance(3) ? StepType::reduce : StepType::copy, chance(3) ? 2 : 1));
  }

  void add_dependencies(Gpu& own) {
    for (std::size_t b = 0; b < own.blocks.size(); ++b)
      for (std::size_t k = 0; k < own.blocks[b].steps.size(); ++k) {
        const std::int32_t on = below(std::ssize(own.blocks));
        const auto& steps = own.blocks[static_cast<std::size_t>(on)].steps;
        if (on == static_cast<std::int32_t>(b) || steps.empty() || chance(2)) continue;
        // Mostly on earlier steps, so that most do not deadlock.
        const std::int64_t most =
            std::min<std::int64_t>(std::ssize(steps), chance(5) ? 9 : static_cast<int>(k) + 1);
        own.blocks[b].steps[k].depends_on = {on, below(most)};
      }
  }

  Rng& rng_;
  Algorithm algorithm_;
  std::vector<Connection> connections_;
};

ThreadBlock* random_block(Algorithm& algorithm, Rng& rng) {
  std::vector<ThreadBlock*> all;
  for (Gpu& gpu : algorithm.gpus)
    for (ThreadBlock& block : gpu.blocks)
      if (!block.steps.empty()) all.push_back(&block);
  return all[static_cast<std::size_t>(rng.below(std::ssize(all)))];
}

void drop_dependency(Algorithm& algorithm, Rng& rng) {
  std::vector<Step*> all;
  for (Gpu& gpu : algorithm.gpus)
    for (ThreadBlock& block : gpu.blocks)
      for (Step& step : block.steps)
        if (step.depends_on.exists()) all.push_back(&step);
  if (all.empty()) return;
  all[static_cast<std::size_t>(rng.below(std::ssize(all)))]->depends_on = {};
  MscclBuilder::set_flags(algorithm);
}

void drop_step(Algorithm& algorithm, ThreadBlock& block, std::size_t k) {
  block.steps.erase(block.steps.begin() + static_cast<std::ptrdiff_t>(k));
  MscclBuilder::set_flags(algorithm);
}

}  // namespace

Algorithm random_msccl(Rng& rng) {
  return Generator(rng).make();
}

void damage_msccl(Algorithm& algorithm, Rng& rng) {
  ThreadBlock& block = *random_block(algorithm, rng);
  const auto k = static_cast<std::size_t>(rng.below(std::ssize(block.steps)));
  Step& step = block.steps[k];
  Place& place = rng.below(2) == 0 ? step.source : step.target;
  switch (rng.below(8)) {
    case 0:
      return drop_dependency(algorithm, rng);
    case 1:
      std::swap(step, block.steps[static_cast<std::size_t>(rng.below(std::ssize(block.steps)))]);
      return MscclBuilder::set_flags(algorithm);
    case 2:
      block.channel = static_cast<std::int32_t>(rng.below(2));
      return;
    case 3:
      place.offset = static_cast<std::int32_t>(rng.below(algorithm.chunks));
      return;
    case 4:
      for (std::size_t r = k; r < block.steps.size(); ++r)
        if (receives(block.steps[r].type)) return drop_step(algorithm, block, r);
      return;
    case 5:
      return drop_step(algorithm, block, k);
    case 6:
      place.buffer = static_cast<Buffer>(rng.below(3));
      return;
    default:
      step.type = static_cast<StepType>(rng.below(kStepTypes));
  }
}

}  // namespace weft::test
