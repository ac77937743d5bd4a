#include "weft/format/msccl/check/order/runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format::msccl {

Runner::Runner(const Flat& flat) : flat_(flat) {
  const auto blocks = Flat::index(flat.blocks());
  at_.resize(blocks);
  passed_.resize(blocks);
  sent_.resize(blocks);
  taken_.resize(blocks);
  is_ready_.resize(blocks);
  order_.reserve(flat.step.size());
}

bool Runner::run(std::int64_t depth, std::int32_t group) {
  WEFT_ASSERT(depth >= 1 && group >= 1);
  depth_ = depth;
  group_ = group;
  std::copy(flat_.first_step.begin(), flat_.first_step.end() - 1, at_.begin());
  std::ranges::fill(passed_, 0);
  std::ranges::fill(sent_, 0);
  std::ranges::fill(taken_, 0);
  std::ranges::fill(is_ready_, 0);
  order_.clear();
  for (std::int32_t b = flat_.blocks(); b-- > 0;) push(b);
  while (!ready_.empty()) {
    const std::int32_t b = ready_.back();
    ready_.pop_back();
    is_ready_[Flat::index(b)] = 0;
    advance(b);
  }
  return order_.size() == flat_.step.size();
}

void Runner::push(std::int32_t block) {
  if (is_ready_[Flat::index(block)] != 0) return;
  is_ready_[Flat::index(block)] = 1;
  ready_.push_back(block);
}

void Runner::advance(std::int32_t block) {
  const auto b = Flat::index(block);
  while (at_[b] < flat_.first_step[b + 1]) {
    const StepIndex s = at_[b];
    const StepIndex on = flat_.waits_for[Flat::index(s)];
    if (passed_[b] == 0 && on != kNone && !is_complete(on)) return;
    if (!exchange(block, s)) return;
    complete(block, s);
  }
}

std::int64_t Runner::arrived(std::int32_t block) const {
  WEFT_ASSERT(flat_.sending_block[Flat::index(block)] != kNone);
  const auto from = Flat::index(flat_.sending_block[Flat::index(block)]);
  return sent_[from] - taken_[from];
}

std::int64_t Runner::places(std::int32_t block) const {
  return depth_ - (sent_[Flat::index(block)] - taken_[Flat::index(block)]);
}

// Moves as many messages of a step as can be; returns whether these were all.
bool Runner::exchange(std::int32_t block, StepIndex s) {
  const bool sends = flat_.sends(s), receives = flat_.receives(s);
  if (!sends && !receives) return true;
  const auto b = Flat::index(block);
  const std::int32_t count = flat_.step[Flat::index(s)]->count;
  const std::int32_t messages = count / group_ + (count % group_ != 0 ? 1 : 0);
  std::int64_t now = messages - passed_[b];
  if (receives) now = std::min(now, arrived(block));
  if (sends) now = std::min(now, places(block));
  WEFT_ASSERT(now >= 0);
  if (now == 0) return false;
  if (receives) {
    const std::int32_t from = flat_.sending_block[b];
    taken_[Flat::index(from)] += now;
    push(from);
  }
  if (sends) {
    WEFT_ASSERT(flat_.receiving_block[b] != kNone);
    sent_[b] += now;
    push(flat_.receiving_block[b]);
  }
  passed_[b] += static_cast<std::int32_t>(now);
  if (passed_[b] == messages) return true;
  push(block);  // what it has just taken may let its peers go on, and then itself
  return false;
}

void Runner::complete(std::int32_t block, StepIndex s) {
  ++at_[Flat::index(block)];
  passed_[Flat::index(block)] = 0;
  order_.push_back(s);
  const auto first = flat_.waiters_first[Flat::index(s)];
  const auto end = flat_.waiters_first[Flat::index(s) + 1];
  for (StepIndex w = first; w < end; ++w)
    push(flat_.block[Flat::index(flat_.waiters[Flat::index(w)])]);
}

Runner::Wait Runner::wait_of(std::int32_t block) const {
  const auto b = Flat::index(block);
  const StepIndex s = at_[b];
  WEFT_ASSERT(s < flat_.first_step[b + 1]);  // it is not over
  const StepIndex on = flat_.waits_for[Flat::index(s)];
  if (passed_[b] == 0 && on != kNone && !is_complete(on)) return {on, Wait::Reason::flag};
  if (flat_.receives(s) && arrived(block) == 0)
    return {flat_.sender[Flat::index(s)], Wait::Reason::data};
  StepIndex taker = at_[Flat::index(flat_.receiving_block[b])];
  while (!flat_.receives(taker)) ++taker;
  return {taker, Wait::Reason::place};
}

std::vector<std::int32_t> Runner::circle_blocks() const {
  std::int32_t block = 0;
  while (at_[Flat::index(block)] == flat_.first_step[Flat::index(block) + 1]) ++block;
  const auto next = [&](std::int32_t b) { return flat_.block[Flat::index(wait_of(b).on)]; };
  for (std::int32_t i = 0; i < flat_.blocks(); ++i) block = next(block);  // now within the circle
  std::vector<std::int32_t> circle{block};
  for (std::int32_t b = next(block); b != block; b = next(b)) circle.push_back(b);
  return circle;
}

std::string Runner::event(std::int32_t block) const {
  const StepIndex s = at_[Flat::index(block)];
  const Wait wait = wait_of(block);
  const std::string waiter = name_of(flat_, s), other = name_of(flat_, wait.on);
  switch (wait.reason) {
    case Wait::Reason::flag:
      return fmt::format("{}: waits (depid) until {} is complete", waiter, other);
    case Wait::Reason::data:
      return fmt::format("{}: waits for the data that {} sends", waiter, other);
    case Wait::Reason::place:
      break;
  }
  return fmt::format("{}: cannot send, since {} {} in flight; waits until {} takes one", waiter,
                     depth_, depth_ == 1 ? "message is" : "messages are", other);
}

std::vector<std::string> Runner::circle() const {
  std::vector<std::string> events;
  for (const std::int32_t block : circle_blocks()) events.push_back(event(block));
  return events;
}

}  // namespace weft::format::msccl
