// How much of each root's data goes down which tree is a linear program: least is the sum, over
// steps, of the fullest link's load (with segments, and of segments - 1 times that of the link that
// is fullest in all), the weights of a root's trees add up to 1. It has a column for each tree that
// there is, join by join and step by step; they are added as they are found cheaper, by the links'
// prices, than what their root pays. The cheapest tree is found over sets of places: what the best
// way is to have come to a set after t steps, from each set that was there a step before. When no
// tree is cheaper no weights are better.
//
// Weights become whole numbers of trees at the least count that keeps the cost, if one does.
#include "enumerated_trees.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "weft/base/error.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::flow {

using PlaceSet = std::uint32_t;
using Joins = std::vector<Join>;  // by place

// Prices of links in steps, and the cheapest tree by them.
class CheapestTrees {
 public:
  CheapestTrees(const PlaceWays& ways, std::int32_t depth)
      : ways_(ways), places_(ways.places), depth_(depth), sets_(std::size_t{1} << places_) {
    WEFT_ASSERT(ways.places >= 1 && ways.places < 32 && depth >= 1);  // a set of places is one word
  }

  // prices[step * links + link].
  void set_prices(std::span<const double> prices) {
    cheapest_.assign(depth_ * places_ * places_, {});
    const std::size_t links = ways_.links.size();
    for (std::size_t step = 0; step < depth_; ++step)
      for (std::size_t way = 0; way < ways_.ways.size(); ++way) {
        double price = 0;
        for (const std::int32_t link : ways_.ways[way].links) price += prices[step * links + link];
        Priced& best = cheapest_[cell(step, ways_.ways[way].from, ways_.ways[way].to)];
        if (price < best.price) best = {price, static_cast<std::int32_t>(way)};
      }
  }

  struct Found {
    double price = INFINITY;
    Joins joins;
  };
  Found tree(std::int32_t root) const {
    const PlaceSet start = PlaceSet{1} << root, all = static_cast<PlaceSet>(sets_ - 1);
    std::vector<double> price(sets_ * (depth_ + 1), INFINITY);
    std::vector<PlaceSet> before(price.size(), 0);
    price[start] = 0;
    std::vector<double> joining(places_), sum(sets_, 0.0);
    for (std::size_t step = 0; step < depth_; ++step)
      for (PlaceSet set = start; set <= all; ++set) {
        const double so_far = price[step * sets_ + set];
        if (so_far == INFINITY) continue;
        for (std::size_t place = 0; place < places_; ++place)
          joining[place] = join_of(step, set, place).price;
        const PlaceSet missing = all & ~set;
        // Subsets in ascending order: each follows the one without its lowest place.
        for (PlaceSet added = 0;; added = (added - missing) & missing) {
          if (added != 0) sum[added] = sum[added & (added - 1)] + joining[std::countr_zero(added)];
          const std::size_t there = (step + 1) * sets_ + (set | added);
          if (so_far + sum[added] < price[there]) {
            price[there] = so_far + sum[added];
            before[there] = set;
          }
          if (added == missing) break;
        }
      }
    Found found{price.back(), Joins(places_)};
    PlaceSet set = all;
    for (std::size_t step = depth_; step-- > 0;) {
      const PlaceSet was = before[(step + 1) * sets_ + set];
      for (std::size_t place = 0; place < places_; ++place)
        if (((set & ~was) >> place & 1U) != 0)
          found.joins[place] = {join_of(step, was, place).way, static_cast<std::int32_t>(step)};
      set = was;
    }
    return found;
  }

 private:
  struct Priced {
    double price = INFINITY;
    std::int32_t way = -1;
  };
  std::size_t cell(std::size_t step, std::int32_t from, std::int32_t to) const {
    return (step * places_ + static_cast<std::size_t>(from)) * places_ +
           static_cast<std::size_t>(to);
  }
  Priced join_of(std::size_t step, PlaceSet set, std::size_t place) const {
    Priced best;
    for (PlaceSet left = set; left != 0; left &= left - 1) {
      const Priced& each =
          cheapest_[cell(step, std::countr_zero(left), static_cast<std::int32_t>(place))];
      if (each.price < best.price) best = each;
    }
    return best;
  }

  const PlaceWays& ways_;
  std::size_t places_, depth_, sets_;
  std::vector<Priced> cheapest_;  // way, by step, from and to
};

// The linear program over the trees found so far.
class TreeProgram {
 public:
  TreeProgram(const PlaceWays& ways, const Forest& start, const EnumeratedTreesOptions& options)
      : ways_(ways),
        options_(options),
        depth_(options.depth),
        slots_(depth_ + (options.segments > 1 ? 1 : 0)),
        links_(ways.links.size()),
        cheapest_(ways, options.depth),
        roots_(start.roots) {
    add_rows();
    const auto places = static_cast<std::size_t>(ways.places);
    for (std::int64_t tree = 0; tree < start.trees(); ++tree) {
      const auto joins = std::span(start.joins).subspan(static_cast<std::size_t>(tree) * places);
      const Joins each(joins.begin(), joins.begin() + ways.places);
      const auto root = static_cast<std::size_t>(tree / start.count);
      const bool known = std::ranges::any_of(trees_, [&](const WeighedTree& other) {
        return other.root == root && other.joins == each;
      });
      if (!known) add_tree(root, each);
    }
    solve();
  }

  bool is_solved() const { return is_solved_; }
  double cost() const { return program_.value(); }

  Forest rounded(std::int64_t most_count) const {
    constexpr double kAsGood = 1 + 1e-9;
    Forest best;
    double least = INFINITY;
    for (std::int64_t count = 1; count <= most_count; ++count) {
      const std::vector<std::int64_t> times = whole(count);
      const double cost = cost_of(times, count);
      if (cost >= least / kAsGood) continue;
      least = cost;
      best = forest_of(times, count);
      if (cost <= program_.value() * kAsGood) break;
    }
    return best;
  }

 private:
  struct WeighedTree {
    std::size_t root = 0;  // its place among the roots
    Joins joins;
  };

  int row(std::size_t slot, std::int32_t link) const {
    return static_cast<int>(slot * links_ + static_cast<std::size_t>(link));
  }
  int row_of_root(std::size_t root) const { return static_cast<int>(slots_ * links_ + root); }

  // In units of the widest link; capacities stay whole numbers.
  void add_rows() {
    for (std::size_t i = 0; i < slots_ * links_; ++i) program_.add_row({-graph::kUnbounded, 0}, {});
    for (std::size_t root = 0; root < roots_.size(); ++root) program_.add_row({1, 1}, {});
    const auto widest = static_cast<double>(std::ranges::max(ways_.capacities));
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      std::vector<graph::LinearTerm> terms;
      for (std::size_t link = 0; link < links_; ++link)
        terms.push_back({row(slot, static_cast<std::int32_t>(link)),
                         -static_cast<double>(ways_.capacities[link])});
      const double times = slot < depth_ ? 1 : static_cast<double>(options_.segments - 1);
      program_.add_column(times * widest, {}, terms);
    }
  }

  void add_tree(std::size_t root, Joins joins) {
    std::vector<double> loads(slots_ * links_, 0.0);
    for (const Join& join : joins) {
      if (join.way < 0) continue;
      for (const std::int32_t link : ways_.ways[join.way].links) {
        loads[row(static_cast<std::size_t>(join.step), link)] += 1;
        if (slots_ > depth_) loads[row(depth_, link)] += 1;
      }
    }
    std::vector<graph::LinearTerm> terms{{row_of_root(root), 1}};
    for (std::size_t i = 0; i < loads.size(); ++i)
      if (loads[i] > 0) terms.push_back({static_cast<int>(i), loads[i]});
    program_.add_column(0, {}, terms);
    trees_.push_back({root, std::move(joins)});
  }

  void solve() {
    constexpr int kMostRounds = 400;
    is_solved_ = program_.solve();
    for (int round = 0; is_solved_ && round < kMostRounds && grow(); ++round)
      is_solved_ = program_.solve(graph::SolveFrom::vertex_and_columns);
  }

  // Adds the cheapest tree of each root that pays for it.
  bool grow() {
    constexpr double kCheaper = 1e-7;
    const std::span<const double> of_rows = program_.row_prices();
    std::vector<double> prices(depth_ * links_);
    for (std::size_t i = 0; i < prices.size(); ++i) {
      prices[i] = std::max(-of_rows[i], 0.0);
      if (slots_ > depth_) prices[i] += std::max(-of_rows[depth_ * links_ + i % links_], 0.0);
    }
    std::vector<double> pays;
    for (std::size_t root = 0; root < roots_.size(); ++root)
      pays.push_back(of_rows[row_of_root(root)]);
    cheapest_.set_prices(prices);
    bool grew = false;
    for (std::size_t root = 0; root < roots_.size(); ++root) {
      CheapestTrees::Found found = cheapest_.tree(roots_[root]);
      if (found.price >= pays[root] - kCheaper * std::max(1.0, pays[root])) continue;
      add_tree(root, std::move(found.joins));
      grew = true;
    }
    return grew;
  }

  // What is left of a root's trees after rounding down goes to those that have lost most.
  std::vector<std::int64_t> whole(std::int64_t count) const {
    const auto weights = program_.column_values().subspan(slots_);
    std::vector<std::int64_t> times;
    std::vector<double> lost;
    std::vector<std::int64_t> left(roots_.size(), count);
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      const double exact = std::max(weights[i], 0.0) * static_cast<double>(count);
      constexpr double kWhole = 1e-6;  // of a tree
      const auto down = static_cast<std::int64_t>(std::floor(exact + kWhole));
      times.push_back(std::min(down, left[trees_[i].root]));
      left[trees_[i].root] -= times.back();
      lost.push_back(exact - static_cast<double>(down));
    }
    std::vector<std::size_t> order(trees_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return lost[i]; });
    while (std::ranges::any_of(left, [](std::int64_t each) { return each > 0; }))
      for (const std::size_t i : order)
        if (left[trees_[i].root] > 0) {
          ++times[i];
          --left[trees_[i].root];
        }
    return times;
  }

  double cost_of(std::span<const std::int64_t> times, std::int64_t count) const {
    std::vector<double> load(slots_ * links_, 0.0);
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      if (times[i] == 0) continue;
      for (const Join& join : trees_[i].joins) {
        if (join.way < 0) continue;
        for (const std::int32_t link : ways_.ways[join.way].links) {
          const double more = static_cast<double>(times[i]) * ways_.weights[link];
          load[row(static_cast<std::size_t>(join.step), link)] += more;
          if (slots_ > depth_) load[row(depth_, link)] += more;
        }
      }
    }
    double cost = 0;
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      const auto of_links = std::span(load).subspan(slot * links_, links_);
      cost += (slot < depth_ ? 1 : static_cast<double>(options_.segments - 1)) *
              *std::ranges::max_element(of_links);
    }
    return cost / static_cast<double>(count);
  }

  Forest forest_of(std::span<const std::int64_t> times, std::int64_t count) const {
    Forest forest{roots_, static_cast<std::int32_t>(count), {}};
    for (std::size_t root = 0; root < roots_.size(); ++root)
      for (std::size_t i = 0; i < trees_.size(); ++i)
        for (std::int64_t time = 0; trees_[i].root == root && time < times[i]; ++time)
          forest.joins.insert(forest.joins.end(), trees_[i].joins.begin(), trees_[i].joins.end());
    return forest;
  }

  const PlaceWays& ways_;
  EnumeratedTreesOptions options_;
  std::size_t depth_, slots_, links_;
  CheapestTrees cheapest_;
  std::vector<std::int32_t> roots_;  // places
  graph::LinearProgram program_;     // the fullest link of each slot, then trees
  std::vector<WeighedTree> trees_;
  bool is_solved_ = false;
};

EnumeratedTrees::EnumeratedTrees(const PlaceWays& ways, const Forest& start,
                                 const EnumeratedTreesOptions& options)
    : program_(std::make_unique<TreeProgram>(ways, start, options)) {}
EnumeratedTrees::~EnumeratedTrees() = default;
EnumeratedTrees::EnumeratedTrees(EnumeratedTrees&&) noexcept = default;
EnumeratedTrees& EnumeratedTrees::operator=(EnumeratedTrees&&) noexcept = default;

bool EnumeratedTrees::is_solved() const {
  return program_->is_solved();
}
double EnumeratedTrees::cost() const {
  return program_->cost();
}
Forest EnumeratedTrees::rounded(std::int64_t most_count) const {
  return program_->rounded(most_count);
}

}  // namespace weft::flow
