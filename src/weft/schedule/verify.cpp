// Verification by following the data.
//
// The state of an agent is, for each unit, what it holds there: nothing, or a value, known by the
// set of ranks whose contributions are in it (without reductions there is only "the unit's data").
// Schedules move long runs of units alike, so a state is a line of runs (run_line.hpp), the sets
// are shared (contributors.hpp), only representatives' blocks are followed under a symmetry
// (orbit_line.hpp), and the line is cut into slabs that are checked in parallel (slabs.hpp): units
// never influence each other, so each slab is a proof of its own.
//
// A step first reads all that it sends, then lands it: that is the rule "sends read the state
// before the step". Landings are sorted by agent and unit; where several meet on a unit they must
// all be reductions, in message order.
//
// Cost: O(movements log runs); a step's landings are sorted, most often already in order.
#include "weft/schedule/verify.hpp"

#include <algorithm>
#include <mutex>

#include "contributors.hpp"
#include "run_line.hpp"
#include "slabs.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"

namespace weft::schedule {

namespace {

constexpr RunLine::Value kNothing = 0, kData = 1;  // states without reductions

struct FoundFault {
  Fault fault;
  bool landing = false;  // in a step, sends are looked at before landings
};

bool comes_before(const FoundFault& a, const FoundFault& b) {
  const auto key = [](const FoundFault& f) {
    return std::tuple(f.fault.step, f.landing, f.fault.message.value_or(-1), f.fault.unit);
  };
  return key(a) < key(b);
}

// Whether a set of ranks is a contiguous interval, and stays one under every translation of the
// symmetry: a single rank, all ranks, or an aligned box of the lowest digits.
bool is_ordered(std::span<const ContributorSets::Interval> set, const Symmetry& symmetry,
                std::int32_t ranks) {
  if (set.size() != 1) return false;
  const std::int32_t first = set[0].first, count = set[0].end - first;
  if (symmetry.is_trivial() || count == 1 || count == ranks) return true;
  std::int32_t box = 1;
  for (const int modulus : symmetry.moduli()) {
    if (count == box) return first % box == 0;
    box *= modulus;
  }
  return count == box && first % box == 0;
}

// The proof of one slab. Reused from slab to slab by one thread.
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

  std::optional<FoundFault> run() {
    hold_inputs();
    for (std::size_t i = 0; i < movements_.size() && !fault_;) i = step(i);
    if (!fault_) check_end();
    return std::move(fault_);
  }

  bool keeps_order() const { return keeps_order_; }
  bool overwrites() const { return overwrites_; }

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
    agents_.resize(static_cast<std::size_t>(schedule_.agents()));
    for (RunLine& agent : agents_) agent.reset(length_, kNothing);
    for (const Rank rank : ids<Rank>(schedule_.collective().ranks))
      clipped(
          schedule_.collective().held_at_first(rank), [&](std::uint32_t first, std::uint32_t end) {
            agents_[rank.index()].assign(first, end, reduces_ ? sets_.single(rank.value()) : kData);
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
    agents_[movement.from.index()].visit(
        movement.first, movement.end,
        [&](std::uint32_t first, std::uint32_t end, RunLine::Value value) {
          if (value == kNothing)
            return fail(movement.message, first, false,
                        "agent {} sends unit {} to agent {} before it holds it",
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

  // Several landings on the same units: all must be reductions, taken in message order.
  void land_together(std::span<const Landing> cluster) {
    std::vector<std::uint32_t> cuts;
    for (const Landing& landing : cluster) cuts.insert(cuts.end(), {landing.first, landing.end});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<Landing> here;
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      here.clear();
      for (const Landing& landing : cluster)
        if (landing.first <= cuts[c] && landing.end >= cuts[c + 1]) here.push_back(landing);
      std::sort(here.begin(), here.end(),
                [](const Landing& a, const Landing& b) { return a.message < b.message; });
      const auto copies = [&](const Landing& landing) { return !is_reduction(landing); };
      const auto copy = std::find_if(here.begin(), here.end(), copies);
      if (here.size() > 1 && copy != here.end()) {
        const std::int32_t later =
            std::max(copy->message, here[copy == here.begin() ? 1 : 0].message);
        fail(later, cuts[c], true,
             "a copy and another message land on unit {} of agent {} in one step", unit(cuts[c]),
             copy->to.value());
        continue;
      }
      for (const Landing& landing : here) land(landing, cuts[c], cuts[c + 1]);
    }
  }

  bool is_reduction(const Landing& landing) const {
    return schedule_.message(landing.message).arrival == Arrival::reduce;
  }

  void land(const Landing& landing, std::uint32_t first, std::uint32_t end) {
    RunLine& agent = agents_[landing.to.index()];
    if (is_reduction(landing)) {
      agent.transform(first, end, [&](std::uint32_t at, std::uint32_t, RunLine::Value held) {
        return combined(landing, at, held);
      });
      return;
    }
    if (!overwrites_ &&
        schedule_.message(landing.message).from != schedule_.message(landing.message).to)
      agent.visit(first, end, [&](std::uint32_t, std::uint32_t, RunLine::Value held) {
        overwrites_ = overwrites_ || held != kNothing;
      });
    agent.assign(first, end, landing.value);
  }

  RunLine::Value combined(const Landing& landing, std::uint32_t at, RunLine::Value held) {
    if (held == kNothing) {
      fail(landing.message, at, true,
           "a reduction lands on unit {} of agent {}, which holds nothing to combine it with",
           unit(at), landing.to.value());
      return held;
    }
    if (!reduces_) {
      fail(landing.message, at, true,
           "a reduction lands on unit {} of agent {}, but a {} combines nothing", unit(at),
           landing.to.value(), name_of(schedule_.collective().kind));
      return held;
    }
    const auto sum = sets_.disjoint_union(held, landing.value);
    if (!sum) {
      fail(landing.message, at, true,
           "the contribution of rank {} to unit {} is counted twice at agent {}",
           sets_.common_rank(held, landing.value), unit(at), landing.to.value());
      return held;
    }
    keeps_order_ = keeps_order_ && ordered(held) && ordered(landing.value);
    return *sum;
  }

  bool ordered(SetId set) const {
    return is_ordered(sets_.intervals(set), schedule_.symmetry(), schedule_.collective().ranks);
  }

  void check_end() {
    stored_step_ = schedule_.stored_steps();
    for (const Rank rank : ids<Rank>(schedule_.collective().ranks))
      clipped(schedule_.collective().wanted(rank), [&](std::uint32_t first, std::uint32_t end) {
        agents_[rank.index()].visit(
            first, end, [&](std::uint32_t at, std::uint32_t, RunLine::Value value) {
              if (value == kNothing)
                fail({}, at, true, "in the end rank {} lacks unit {}", rank.value(), unit(at));
              else if (reduces_ && !sets_.is_complete(value))
                fail({}, at, true,
                     "in the end unit {} of rank {} lacks the contribution of rank {}", unit(at),
                     rank.value(), missing_rank(value));
            });
      });
  }

  std::int32_t missing_rank(SetId set) const {
    const auto intervals = sets_.intervals(set);
    return intervals[0].first > 0 ? 0 : intervals[0].end;
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
  std::vector<RunLine> agents_;
  std::vector<Landing> landings_;
  std::int64_t stored_step_ = 0;
  bool keeps_order_ = true, overwrites_ = false;
  std::optional<FoundFault> fault_;
};

template <class... Args>
Fault fault_at(std::int64_t step, std::int64_t message, std::int64_t unit,
               fmt::format_string<Args...> format, Args&&... args) {
  return {step, message, unit,
          fmt::format("step {}, message {}: {}", step, message,
                      fmt::format(format, std::forward<Args>(args)...))};
}

// Agents, pieces and representatives are in range: what the data structures of the proof rely on.
std::optional<Fault> malformed(const Schedule& schedule, std::int64_t step, std::int64_t m) {
  const Message& message = schedule.message(m);
  for (const Agent agent : {message.from, message.to})
    if (agent.value() < 0 || agent.value() >= schedule.agents())
      return fault_at(step, m, 0, "agent {} does not exist; agents are 0 to {}", agent.value(),
                      schedule.agents() - 1);
  if (!schedule.symmetry().is_representative(message.from))
    return fault_at(step, m, 0,
                    "agent {} is no representative of the symmetry, so its messages are not stored",
                    message.from.value());
  for (const Piece& piece : schedule.pieces(m))
    if (piece.first < 0 || piece.count <= 0 || piece.first > schedule.units() - piece.count)
      return fault_at(step, m, piece.first, "units {} + {} are not on the unit line of {}",
                      piece.first, piece.count, schedule.units());
  if (message.route != kRouted &&
      (message.route.value() < 0 || message.route.value() >= schedule.route_count()))
    return fault_at(step, m, 0, "route {} does not exist; there are {}", message.route.value(),
                    schedule.route_count());
  return std::nullopt;
}

// An explicit route is a chain of existing links between the nodes of sender and receiver.
std::optional<Fault> broken_route(const Schedule& schedule, const Topology& topology,
                                  std::int64_t step, std::int64_t m) {
  const Message& message = schedule.message(m);
  if (message.route == kRouted) return std::nullopt;
  NodeId at = schedule.binding().nodes[message.from.index()];
  for (const LinkId link : schedule.route(message.route)) {
    if (link.value() < 0 || link.value() >= topology.link_count())
      return fault_at(step, m, 0, "link {} does not exist; {} has {}", link.value(),
                      topology.name(), topology.link_count());
    if (topology.tail(link) != at)
      return fault_at(step, m, 0, "link {} starts at node {}, but the route is at node {}",
                      link.value(), topology.tail(link).value(), at.value());
    at = topology.head(link);
  }
  const NodeId goal = schedule.binding().nodes[message.to.index()];
  if (at != goal)
    return fault_at(step, m, 0, "the route ends at node {}, but agent {} is on node {}", at.value(),
                    message.to.value(), goal.value());
  return std::nullopt;
}

void require_topology(const Schedule& schedule, const Topology* topology) {
  if (schedule.route_count() == 0) return;
  require(topology != nullptr,
          "the schedule has explicit routes; verify it with the network it was made for ({})",
          schedule.binding().topology);
  require(topology->hash() == schedule.binding().hash,
          "the schedule has explicit routes on {}, not on {} (another graph)",
          schedule.binding().topology, topology->name());
  require(!schedule.binding().nodes.empty(),
          "the schedule has explicit routes but does not place its agents");
  for (const NodeId node : schedule.binding().nodes)
    require(node.value() >= 0 && node.value() < topology->node_count(),
            "the schedule places an agent on node {}; {} has {} nodes", node.value(),
            topology->name(), topology->node_count());
}

}  // namespace

class Verifier {
 public:
  static VerifyResult run(const Schedule& schedule, const Topology* topology) {
    require_topology(schedule, topology);
    for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
      for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
        if (auto fault = malformed(schedule, t, m)) return *std::move(fault);
        if (topology != nullptr)
          if (auto fault = broken_route(schedule, *topology, t, m)) return *std::move(fault);
      }

    const OrbitLine line(schedule);
    const Slabs slabs(schedule, line);
    VerifiedFacts facts;
    std::optional<FoundFault> first;
    std::mutex mutex;
    parallel_for(slabs.count(), [&](std::int64_t slab) {
      SlabCheck check(schedule, line, slabs, slab);
      auto fault = check.run();
      const std::scoped_lock lock(mutex);
      facts.keeps_order = facts.keeps_order && check.keeps_order();
      facts.overwrites = facts.overwrites || check.overwrites();
      if (fault && (!first || comes_before(*fault, *first))) first = std::move(fault);
    });
    if (first) return std::move(first->fault);
    for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
      facts.combined_messages += schedule.pieces(m).size() > 1 ? 1 : 0;
    return Verified(schedule, facts);
  }

  static Verified rebound(const Verified& verified, Schedule schedule) {
    return Verified(std::move(schedule), verified.facts());
  }
};

Verified Verified::with_segments(std::int64_t count) const {
  return Verifier::rebound(*this, schedule_.with_segments({count, schedule_.segments().stride}));
}

Verified Verified::with_binding(Binding binding) const {
  require(schedule_.route_count() == 0 || binding.hash == schedule_.binding().hash,
          "the schedule has explicit routes on {}, not on {} (another graph)",
          schedule_.binding().topology, binding.topology);
  require(schedule_.route_count() == 0 || binding.nodes == schedule_.binding().nodes,
          "the schedule has explicit routes, so its agents cannot be placed anew");
  return Verifier::rebound(*this, schedule_.with_binding(std::move(binding)));
}

VerifyResult verify(const Schedule& schedule, const Topology* topology) {
  return Verifier::run(schedule, topology);
}

Verified verify_own(const Schedule& schedule, const Topology* topology) {
  const VerifyResult result = verify(schedule, topology);
  if (!result)
    throw std::logic_error(fmt::format("internal error: {} {} is wrong: {}", schedule.algorithm(),
                                       name_of(schedule.collective().kind), result.fault().text));
  return *result;
}

}  // namespace weft::schedule
