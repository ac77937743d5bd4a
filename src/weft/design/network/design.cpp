// All candidates by the alpha-beta model; the best few by the fluid model and past failures.
//
// Alpha-beta takes milliseconds a candidate and orders networks as the papers do; what it leaves
// out (hosts that are out of step, unequal sharing of links) decides between neighbours in that
// order, so that the first few are run again by the fluid model, with all algorithms that may win
// there (contest.hpp). Candidates that are one network under several names count once.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/design/network/advice.hpp"
#include "weft/design/network/any_network.hpp"
#include "weft/design/network/bill.hpp"
#include "weft/design/network/contest.hpp"
#include "weft/design/network/fragility.hpp"
#include "weft/design/network/judged.hpp"
#include "weft/design/network/switched.hpp"
#include "weft/design/network_design.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {

namespace {

Collective collective_of(const DesignQuestion& asked, const order::MixEntry& call) {
  return fields::make_collective({.kind = call.collective}, asked.nodes);
}

Network network_on(const DesignQuestion& asked, const std::string& topology,
                   const topology::BuiltTopology& built) {
  NetworkSpec spec = asked.network;
  spec.topology = topology;
  spec.placing.ranks = asked.nodes;
  return fields::make_network(spec, built, {});
}

class Designer {
 public:
  explicit Designer(const DesignQuestion& asked) : asked_(asked) {}

  NetworkDesign design(const std::vector<CandidateNetwork>& candidates) && {
    std::optional<Judged> first;
    if (asked_.time_limit_s > 0) first = time_one(candidates);
    within_limit([&] { time_all(candidates); });
    if (judged_.empty() && first) hurry(*std::move(first));
    if (judged_.empty())
      throw InvalidInput("no candidate can run all calls: " + found_.dropped.front());
    found_.bounds = bounds_of_any_network(asked_, fastest_link());
    within_limit([&] { merge_same(judged_); });
    mark_efficient(judged_);
    within_limit([&] {
      judge_finalists();
      judge_better_ones();
    });
    mark_efficient(judged_);  // by the simulated times
    for (Judged& each : judged_) found_.rows.push_back(std::move(each.row));
    std::ranges::stable_sort(found_.rows, [](const DesignRow& a, const DesignRow& b) {
      if (a.is_finalist() != b.is_finalist()) return a.is_finalist();
      return a.time_s() < b.time_s();
    });
    found_.chosen = advised(pointers(found_.rows, [](const DesignRow& row) { return &row; }));
    return std::move(found_);
  }

 private:
  // In what is left of the time; what is not done by then stays undone.
  void within_limit(const std::function<void()>& work) const {
    if (asked_.time_limit_s <= 0) return work();
    const TimeLimit limit(std::max(asked_.time_limit_s - watch_.seconds(), 0.0));
    try {
      work();
    } catch (const OutOfTime&) {
    }
  }

  /// A candidate on its way: timed, refused, or neither in time.
  struct Entry {
    std::optional<Judged> judged = {};
    std::string refused = {};
  };

  void time_all(const std::vector<CandidateNetwork>& candidates) {
    Progress progress("networks", std::ssize(candidates) * std::ssize(asked_.calls));
    std::vector<Entry> entries(candidates.size());
    parallel_for(std::ssize(candidates), [&](std::int64_t i) {
      isolated([&] {
        Entry& entry = entries[static_cast<std::size_t>(i)];
        entry = entry_of(candidates[static_cast<std::size_t>(i)], Contestants::all, progress);
      });
    });
    time_others(entries);
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i].judged)
        judged_.push_back(*std::move(entries[i].judged));
      else if (!entries[i].refused.empty())
        found_.dropped.push_back(fmt::format("{}: {}", candidates[i].topology, entries[i].refused));
      else
        found_.untimed.push_back(candidates[i].topology);
  }

  // Networks go without algorithms that are slow to build where another that costs no more is far
  // faster than their bound: they are neither advised nor efficient.
  void time_others(std::vector<Entry>& entries) const {
    const auto is_beaten = [&](const DesignRow& row) {
      return std::ranges::any_of(entries, [&](const Entry& other) {
        return other.judged && kNotFar * other.judged->row.alpha_beta_s() < row.least_s() &&
               other.judged->row.bill.dollars() <= row.bill.dollars();
      });
    };
    std::vector<SlowOnes> slow_ones;
    for (const Entry& entry : entries)
      slow_ones.push_back(entry.judged && is_beaten(entry.judged->row) ? SlowOnes::left_out
                                                                       : SlowOnes::timed);
    parallel_for(std::ssize(entries), [&](std::int64_t i) {
      isolated([&] {
        Entry& entry = entries[static_cast<std::size_t>(i)];
        if (!entry.judged) return;
        Judged& judged = *entry.judged;
        const SlowOnes slow = slow_ones[static_cast<std::size_t>(i)];
        try {
          for (std::size_t call = 0; call < judged.contests.size(); ++call) {
            judged.contests[call].time_others_unless_best(slow);
            judged.row.calls[call] = judged.contests[call].by_alpha_beta();
          }
        } catch (const OutOfTime&) {  // what was timed counts; no finalist will be judged in time
        }
      });
    });
  }

  // With one algorithm a call, however long these take, and with others that are quick for most of
  // what is left of the time: where they need as long, all algorithms need more than there is.
  // Before all others, so that there is an answer when time is up.
  std::optional<Judged> time_one(const std::vector<CandidateNetwork>& candidates) const {
    Progress progress("networks", std::ssize(asked_.calls));
    for (const CandidateNetwork& candidate : candidates) {
      Entry entry = entry_of(candidate, Contestants::first, progress);
      if (!entry.judged) continue;
      improve(*entry.judged);
      return std::move(entry.judged);
    }
    return std::nullopt;
  }

  // Each call has a like share of that time.
  void improve(Judged& judged) const {
    constexpr double kMost = 0.75;
    const double until_s = std::lerp(watch_.seconds(), asked_.time_limit_s, kMost);
    for (std::size_t i = 0; i < judged.contests.size(); ++i) {
      const double left_s = std::max(until_s - watch_.seconds(), 0.0);
      const TimeLimit limit(left_s / static_cast<double>(judged.contests.size() - i));
      try {
        judged.contests[i].time_quick_ones();
      } catch (const OutOfTime&) {
      }
      judged.row.calls[i] = judged.contests[i].by_alpha_beta();
    }
  }

  // Where there was no time for any.
  void hurry(Judged&& first) {
    std::erase_if(found_.untimed,
                  [&](const std::string& topology) { return topology == first.asked_as; });
    judged_.push_back(std::move(first));
    found_.hurried = true;
  }

  Entry entry_of(const CandidateNetwork& candidate, Contestants contestants,
                 Progress& progress) const {
    try {
      return {.judged = judge(candidate, contestants, progress)};
    } catch (const OutOfTime&) {
      return {};
    } catch (const InvalidInput& error) {
      return {.refused = error.what()};
    } catch (const std::overflow_error& error) {
      return {.refused = error.what()};
    }
  }

  Judged judge(const CandidateNetwork& candidate, Contestants contestants,
               Progress& progress) const {
    TimeLimit::check();
    Judged judged;
    judged.row.candidate = candidate;
    judged.asked_as = candidate.topology;
    topology::BuiltTopology built = topology::build_topology(candidate.topology);
    judged.row.room = std::ssize(built.topology.hosts());
    if (const auto spare = spare_hosts(built, asked_); !spare.nodes.empty()) {
      built = topology::remove_failed(spare, built);
      judged.row.candidate.topology = built.topology.name();
    }
    judged.built = std::make_unique<const topology::BuiltTopology>(std::move(built));
    judged.network = std::make_unique<const Network>(
        network_on(asked_, judged.row.candidate.topology, *judged.built));
    describe(judged);
    for (const order::MixEntry& call : asked_.calls) {
      TimeLimit::check();
      const Contest& contest =
          judged.contests.emplace_back(collective_of(asked_, call), *judged.network, call.size_B,
                                       contestants, asked_.simulation);
      judged.row.calls.push_back(contest.by_alpha_beta());
      judged.row.how_often.push_back(call.calls);
      progress.advance();
    }
    return judged;
  }

  void describe(Judged& judged) const {
    const Topology& topology = judged.built->topology;
    DesignRow& row = judged.row;
    row.hosts = std::ssize(topology.hosts());
    row.switches = std::ssize(topology.switches());
    row.bill = bill_of(asked_, topology);
    if (row.switches > 0) row.switch_model = switch_for(asked_, topology);
    IdVector<NodeId, int> ports(topology.node_count(), 0);
    for (const LinkId link : topology.links()) {
      const auto back = topology.reverse(link);
      if (topology.tail(link) == topology.head(link) || (back && *back < link)) continue;
      ++row.cables;
      ++ports[topology.tail(link)];
      ++ports[topology.head(link)];
    }
    for (const NodeId host : topology.hosts()) row.ports = std::max(row.ports, ports[host]);
  }

  // The most bandwidth and the least latency of all candidates' links.
  LinkSpeed fastest_link() const {
    LinkSpeed fastest{.bandwidth_Bps = 1, .latency_ps = std::numeric_limits<std::int64_t>::max()};
    for (const Judged& judged : judged_)
      for (const LinkId link : judged.built->topology.links()) {
        const LinkSpeed speed = judged.network->fabric().speed(link);
        fastest.bandwidth_Bps = std::max(fastest.bandwidth_Bps, speed.bandwidth_Bps);
        fastest.latency_ps = std::min(fastest.latency_ps, speed.latency_ps);
      }
    return fastest;
  }

  // Of many nodes one after the other, and none that cannot be advised any more: what it puts on
  // links takes longer than a finalist before it.
  void judge_one_by_one(const std::vector<std::size_t>& finalists) {
    Progress progress("finalists", std::ssize(finalists));
    double enough_s = std::numeric_limits<double>::infinity();
    for (const std::size_t finalist : finalists) {
      Judged& judged = judged_[finalist];
      try {
        if (least_fluid_s(judged) <= enough_s) judge_again(judged);
      } catch (const OutOfTime&) {
        ++found_.unjudged;
      }
      if (judged.row.is_finalist()) enough_s = std::min(enough_s, kAsFast * judged.row.time_s());
      progress.advance();
    }
  }

  static double least_fluid_s(const Judged& judged) {
    double sum_s = 0;
    for (std::size_t i = 0; i < judged.contests.size(); ++i)
      sum_s += static_cast<double>(judged.row.how_often[i]) * judged.contests[i].least_fluid_s();
    return sum_s;
  }

  void judge_finalists() {
    const auto finalists = choose_finalists(judged_, asked_.finalists);
    if (asked_.nodes > evaluate::kMostRanksOfAll) return judge_one_by_one(finalists);
    Progress progress("finalists", std::ssize(finalists));
    std::atomic<std::int64_t> late = 0;
    parallel_for(std::ssize(finalists), [&](std::int64_t i) {
      isolated([&] {
        try {
          judge_again(judged_[finalists[static_cast<std::size_t>(i)]]);
        } catch (const OutOfTime&) {
          ++late;
        }
        progress.advance();
      });
    });
    found_.unjudged = late;
  }

  // What by alpha-beta looks faster and cheaper than the advised network is simulated, too, until
  // nothing does.
  void judge_better_ones() {
    if (std::ranges::none_of(judged_, [](const Judged& each) { return each.row.is_finalist(); }))
      return;
    const auto next = [&] {
      const std::size_t chosen =
          advised(pointers(judged_, [](const Judged& each) { return &each.row; }));
      const DesignRow& row = judged_[chosen].row;
      return std::ranges::find_if(judged_, [&](const Judged& other) {
        return !other.row.is_finalist() &&
               (&other.row == &row || (other.row.time_s() < row.time_s() &&
                                       other.row.bill.dollars() < row.bill.dollars()));
      });
    };
    for (auto better = next(); better != judged_.end(); better = next()) judge_again(*better);
  }

  template <class Each, class RowOf>
  static std::vector<const DesignRow*> pointers(const std::vector<Each>& all, RowOf row_of) {
    std::vector<const DesignRow*> rows;
    for (const Each& each : all) rows.push_back(row_of(each));
    return rows;
  }

  // All of it, or nothing where time runs out meanwhile.
  void judge_again(Judged& judged) const {
    TimeLimit::check();
    std::vector<ServedCall> served;
    std::vector<DesignedCall> calls;
    for (std::size_t i = 0; i < asked_.calls.size(); ++i) {
      const order::MixEntry& call = asked_.calls[i];
      calls.push_back(judged.contests[i].by_fluid());
      served.push_back(
          {collective_of(asked_, call), calls.back().algorithm, call.size_B, call.calls});
    }
    Fragilities past = fragilities(served, *judged.network, asked_.simulation);
    judged.row.calls = std::move(calls);
    judged.row.by_cables = std::move(past.cables);
    judged.row.by_nodes = std::move(past.nodes);
  }

  const DesignQuestion& asked_;
  Stopwatch watch_;
  std::vector<Judged> judged_;
  NetworkDesign found_;
};

}  // namespace

NetworkDesign design_network(const DesignQuestion& asked, const search::Catalogue& catalogue) {
  require_designable(asked);
  Designer designer(asked);  // its time begins
  return std::move(designer).design(candidate_networks(asked, catalogue));
}

Network designed_network(const DesignQuestion& asked, const DesignRow& row) {
  return network_on(asked, row.candidate.topology,
                    topology::build_topology(row.candidate.topology));
}

schedule::Verified designed_schedule(const DesignQuestion& asked, const DesignRow& row,
                                     std::size_t call) {
  return evaluate::schedule_for_size(
      row.calls[call].algorithm, collective_of(asked, asked.calls[call]),
      designed_network(asked, row), {}, asked.calls[call].size_B, asked.simulation);
}

}  // namespace weft::design
