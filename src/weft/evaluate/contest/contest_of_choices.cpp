// Several schedules of one algorithm take part in a contest one by one.
//
// The estimate that SegmentChooser chooses by knows neither handshakes, nor copies, nor messages
// that share links within a step. The schedule that it prefers may be a fifth slower than another
// one of the same algorithm. So each schedule is a candidate of its own in the rounds. Bounds
// exclude most of them without a simulation, and a contest that is complete is complete for all of
// them.
//
// The estimate gives neither the sums and copies of the alpha-beta model nor the waits of packets.
// In those models each algorithm first settles its schedule and segments by itself: it simulates
// all of its schedules at a size, as long as these have few messages and packets.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/contest/nearby_segments.hpp"
#include "weft/evaluate/contest/play_contest.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/network/host_costs.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::evaluate {

namespace {

// Work that a choice among the schedules of one candidate may take: a second or two.
constexpr std::int64_t kWorkOfChoice = kUsualWork / 8;

bool has_choice(const Candidate& candidate) {
  return !candidate.sized && candidate.variants.size() > 1;
}

// Whether a contest may find another choice than the estimate does.
bool may_settle(const Candidate& candidate) {
  return has_choice(candidate) ||
         (candidate.pipelined &&
          !covers(simulation::Shortcut::segment_formula, simulation::features_of(candidate.host)));
}

// A candidate of one of the schedules.
Candidate of_variant(const Candidate& candidate, std::size_t variant) {
  WEFT_ASSERT(variant < candidate.variants.size());
  Candidate single = candidate;
  single.variants = {candidate.variants[variant]};
  single.verified = single.variants.front().verified;
  single.settled.clear();
  single.copies = program::plan_copies(single.verified, single.host);
  return single;
}

class Split {
 public:
  Split(std::span<const Candidate> candidates, std::span<const Contender> contenders)
      : candidates_(candidates) {
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      first_.push_back(singles_.size());
      if (has_choice(candidates[c])) {
        for (std::size_t v = 0; v < candidates[c].variants.size(); ++v) {
          singles_.push_back(of_variant(candidates[c], v));
          Contender& single = contenders_.emplace_back();
          single.algorithm = contenders[c].algorithm;
          single.schedule = contenders[c].schedule;
        }
      } else {
        singles_.push_back(candidates[c]);
        contenders_.push_back(contenders[c]);
        contenders_.back().spent = {};
      }
    }
    first_.push_back(singles_.size());
  }

  std::span<const Candidate> singles() const { return singles_; }
  std::span<Contender> contenders() { return contenders_; }

  /// What was found of the singles, by candidate.
  ContestResult joined(ContestResult found, std::span<const std::int64_t> sizes_B,
                       std::span<Contender> contenders) const {
    WEFT_ASSERT(found.rows.size() == singles_.size() && found.winners.size() == sizes_B.size());
    std::vector<std::vector<ComparisonRow>> rows(candidates_.size());
    std::vector<std::size_t> winners(sizes_B.size(), candidates_.size());
    found.choices.assign(candidates_.size(), {});
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      for (std::size_t s = 0; s < sizes_B.size(); ++s) {
        const std::size_t winner = found.winners[s];
        const bool wins = first_[c] <= winner && winner < first_[c + 1];
        if (wins) winners[s] = c;
        const std::size_t single = wins ? winner : best_of(c, s, sizes_B[s], found.rows);
        ComparisonRow row = found.rows[single][s];
        row.contender = c;
        const bool is_open = std::ranges::count(found.open_sizes_B, sizes_B[s]) > 0;
        lower(c, s, is_open || wins, found.rows, row);
        if (may_settle(candidates_[c]))
          found.choices[c].emplace(sizes_B[s], Candidate::Choice{single - first_[c], row.segments});
        rows[c].push_back(std::move(row));
      }
      add_spent(c, contenders[c]);
    }
    found.rows = std::move(rows);
    found.winners = std::move(winners);
    return found;
  }

 private:
  // The fastest that was simulated, else the one that the estimate prefers.
  std::size_t best_of(std::size_t candidate, std::size_t size, std::int64_t size_B,
                      const std::vector<std::vector<ComparisonRow>>& rows) const {
    const Candidate& whole = candidates_[candidate];
    if (!has_choice(whole)) return first_[candidate];
    std::vector<double> times_s;
    for (std::size_t i = first_[candidate]; i < first_[candidate + 1]; ++i)
      times_s.push_back(rows[i][size].is_bound ? std::numeric_limits<double>::infinity()
                                               : rows[i][size].result.time_s);
    const std::size_t best = winner_of(times_s, [&](std::size_t variant) {
      return whole.variants[variant].chooser.choose(size_B).time_s;
    });
    return first_[candidate] + (best < times_s.size() ? best : whole.choose(size_B).variant);
  }

  // The bound of a candidate is the least of its schedules. Of a winner, or where none is known
  // yet, the time of a schedule counts, with the least bound beside it. Of others the bound counts:
  // one of them was simulated, and another may be faster.
  void lower(std::size_t candidate, std::size_t size, bool is_timed,
             const std::vector<std::vector<ComparisonRow>>& rows, ComparisonRow& row) const {
    for (std::size_t i = first_[candidate]; i < first_[candidate + 1]; ++i) {
      if (!rows[i][size].is_bound) continue;
      const double least_s = rows[i][size].result.time_s;
      if (row.is_bound) {
        row.result.time_s = std::min(row.result.time_s, least_s);
      } else if (least_s < row.result.lower_s()) {
        if (is_timed) {
          row.result.least_s = least_s;
        } else {
          row.is_bound = true;
          row.result = {};
          row.result.time_s = least_s;
        }
      }
    }
  }

  void add_spent(std::size_t candidate, Contender& contender) const {
    for (std::size_t i = first_[candidate]; i < first_[candidate + 1]; ++i) {
      const Spent& spent = contenders_[i].spent;
      contender.spent.simulations += spent.simulations;
      contender.spent.work += spent.work;
      contender.spent.simulate_s += spent.simulate_s;
    }
  }

  std::span<const Candidate> candidates_;
  std::vector<std::size_t> first_;  // single of each candidate, and their number
  std::vector<Candidate> singles_;
  std::vector<Contender> contenders_;  // of singles
};

// In models other than the fluid one.
ContestResult contest_of_settled(std::span<const Candidate> candidates,
                                 std::span<Contender> contenders,
                                 std::span<const std::int64_t> sizes_B, const Network& network,
                                 const simulation::SimulationOptions& options,
                                 const ContestRules& rules, ComparisonProgress* progress) {
  std::vector<Candidate> settled(candidates.begin(), candidates.end());
  parallel_for(std::ssize(settled), [&](std::int64_t c) {
    isolated([&] {
      try {
        settle_alone(settled[static_cast<std::size_t>(c)], {sizes_B.begin(), sizes_B.end()},
                     network, options);
      } catch (const OutOfTime&) {
        // Its estimate stays; play_contest() says that the time ended.
      }
    });
  });
  ContestResult found =
      play_contest(settled, contenders, sizes_B, network, options, rules, progress);
  found.choices.resize(settled.size());
  for (std::size_t c = 0; c < settled.size(); ++c)
    if (may_settle(settled[c])) found.choices[c] = std::move(settled[c].settled);
  return found;
}

}  // namespace

ContestResult contest(std::span<const Candidate> candidates, std::span<Contender> contenders,
                      std::span<const std::int64_t> sizes_B, const Network& network,
                      const simulation::SimulationOptions& options, const ContestRules& rules,
                      ComparisonProgress* progress) {
  WEFT_ASSERT(candidates.size() == contenders.size());
  WEFT_ASSERT(std::ranges::adjacent_find(sizes_B, std::ranges::greater_equal{}) == sizes_B.end());
  if (options.model != simulation::Model::fluid)
    return contest_of_settled(candidates, contenders, sizes_B, network, options, rules, progress);
  if (std::ranges::none_of(candidates, has_choice)) {
    ContestResult found =
        play_contest(candidates, contenders, sizes_B, network, options, rules, progress);
    WEFT_ASSERT(found.rows.size() == candidates.size() && found.winners.size() == sizes_B.size());
    found.choices.resize(candidates.size());
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if (may_settle(candidates[c]))
        for (const ComparisonRow& row : found.rows[c])
          found.choices[c].emplace(row.size_B, Candidate::Choice{0, row.segments});
    return found;
  }
  Split split(candidates, contenders);
  return split.joined(
      play_contest(split.singles(), split.contenders(), sizes_B, network, options, rules, progress),
      sizes_B, contenders);
}

void settle(std::span<Candidate> candidates, const ContestResult& found) {
  WEFT_ASSERT(found.choices.size() == candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c)
    for (const auto& [size_B, choice] : found.choices[c])
      candidates[c].settled.insert_or_assign(size_B, choice);
}

namespace {

// The most messages, and the most packets or flits, of all runs of a candidate's schedules at a
// size.
constexpr std::int64_t kMostMessagesOfChoice = 500'000, kMostPacketsOfChoice = 500'000;

std::int64_t packets_of(const Program& program, std::int64_t packet_B) {
  std::int64_t packets = 0;
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step, program::Copies::left_out);
    for (const program::Transfer& transfer : step.transfers)
      packets += transfer.bytes / packet_B + 1;
  }
  return packets;
}

// The choices of a size, one of each schedule. The one that a contest of flows settled has its
// number of segments.
std::vector<Candidate::Choice> choices_at(const Candidate& candidate, std::int64_t size_B) {
  if (candidate.variants.empty()) return {candidate.choose(size_B)};
  std::vector<Candidate::Choice> choices;
  for (std::size_t v = 0; v < candidate.variants.size(); ++v)
    choices.push_back({v, candidate.variants[v].chooser.choose(size_B).segments});
  const Candidate::Choice settled = candidate.choose(size_B);
  choices[settled.variant] = settled;
  return choices;
}

// Simulates choices of a candidate at a size in the model itself, as long as all of them together
// have few messages and packets.
class ModelRuns {
 public:
  ModelRuns(const Candidate& candidate, std::int64_t size_B, const Network& network,
            const simulation::SimulationOptions& options)
      : candidate_(candidate), size_B_(size_B), network_(network), options_(options) {}

  /// Nothing where that is too much. Infinity where the model cannot run it, as packets cannot
  /// follow shares of a message.
  std::optional<double> time_s(const Candidate::Choice& choice) {
    const Verified verified = candidate_.chosen(choice).with_segments(choice.segments);
    messages_ += verified.schedule().message_count();
    if (messages_ > kMostMessagesOfChoice) return std::nullopt;  // before any program is made
    const Program program = candidate_.program_of(verified, size_B_);
    if (by_packets(options_.model)) packets_ += packets_of(program, packet_B());
    if (packets_ > kMostPacketsOfChoice) return std::nullopt;
    TimeLimit::check();
    try {
      return simulation::simulate(program, network_, options_).time_s;
    } catch (const InvalidInput&) {
      return std::numeric_limits<double>::infinity();
    }
  }

 private:
  std::int64_t packet_B() const {
    return options_.model == simulation::Model::flit ? options_.packet.flit_B
                                                     : options_.packet.packet_B;
  }

  const Candidate& candidate_;
  std::int64_t size_B_;
  const Network& network_;
  const simulation::SimulationOptions& options_;
  std::int64_t messages_ = 0, packets_ = 0;  // of all runs
};

// Settles the fastest schedule of the model itself, and its number of segments: from what estimates
// and flows chose on.
void settle_by_model(Candidate& candidate, std::int64_t size_B, const Network& network,
                     const simulation::SimulationOptions& options) {
  std::vector<Candidate::Choice> choices = choices_at(candidate, size_B);
  ModelRuns runs(candidate, size_B, network, options);
  std::vector<double> times_s;
  for (const Candidate::Choice& choice : choices) {
    const std::optional<double> time_s = runs.time_s(choice);
    if (!time_s) return;
    times_s.push_back(*time_s);
  }
  const std::size_t best = winner_of(times_s, [&](std::size_t variant) {
    return candidate.variants[variant].chooser.choose(size_B).time_s;
  });
  if (best == choices.size()) return;
  Candidate::Choice settled = choices[best];
  double fastest_s = times_s[best];
  const auto is_faster_in = [&](std::int64_t segments) {
    if (segments < 1 || segments > size_B) return false;
    const Candidate::Choice other{settled.variant, segments};
    const std::optional<double> time_s = runs.time_s(other);
    if (!time_s || ties(fastest_s, *time_s)) return false;
    settled = other;
    fastest_s = *time_s;
    return true;
  };
  if (candidate.pipelined) {
    const Verified start = candidate.chosen(settled).with_segments(settled.segments);
    const std::int64_t most_B =
        candidate.messages_of(start, schedule::message_units(start.schedule()), size_B).most_B;
    const std::vector<std::int64_t> limits_B = by_packets(options.model)
                                                   ? std::vector<std::int64_t>()
                                                   : network::message_limits_B(network.host());
    search_segments({settled.segments, most_B}, limits_B, is_faster_in);
  }
  candidate.settled.insert_or_assign(size_B, settled);
}

void settle_by_flows(Candidate& candidate, std::span<const std::int64_t> sizes_B,
                     const Network& network, const simulation::SimulationOptions& options) {
  simulation::SimulationOptions by_flows = options;
  by_flows.model = simulation::Model::fluid;
  by_flows.link_statistics = false;
  by_flows.background = {};  // of packets
  const std::span<Candidate> only(&candidate, 1);
  Contender contender;
  ContestResult found = contest(only, std::span(&contender, 1), sizes_B, network, by_flows,
                                {.most_work = kWorkOfChoice, .each_size_alone = true});
  // Where the work ended, what was simulated may be what is cheap to simulate.
  for (const std::int64_t size_B : found.open_sizes_B) found.choices.front().erase(size_B);
  settle(only, found);
}

}  // namespace

void settle_alone(Candidate& candidate, std::vector<std::int64_t> sizes_B, const Network& network,
                  const simulation::SimulationOptions& options) {
  if (!may_settle(candidate)) return;
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  if (options.model != simulation::Model::alpha_beta)
    settle_by_flows(candidate, sizes_B, network, options);
  if (options.model == simulation::Model::fluid || candidate.sized) return;
  simulation::SimulationOptions by_model = options;
  by_model.link_statistics = false;
  for (const std::int64_t size_B : sizes_B) settle_by_model(candidate, size_B, network, by_model);
}

}  // namespace weft::evaluate
