// Turns: which channel follows which on a path, a bit each; and loops among them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/analysis/forwarding/switch_net.hpp"

namespace weft::analysis {

/// Pairs of channels (a, b): b leaves the switch that a enters.
class Turns {
 public:
  explicit Turns(const SwitchNet& net) : net_(&net) {
    for (std::int32_t node = 0; node < net.count; ++node) {
      words_of_row_.push_back((net.first[node + 1] - net.first[node] + 63) / 64);
      begin_.push_back(bits_.size());
      bits_.resize(bits_.size() +
                   static_cast<std::size_t>(words_of_row_.back()) * net.into(node).size());
    }
  }

  void add(std::int32_t a, std::int32_t b) {
    const std::int32_t place = b - net_->first[net_->head[a]];
    bits_[row(a) + static_cast<std::size_t>(place / 64)] |= std::uint64_t{1} << (place % 64);
  }
  void add(const Turns& other) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
  }

  /// Whether b follows a. Precondition: b starts where a ends.
  bool has(std::int32_t a, std::int32_t b) const {
    const std::int32_t place = b - net_->first[net_->head[a]];
    return (bits_[row(a) + static_cast<std::size_t>(place / 64)] >> (place % 64) & 1) != 0;
  }

  /// Calls visit(b) for each channel that follows a.
  template <class Visit>
  void after(std::int32_t a, Visit&& visit) const {
    const std::int32_t node = net_->head[a];
    for (std::int32_t word = 0; word < words_of_row_[node]; ++word)
      for (std::uint64_t left = bits_[row(a) + static_cast<std::size_t>(word)]; left != 0;
           left &= left - 1)
        visit(net_->first[node] + word * 64 + std::countr_zero(left));
  }

 private:
  std::size_t row(std::int32_t a) const {
    const std::int32_t node = net_->head[a];
    return begin_[node] + static_cast<std::size_t>(net_->place_in[a] * words_of_row_[node]);
  }

  const SwitchNet* net_;
  std::vector<std::int32_t> words_of_row_;  // by switch
  std::vector<std::size_t> begin_;          // by switch
  std::vector<std::uint64_t> bits_;
};

/// The channels of a loop of turns, a shortest one as far as a bounded search finds it; empty:
/// there is no loop, so that packets on one virtual lane never wait for each other (Dally and
/// Seitz, IEEE ToC C-36(5), 1987).
std::vector<std::int32_t> shortest_loop(const SwitchNet& net, const Turns& turns);

/// Whether no path goes up after it went down, for some ranking of the switches.
//
// Such a ranking has no turn at a switch that is lower than both neighbours of the turn. The lowest
// switch of all is then in the middle of no turn, and no turn that begins or ends at it matters any
// more. So switches are taken out from below as long as one is in the middle of no turn that is
// left; taking one out never spoils another, so that the order of taking does not matter.
bool has_ranking(const SwitchNet& net, const Turns& turns);

}  // namespace weft::analysis
