// Wanted are trees with the least sum, over steps, of the fullest link's load. In place of the
// greatest load stands a soft maximum, log(sum of exp(b * load)) / b, whose slope prices each link
// in each step: the fullest dear, all others cheap, and one of a step that is as full in many links
// no dearer than that of a step in which a single link stands out. So the prices tell, too, which
// steps to fill. A place of a tree is taken out and joins again where that is cheapest: by any way
// into it, in any step after its parent's and before its children's. That is repeated for all
// places of all trees in random order, with prices blurred at random ever less, and b grown until
// it tells one tree's load from none.
#include "annealing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"

namespace weft::flow {

namespace {

class Annealing {
 public:
  Annealing(const PlaceWays& ways, Forest forest, const AnnealingOptions& options, Rng rng)
      : ways_(ways),
        forest_(std::move(forest)),
        options_(options),
        rng_(rng),
        places_(ways.places),
        links_(ways.links.size()),
        slots_(static_cast<std::size_t>(options.depth) + (options.segments > 1 ? 1 : 0)),
        load_(slots_ * links_, 0.0),
        weight_(load_.size(), 0.0),
        sums_(slots_, 0.0) {
    children_.assign(forest_.joins.size(), 0);
    for (std::size_t i = 0; i < forest_.joins.size(); ++i)
      if (forest_.joins[i].way >= 0) {
        ++children_[parent(i)];
        load(forest_.joins[i], 1);
      }
  }

  double cost() const {
    double cost = 0;
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      const auto row = std::span(load_).subspan(slot * links_, links_);
      cost += factor(slot) * *std::ranges::max_element(row);
    }
    return cost / forest_.count;
  }

  Forest run() {
    Forest best = forest_;
    double least = cost();
    std::vector<std::int32_t> order(forest_.joins.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::int32_t pass = 0; pass < options_.passes; ++pass) {
      const double done = options_.passes == 1 ? 1
                                               : static_cast<double>(pass) /
                                                     static_cast<double>(options_.passes - 1);
      set_prices(options_.first_sharpness *
                 std::pow(options_.last_sharpness / options_.first_sharpness, done));
      blur_ = 0.3 * (1 - done);
      rng_.shuffle(order);
      for (const std::int32_t i : order) {
        if (forest_.joins[i].way < 0) continue;
        TimeLimit::check();
        join_again(static_cast<std::size_t>(i));
      }
      if (const double now = cost(); now < least - 1e-9) {
        least = now;
        best = forest_;
      }
    }
    return best;
  }

 private:
  double factor(std::size_t slot) const {
    return slot < static_cast<std::size_t>(options_.depth)
               ? 1
               : static_cast<double>(options_.segments - 1);
  }
  std::size_t parent(std::size_t i) const {
    return i - i % places_ + static_cast<std::size_t>(ways_.ways[forest_.joins[i].way].from);
  }
  void load(Join join, int sign) {
    for (const std::int32_t link : ways_.ways[join.way].links) {
      load_[static_cast<std::size_t>(join.step) * links_ + link] += sign * ways_.weights[link];
      if (options_.segments > 1)
        load_[static_cast<std::size_t>(options_.depth) * links_ + link] +=
            sign * ways_.weights[link];
    }
  }

  // Sharper, the soft maximum is nearer to the true one.
  void set_prices(double sharpness) {
    double mean = 0;
    for (std::size_t slot = 0; slot < static_cast<std::size_t>(options_.depth); ++slot)
      mean += *std::ranges::max_element(std::span(load_).subspan(slot * links_, links_));
    mean /= options_.depth;
    sharpness_ = sharpness / mean;
    more_.resize(links_);
    less_.resize(links_);
    for (std::size_t link = 0; link < links_; ++link) {
      more_[link] = std::exp(std::min(sharpness_ * ways_.weights[link], 600.0));
      less_[link] = 1 / more_[link];
    }
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      const auto row = std::span(load_).subspan(slot * links_, links_);
      const double greatest = *std::ranges::max_element(row);
      sums_[slot] = 0;
      for (std::size_t link = 0; link < links_; ++link)
        sums_[slot] += weight_[slot * links_ + link] =
            std::exp(sharpness_ * (row[link] - greatest));
    }
  }

  void change_weight(std::size_t slot, std::int32_t link, const std::vector<double>& times) {
    double& weight = weight_[slot * links_ + link];
    sums_[slot] += weight * (times[link] - 1);
    weight *= times[link];
  }
  void put(Join join, int sign) {
    load(join, sign);
    const auto& times = sign > 0 ? more_ : less_;
    for (const std::int32_t link : ways_.ways[join.way].links) {
      change_weight(static_cast<std::size_t>(join.step), link, times);
      if (options_.segments > 1)
        change_weight(static_cast<std::size_t>(options_.depth), link, times);
    }
  }
  // By how much the soft maximum of a slot grows.
  double price(std::size_t slot, std::int32_t link) const {
    return factor(slot) *
           std::log1p(weight_[slot * links_ + link] * (more_[link] - 1) / sums_[slot]);
  }
  double price(const PlaceWay& way, std::int32_t step) const {
    double sum = 0;
    for (const std::int32_t link : way.links) {
      sum += price(static_cast<std::size_t>(step), link);
      if (options_.segments > 1) sum += price(static_cast<std::size_t>(options_.depth), link);
    }
    return sum;
  }

  std::int32_t last_step(std::size_t i) const {
    std::int32_t last = options_.depth - 1;
    if (children_[i] == 0) return last;
    const std::size_t first = i - i % places_;
    const auto place = static_cast<std::int32_t>(i - first);
    for (std::size_t other = first; other < first + places_; ++other)
      if (const Join& join = forest_.joins[other];
          join.way >= 0 && ways_.ways[join.way].from == place)
        last = std::min(last, join.step - 1);
    return last;
  }

  void join_again(std::size_t i) {
    const std::size_t first = i - i % places_;
    const auto place = static_cast<std::int32_t>(i - first);
    const std::int32_t last = last_step(i);
    Join& join = forest_.joins[i];
    put(join, -1);
    --children_[parent(i)];
    double least = INFINITY;
    Join best = join;
    for (std::int32_t way = ways_.first[place]; way < ways_.first[place + 1]; ++way) {
      const std::int32_t from = ways_.ways[way].from;
      for (std::int32_t step = forest_.joins[first + from].step + 1; step <= last; ++step) {
        const double asked = price(ways_.ways[way], step) * (1 + blur_ * rng_.uniform());
        if (asked >= least) continue;
        least = asked;
        best = {way, step};
      }
    }
    join = best;
    ++children_[parent(i)];
    put(join, 1);
  }

  const PlaceWays& ways_;
  Forest forest_;
  AnnealingOptions options_;
  Rng rng_;
  std::size_t places_, links_;
  std::size_t slots_;                  // steps, and for several segments all steps together
  std::vector<double> load_, weight_;  // by slot and link
  std::vector<double> sums_;           // of weights, by slot
  std::vector<std::int32_t> children_;
  std::vector<double> more_, less_;  // by link: what a tree makes of its weight
  double sharpness_ = 1, blur_ = 0;
};

}  // namespace

double forest_cost(const PlaceWays& ways, const Forest& forest, std::int32_t depth,
                   std::int64_t segments) {
  return Annealing(ways, forest, {.depth = depth, .segments = segments}, Rng(0)).cost();
}

Forest repeated(const Forest& forest, std::int32_t times) {
  WEFT_ASSERT(times >= 1 && forest.trees() >= 1 && std::ssize(forest.joins) % forest.trees() == 0);
  Forest result{forest.roots, times * forest.count, {}};
  result.joins.reserve(forest.joins.size() * static_cast<std::size_t>(times));
  const std::int64_t size = std::ssize(forest.joins) / forest.trees();
  for (std::int64_t tree = 0; tree < forest.trees(); ++tree)
    for (std::int32_t time = 0; time < times; ++time)
      result.joins.insert(result.joins.end(), forest.joins.begin() + tree * size,
                          forest.joins.begin() + (tree + 1) * size);
  WEFT_ASSERT(result.joins.size() == forest.joins.size() * static_cast<std::size_t>(times));
  return result;
}

Forest annealed(const PlaceWays& ways, Forest forest, const AnnealingOptions& options, Rng rng) {
  return Annealing(ways, std::move(forest), options, rng).run();
}

}  // namespace weft::flow
