// A step first reads all that it sends, then lands it: that is the rule "sends read the state
// before the step". Landings are sorted by agent and unit; where several meet on a unit they must
// all be reductions, in message order.
//
// Cost: O(movements log runs); a step's landings are sorted, most often already in order.
#include "slab_check.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include "run_line.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/schedule/contributors.hpp"

namespace weft::schedule {

namespace {

constexpr RunLine::Value kNothing = 0, kData = 1;  // states without reductions

// Whether a set of ranks is a contiguous interval, and stays one under every translation of the
// symmetry: a single rank, all ranks, or an aligned box of the lowest digits.
bool is_ordered(std::span<const ContributorSets::Interval> set, const Symmetry& symmetry,
                std::int32_t ranks) {
  if (set.size() != 1) return false;
  const std::int32_t first = set[0].first, count = set[0].end - first;
  if (symmetry.is_trivial() || count == 1 || count == ranks) return true;
  std::int32_t box = 1;
  for (const std::int32_t extent : symmetry.group().extents()) {
    if (count == box) return first % box == 0;
    box *= extent;
  }
  return count == box && first % box == 0;
}

class SlabCheck {
 public:
  SlabCheck(const Schedule& schedule, const OrbitLine& line, const Slabs& slabs, std::int64_t slab)
      : schedule_(schedule),
        line_(line),
        start_(slabs.start(slab)),
        length_(slabs.length(slab)),
        reduces_(schedule.collective().reduces()),
        sets_(reduces_ ? schedule.collective().ranks : 1),
        movements_(slabs.movements(slab)) {}

  SlabProof run() {
    hold_inputs();
    for (std::size_t i = 0; i < movements_.size() && !fault_;) {
      TimeLimit::check();
      i = step(i);
    }
    if (!fault_) check_end();
    return {std::move(fault_), keeps_order_, overwrites_, std::move(kept_)};
  }

 private:
  struct Landing {
    Agent to;
    std::uint32_t first, end;
    RunLine::Value value;
    std::int32_t message;
  };

  template <class Sink>
  void clipped(const BlockRuns& blocks, Sink&& sink) const {
    line_.runs(blocks, start_, start_ + length_, [&](std::int64_t first, std::int64_t count) {
      const std::int64_t begin = std::max(first, start_),
                         end = std::min(first + count, start_ + length_);
      if (begin < end)
        sink(static_cast<std::uint32_t>(begin - start_), static_cast<std::uint32_t>(end - start_));
    });
  }

  void hold_inputs() {
    agents_.resize(schedule_.agents());
    for (RunLine& agent : agents_) agent.reset(length_, kNothing);
    for (const Rank rank : ids<Rank>(schedule_.collective().ranks))
      clipped(schedule_.collective().held_at_first(rank),
              [&](std::uint32_t first, std::uint32_t end) {
                agents_[rank].assign(first, end, reduces_ ? sets_.single(rank.value()) : kData);
              });
  }

  // Runs the movements of one step, from `i` on; returns where the next step begins.
  std::size_t step(std::size_t i) {
    while (movements_[i].message >= schedule_.first_message(stored_step_ + 1)) ++stored_step_;
    const std::int64_t end_message = schedule_.first_message(stored_step_ + 1);
    landings_.clear();
    for (; i < movements_.size() && movements_[i].message < end_message; ++i) read(movements_[i]);
    if (fault_) return i;
    const auto before = [](const Landing& a, const Landing& b) {
      return std::tie(a.to, a.first, a.message) < std::tie(b.to, b.first, b.message);
    };
    if (!std::is_sorted(landings_.begin(), landings_.end(), before))
      std::sort(landings_.begin(), landings_.end(), before);
    for (std::size_t first = 0; first < landings_.size();) first = land_cluster(first);
    return i;
  }

  void read(const Movement& movement) {
    agents_[movement.from].visit(
        movement.first, movement.end,
        [&](std::uint32_t first, std::uint32_t end, RunLine::Value value) {
          if (value == kNothing)
            return fail(movement.message, first, false,
                        "agent {} sends unit {} to agent {} before it has the unit",
                        movement.from.value(), unit(first), movement.to.value());
          landings_.push_back({movement.to, first, end, value, movement.message});
        });
  }

  // Lands the longest run of landings that hang together by overlaps on one agent.
  std::size_t land_cluster(std::size_t first) {
    std::size_t last = first + 1;
    std::uint32_t end = landings_[first].end;
    while (last < landings_.size() && landings_[last].to == landings_[first].to &&
           landings_[last].first < end)
      end = std::max(end, landings_[last++].end);
    if (last == first + 1) {
      land(landings_[first], landings_[first].first, landings_[first].end);
    } else {
      land_together(std::span(landings_).subspan(first, last - first));
    }
    return last;
  }

  // Several landings on the same units: all must be reductions, taken in message order. A sweep
  // along the units keeps those that land at the place; O(landings log landings), and for each cut
  // no more landings than fit before the first that breaks a rule.
  void land_together(std::span<const Landing> cluster) {
    WEFT_ASSERT(cluster.size() >= 2);
    std::vector<std::uint32_t> cuts;
    for (const Landing& landing : cluster) cuts.insert(cuts.end(), {landing.first, landing.end});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    const auto by_message = [&](std::size_t a, std::size_t b) {
      return std::tie(cluster[a].message, a) < std::tie(cluster[b].message, b);
    };
    std::vector<std::size_t> by_end(cluster.size());
    std::iota(by_end.begin(), by_end.end(), std::size_t{0});
    std::sort(by_end.begin(), by_end.end(),
              [&](std::size_t a, std::size_t b) { return cluster[a].end < cluster[b].end; });
    std::set<std::size_t, decltype(by_message)> here(by_message), copies(by_message);
    std::size_t begun = 0, ended = 0;
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      for (; begun < cluster.size() && cluster[begun].first <= cuts[c]; ++begun) {
        here.insert(begun);
        if (!is_reduction(cluster[begun])) copies.insert(begun);
      }
      for (; ended < cluster.size() && cluster[by_end[ended]].end <= cuts[c]; ++ended) {
        here.erase(by_end[ended]);
        copies.erase(by_end[ended]);
      }
      if (here.size() > 1 && !copies.empty()) {
        fail_together(cluster, *here.begin(), *std::next(here.begin()), *copies.begin(), cuts[c]);
        continue;
      }
      for (const std::size_t landing : here)
        if (!land(cluster[landing], cuts[c], cuts[c + 1])) break;
    }
  }

  // The later of the first copy and the first of the others is at fault.
  void fail_together(std::span<const Landing> cluster, std::size_t first, std::size_t second,
                     std::size_t copy, std::uint32_t at) {
    const std::size_t other = copy == first ? second : first;
    fail(std::max(cluster[copy].message, cluster[other].message), at, true,
         "a copy and another message arrive at unit {} of agent {} in one step", unit(at),
         cluster[copy].to.value());
  }

  bool is_reduction(const Landing& landing) const {
    return schedule_.message(landing.message).arrival == Arrival::reduce;
  }

  // Whether no rule was broken.
  bool land(const Landing& landing, std::uint32_t first, std::uint32_t end) {
    RunLine& agent = agents_[landing.to];
    if (is_reduction(landing)) {
      bool right = true;
      agent.transform(first, end, [&](std::uint32_t at, std::uint32_t stop, RunLine::Value held) {
        if (held == kNothing && keeps_first(landing.to)) {
          kept_.push_back({landing.message, std::int64_t{stop} - at});
          return landing.value;
        }
        const auto sum = combined(landing, at, held);
        right = right && sum.has_value();
        return sum.value_or(held);
      });
      return right;
    }
    if (!overwrites_ &&
        schedule_.message(landing.message).from != schedule_.message(landing.message).to)
      agent.visit(first, end, [&](std::uint32_t, std::uint32_t, RunLine::Value held) {
        overwrites_ = overwrites_ || held != kNothing;
      });
    agent.assign(first, end, landing.value);
    return true;
  }

  // Whether the agent takes a reduction for a copy where it holds nothing: a rank always has its
  // own contribution, so that one without it is at fault.
  bool keeps_first(Agent agent) const {
    return reduces_ && agent.value() >= schedule_.collective().ranks;
  }

  std::optional<RunLine::Value> combined(const Landing& landing, std::uint32_t at,
                                         RunLine::Value held) {
    if (held == kNothing) {
      fail(landing.message, at, true,
           "a reduction arrives at unit {} of agent {}, which has no value to combine", unit(at),
           landing.to.value());
      return std::nullopt;
    }
    if (!reduces_) {
      fail(landing.message, at, true,
           "a reduction arrives at unit {} of agent {}, but a {} does not combine values", unit(at),
           landing.to.value(), name_of(schedule_.collective().kind));
      return std::nullopt;
    }
    const auto sum = sets_.disjoint_union(held, landing.value);
    if (!sum) {
      fail(landing.message, at, true,
           "the contribution of rank {} to unit {} is counted twice at agent {}",
           sets_.common_rank(held, landing.value), unit(at), landing.to.value());
      return std::nullopt;
    }
    keeps_order_ = keeps_order_ && ordered(held) && ordered(landing.value);
    return *sum;
  }

  bool ordered(SetId set) const {
    return is_ordered(sets_.intervals(set), schedule_.symmetry(), schedule_.collective().ranks);
  }

  void check_end() {
    stored_step_ = schedule_.stored_steps();
    for (const Rank rank : ids<Rank>(schedule_.collective().ranks)) {
      const RankInterval wanted = contributors_of(schedule_.collective(), rank);
      clipped(schedule_.collective().wanted(rank), [&](std::uint32_t first, std::uint32_t end) {
        agents_[rank].visit(first, end, [&](std::uint32_t at, std::uint32_t, RunLine::Value value) {
          if (value == kNothing)
            fail({}, at, true, "at the end rank {} does not have unit {}", rank.value(), unit(at));
          else if (reduces_ && !sets_.has_exactly(value, wanted))
            fail_contributors(at, rank, value, wanted);
        });
      });
    }
  }

  // Names the first rank that is missing or, if none is, the first that is too many.
  void fail_contributors(std::uint32_t at, Rank rank, SetId set, RankInterval wanted) {
    if (const auto missing = sets_.missing(set, wanted))
      return fail({}, at, true, "at the end unit {} of rank {} lacks the contribution of rank {}",
                  unit(at), rank.value(), *missing);
    const auto held = sets_.intervals(set);
    WEFT_ASSERT(!held.empty());
    const auto after = std::ranges::find_if(
        held, [&](const RankInterval& interval) { return interval.end > wanted.end; });
    const std::int32_t other =
        held[0].first < wanted.first ? held[0].first : std::max(after->first, wanted.end);
    fail({}, at, true, "at the end unit {} of rank {} has the contribution of rank {}, too",
         unit(at), rank.value(), other);
  }

  std::int64_t unit(std::uint32_t at) const { return line_.unit(start_ + at); }

  template <class... Args>
  void fail(std::optional<std::int64_t> message, std::uint32_t at, bool landing,
            fmt::format_string<Args...> format, Args&&... args) {
    const std::string what = fmt::format(format, std::forward<Args>(args)...);
    FoundFault found{
        {stored_step_, message, unit(at),
         message ? fmt::format("step {}, message {}: {}", stored_step_, *message, what) : what},
        landing};
    if (!fault_ || comes_before(found, *fault_)) fault_ = std::move(found);
  }

  const Schedule& schedule_;
  const OrbitLine& line_;
  std::int64_t start_;
  std::uint32_t length_;
  bool reduces_;
  ContributorSets sets_;
  std::span<const Movement> movements_;
  IdVector<Agent, RunLine> agents_;
  std::vector<Landing> landings_;
  std::int64_t stored_step_ = 0;
  bool keeps_order_ = true, overwrites_ = false;
  std::vector<SlabProof::KeptUnits> kept_;
  std::optional<FoundFault> fault_;
};

}  // namespace

bool comes_before(const FoundFault& a, const FoundFault& b) {
  const auto key = [](const FoundFault& f) {
    return std::tuple(f.fault.step, f.landing, f.fault.message.value_or(-1), f.fault.unit);
  };
  return key(a) < key(b);
}

SlabProof prove_slab(const Schedule& schedule, const OrbitLine& line, const Slabs& slabs,
                     std::int64_t slab) {
  WEFT_ASSERT(slab >= 0 && slab < slabs.count());
  return SlabCheck(schedule, line, slabs, slab).run();
}

}  // namespace weft::schedule
