// Annealing over the ways in which all chunks spread.
//
// A state says for each chunk and node over which arc and in which step the chunk arrives, always
// causally: a node gets a chunk after the tail of its arc did, and before the nodes that get it
// from this one. What may be violated is capacity: the cost is the number of chunks that links
// carry beyond rounds(step) * weight, and a state of cost 0 is a plan. A move gives one chunk at
// one node another arc or step, half of the time one that sits on an overloaded link, in O(degree).
//
// Moving a round from one step to another changes too many costs at once to be such a move. Instead
// the annealing runs in legs, each from hot to cold on fixed rounds; between legs one round moves,
// and the leg's outcome is kept unless it is worse by more than one.
#include "weft/search/synthesis/annealing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/base/error.hpp"

namespace weft::search {

namespace {

class Annealer {
 public:
  Annealer(const Instance& instance, const AnnealingTask& task, Rng rng)
      : instance_(instance),
        task_(task),
        rng_(rng),
        items_(instance.nodes * task.chunks * instance.nodes) {
    start();
  }

  /// Whether a plan was found.
  bool run(std::int64_t moves, Clock::time_point deadline) {
    const std::int64_t leg = std::min(moves, items_ * kMovesPerItem);
    anneal(leg, deadline);
    State kept = state();
    for (std::int64_t done = leg; done < moves && cost_ > 0; done += leg) {
      if (Clock::now() > deadline) return false;
      shift_round();
      anneal(leg, deadline);
      if (cost_ <= kept.cost + 1)
        kept = state();
      else
        restore(kept);
    }
    return cost_ == 0;
  }

  Plan plan() const { return {task_.chunks, rounds_, landings_}; }

 private:
  static constexpr std::int64_t kMovesPerItem = 2'500;  // of a leg

  struct State {
    std::vector<int> rounds;
    std::vector<Landing> landings;
    std::vector<std::int64_t> loads;
    std::int64_t cost;
  };
  State state() const { return {rounds_, landings_, loads_, cost_}; }
  void restore(const State& state) {
    rounds_ = state.rounds;
    landings_ = state.landings;
    loads_ = state.loads;
    cost_ = state.cost;
  }

  /// A leg from hot to cold, with the rounds as they are.
  void anneal(std::int64_t moves, Clock::time_point deadline) {
    constexpr double kHot = 0.7, kCold = 0.12;
    for (std::int64_t move = 0; move < moves && cost_ > 0; ++move) {
      if (move % 4096 == 0) {
        if (Clock::now() > deadline) return;
        const double done = static_cast<double>(move) / static_cast<double>(moves);
        set_temperature(kHot * std::pow(kCold / kHot, done));
      }
      move_landing();
    }
  }

  std::int64_t pick(std::int64_t bound) {  // bound < 2^32; the bias is below 2^-32
    return static_cast<std::int64_t>(((rng_.next() >> 32) * static_cast<std::uint64_t>(bound)) >>
                                     32);
  }
  std::size_t slot(int arc, int step) const {
    return static_cast<std::size_t>(arc * (task_.steps + 1) + step);
  }
  std::int64_t capacity(int arc, int step) const {
    return rounds_[step - 1] * instance_.arc(arc).weight;
  }
  static std::int64_t excess(std::int64_t load, std::int64_t capacity) {
    return std::max<std::int64_t>(0, load - capacity);
  }

  /// Every chunk by breadth-first search, as early as can be; rounds spread evenly, but no more in
  /// the first step than there are chunks.
  void start() {
    rounds_.assign(task_.steps, 1);
    for (int left = task_.rounds - task_.steps, step = task_.steps; left > 0; --left) {
      const bool last = step == 1 || (step == 2 && rounds_[0] >= task_.chunks);
      ++rounds_[step - 1];
      step = last ? task_.steps : step - 1;
    }
    landings_.assign(items_, {});
    loads_.assign(static_cast<std::size_t>(instance_.arc_count() * (task_.steps + 1)), 0);
    for (int item = 0; item < items_; ++item) {
      const int node = item % instance_.nodes;
      const int source = item / instance_.nodes / task_.chunks;
      if (node == source) continue;
      const int step = instance_.distance_between(source, node);
      for (int arc : instance_.in(node))
        if (instance_.distance_between(source, instance_.arc(arc).tail) == step - 1)
          landings_[item] = {arc, step};
      ++loads_[slot(landings_[item].arc, step)];
    }
    cost_ = count_cost();
  }

  void set_temperature(double temperature) {
    for (std::size_t i = 0; i < thresholds_.size(); ++i)
      thresholds_[i] = std::exp(-static_cast<double>(i) / temperature);
  }
  bool accepts(std::int64_t change) {
    if (change <= 0) return true;
    if (change >= static_cast<std::int64_t>(thresholds_.size())) return false;
    return static_cast<double>(rng_.next() >> 11) * 0x1.0p-53 < thresholds_[change];
  }

  /// The last step in which the chunk may reach the node: before it is passed on.
  int latest(std::size_t chunk_base, int node) const {
    int last = task_.steps;
    for (int arc : instance_.out(node)) {
      const Landing& next =
          landings_[chunk_base + static_cast<std::size_t>(instance_.arc(arc).head)];
      if (next.arc == arc) last = std::min(last, next.step - 1);
    }
    return last;
  }

  int pick_item() {
    int item = static_cast<int>(pick(items_));
    if ((rng_.next() & 1) == 0) return item;
    for (int tries = 0; tries < 8; ++tries) {  // one on an overloaded link, if it is soon found
      const Landing& a = landings_[item];
      if (a.arc >= 0 && loads_[slot(a.arc, a.step)] > capacity(a.arc, a.step)) break;
      item = static_cast<int>(pick(items_));
    }
    return item;
  }

  void move_landing() {
    const int item = pick_item();
    Landing& now = landings_[item];
    if (now.arc < 0) return;  // the source itself
    const int node = item % instance_.nodes;
    const auto base = static_cast<std::size_t>(item - node);
    const auto in = instance_.in(node);
    const int arc = in[pick(static_cast<std::int64_t>(in.size()))];
    const int first = landings_[base + static_cast<std::size_t>(instance_.arc(arc).tail)].step + 1;
    const int last = latest(base, node);
    if (first > last) return;
    const int step = first + static_cast<int>(pick(last - first + 1));
    if (arc == now.arc && step == now.step) return;
    std::int64_t& from = loads_[slot(now.arc, now.step)];
    std::int64_t& to = loads_[slot(arc, step)];
    const std::int64_t change =
        (to >= capacity(arc, step) ? 1 : 0) - (from > capacity(now.arc, now.step) ? 1 : 0);
    if (!accepts(change)) return;
    --from;
    ++to;
    cost_ += change;
    now = {arc, step};
  }

  /// Moves a round from one step to another. The first step has no use for more than its chunks.
  void shift_round() {
    for (int tries = 0; tries < 100; ++tries) {
      const auto from = static_cast<std::size_t>(pick(task_.steps));
      const auto to = static_cast<std::size_t>(pick(task_.steps));
      if (from == to || rounds_[from] < 2 || (to == 0 && rounds_[0] >= task_.chunks)) continue;
      --rounds_[from];
      ++rounds_[to];
      break;
    }
    cost_ = count_cost();
  }

  std::int64_t count_cost() const {
    std::int64_t cost = 0;
    for (int arc = 0; arc < instance_.arc_count(); ++arc)
      for (int step = 1; step <= task_.steps; ++step)
        cost += excess(loads_[slot(arc, step)], capacity(arc, step));
    return cost;
  }

  const Instance& instance_;
  AnnealingTask task_;
  Rng rng_;
  int items_;
  std::vector<int> rounds_;
  std::vector<Landing> landings_;
  std::vector<std::int64_t> loads_;  // by slot
  std::int64_t cost_ = 0;
  std::array<double, 32> thresholds_{};
};

}  // namespace

std::optional<Plan> anneal(const Instance& instance, const AnnealingTask& task, Rng rng,
                           const AnnealingEffort& effort) {
  WEFT_ASSERT(task.steps >= instance.diameter && task.rounds >= task.steps);
  for (int start = 0; start < effort.starts; ++start) {
    Annealer annealer(instance, task, rng.split(static_cast<std::uint64_t>(start)));
    if (annealer.run(effort.moves, effort.deadline)) return annealer.plan();
    if (Clock::now() > effort.deadline) break;
  }
  return std::nullopt;
}

}  // namespace weft::search
