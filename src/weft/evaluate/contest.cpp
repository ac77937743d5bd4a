#include "weft/evaluate/contest/play_contest.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "weft/base/parallel.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/budget.hpp"
#include "weft/evaluate/compare_rows.hpp"
#include "weft/evaluate/contest/nearby_segments.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/evaluate/runner.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::evaluate {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr std::size_t kAtOnce = 2;  // of each size whose fastest so far is known
constexpr std::size_t kCurve = 4;   // a curve of fewer sizes needs as many simulations

struct Run {  // at one size
  std::size_t runner = 0, size = 0;
};

struct RunnerSizes {  // what a round has a runner do
  std::size_t runner = 0;
  std::vector<std::size_t> sizes;  // increasing
};

class Contest {
 public:
  Contest(std::span<const Candidate> candidates, std::span<Contender> contenders,
          std::span<const std::int64_t> sizes_B, const Network& network,
          const simulation::SimulationOptions& options, const ContestRules& rules,
          ComparisonProgress* progress)
      : sizes_B_(sizes_B),
        network_(network),
        options_(options),
        rules_(rules),
        progress_(progress),
        is_bounded_(covers(simulation::Shortcut::link_bound, options, network)),
        budget_(rules.most_work, network.ranks() > kManyRanks),
        left_for_others_(rules.most_work),
        runners_(runners_of(candidates, contenders, sizes_B, network)),
        enough_s_(sizes_B.size(), kUnknown),
        leaders_(sizes_B.size(), candidates.size()) {
    if (!is_bounded_)
      for (Runner& runner : runners_)
        for (ComparisonRow& row : runner.rows) row.result.time_s = 0;
  }

  ContestResult run() && {
    ContestResult found;
    try {
      show();
      do {
        while (play()) show();
      } while (time_otherwise() || (is_some_unknown() && budget_.take_reserve()));
      try_nearby_segments(runners_, leaders_, network_, options_, rules_, budget_);
    } catch (const OutOfTime&) {
      found.out_of_time = true;
    }
    rank();  // what a round that was cut short brought
    for (std::size_t s = 0; s < sizes_B_.size(); ++s) {
      bool is_open = false;
      for (std::size_t c = 0; c < runners_.size(); ++c) {
        found.out_of_work = found.out_of_work || may_win(c, s);
        is_open = is_open || may_win(c, s) || may_be_below(c, s);
      }
      if (is_open) found.open_sizes_B.push_back(sizes_B_[s]);
    }
    found.complete = found.open_sizes_B.empty();
    found.out_of_time = found.out_of_time && !found.complete;
    for (Runner& runner : runners_) found.rows.push_back(std::move(runner.rows));
    found.winners = std::move(leaders_);
    return found;
  }

 private:
  // How much of the work is spent, and where the winner is known.
  void show() const {
    if (progress_ == nullptr) return;
    progress_->spent(budget_.spent(), budget_.most());
    for (std::size_t s = 0; s < sizes_B_.size(); ++s)
      if (open_at(s).empty()) progress_->decided(sizes_B_[s]);
  }

  // Whether there was something to do.
  bool play() {
    std::vector<Run> runs;
    for (std::size_t s = 0; s < sizes_B_.size(); ++s)
      for (const std::size_t c : most_promising(s)) runs.push_back({c, s});
    if (runs.empty()) return false;
    thin(runs);
    leave_few(runs);
    const std::int64_t of_run = choose_affordable(runs);
    std::vector<RunnerSizes> turns;
    for (std::size_t c = 0; c < runners_.size(); ++c) turns.push_back({c, {}});
    for (const auto& [c, s] : runs) turns[c].sizes.push_back(s);
    std::erase_if(turns, [](const RunnerSizes& turn) { return turn.sizes.empty(); });
    std::atomic<std::int64_t> spent = 0;
    parallel_for(std::ssize(turns), [&](std::int64_t i) {
      isolated([&] { take(turns[static_cast<std::size_t>(i)], of_run, spent); });
    });
    budget_.spend(spent);
    for (Runner& runner : runners_) runner.learn();
    exclude();
    return true;
  }

  // Times what the work was too little for by less, the most promising first. Returns whether there
  // was something.
  bool time_otherwise() {
    bool is_new = false;
    for (std::size_t s = 0; s < sizes_B_.size() && !rules_.time_of_segments; ++s)
      for (const std::size_t c : open_at(s)) {
        if (!may_win(c, s)) continue;
        const auto shown = doing(progress_, "timing", runners_[c].contender.algorithm, sizes_B_[s]);
        simulation::SimulationOptions options = options_;
        options.most_work =
            left_for_others_ / (std::ssize(sizes_B_) - static_cast<std::int64_t>(s));
        if (options.most_work <= 0) continue;
        left_for_others_ -= runners_[c].time_otherwise(s, network_, options);
        is_new = is_new || runners_[c].is_known(s);
        rank();
      }
    return is_new;
  }

  // Sizes that begin together share the work. Of a curve that begins with many, every other size
  // waits for the next round; where the budget may be too small, one size tells first what others
  // take.
  void thin(std::vector<Run>& runs) const {
    for (std::size_t c = 0; c < runners_.size(); ++c) {
      const std::int64_t most_open = budget_.has_levels() && !runners_[c].knows_any() ? 1 : 4;
      std::vector<std::size_t> open;
      for (const Run& run : runs)
        if (run.runner == c && enough_s_[run.size] == kUnknown) open.push_back(run.size);
      while (std::ssize(open) > most_open && begun_by(c, open) > most_open)
        for (std::size_t i = 1; i < open.size(); ++i) {
          std::erase_if(runs,
                        [&](const Run& run) { return run.runner == c && run.size == open[i]; });
          open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
  }
  // Where many sizes have no time yet, some of them come first, far apart: a run that is cut short
  // for too small a share is work for nothing.
  void leave_few(std::vector<Run>& runs) const {
    constexpr std::int64_t kFew = 8;
    while (simulations_of(runs) > kFew) {
      std::vector<std::size_t> open;
      for (const Run& run : runs)
        if (enough_s_[run.size] == kUnknown) open.push_back(run.size);
      if (open.size() < 2) return;
      std::ranges::sort(open);
      for (std::size_t i = 1; i < open.size(); i += 2)
        std::erase_if(runs, [&](const Run& run) { return run.size == open[i]; });
    }
  }

  std::vector<std::int64_t> sizes_at(const std::vector<std::size_t>& sizes) const {
    std::vector<std::int64_t> sizes_B;
    for (const std::size_t s : sizes) sizes_B.push_back(sizes_B_[s]);
    return sizes_B;
  }

  std::int64_t begun_by(std::size_t c, const std::vector<std::size_t>& sizes) const {
    if (sizes.empty()) return 0;
    return first_simulations(runners_[c].candidate, sizes_at(sizes), network_, options_);
  }

  // Leaves those for which a share of the work, which it returns, is enough, or the first alone.
  std::int64_t choose_affordable(std::vector<Run>& runs) {
    const auto cut_at = [this](const Run& run) { return runners_[run.runner].cut_at(run.size); };
    const std::int64_t least = cut_at(*std::ranges::min_element(runs, {}, cut_at));
    const std::int64_t of_run = budget_.share_of(simulations_of(runs), least);
    if (!Budget::is_enough(of_run, least)) {
      runs.resize(1);
      return budget_.left();
    }
    std::erase_if(runs, [&](const Run& run) { return !Budget::is_enough(of_run, cut_at(run)); });
    return budget_.share_of(simulations_of(runs), least);
  }
  // Curves count by what they begin with.
  std::int64_t simulations_of(const std::vector<Run>& runs) const {
    std::vector<std::vector<std::size_t>> open(runners_.size());
    std::int64_t count = 0;
    for (const auto& [c, s] : runs) {
      if (enough_s_[s] == kUnknown) open[c].push_back(s);
      count += enough_s_[s] == kUnknown ? 0 : 1;
    }
    for (std::size_t c = 0; c < runners_.size(); ++c) count += begun_by(c, open[c]);
    return count;
  }

  bool may_win(std::size_t c, std::size_t size) const {
    if (runners_[c].is_known(size)) return false;
    if (enough_s_[size] == kUnknown) return true;
    const std::size_t leader = leaders_[size];
    const double least_s = runners_[c].least_s(size);
    return promise(c, size) < promise(leader, size)
               ? ties(least_s, enough_s_[size])
               : !ties(runners_[leader].least_s(size), least_s);
  }
  // Whether the winner's time is within the range in which this one's is known to be.
  bool may_be_below(std::size_t c, std::size_t size) const {
    const std::size_t leader = leaders_[size];
    return c != leader && leader < runners_.size() && runners_[c].is_known(size) &&
           !ties(runners_[leader].least_s(size), runners_[c].rows[size].result.lower_s());
  }
  // The smaller pair promises more. No two algorithms have the same pair.
  std::pair<double, std::size_t> promise(std::size_t c, std::size_t size) const {
    return {runners_[c].expected_s[size], c};
  }

  bool is_some_unknown() const { return std::ranges::count(enough_s_, kUnknown) > 0; }

  // Those to simulate next: one, which finds out how fast others have to be, then several. The
  // reserve is for sizes of which no time is known.
  std::vector<std::size_t> most_promising(std::size_t size) const {
    const bool is_unknown = enough_s_[size] == kUnknown;
    if (budget_.in_reserve() && !is_unknown) return {};
    std::vector<std::size_t> waiting = open_at(size);
    std::erase_if(waiting, [&](auto c) { return !budget_.affords(runners_[c].cut_at(size)); });
    waiting.resize(std::min(waiting.size(), is_unknown ? 1 : kAtOnce));
    return waiting;
  }
  // The candidates that may win: first those not cut short, by their estimates with sums.
  std::vector<std::size_t> open_at(std::size_t size) const {
    std::vector<std::size_t> open;
    for (std::size_t c = 0; c < runners_.size(); ++c)
      if (may_win(c, size)) open.push_back(c);
    std::ranges::stable_sort(open, {}, [&](std::size_t c) {
      return std::pair(runners_[c].cut_at(size), runners_[c].with_sums_s[size]);
    });
    return open;
  }

  // Finds the fastest and the leader of each size.
  void rank() {
    std::vector<double> times_s(runners_.size());
    for (std::size_t s = 0; s < sizes_B_.size(); ++s) {
      for (std::size_t c = 0; c < runners_.size(); ++c) {
        times_s[c] = runners_[c].is_known(s) ? runners_[c].least_s(s) : kUnknown;
        enough_s_[s] = std::min(enough_s_[s], times_s[c]);
      }
      leaders_[s] = winner_of(times_s, [&](std::size_t c) { return runners_[c].expected_s[s]; });
    }
  }

  // Computes lower bounds for all that may still win; where the budget may be too small, with a
  // part of the work that is left.
  void exclude() {
    rank();
    if (!is_bounded_ || !covers(simulation::Shortcut::single_ranks, options_, network_)) return;
    constexpr std::int64_t kPart = 32;
    const std::int64_t share = budget_.has_levels() ? budget_.left() / kPart / std::ssize(runners_)
                                                    : std::numeric_limits<std::int64_t>::max();
    std::atomic<std::int64_t> spent = 0;
    parallel_for(std::ssize(runners_), [&](std::int64_t i) {
      isolated([&] {
        const auto c = static_cast<std::size_t>(i);
        std::int64_t work = 0;  // of this runner, so that threads do not change what is done
        for (std::size_t s = 0; s < sizes_B_.size() && work < share; ++s)
          if (may_win(c, s)) work += bound_by_single_ranks(c, s, share - work);
        spent += work;
      });
    });
    if (budget_.has_levels()) budget_.spend(spent);
  }

  // Returns the work.
  std::int64_t bound_by_single_ranks(std::size_t c, std::size_t size, std::int64_t most_work) {
    if (runners_[c].seen_alone[size]) return 0;
    TimeLimit::check();
    const auto shown =
        doing(progress_, "bounding", runners_[c].contender.algorithm, sizes_B_[size]);
    return runners_[c].raise_by_single_ranks(size, network_, most_work,
                                             [&] { return may_win(c, size); });
  }

  // The sizes that nobody has run at are run as a curve. At others one says whether the runner
  // keeps up; if so the rest makes a curve, too, and else each run ends as soon as it is too slow.
  void take(const RunnerSizes& turn, std::int64_t share, std::atomic<std::int64_t>& spent) {
    Runner& runner = runners_[turn.runner];
    simulation::SimulationOptions options = options_;
    options.recall = runner.recall;
    options.most_work = share;
    std::vector<std::size_t> open, rest;
    for (const std::size_t s : turn.sizes) {
      const bool is_open = enough_s_[s] == kUnknown && !rules_.each_size_alone &&
                           !(rules_.time_of_segments && runner.has_many_segments(s));
      (is_open ? open : rest).push_back(s);
    }
    if (!rest.empty() && !rules_.time_of_segments && !rules_.each_size_alone) {
      const std::size_t probe = rest[rest.size() / 2];
      run_alone(runner, probe, options, spent);
      std::erase(rest, probe);
      if (runner.is_known(probe) && rest.size() >= kCurve) std::swap(open, rest);
    }
    if (open.size() >= kCurve || (!open.empty() && rest.empty()))
      run_curve(runner, open, options, spent);
    else
      rest.insert(rest.end(), open.begin(), open.end());
    parallel_for(std::ssize(rest), [&](std::int64_t i) {
      run_alone(runner, rest[static_cast<std::size_t>(i)], options, spent);
    });
  }

  void run_curve(Runner& runner, const std::vector<std::size_t>& sizes,
                 const simulation::SimulationOptions& options, std::atomic<std::int64_t>& spent) {
    const std::vector<std::int64_t> sizes_B = sizes_at(sizes);
    Work work;
    const std::int64_t first = first_simulations(runner.candidate, sizes_B, network_, options);
    if (options.most_work < work.most / first) work.most = options.most_work * first;
    std::vector<ComparisonRow> rows =
        simulate_rows(std::span(&runner.candidate, 1), std::span(&runner.contender, 1), sizes_B,
                      network_, options, progress_, &work);
    spent += work.spent;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      ComparisonRow& row = runner.rows[sizes[k]];
      if (rows[k].is_bound) {
        if (work.cut_short) runner.note_cut(sizes[k], options.most_work);
        continue;
      }
      rows[k].contender = row.contender;
      row = std::move(rows[k]);
      show_time(runner, sizes[k], spent);
    }
    if (work.out_of_time) throw OutOfTime();
  }

  void run_alone(Runner& runner, std::size_t size, simulation::SimulationOptions options,
                 std::atomic<std::int64_t>& spent) {
    TimeLimit::check();
    const auto shown = doing(progress_, "simulating", runner.contender.algorithm, sizes_B_[size]);
    const Stopwatch watch;
    const ContestRun run = runner.run_at(size);
    options.limit_s = tie_limit_s(enough_s_[size]);
    simulation::SimulationResult result =
        rules_.time_of_segments && runner.has_many_segments(size)
            ? rules_.time_of_segments(run, options)
            : simulation::simulate(
                  runner.candidate.program_of(run.verified, run.size_B, run.copies), network_,
                  options);
    const std::scoped_lock lock(told_);
    spent += result.work;
    runner.spend(result.work, watch.seconds());
    if (result.ended_early) {
      runner.raise(size, result.time_s);
      if (runner.least_s(size) <= options.limit_s) runner.note_cut(size, options.most_work);
      return;
    }
    if (result.least_s == 0)
      result.least_s = runner.candidate.least_s(run.verified.schedule(), run.size_B, result.time_s);
    runner.know(size, std::move(result));
    show_time(runner, size, spent);
  }

  void show_time(const Runner& runner, std::size_t size, std::int64_t spent) const {
    if (progress_ == nullptr) return;
    progress_->found(runner.contender.algorithm, sizes_B_[size], runner.least_s(size));
    progress_->spent(budget_.spent() + spent, budget_.most());
  }

  std::span<const std::int64_t> sizes_B_;
  const Network& network_;
  const simulation::SimulationOptions& options_;
  const ContestRules& rules_;
  ComparisonProgress* progress_;  // null: none
  bool is_bounded_;
  Budget budget_;
  std::int64_t left_for_others_;  // work, of time_otherwise()
  std::vector<Runner> runners_;
  std::vector<double> enough_s_;      // the fastest that is known, by size
  std::vector<std::size_t> leaders_;  // who wins by what is known, likewise
  std::mutex told_;
};

}  // namespace

ContestResult play_contest(std::span<const Candidate> candidates, std::span<Contender> contenders,
                           std::span<const std::int64_t> sizes_B, const Network& network,
                           const simulation::SimulationOptions& options, const ContestRules& rules,
                           ComparisonProgress* progress) {
  return Contest(candidates, contenders, sizes_B, network, options, rules, progress).run();
}

}  // namespace weft::evaluate
