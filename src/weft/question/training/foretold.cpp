#include "weft/question/training/foretold.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "weft/base/parallel.hpp"
#include "weft/base/units.hpp"
#include "weft/question/comparison/candidate.hpp"

namespace weft::question {

namespace {

constexpr std::size_t kMostBuilt = 3;
// All-to-alls of a message between every two ranks that are the quickest to price.
constexpr std::array<std::string_view, 2> kPlain = {"spread", "hierarchical"};
constexpr double kFar =
    1.5;  // times the fastest; the formula and the models are not that far apart

// What an algorithm takes by the formula at each size; nothing where its fractions are too long.
struct Guess {
  std::string name;
  std::vector<double> times_s;
};

double longest_link_s(const Fabric& fabric) {
  std::int64_t longest_ps = 0;
  for (const LinkId link : fabric.topology().links())
    longest_ps = std::max(longest_ps, fabric.latency_ps(link));
  return static_cast<double>(longest_ps) * kSecondsPerPicosecond;
}

// Of schedules that sizes share the price is found once.
std::vector<double> times_of(const Candidate& candidate, const Network& group,
                             const std::vector<std::int64_t>& sizes_B) {
  std::optional<SegmentChooser> only;
  if (candidate.variants.empty() && !candidate.sized)
    only = SegmentChooser::as_it_is(candidate.verified, group);
  std::vector<double> times_s;
  for (const std::int64_t size_B : sizes_B) {
    if (candidate.sized) only = SegmentChooser::as_it_is(candidate.for_size(size_B), group);
    double least_s = only ? only->choose(size_B).time_s : INFINITY;
    for (const Variant& variant : candidate.variants)
      least_s = std::min(least_s, variant.chooser.choose(size_B).time_s);
    times_s.push_back(least_s);
  }
  return times_s;
}

Guess guess(const algorithm::Algorithm& algorithm, const Collective& collective,
            const Network& group, const std::vector<std::int64_t>& sizes_B,
            const algorithm::AlgorithmOptions& asked) {
  Guess made{.name = algorithm.name, .times_s = {}};
  const auto options = algorithm::taken_by(algorithm, asked);
  try {
    if (const auto known = algorithm::forecast(algorithm.name, collective, group, options)) {
      const double step_s = longest_link_s(group.fabric()) +
                            static_cast<double>(group.host().startup_ps) * kSecondsPerPicosecond;
      for (const std::int64_t size_B : sizes_B)
        made.times_s.push_back(
            static_cast<double>(known->steps) * step_s +
            time_of_factor_s(known->bandwidth_factor.to_double(), collective, group, size_B));
      return made;
    }
    made.times_s = times_of(make_candidate(algorithm, collective, group, options), group, sizes_B);
  } catch (const std::overflow_error&) {
    made.times_s.clear();
  }
  return made;
}

// Whether its price comes without long work.
bool is_quick(const algorithm::Algorithm& algorithm, const Collective& collective,
              const Network& group) {
  constexpr std::int64_t kMostGrown = 300'000;  // ranks times links: a few tenths of a second
  // Each tree in turn takes a link where others left one.
  if (algorithm.name == "multitree" &&
      group.ranks() > kMostGrown / std::max<std::int64_t>(group.topology().link_count(), 1))
    return false;
  using Messages = algorithm::Outline::Messages;
  return collective.kind != CollectiveKind::alltoall ||
         algorithm.outline.messages != Messages::pairs || algorithm.forecast != nullptr ||
         std::ranges::find(kPlain, algorithm.name) != kPlain.end();
}

// Those that come near the fastest at a size; of several that take as long the first.
std::vector<std::string> nearest(const std::vector<Guess>& guesses, std::size_t size) {
  std::vector<const Guess*> order;
  for (const Guess& one : guesses)
    if (!one.times_s.empty()) order.push_back(&one);
  std::ranges::stable_sort(order, {}, [&](const Guess* one) { return one->times_s[size]; });
  std::vector<std::string> names;
  std::vector<const Guess*> taken;
  for (const Guess* one : order) {
    if (names.size() == kMostBuilt || one->times_s[size] > kFar * order[0]->times_s[size]) break;
    if (std::ranges::any_of(taken, [&](const Guess* it) { return it->times_s == one->times_s; }))
      continue;
    taken.push_back(one);
    names.push_back(one->name);
  }
  return names;
}

}  // namespace

Foretold foretell(const Collective& collective, const Network& group,
                  const std::vector<std::int64_t>& sizes_B, const PriceOptions& options) {
  auto all = chosen_algorithms(collective, group, {}, options.algorithm);
  for (const std::string_view name : kPlain) {
    const auto& plain = algorithm::find_algorithm(name);
    if (collective.kind == CollectiveKind::alltoall &&
        !algorithm::misfit(plain, {collective, &group, {}}) &&
        std::ranges::find(all, &plain) == all.end())
      all.push_back(&plain);
  }
  std::vector<const algorithm::Algorithm*> quick;
  for (const auto* algorithm : all)
    if (is_quick(*algorithm, collective, group)) quick.push_back(algorithm);
  if (quick.empty()) quick = all;
  std::vector<Guess> guesses(quick.size());
  parallel_for(std::ssize(quick), [&](std::int64_t i) {
    isolated([&] {
      guesses[static_cast<std::size_t>(i)] =
          guess(*quick[static_cast<std::size_t>(i)], collective, group, sizes_B, options.algorithm);
    });
  });
  Foretold foretold;
  std::set<std::string> tried;
  for (std::size_t size = 0; size < sizes_B.size(); ++size) {
    auto& names = foretold.by_size.emplace_back(nearest(guesses, size));
    if (names.empty())  // all fractions are too long: let the comparison say so
      for (const auto* algorithm : all) names.push_back(algorithm->name);
    tried.insert(names.begin(), names.end());
  }
  for (const auto* algorithm : all)
    if (!tried.contains(algorithm->name)) foretold.not_tried.push_back(algorithm->name);
  return foretold;
}

}  // namespace weft::question
