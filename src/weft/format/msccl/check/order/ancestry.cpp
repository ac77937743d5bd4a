#include "weft/format/msccl/check/order/ancestry.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format::msccl {

Ancestry::Ancestry(const Flat& flat, std::span<const StepIndex> order, std::int64_t most_visits)
    : flat_(flat),
      position_(order.size()),
      visits_left_(most_visits),
      words_announce_(flat.algorithm->protocol != Protocol::simple) {
  WEFT_ASSERT(order.size() == flat.step.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    position_[Flat::index(order[i])] = static_cast<std::int32_t>(i);
  reached_.resize(Flat::index(flat.blocks()));
  generation_.resize(Flat::index(flat.blocks()));
}

void Ancestry::reach(StepIndex s) {
  if (s == kNone || position(s) < bound_) return;
  const auto b = Flat::index(flat_.block[Flat::index(s)]);
  const bool fresh = generation_[b] != search_;
  if (!fresh && reached_[b] >= s) return;
  const StepIndex from = fresh ? flat_.first_step[b] : reached_[b] + 1;
  generation_[b] = search_;
  reached_[b] = s;
  work_.push_back({from, s});
}

void Ancestry::visit(StepIndex from, StepIndex to) {
  for (StepIndex s = to; s >= from && position(s) >= bound_; --s) {
    --visits_left_;
    reach(flat_.waits_for[Flat::index(s)]);
    reach(flat_.sender[Flat::index(s)]);
  }
}

void Ancestry::search(StepIndex b, std::int32_t bound) {
  of_ = b;
  bound_ = bound;
  ++search_;
  chain_.clear();
  for (StepIndex s = b; s != kNone; s = flat_.sender[Flat::index(s)]) {
    if (s != b) chain_.push_back(s);
    const std::int32_t block = flat_.block[Flat::index(s)];
    reach(flat_.waits_for[Flat::index(s)]);
    if (s > flat_.first_step[Flat::index(block)]) reach(s - 1);
    --visits_left_;
  }
  while (!work_.empty() && visits_left_ > 0) {
    const Work work = work_.back();
    work_.pop_back();
    visit(work.from, work.to);
  }
}

std::optional<bool> Ancestry::before(StepIndex a, std::int32_t i, StepIndex b, std::int32_t j) {
  if (visits_left_ <= 0) return std::nullopt;
  if (of_ != b || position(a) < bound_) search(b, position(a));
  if (visits_left_ <= 0) {
    of_ = kNone;
    work_.clear();
    return std::nullopt;
  }
  const auto block = Flat::index(flat_.block[Flat::index(a)]);
  if (generation_[block] == search_ && reached_[block] >= a) return true;
  return (words_announce_ ? i == j : i <= j) && std::ranges::find(chain_, a) != chain_.end();
}

}  // namespace weft::format::msccl
