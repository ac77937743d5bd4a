// UnitLayer: the least time of one layer of a breadth-first allgather (balance.hpp) where all arcs
// have capacity 1 and there are few: what searches over many graphs ask for again and again.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"

namespace weft::graph {

/// Blocks are added with the arcs that may bring them, as a mask; the fullest arc's load, when they
/// are spread as evenly as can be, is the maximum over sets of arcs of what only they can bring
/// over their number. Up to kMostDense arcs all sets are looked at, above by flows.
class UnitLayer {
 public:
  static constexpr int kMostDense = 8;
  static constexpr int kMostArcs = 32;

  /// arcs in [1, kMostArcs].
  explicit UnitLayer(int arcs) : arcs_(arcs) { WEFT_ASSERT(arcs >= 1 && arcs <= kMostArcs); }

  /// Forgets all blocks.
  void clear();
  /// The mask is not 0 and has no bit of an arc that there is not.
  void add(std::uint64_t mask, std::int32_t count = 1) {
    if ((mask & (mask - 1)) == 0) {
      single_[std::countr_zero(mask)] += count;
    } else if (arcs_ <= kMostDense) {
      dense_[mask] += count;
      shares_ = true;
    } else {
      sparse_[mask] += count;
    }
  }
  /// The fullest arc's load, or `least` where that is more. Exact.
  Rational raise(const Rational& least) const;

 private:
  std::size_t sets() const { return std::size_t{1} << arcs_; }  // of arcs, where they are few
  Rational raise_by_sets(const Rational& least) const;
  Rational raise_by_flows(const Rational& least) const;

  int arcs_;
  bool shares_ = false;                           // something is in dense_
  std::array<std::int32_t, kMostArcs> single_{};  // of one arc alone
  std::array<std::int32_t, std::size_t{1} << kMostDense> dense_{};
  std::map<std::uint64_t, std::int32_t> sparse_;
};

}  // namespace weft::graph
