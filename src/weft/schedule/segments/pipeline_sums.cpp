#include "weft/schedule/segments/pipeline_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/schedule/on_network.hpp"

namespace weft::schedule {

namespace {

constexpr std::int64_t kMostFollowed = 20'000;
// Segments that a full pipeline is followed over before cycles are looked for, and then.
constexpr int kSettling = 8, kLooking = 16;
// Of the largest sum of a step to its links.
constexpr std::array kRatios{0.3, 1.0, 3.0};

// A message of steps that coincide, between agents or, with a symmetry, their orbits.
struct Sent {
  std::size_t from = 0, to = 0;
  double steps = 0, links = 0;  // until it arrives, 0 within a host; 1: the slowest
  double sum = 0;               // parts of M that the receiver adds up
};
struct Together {
  std::vector<Sent> sent;  // in the order of receivers
  double busiest = 0;      // units from one agent to another
};

// How far an agent is, and by what since the search began.
struct Place {
  double at_s = 0;
  double steps = 0, links = 0, sums = 0;
  std::size_t origin = 0;

  void raise(const Place& other) {
    if (other.at_s > at_s) *this = other;
  }
};

// Seconds of a step's links, and of the sum of all of M.
struct Speeds {
  double links_s = 0, sum_s = 0;
};

std::int64_t units_of(const Schedule& schedule, std::int64_t message) {
  std::int64_t units = 0;
  for (const Piece& piece : schedule.pieces(message)) units += piece.count;
  return units;
}

class Follower {
 public:
  Follower(const Schedule& schedule, const Network& network)
      : schedule_(schedule),
        symmetry_(schedule.symmetry()),
        nodes_(nodes_of_agents(schedule, network)),
        unit_(1 / static_cast<double>(schedule.units_per_block() *
                                      schedule.collective().blocks_in_m())),
        places_(static_cast<std::size_t>(schedule.agents() / symmetry_.order())) {}

  /// The stored steps from `first` on, `stride` apart.
  Together together(std::int64_t first, std::int64_t stride) const {
    WEFT_ASSERT(first >= 0 && stride >= 1);
    std::map<std::pair<Agent, Agent>, std::vector<std::int64_t>> pairs;
    for (std::int64_t t = first; t < schedule_.stored_steps(); t += stride)
      for (std::int64_t m = schedule_.first_message(t); m < schedule_.first_message(t + 1); ++m)
        pairs[{schedule_.message(m).from, schedule_.message(m).to}].push_back(m);
    Together made;
    for (const auto& [pair, messages] : pairs)
      made.busiest = std::max(made.busiest, add(messages, made.sent));
    for (Sent& each : made.sent)
      if (made.busiest > 0) each.links /= made.busiest;
    std::ranges::stable_sort(made.sent, {}, &Sent::to);
    return made;
  }

  std::vector<Place> start() const {
    std::vector<Place> places(places_);
    for (std::size_t v = 0; v < places_; ++v) places[v].origin = v;
    return places;
  }

  /// All agents leave the steps that they are in.
  void pass(const std::vector<Sent>& sent, const Speeds& speeds, std::vector<Place>& places) {
    std::vector<Place> next = places;
    for (auto first = sent.begin(); first != sent.end();) {
      const std::size_t to = first->to;
      arrivals_.clear();
      for (; first != sent.end() && first->to == to; ++first) {
        Place arrived = places[first->from];
        arrived.at_s += first->links * speeds.links_s;
        arrived.steps += first->steps;
        arrived.links += first->links;
        next[first->from].raise(arrived);
        next[to].raise(arrived);
        if (first->sum > 0) arrivals_.emplace_back(arrived, first->sum);
      }
      std::ranges::stable_sort(arrivals_, {}, [](const auto& each) { return each.first.at_s; });
      Place adding = places[to];
      for (const auto& [arrived, sum] : arrivals_) {
        adding.raise(arrived);
        adding.at_s += sum * speeds.sum_s;
        adding.sums += sum;
      }
      next[to].raise(adding);
    }
    places.swap(next);
  }

 private:
  // Of one pair, which share its way. Returns what they put on it, in units.
  double add(const std::vector<std::int64_t>& messages, std::vector<Sent>& sent) const {
    WEFT_ASSERT(!messages.empty());
    const Message& any = schedule_.message(messages.front());
    // A translate of a message within a host may leave it.
    const bool stays = symmetry_.is_trivial() && nodes_[any.from.index()] == nodes_[any.to.index()];
    const bool at_rank = any.to.value() < schedule_.collective().ranks;
    std::vector<double> units;
    for (const std::int64_t m : messages)
      units.push_back(static_cast<double>(units_of(schedule_, m)));
    double all = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      double before = 0;  // on the way until this one is there
      for (const double other : units) before += std::min(other, units[i]);
      all += units[i];
      const bool adds = at_rank && schedule_.message(messages[i]).arrival == Arrival::reduce;
      sent.push_back({place(any.from), place(any.to), stays ? 0.0 : 1.0, stays ? 0.0 : before,
                      adds ? units[i] * unit_ : 0.0});
    }
    return stays ? 0 : all;
  }
  std::size_t place(Agent agent) const { return static_cast<std::size_t>(symmetry_.orbit(agent)); }

  const Schedule& schedule_;
  const Symmetry& symmetry_;
  std::vector<NodeId> nodes_;  // by agent
  double unit_;                // in parts of M
  std::size_t places_;
  std::vector<std::pair<Place, double>> arrivals_;  // scratch: messages to add up
};

// Of a full pipeline, in which a segment takes 1 for its steps and 1 for its links.
std::vector<Together> steps_of_segment(const Schedule& schedule, const Follower& follower) {
  const std::int64_t stride = std::min(schedule.segments().stride, schedule.stored_steps());
  std::vector<Together> steps;
  double busiest = 0;
  for (std::int64_t t = 0; t < stride; ++t) {
    steps.push_back(follower.together(t, stride));
    busiest += steps.back().busiest;
  }
  for (Together& step : steps)
    for (Sent& each : step.sent) {
      each.steps /= static_cast<double>(stride);
      if (busiest > 0) each.links *= step.busiest / busiest;
    }
  return steps;
}

// The most that one agent adds up.
double largest_sum(const std::vector<Together>& steps, std::size_t places) {
  WEFT_ASSERT(places > 0);
  std::vector<double> sums(places, 0);
  for (const Together& step : steps)
    for (const Sent& each : step.sent) sums[each.to] += each.sum;
  return *std::ranges::max_element(sums);
}

double sum_of_first(const Schedule& schedule, Follower& follower, std::span<const double> links_s,
                    double sum_s) {
  std::vector<Place> places = follower.start();
  double barriers_s = 0;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    const Speeds speeds{links_s[static_cast<std::size_t>(t)], sum_s};
    follower.pass(follower.together(t, schedule.stored_steps()).sent, speeds, places);
    barriers_s += speeds.links_s;
  }
  const double last_s = std::ranges::max_element(places, {}, &Place::at_s)->at_s;
  return std::max(0.0, last_s - barriers_s) / sum_s;
}

// The slowest that repeats, where one was seen.
void find_cycle(const std::vector<Together>& steps, double sum_s, Follower& follower,
                std::vector<PipelineSums::Cycle>& found) {
  std::vector<Place> places = follower.start();
  const auto pass = [&] {
    for (const Together& step : steps) follower.pass(step.sent, {1, sum_s}, places);
  };
  for (int i = 0; i < kSettling; ++i) pass();
  for (std::size_t v = 0; v < places.size(); ++v) places[v] = {places[v].at_s, 0, 0, 0, v};
  double longest_s = 0;
  PipelineSums::Cycle slowest;
  for (int i = 1; i <= kLooking; ++i) {
    pass();
    for (std::size_t v = 0; v < places.size(); ++v) {
      const Place& place = places[v];
      const double mean_s = (place.links + sum_s * place.sums) / i;
      if (place.origin != v || mean_s <= longest_s) continue;
      longest_s = mean_s;
      slowest = {place.steps / i, place.links / i, place.sums / i};
    }
  }
  if (longest_s > 0) found.push_back(slowest);
}

}  // namespace

PipelineSums pipeline_sums(const Schedule& schedule, const Network& network,
                           std::span<const double> links_s, double sum_s) {
  PipelineSums sums;
  if (schedule.stored_messages() == 0) return sums;
  WEFT_ASSERT(std::ssize(links_s) == schedule.stored_steps() && sum_s > 0);
  Follower follower(schedule, network);
  sums.first = sum_of_first(schedule, follower, links_s, sum_s);
  const std::vector<Together> steps = steps_of_segment(schedule, follower);
  sums.busiest = largest_sum(steps, follower.start().size());
  if (schedule.stored_messages() > kMostFollowed || sums.busiest == 0) return sums;
  for (const double ratio : kRatios) find_cycle(steps, ratio / sums.busiest, follower, sums.cycles);
  return sums;
}

}  // namespace weft::schedule
