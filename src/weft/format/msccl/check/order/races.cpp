#include "weft/format/msccl/check/order/races.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format::msccl {

RaceSearch::RaceSearch(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
                       Ancestry& ancestry)
    : flat_(flat), memory_(memory), ancestry_(ancestry) {
  gpu_first_.assign(Flat::index(flat.gpus()) + 1, 0);
  for (const StepIndex s : order) ++gpu_first_[Flat::index(flat.gpu_of(s)) + 1];
  for (std::size_t g = 1; g < gpu_first_.size(); ++g) gpu_first_[g] += gpu_first_[g - 1];
  std::vector<std::int32_t> at(gpu_first_.begin(), gpu_first_.end() - 1);
  by_gpu_.resize(order.size());
  for (const StepIndex s : order) by_gpu_[Flat::index(at[Flat::index(flat.gpu_of(s))]++)] = s;
}

void RaceSearch::run(const RaceListener& listener) {
  last_write_.assign(static_cast<std::size_t>(memory_.cells()), kNone);
  first_read_.assign(static_cast<std::size_t>(memory_.cells()), kNone);
  slot_.assign(flat_.step.size(), kNone);
  waiters_left_.assign(flat_.step.size(), 0);
  for (std::int32_t g = 0; g < flat_.gpus(); ++g) run_gpu(g, listener);
}

std::vector<RaceSearch::Missing> RaceSearch::repair() {
  repairing_ = true;
  run({.race = [&](const Race& race) { racing_.push_back(race.first.step); }, .needless = {}});
  return std::move(missing_);
}

void RaceSearch::run_gpu(std::int32_t gpu, const RaceListener& listener) {
  gpu_ = gpu;
  gpu_blocks_ = flat_.first_block[Flat::index(gpu) + 1] - flat_.first_block[Flat::index(gpu)];
  if (gpu_blocks_ <= 1) return;  // program order orders all
  clocks_.assign(Flat::index(gpu_blocks_) * Flat::index(gpu_blocks_), 0);
  slots_.clear();
  free_slots_.clear();
  reads_.clear();
  for (std::int32_t i = gpu_first_[Flat::index(gpu)]; i < gpu_first_[Flat::index(gpu) + 1]; ++i) {
    const StepIndex s = by_gpu_[Flat::index(i)];
    start(s, listener);
    access(s, listener);
    if (repairing_) order_races(s);
    finish(s);
  }
}

std::span<std::int32_t> RaceSearch::clock(std::int32_t block) {
  const auto width = Flat::index(gpu_blocks_);
  const auto row = Flat::index(block - flat_.first_block[Flat::index(gpu_)]);
  return std::span(clocks_).subspan(row * width, width);
}

bool RaceSearch::ordered_locally(StepIndex earlier, StepIndex later) const {
  const std::int32_t a = flat_.block[Flat::index(earlier)], b = flat_.block[Flat::index(later)];
  if (a == b) return true;
  const std::int32_t first = flat_.first_block[Flat::index(gpu_)];
  const auto entry = Flat::index(b - first) * Flat::index(gpu_blocks_) + Flat::index(a - first);
  return clocks_[entry] > flat_.number_of_step(earlier);
}

// Everything before `on`, and `on` itself, is now before s.
void RaceSearch::join(StepIndex s, StepIndex on) {
  WEFT_ASSERT(slot_[Flat::index(on)] != kNone);
  const auto own = clock(flat_.block[Flat::index(s)]);
  const auto width = Flat::index(gpu_blocks_);
  const auto other = std::span(slots_).subspan(Flat::index(slot_[Flat::index(on)]) * width, width);
  for (std::size_t i = 0; i < width; ++i) own[i] = std::max(own[i], other[i]);
}

void RaceSearch::start(StepIndex s, const RaceListener& listener) {
  const StepIndex on = flat_.waits_for[Flat::index(s)];
  if (on == kNone) return;
  if (ordered_locally(on, s) && listener.needless) listener.needless(s);
  join(s, on);
  if (!repairing_ && --waiters_left_[Flat::index(on)] == 0)
    free_slots_.push_back(slot_[Flat::index(on)]);
}

std::int32_t RaceSearch::new_slot() {
  if (!free_slots_.empty()) {
    const std::int32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  const auto width = Flat::index(gpu_blocks_);
  slots_.resize(slots_.size() + width);
  return static_cast<std::int32_t>(slots_.size() / width) - 1;
}

void RaceSearch::finish(StepIndex s) {
  const std::int32_t block = flat_.block[Flat::index(s)];
  const auto own = clock(block);
  own[Flat::index(flat_.number_of_block(block))] = flat_.number_of_step(s) + 1;
  const std::int32_t waiters =
      flat_.waiters_first[Flat::index(s) + 1] - flat_.waiters_first[Flat::index(s)];
  if (waiters == 0 && !repairing_) return;
  const std::int32_t slot = slot_[Flat::index(s)] = new_slot();
  waiters_left_[Flat::index(s)] = waiters;
  std::ranges::copy(own, slots_.begin() + std::ptrdiff_t{slot} * gpu_blocks_);
}

// A copy onto itself, as in place from input to output, writes what is there: it disturbs writers
// and no readers, as if it only read.
void RaceSearch::access(StepIndex s, const RaceListener& listener) {
  const Step& step = *flat_.step[Flat::index(s)];
  const bool reads = reads_source(step.type);
  const bool onto_itself = step.type == StepType::copy &&
                           memory_.cell(gpu_, step.source) == memory_.cell(gpu_, step.target);
  const bool writes = writes_target(step.type) && !onto_itself;
  for (std::int32_t k = 0; k < step.count; ++k) {
    if (reads) read({s, k, false}, memory_.cell(gpu_, step.source) + k, listener);
    if (writes) write({s, k, true}, memory_.cell(gpu_, step.target) + k, listener);
  }
}

void RaceSearch::read(const Access& access, std::int64_t cell, const RaceListener& listener) {
  const auto c = static_cast<std::size_t>(cell);
  if (const StepIndex writer = last_write_[c]; writer != kNone) {
    const Place target = flat_.step[Flat::index(writer)]->target;
    const auto chunk = static_cast<std::int32_t>(cell - memory_.cell(gpu_, target));
    compare({writer, chunk, true}, access, listener);
  }
  reads_.push_back({access, first_read_[c]});
  first_read_[c] = static_cast<std::int32_t>(reads_.size()) - 1;
}

void RaceSearch::write(const Access& access, std::int64_t cell, const RaceListener& listener) {
  const auto c = static_cast<std::size_t>(cell);
  if (const StepIndex writer = last_write_[c]; writer != kNone) {
    const Place target = flat_.step[Flat::index(writer)]->target;
    const auto chunk = static_cast<std::int32_t>(cell - memory_.cell(gpu_, target));
    compare({writer, chunk, true}, access, listener);
  }
  for (std::int32_t r = first_read_[c]; r != kNone; r = reads_[Flat::index(r)].next)
    compare(reads_[Flat::index(r)].access, access, listener);
  first_read_[c] = kNone;
  last_write_[c] = access.step;
}

void RaceSearch::compare(const Access& earlier, const Access& later, const RaceListener& listener) {
  if (ordered_locally(earlier.step, later.step)) return;
  const auto before = ancestry_.before(earlier.step, earlier.chunk, later.step, later.chunk);
  if (before == std::optional(true)) return;
  listener.race({.first = earlier, .second = later, .proven = before.has_value()});
}

// Orders the present step behind those that it races with: the last of each thread block, unless
// another of them is behind it.
void RaceSearch::order_races(StepIndex s) {
  std::ranges::sort(racing_, std::greater(), [&](StepIndex a) { return ancestry_.position(a); });
  for (const StepIndex on : racing_) {
    if (ordered_locally(on, s)) continue;
    missing_.push_back({s, on});
    join(s, on);
  }
  racing_.clear();
}

}  // namespace weft::format::msccl
