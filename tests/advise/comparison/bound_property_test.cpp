// No bound of a contest is above a simulated time, on networks of all families drawn at random.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "support/small_networks.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/evaluate/bounds/single_ranks.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/runner.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::advise {
namespace {

constexpr double kRounding = 1 + 1e-9;
constexpr std::int64_t kLargest_B = std::int64_t{1} << 30;

std::int64_t between(Rng& random, std::int64_t least, std::int64_t most) {
  return least + random.below(most - least + 1);
}
bool one_in(Rng& random, std::int64_t count) {
  return random.below(count) == 0;
}
template <class T>
const T& one_of(Rng& random, const std::vector<T>& all) {
  return all[static_cast<std::size_t>(random.below(std::ssize(all)))];
}

// Every family, whole, with a dead cable or host, and with two hosts on each node: 4 to 40 ranks.
const std::vector<std::string>& expressions() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> found = test::small_networks(64);
    std::ranges::copy(test::damaged_or_switched(found, 64), std::back_inserter(found));
    std::erase_if(found, [](const std::string& expression) {
      const auto hosts = std::ssize(make_topology(expression).hosts());
      return hosts < 4 || hosts > 40;
    });
    return found;
  }();
  return all;
}

LinkSpeed speed_drawn(Rng& random) {
  const std::int64_t latency_ps = one_in(random, 4) ? 0 : between(random, 1, 5'000'000);
  return {between(random, 1, 400) * 125'000'000, latency_ps};
}

// Links are alike or each has its own speed.
Fabric fabric_drawn(Rng& random, const std::string& expression) {
  BuiltTopology built = build_topology(expression);
  if (!one_in(random, 3)) return {built, {.all = speed_drawn(random), .by_class = {}}};
  const auto links = built.topology.link_count();
  built.speeds.bandwidth_Bps = IdVector<LinkId, std::optional<std::int64_t>>(links);
  built.speeds.latency_ps = IdVector<LinkId, std::optional<std::int64_t>>(links);
  for (const LinkId link : built.topology.links()) {
    const LinkSpeed speed = speed_drawn(random);
    built.speeds.bandwidth_Bps[link] = speed.bandwidth_Bps;
    built.speeds.latency_ps[link] = speed.latency_ps;
  }
  return {built};
}

HostParameters host_drawn(Rng& random) {
  HostParameters host;
  if (one_in(random, 2)) host.startup_ps = between(random, 1, 5'000'000);
  if (one_in(random, 4)) host.startup_receive_ps = between(random, 1, 5'000'000);
  if (one_in(random, 3)) host.startup_per = StartupPer::step;
  if (one_in(random, 4)) host.ports = static_cast<int>(between(random, 1, 3));
  if (one_in(random, 2)) host.copy_bandwidth_Bps = between(random, 1, 100) * 1'000'000'000;
  if (one_in(random, 2)) host.reduce_bandwidth_Bps = between(random, 1, 100) * 1'000'000'000;
  return host;
}

Network network_drawn(Rng& random, const std::string& expression) {
  const Fabric fabric = fabric_drawn(random, expression);
  const std::string routing = one_in(random, 2) ? "shortest" : "auto";
  const std::string policy = one_in(random, 4) ? "random" : "linear";
  return {fabric,
          topology::place(fabric.topology(), {.policy = policy, .seed = random.next() % 1000}),
          host_drawn(random), make_routing(routing, fabric)};
}

Collective collective_drawn(Rng& random, const Network& network) {
  Collective collective{.kind = schedule::kCollectiveKinds[static_cast<std::size_t>(
                            random.below(std::ssize(schedule::kCollectiveKinds)))],
                        .ranks = network.ranks()};
  if (collective.rooted()) collective.root = Rank(static_cast<int>(random.below(network.ranks())));
  collective.peer = Rank((collective.root.value() + 1) % network.ranks());
  return collective;
}

// 0 B to 1 GiB, small ones as often as large ones, odd ones too.
std::int64_t size_drawn(Rng& random) {
  const std::int64_t power = std::int64_t{1} << random.below(31);
  return one_in(random, 3) ? power : random.below(std::min(2 * power, kLargest_B) + 1);
}

// What the contest is held under; the usual, mostly.
simulation::SimulationOptions options_drawn(Rng& random) {
  simulation::SimulationOptions options;
  if (one_in(random, 2)) return options;
  if (one_in(random, 8)) options.model = simulation::Model::alpha_beta;
  if (options.model == simulation::Model::alpha_beta) return options;
  options.sync = static_cast<Sync>(random.below(3));
  options.release = static_cast<Release>(random.below(3));
  options.sharing = static_cast<Sharing>(random.below(3));
  if (one_in(random, 4)) options.cables = Cables::shared;
  if (one_in(random, 4)) options.call.receives = Receives::in_step;
  if (one_in(random, 4)) options.call.eager_B = between(random, 1, 65536);
  if (one_in(random, 4)) options.call.header_B = between(random, 1, 100);
  if (one_in(random, 4)) options.call.loopback = speed_drawn(random);
  return options;
}

double run_s(const Candidate& candidate, std::int64_t size_B, const Network& network,
             const simulation::SimulationOptions& options) {
  const Verified verified = candidate.for_size(size_B);
  return simulation::simulate(
             lower(verified, {.size_B = size_B, .copies = candidate.copies_of(verified)}), network,
             options)
      .time_s;
}

// Bounds of one schedule at a size that are above a time, a line each; nothing if it has so many
// segments that simulations take long.
std::optional<std::string> bounds_above(Rng& random, const Candidate& candidate,
                                        const Network& network,
                                        const simulation::SimulationOptions& options) {
  std::vector<std::int64_t> sizes_B{size_drawn(random)};
  const std::int64_t times = between(random, 1, 9);
  const std::int64_t larger_B =
      one_in(random, 2) ? times * sizes_B[0] + random.below(1000) : times * sizes_B[0];
  sizes_B.push_back(std::max(sizes_B[0] + 1, std::min(larger_B, kLargest_B)));

  Contender contender;
  const evaluate::Runner runner(candidate, contender, 0, sizes_B, network);
  const Verified verified = candidate.for_size(sizes_B[0]);
  if (verified.schedule().message_count() > 50'000) return std::nullopt;
  const auto copies = candidate.copies_of(verified);
  const Program program = lower(verified, {.size_B = sizes_B[0], .copies = copies});
  const simulation::SimulationResult whole = simulation::simulate(program, network, options);

  std::string above;
  const auto expect_below = [&](const char* name, double bound_s, double time_s) {
    if (bound_s > time_s * kRounding)
      above +=
          fmt::format("{} {} s at {} B, which takes {} s\n", name, bound_s, sizes_B[0], time_s);
  };
  expect_below("busiest link", runner.least_s(0), whole.time_s);
  if (options.model == simulation::Model::fluid) {  // runs that end early
    simulation::SimulationOptions cut = options;
    cut.limit_s = whole.time_s * random.uniform();
    expect_below("limit", simulation::simulate(program, network, cut).time_s, whole.time_s);
    cut.limit_s = std::numeric_limits<double>::infinity();
    cut.most_work = random.below(whole.work + 1);
    expect_below("work", simulation::simulate(program, network, cut).time_s, whole.time_s);
  }
  if (!covers(simulation::Shortcut::single_ranks, options, network)) return above;
  const Program rounded =
      lower(verified,
            {.size_B = evaluate::whole_size_B(verified.schedule(), sizes_B[0]), .copies = copies});
  const double alone_s = evaluate::single_ranks_time(rounded, network).time_s;
  expect_below(
      "single ranks over one link",
      evaluate::single_ranks_time(rounded, network, evaluate::SingleRankWays::one_link).time_s,
      whole.time_s);
  expect_below("single ranks", alone_s, whole.time_s);
  if (runner.holds_at(0, 1, rounded.has_whole_units()))
    expect_below("single ranks at a larger size", alone_s,
                 run_s(candidate, sizes_B[1], network, options));
  return above;
}

// The instance of draw `i`; empty where nothing fits, or no bound holds.
struct Drawn {
  std::string name;
  Network network;
  Collective collective;
  simulation::SimulationOptions options;
  std::vector<const algorithm::Algorithm*> algorithms;
};
std::optional<Drawn> drawn(Rng& random) {
  const std::string& expression = one_of(random, expressions());
  try {
    const Network network = network_drawn(random, expression);
    const Collective collective = collective_drawn(random, network);
    auto algorithms = algorithm::applicable(collective, &network);
    if (algorithms.empty() || network.routing().sees_whole_step()) return std::nullopt;
    return Drawn{fmt::format("{} on {}", name_of(collective.kind), expression), network, collective,
                 options_drawn(random), std::move(algorithms)};
  } catch (const InvalidInput&) {  // e.g. parts that do not reach each other
    return std::nullopt;
  }
}

TEST(BoundProperty, is_at_most_the_simulated_time) {
  constexpr int kSizes = 4;  // of each schedule
  const int count = test::share_of_samples() < 1 ? 200 : 10'000;
  const Rng seed(50);
  int tried = 0;
  for (int i = 0; tried < count; ++i) {
    ASSERT_LT(i, count + 100) << "too few draws fit";
    Rng random = seed.split(i);
    const std::optional<Drawn> one = drawn(random);
    if (!one) continue;
    const algorithm::Algorithm& algorithm = *one_of(random, one->algorithms);
    try {
      const Candidate candidate = make_candidate(algorithm, one->collective, one->network, {});
      for (int size = 0; size < kSizes; ++size) {
        const auto above = bounds_above(random, candidate, one->network, one->options);
        EXPECT_EQ(above.value_or(""), "")
            << "draw " << i << ": " << algorithm.name << " " << one->name;
        if (above) ++tried;
      }
    } catch (const InvalidInput&) {         // options that do not go together
    } catch (const std::overflow_error&) {  // prices beyond 128 bits
    }
  }
}

// Rows that were not simulated to the end, whatever ended them.
TEST(BoundProperty, of_a_row_is_at_most_its_simulated_time) {
  const int count = test::share_of_samples() < 1 ? 10 : 300;
  const Rng seed(51);
  std::int64_t bounds = 0;
  for (int i = 0; i < count; ++i) {
    Rng random = seed.split(i);
    const std::optional<Drawn> one = drawn(random);
    if (!one) continue;
    std::vector<std::int64_t> sizes_B;
    for (int s = 0; s < 3; ++s) sizes_B.push_back(size_drawn(random));
    sizes_B.push_back(sizes_B[0] * 2);
    std::ranges::sort(sizes_B);
    sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
    const evaluate::ContestRules rules{
        .most_work = one_in(random, 2) ? kUsualWork : std::int64_t{1} << random.below(20)};
    try {
      std::vector<Candidate> candidates;
      for (const algorithm::Algorithm* each : one->algorithms)
        candidates.push_back(make_candidate(*each, one->collective, one->network, {}));
      std::vector<Contender> contenders(candidates.size());
      const evaluate::ContestResult found =
          evaluate::contest(candidates, contenders, sizes_B, one->network, one->options, rules);
      for (std::size_t c = 0; c < candidates.size(); ++c)
        for (const ComparisonRow& row : found.rows[c]) {
          if (!row.is_bound) continue;
          ++bounds;
          EXPECT_LE(row.result.time_s,
                    kRounding * run_s(candidates[c], row.size_B, one->network, one->options))
              << "draw " << i << ": " << one->algorithms[c]->name << " " << one->name << ", "
              << row.size_B << " B";
        }
    } catch (const InvalidInput&) {         // options that do not go together
    } catch (const std::overflow_error&) {  // prices beyond 128 bits
    }
  }
  EXPECT_GT(bounds, 5 * count);
}

}  // namespace
}  // namespace weft::advise
