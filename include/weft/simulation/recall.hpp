// Recall: what runs of one schedule in several sizes on one network share.
//
//   options.recall = std::make_shared<Recall>(network);
//   for (std::int64_t size_B : sizes)
//     simulate(lower(verified, {.size_B = size_B}), network, options);
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "weft/network/network.hpp"

namespace weft::simulation {

struct AlikeLayout;

/// May be used from several threads. What does not fit a program is found anew, so that results
/// are the same with and without.
class Recall {
 public:
  /// Refers to the network; runs on others are told nothing.
  explicit Recall(const Network& network) : network_(network) {}

  bool is_of(const Network& network) const { return &network == &network_; }
  /// What was kept by this number; null where nothing was.
  std::shared_ptr<const AlikeLayout> layout(std::int64_t number) const {
    const std::scoped_lock lock(mutex_);
    const auto found = layouts_.find(number);
    return found == layouts_.end() ? nullptr : found->second;
  }
  /// As long as all that is kept has no more than 4 million messages.
  void keep(std::int64_t number, std::shared_ptr<const AlikeLayout> layout, std::int64_t messages) {
    const std::scoped_lock lock(mutex_);
    if (messages > room_) return;
    const auto [found, is_new] = layouts_.insert_or_assign(number, std::move(layout));
    if (is_new) room_ -= messages;
  }

 private:
  const Network& network_;
  mutable std::mutex mutex_;
  std::int64_t room_ = 4'000'000;
  std::map<std::int64_t, std::shared_ptr<const AlikeLayout>> layouts_;
};

}  // namespace weft::simulation
