// The trees of a packing while they grow.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/graph/rows.hpp"
#include "weft/graph/tree_packing.hpp"

namespace weft::graph {

// A set of trees or nodes, as bits, whose number grows.
class IdSet {
 public:
  bool has(std::int32_t id) const {
    const auto word = static_cast<std::size_t>(id / kBits);
    return word < words_.size() && (words_[word] >> (id % kBits) & 1) != 0;
  }
  void add(std::int32_t id) { word_of(id) |= std::uint64_t{1} << (id % kBits); }
  void remove(std::int32_t id) { word_of(id) &= ~(std::uint64_t{1} << (id % kBits)); }

  /// Takes those that are in the other set, too, out of this one, and visits each.
  template <class Visit>
  void take(const IdSet& other, Visit&& visit) {
    const std::size_t words = std::min(words_.size(), other.words_.size());
    for (std::size_t i = 0; i < words; ++i) {
      std::uint64_t both = words_[i] & other.words_[i];
      words_[i] ^= both;
      for (; both != 0; both &= both - 1)
        visit(static_cast<std::int32_t>(i) * kBits + std::countr_zero(both));
    }
  }

 private:
  static constexpr std::int32_t kBits = 64;

  std::uint64_t& word_of(std::int32_t id) {
    const auto word = static_cast<std::size_t>(id / kBits);
    if (word >= words_.size()) words_.resize(word + 1, 0);
    return words_[word];
  }

  std::vector<std::uint64_t> words_;
};

// A tree under way.
struct Growing {
  std::int32_t root = 0;  // its place among the roots
  std::int64_t multiplicity = 0;
  Branching branches;
  std::vector<bool> has;                    // by node
  std::vector<std::int32_t> last, current;  // joined at this depth; at the one before
  std::int32_t nodes = 1;
  std::size_t member = 0, arc = 0;  // where to go on looking

  void begin_pass() { member = arc = 0; }
  void begin_depth() {
    current = std::exchange(last, {});
    begin_pass();
  }
};

// An arc into a node that has capacity left.
struct OpenArc {
  std::int32_t tail = 0, arc = 0;
};

// All trees and what capacity they leave.
struct Forest {
  std::span<const CapacityArc> arcs;
  Rows<std::int32_t> out;                // arcs by tail
  std::vector<std::vector<OpenArc>> in;  // by head, those with capacity left, by tail
  std::vector<IdSet> tails;              // by head, of those
  std::vector<std::int64_t> left;        // by arc
  std::vector<std::int32_t> taken;       // arcs that lost capacity, one after the other
  std::vector<Growing> trees;
  std::vector<IdSet> with;  // by node: the trees that have it

  std::int32_t nodes() const { return out.size(); }

  /// The arcs from one node to another that have capacity left.
  std::span<const OpenArc> between(std::int32_t tail, std::int32_t head) const {
    return {std::ranges::lower_bound(in[head], tail, {}, &OpenArc::tail),
            std::ranges::upper_bound(in[head], tail, {}, &OpenArc::tail)};
  }

  /// Takes capacity from an arc.
  void take(std::int32_t arc, std::int64_t amount) {
    WEFT_ASSERT(amount >= 0 && amount <= left[arc]);
    taken.push_back(arc);
    if ((left[arc] -= amount) > 0) return;
    const auto& [tail, head, capacity] = arcs[arc];
    std::erase_if(in[head], [&](const OpenArc& other) { return other.arc == arc; });
    if (between(tail, head).empty()) tails[head].remove(tail);
  }
};

}  // namespace weft::graph
