#include "times.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <unordered_set>

#include "groups.hpp"
#include "layers.hpp"
#include "weft/base/parallel.hpp"

namespace weft::algorithm::bfb {

namespace {

constexpr int kDenseDegree = 8;            // up to this all 2^d sets are looked at
constexpr std::size_t kMostSeen = 20'000;  // sets of classes remembered for each step
constexpr std::int64_t kParts = 64;        // of the receivers, dealt to threads

// A layer's least time by sums over all subsets of the arcs, where capacities are 1.
class Subsets {
 public:
  explicit Subsets(int degree) : degree_(static_cast<unsigned>(degree)) {}

  Rational least_time(const LayerSearch& search, int distance, const Rational& at_least) {
    const std::size_t sets = std::size_t{1} << degree_;
    std::fill_n(within_.begin(), sets, 0);
    for (const std::int32_t source : search.layer(distance)) ++within_[search.word(source)];
    for (unsigned bit = 0; bit < degree_; ++bit)
      for (std::size_t low = std::size_t{1} << bit, s = low; s < sets; s = (s + 1) | low)
        within_[s] += within_[s ^ low];
    std::array<std::int32_t, kDenseDegree + 1> most{};  // by size of the set
    for (std::size_t s = 1; s < sets; ++s) {
      std::int32_t& largest = most[static_cast<std::size_t>(std::popcount(s))];
      largest = std::max(largest, within_[s]);
    }
    std::int64_t p = at_least.numerator(), q = at_least.denominator();
    for (std::size_t size = 1; size <= degree_; ++size)
      if (most[size] * q > p * static_cast<std::int64_t>(size)) {
        p = most[size];
        q = static_cast<std::int64_t>(size);
      }
    return p == at_least.numerator() && q == at_least.denominator() ? at_least : Rational(p, q);
  }

 private:
  unsigned degree_;
  std::array<std::int32_t, std::size_t{1} << kDenseDegree> within_{};
};

using LeastTime = std::function<Rational(const Classes&, const Rational&)>;

// The step times of some receivers, one after the other.
class Part {
 public:
  Part(const Arcs& arcs, LeastTime least_time, bool dense)
      : search_(arcs), least_time_(std::move(least_time)), dense_(dense) {}

  void add(std::int32_t receiver) {
    search_.run(receiver);
    const auto depth = static_cast<std::size_t>(search_.depth());
    if (times_.size() < depth) times_.resize(depth);
    if (!dense_ && seen_.size() < depth) seen_.resize(depth);
    Subsets subsets(static_cast<int>(dense_ ? search_.arcs().into(receiver).size() : 0));
    for (std::size_t t = 0; t < depth; ++t) {
      const int distance = static_cast<int>(t) + 1;
      if (dense_)
        times_[t] = subsets.least_time(search_, distance, times_[t]);
      else
        add_by_flow(receiver, distance);
    }
  }
  const std::vector<Rational>& times() const { return times_; }

 private:
  void add_by_flow(std::int32_t receiver, int distance) {
    group(search_, receiver, distance, groups_);
    const auto t = static_cast<std::size_t>(distance) - 1;
    if (seen_[t].size() < kMostSeen && !seen_[t].insert(groups_.classes).second) return;
    times_[t] = least_time_(groups_.classes, times_[t]);
  }

  LayerSearch search_;
  LeastTime least_time_;
  bool dense_;
  Groups groups_;
  std::vector<Rational> times_;
  std::vector<std::unordered_set<Classes>> seen_;
};

std::vector<Rational> largest_times(const Arcs& arcs, std::span<const std::int32_t> receivers,
                                    const LeastTime& least_time, bool dense) {
  const auto count = static_cast<std::int64_t>(receivers.size());
  const std::int64_t parts = std::min(count, kParts);
  std::vector<std::vector<Rational>> times(static_cast<std::size_t>(parts));
  parallel_for(parts, [&](std::int64_t i) {
    Part part(arcs, least_time, dense);
    for (std::int64_t r = count * i / parts; r < count * (i + 1) / parts; ++r)
      part.add(receivers[static_cast<std::size_t>(r)]);
    times[static_cast<std::size_t>(i)] = part.times();
  });
  std::vector<Rational> largest;
  for (const auto& part : times) {
    if (largest.size() < part.size()) largest.resize(part.size());
    for (std::size_t t = 0; t < part.size(); ++t) largest[t] = std::max(largest[t], part[t]);
  }
  return largest;
}

}  // namespace

std::vector<Rational> step_times(const Arcs& arcs, std::span<const std::int32_t> receivers) {
  const bool dense = arcs.uniform() && arcs.largest_degree() <= kDenseDegree;
  return largest_times(
      arcs, receivers,
      [](const Classes& classes, const Rational& at_least) {
        return least_time(classes, at_least);
      },
      dense);
}

std::vector<Rational> discrete_step_times(const Arcs& arcs, std::span<const std::int32_t> receivers,
                                          std::int64_t chunks) {
  return largest_times(
      arcs, receivers,
      [chunks](const Classes& classes, const Rational& at_least) {
        return least_discrete_time(classes, chunks, at_least);
      },
      false);
}

}  // namespace weft::algorithm::bfb
