#include "weft/training/schedules/guess.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"

namespace weft::training {

namespace {

constexpr std::size_t kMostBuilt = 3;
constexpr double kFar =
    1.5;  // times the fastest; the formula and the models are not that far apart
// Of the formula's sums. Who wins is decided by simulation; this finds algorithms of one price.
constexpr double kRounding = 1e-9;

// By the formula, with steps that all are as long as the longest.
struct GuessedTime {
  double time_s = 0;
  double latency_s = 0;  // of it
};

// What an algorithm takes at each size; nothing where its fractions are too long.
struct Guess {
  std::shared_ptr<const Candidate> candidate = {};  // where its schedule told
  std::vector<GuessedTime> times = {};
};

double longest_link_s(const Fabric& fabric) {
  std::int64_t longest_ps = 0;
  for (const LinkId link : fabric.topology().links())
    longest_ps = std::max(longest_ps, fabric.latency_ps(link));
  return static_cast<double>(longest_ps) * kSecondsPerPicosecond;
}

// Of schedules that sizes share the price is found once.
std::vector<GuessedTime> times_of(const Candidate& candidate, const Network& group,
                                  const std::vector<std::int64_t>& sizes_B) {
  std::optional<SegmentChooser> only;
  if (candidate.variants.empty() && !candidate.sized)
    only = SegmentChooser::as_it_is(candidate.verified, group);
  std::vector<GuessedTime> times;
  for (const std::int64_t size_B : sizes_B) {
    GuessedTime& best = times.emplace_back(GuessedTime{.time_s = INFINITY});
    double least_s = INFINITY;
    const auto take = [&](const SegmentChooser& chooser) {
      const SegmentChooser::Choice choice = chooser.choose(size_B);
      if (choice.whole_s() >= least_s) return;
      least_s = choice.whole_s();
      best = {choice.time_s, choice.latency_s};
    };
    if (candidate.sized) only = SegmentChooser::as_it_is(candidate.for_size(size_B), group);
    if (only) take(*only);
    for (const evaluate::Variant& variant : candidate.variants) take(variant.chooser);
  }
  return times;
}

Guess guess(const algorithm::Algorithm& algorithm, const Collective& collective,
            const Network& group, const std::vector<std::int64_t>& sizes_B,
            const algorithm::AlgorithmOptions& asked) {
  Guess made;
  const auto options = algorithm::taken_by(algorithm, asked);
  try {
    if (const auto known = algorithm::forecast(algorithm.name, collective, group, options)) {
      const auto steps = static_cast<double>(known->steps);
      const double latency_s = steps * longest_link_s(group.fabric());
      const double startups_s =
          steps * static_cast<double>(group.host().send_ps()) * kSecondsPerPicosecond;
      for (const std::int64_t size_B : sizes_B)
        made.times.push_back(
            {latency_s + startups_s +
                 time_of_factor_s(known->bandwidth_factor.to_double(), collective, group, size_B),
             latency_s});
      return made;
    }
    made.candidate =
        std::make_shared<Candidate>(make_candidate(algorithm, collective, group, options));
    made.times = times_of(*made.candidate, group, sizes_B);
    WEFT_ASSERT(made.times.size() == sizes_B.size());
  } catch (const std::overflow_error&) {
    made.times.clear();
  }
  return made;
}

// Of all-to-alls of a message between every two ranks, the quickest to price.
bool is_plain(const algorithm::Algorithm& algorithm) {
  return algorithm.tried_early >= algorithm::TriedEarly::near_bound;
}

// Whether its price comes without long work.
bool is_quick(const algorithm::Algorithm& algorithm, const Collective& collective,
              const Network& group) {
  constexpr std::int64_t kMostGrown = 300'000;  // ranks times links: a few tenths of a second
  // Each tree in turn takes a link where others left one.
  if (algorithm.making == algorithm::Making::grown_trees &&
      group.ranks() > kMostGrown / std::max<std::int64_t>(group.topology().link_count(), 1))
    return false;
  using Messages = algorithm::Outline::Messages;
  return collective.kind != CollectiveKind::alltoall ||
         algorithm.outline.messages != Messages::pairs || algorithm.forecast != nullptr ||
         is_plain(algorithm);
}

// Whether a simulation may find it faster than the fastest by the formula. That of the alpha-beta
// model differs but in its steps, of which some may be shorter than the longest.
bool is_near(const GuessedTime& one, const GuessedTime& fastest, simulation::Model model) {
  if (model == simulation::Model::alpha_beta)
    return one.time_s - one.latency_s <= (1 + kRounding) * fastest.time_s;
  return one.time_s <= kFar * fastest.time_s;
}

// Those that come near the fastest at a size; of several that take as long the first.
std::vector<std::size_t> nearest(const std::vector<Guess>& guesses, std::size_t size,
                                 simulation::Model model) {
  const auto time = [&](std::size_t i) { return guesses[i].times[size]; };
  const auto time_s = [&](std::size_t i) { return time(i).time_s; };
  std::vector<std::size_t> order, taken;
  for (std::size_t i = 0; i < guesses.size(); ++i)
    if (!guesses[i].times.empty()) order.push_back(i);
  std::ranges::stable_sort(order, {}, time_s);
  for (const std::size_t one : order) {
    if (!is_near(time(one), time(order[0]), model)) continue;
    if (taken.empty() || time_s(one) > (1 + kRounding) * time_s(taken.back()))
      taken.push_back(one);
    else
      taken.back() = std::min(taken.back(), one);
  }
  WEFT_ASSERT(taken.empty() == order.empty());  // the fastest is near itself
  if (taken.size() > kMostBuilt) taken.resize(kMostBuilt);
  return taken;
}

// All-to-alls have plain ones beside those of "all".
std::vector<const algorithm::Algorithm*> all_for(const Collective& collective,
                                                 std::span<const Network> groups,
                                                 const algorithm::AlgorithmOptions& options) {
  auto all = evaluate::chosen_algorithms(collective, groups.front(), {}, options);
  std::erase_if(all, [&](const algorithm::Algorithm* each) {
    return misfit_of_some(*each, collective, groups.subspan(1), options).has_value();
  });
  if (collective.kind != CollectiveKind::alltoall) return all;
  for (const algorithm::Algorithm& each : algorithm::algorithms())
    if (is_plain(each) && std::ranges::find(all, &each) == all.end() &&
        !misfit_of_some(each, collective, groups, {}))
      all.push_back(&each);
  return all;
}

}  // namespace

std::vector<Contestant> estimate(const Collective& collective, std::span<const Network> groups,
                                 const std::vector<std::int64_t>& sizes_B,
                                 const PriceOptions& options) {
  WEFT_ASSERT(!groups.empty());
  const Network& group = groups.front();
  const auto all = all_for(collective, groups, options.algorithm);
  const auto is_beaten = [&](const algorithm::Algorithm& algorithm) {
    return !collective.rooted() && !algorithm.never_beats.empty() &&
           std::ranges::count(all, &algorithm::find_algorithm(algorithm.never_beats)) > 0;
  };
  const auto quick = [&](const auto* algorithm) {
    return is_quick(*algorithm, collective, group) && !is_beaten(*algorithm);
  };
  const bool all_are_slow = std::ranges::none_of(all, quick);
  std::vector<Guess> guesses(all.size());
  parallel_for(std::ssize(all), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    if (!all_are_slow && !quick(all[at])) return;
    isolated([&] { guesses[at] = guess(*all[at], collective, group, sizes_B, options.algorithm); });
  });
  std::vector<Contestant> contestants;
  for (std::size_t i = 0; i < all.size(); ++i)
    contestants.push_back({.algorithm = all[i],
                           .candidate = std::move(guesses[i].candidate),
                           .at = std::vector<bool>(sizes_B.size(), false)});
  for (std::size_t size = 0; size < sizes_B.size(); ++size) {
    const auto taken = nearest(guesses, size, options.simulation.model);
    for (const std::size_t i : taken) contestants[i].at[size] = true;
    if (!taken.empty()) continue;
    for (Contestant& contestant : contestants)
      contestant.at[size] = true;  // building them says what is wrong
  }
  return contestants;
}

}  // namespace weft::training
