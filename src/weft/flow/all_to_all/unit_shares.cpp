// Rounding that keeps loads even.
//
// Rounding each share by itself would let errors of many pairs meet on a link. So every link keeps
// account of the units that it carries above its exact load, e, weighed by how full it is, w: a
// unit goes to the path that adds least to the sum of w e^2, which is the path with the least sum
// of w (2 e + 1). Links far from full hardly count, so that what is too much goes to them. With
// many units a pair the loads stay within a few units of the exact ones, and these are many then;
// with few the moves at the end matter.
#include "weft/flow/all_to_all/unit_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weft/base/error.hpp"

namespace weft::flow {

namespace {

__extension__ using Wide = __int128;

constexpr int kMostRounds = 1000;  // of moves, each of which lowers the fullest link

class Rounding {
 public:
  Rounding(std::span<const FlowPath> paths, const LoadClasses& classes, std::int64_t units_per_pair)
      : paths_(paths),
        classes_(classes),
        units_per_pair_(units_per_pair),
        above_(classes.capacity.size(), 0),
        load_(classes.capacity.size(), 0),
        weight_(classes.capacity.size(), 0),
        units_(paths.size(), 0) {
    for (std::size_t first = 0; first < paths.size();) {
      std::size_t end = first;
      while (end < paths.size() && paths[end].from == paths[first].from &&
             paths[end].to == paths[first].to)
        ++end;
      pairs_.push_back({first, end});
      first = end;
    }
  }

  UnitShares shares() && {
    weigh();
    for (const Pair& pair : pairs_) share(pair);
    for (int round = 0; round < kMostRounds && lower(); ++round) {
    }
    return {std::move(units_), largest() / static_cast<double>(units_per_pair_)};
  }

 private:
  struct Pair {
    std::size_t first, end;  // paths
  };

  template <class Use>
  void each_class(std::size_t path, const Use& use) const {
    for (const LinkId link : paths_[path].links) use(classes_.of_link[link.index()]);
  }
  double fullness(Int c, std::int64_t units) const {
    return static_cast<double>(units) / static_cast<double>(classes_.capacity[c]);
  }

  std::int64_t units_of(const Pair& pair) const {
    return units_per_pair_ * paths_[pair.first].pairs;
  }
  std::int64_t parts_of(const Pair& pair) const {
    std::int64_t parts = 0;
    for (std::size_t p = pair.first; p < pair.end; ++p) parts += paths_[p].parts;
    return parts;
  }

  // By the exact loads: those of the fullest count 1.
  void weigh() {
    for (const Pair& pair : pairs_) {
      const double scale =
          static_cast<double>(units_of(pair)) / static_cast<double>(parts_of(pair));
      for (std::size_t p = pair.first; p < pair.end; ++p)
        each_class(p, [&](Int c) {
          weight_[c] += static_cast<double>(paths_[p].parts) * scale /
                        static_cast<double>(classes_.capacity[c]);
        });
    }
    const double most = *std::ranges::max_element(weight_);
    constexpr double kSharp = 16;
    for (double& weight : weight_) weight = std::pow(weight / most, kSharp);
  }

  void share(const Pair& pair) {
    const std::int64_t parts = parts_of(pair), units = units_of(pair);
    std::int64_t rest = units;
    for (std::size_t p = pair.first; p < pair.end; ++p) {
      const Wide exact = Wide(paths_[p].parts) * units;
      units_[p] = static_cast<std::int64_t>(exact / parts);
      rest -= units_[p];
      const double below = static_cast<double>(static_cast<std::int64_t>(exact % parts)) /
                           static_cast<double>(parts);
      each_class(p, [&](Int c) {
        load_[c] += units_[p];
        above_[c] -= below;
      });
    }
    for (; rest > 0; --rest) add_unit(best_for_one_more(pair, parts, units));
  }

  // A path gets one unit more than it should at most.
  std::size_t best_for_one_more(const Pair& pair, std::int64_t parts, std::int64_t units) const {
    std::size_t best = pair.end;
    double least = 0;
    for (std::size_t p = pair.first; p < pair.end; ++p) {
      if (Wide(units_[p]) * parts >= Wide(paths_[p].parts) * units) continue;
      double cost = 0;
      each_class(p, [&](Int c) {
        cost += weight_[c] * (2 * above_[c] + 1) / static_cast<double>(classes_.capacity[c]);
      });
      if (best != pair.end && cost >= least) continue;
      best = p;
      least = cost;
    }
    WEFT_ASSERT(best != pair.end);
    return best;
  }
  void add_unit(std::size_t path) {
    ++units_[path];
    each_class(path, [&](Int c) {
      ++load_[c];
      above_[c] += 1;
    });
  }

  double largest() const {
    double most = 0;
    for (std::size_t c = 0; c < load_.size(); ++c)
      most = std::max(most, fullness(static_cast<Int>(c), load_[c]));
    return most;
  }

  // One unit off each of the fullest classes; false where one of them keeps what it has, or they
  // were even already.
  bool lower() {
    const double most = largest();
    bool any = false;
    for (std::size_t c = 0; c < load_.size(); ++c) {
      if (fullness(static_cast<Int>(c), load_[c]) < most) continue;
      if (!relieve(static_cast<Int>(c), most)) return false;
      any = true;
    }
    return any;
  }

  bool relieve(Int full, double most) {
    if (paths_over_.empty()) index_paths();
    for (const std::size_t pair_and_path : paths_over_[full]) {
      const Pair& pair = pairs_[pair_of_[pair_and_path]];
      if (units_[pair_and_path] == 0) continue;
      for (std::size_t p = pair.first; p < pair.end; ++p) {
        if (p == pair_and_path) continue;
        each_class(pair_and_path, [&](Int c) { --load_[c]; });
        each_class(p, [&](Int c) { ++load_[c]; });
        bool lower = fullness(full, load_[full]) < most;
        each_class(p, [&](Int c) { lower = lower && fullness(c, load_[c]) < most; });
        if (lower) {
          --units_[pair_and_path];
          ++units_[p];
          return true;
        }
        each_class(pair_and_path, [&](Int c) { ++load_[c]; });
        each_class(p, [&](Int c) { --load_[c]; });
      }
    }
    return false;
  }
  void index_paths() {
    paths_over_.resize(load_.size());
    pair_of_.resize(paths_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (pairs_[i].end - pairs_[i].first < 2) continue;
      for (std::size_t p = pairs_[i].first; p < pairs_[i].end; ++p) {
        pair_of_[p] = i;
        each_class(p, [&](Int c) { paths_over_[c].push_back(p); });
      }
    }
  }

  std::span<const FlowPath> paths_;
  const LoadClasses& classes_;
  std::int64_t units_per_pair_;
  std::vector<Pair> pairs_;
  std::vector<double> above_;       // by class: units above the exact load
  std::vector<std::int64_t> load_;  // by class
  std::vector<double> weight_;      // by class
  std::vector<std::int64_t> units_;
  std::vector<std::vector<std::size_t>> paths_over_;  // by class: paths that have an alternative
  std::vector<std::size_t> pair_of_;                  // by path
};

}  // namespace

std::int64_t exact_units(std::span<const FlowPath> paths, std::int64_t most) {
  WEFT_ASSERT(most >= 1);
  std::int64_t units = 1;
  for (std::size_t first = 0; first < paths.size();) {
    std::int64_t parts = 0, divisor = 0;
    std::size_t end = first;
    for (; end < paths.size() && paths[end].from == paths[first].from &&
           paths[end].to == paths[first].to;
         ++end) {
      parts += paths[end].parts;
      divisor = std::gcd(divisor, paths[end].parts);
    }
    const std::int64_t of_hosts = parts / divisor;
    const std::int64_t of_pair = of_hosts / std::gcd(of_hosts, paths[first].pairs);
    const std::int64_t factor = of_pair / std::gcd(units, of_pair);
    if (factor > most / units) return 0;
    units *= factor;
    first = end;
  }
  return units;
}

UnitShares shares_in_units(std::span<const FlowPath> paths, const LoadClasses& classes,
                           std::int64_t units_per_pair) {
  WEFT_ASSERT(units_per_pair >= 1);
  UnitShares shares = Rounding(paths, classes, units_per_pair).shares();
  WEFT_ASSERT(shares.units.size() == paths.size());
  return shares;
}

}  // namespace weft::flow
