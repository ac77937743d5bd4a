// Copies: how much of a message its sender and its receiver copy, by how blocks lie in buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::program {

/// Copies of a schedule whose agents keep blocks in an order of their own.
class CopyPlan {
 public:
  /// Units of the translate by `element` of a stored message that its sender copies first, and
  /// that its receiver copies after it came; a reduction that writes where it should is no copy.
  std::int64_t sender_units(std::int64_t message, std::int32_t element) const {
    return sender_[index(message, element)];
  }
  std::int64_t receiver_units(std::int64_t message, std::int32_t element) const {
    return receiver_[index(message, element)];
  }
  /// combined or kept.
  network::BlockLayout layout() const { return layout_; }

 private:
  friend class CopyPlanner;
  std::size_t index(std::int64_t message, std::int32_t element) const {
    WEFT_ASSERT(message >= 0 && element >= 0 && element < order_);
    return static_cast<std::size_t>(message * order_ + element);
  }

  network::BlockLayout layout_ = network::BlockLayout::combined;
  std::int32_t order_ = 1;  // of the schedule's group
  std::vector<std::int64_t> sender_, receiver_;
};

/// What the layout copies; nothing where blocks lie in rank order, which Program finds by itself:
/// as asked, for `best` where its busiest agent copies no more, and for more than 2^23 moves of
/// blocks. O(moves * log moves).
std::shared_ptr<const CopyPlan> plan_copies(const schedule::Verified& verified,
                                            network::BlockLayout layout);

/// For hosts: nothing where their copies are free.
std::shared_ptr<const CopyPlan> plan_copies(const schedule::Verified& verified,
                                            const network::HostParameters& host);

/// Whose copies they are: rank order without a plan.
inline network::BlockLayout layout_of(const std::shared_ptr<const CopyPlan>& plan) {
  return plan == nullptr ? network::BlockLayout::rank_order : plan->layout();
}

}  // namespace weft::program
