// Recall: what runs of one schedule in several sizes on one network share.
//
//   options.recall = std::make_shared<Recall>(network);
//   for (std::int64_t size_B : sizes)
//     simulate(lower(verified, {.size_B = size_B}), network, options);
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "weft/network/network.hpp"
#include "weft/program/program.hpp"

namespace weft::simulation {

struct AlikeLayout;
struct OneStepLoads;

/// May be used from several threads. What does not fit a program is not used, so that results are
/// the same with and without.
class Recall {
 public:
  /// Refers to the network; runs on others are told nothing.
  explicit Recall(const Network& network) : network_(network) {}

  bool is_of(const Network& network) const { return &network == &network_; }

  /// Identifies a stored layout: the number of its steps, and the program.
  struct Key {
    std::int64_t number = 0;
    std::string program = {};
    std::int64_t messages = 0, steps = 0, segments = 1, units = 1;
    std::int64_t size_B = 0;  // where the delays of messages depend on it
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  static Key key(std::int64_t number, const program::Program& program) {
    return {number,
            program.name(),
            program.message_count(),
            program.steps(),
            program.pipeline().segments,
            program.units(),
            0};
  }

  /// Of what holds the delays of messages: sizes share it only if these are equal.
  Key key_with_delays(std::int64_t number, const program::Program& program) const {
    Key made = key(number, program);
    if (has_delays_by_size(program)) made.size_B = program.size_B();
    return made;
  }

  /// A layout, or the loads of a step, searched once. The first thread holds the mutex during the
  /// search. Null if the program has none.
  struct Entry {
    std::mutex mutex;
    bool is_known = false;
    std::shared_ptr<const AlikeLayout> layout;
    std::shared_ptr<const OneStepLoads> loads;
    std::int64_t work = 0;  // that finding it took
    bool is_settled = false;
  };
  /// Returns the entry of a program with whole units; the reference stays valid.
  Entry& entry(const Key& key) {
    const std::scoped_lock lock(mutex_);
    return entries_[key];
  }

  /// What was found so far counts no more towards SimulationOptions::most_work. Returns whether
  /// there is something new. Call it between runs, never during one: what a run counts depends on
  /// none beside it.
  bool settle() {
    const std::scoped_lock lock(mutex_);
    bool is_new = false;
    for (auto& [key, entry] : entries_) {
      is_new = is_new || (entry.is_known && !entry.is_settled);
      entry.is_settled = entry.is_known;
    }
    return is_new;
  }

  /// Returns the work that a failed search for a shortcut took; nothing if no search has failed.
  std::optional<std::int64_t> in_vain(const Key& key) const {
    const std::scoped_lock lock(mutex_);
    const auto found = in_vain_.find(key);
    return found == in_vain_.end() ? std::nullopt : std::optional(found->second);
  }
  void note_in_vain(const Key& key, std::int64_t work) {
    const std::scoped_lock lock(mutex_);
    in_vain_[key] = work;
  }

  /// Returns the last stored layout of a program without whole units; null if none is stored.
  std::shared_ptr<const AlikeLayout> layout(std::int64_t number) const {
    const std::scoped_lock lock(mutex_);
    const auto found = layouts_.find(number);
    return found == layouts_.end() ? nullptr : found->second;
  }
  void keep(std::int64_t number, std::shared_ptr<const AlikeLayout> layout) {
    const std::scoped_lock lock(mutex_);
    layouts_.insert_or_assign(number, std::move(layout));
  }

 private:
  /// The delay of all messages of this size and more is the same.
  std::int64_t even_delay_from_B() const {
    const HostParameters& host = network_.host();
    return std::max(host.rendezvous.time_ps > 0 ? host.rendezvous.from_B : 0,
                    host.eager_copies.bandwidth_Bps > 0 ? host.eager_copies.below_B : 0);
  }
  /// Whether a message of a program with whole units may be shorter.
  bool has_delays_by_size(const program::Program& program) const {
    if (even_delay_from_B() == 0) return false;
    const std::int64_t unit_B = program.collective()->total_bytes(program.size_B()) /
                                (program.units() * program.pipeline().segments);
    return unit_B < even_delay_from_B();
  }

  const Network& network_;
  mutable std::mutex mutex_;
  std::map<Key, Entry> entries_;
  std::map<Key, std::int64_t> in_vain_;
  std::map<std::int64_t, std::shared_ptr<const AlikeLayout>> layouts_;
};

}  // namespace weft::simulation
