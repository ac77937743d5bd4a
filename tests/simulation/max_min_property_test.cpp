// MaxMin under random arrivals and departures, against filling from scratch and the definition.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/judges/naive_max_min.hpp"
#include "weft/simulation/fluid/max_min.hpp"

namespace weft::simulation {
namespace {

using test::NaiveFlow;

struct Instance {
  std::uint64_t seed = 0;
  std::int32_t links = 8, longest_path = 4, batches = 12, batch = 4;
  bool weights = false, shares = false, equal_capacities = true;
};

class Replay {
 public:
  explicit Replay(const Instance& instance) : in_(instance), random_(instance.seed) {
    for (std::int32_t l = 0; l < in_.links; ++l)
      capacities_.push_back(in_.equal_capacities ? 1 : real(0.5, 8));
  }

  /// The first thing wrong, or nothing.
  std::string run() {
    MaxMin solver(capacities_);
    for (std::int32_t b = 0; b < in_.batches; ++b) {
      change(solver);
      solver.solve();
      const std::string wrong = compare(solver);
      if (!wrong.empty()) return fmt_batch(b, wrong);
    }
    return {};
  }

 private:
  static std::string fmt_batch(std::int32_t batch, const std::string& wrong) {
    return "batch " + std::to_string(batch) + ": " + wrong;
  }
  std::int32_t below(std::int32_t n) {
    return static_cast<std::int32_t>(random_() % static_cast<std::uint64_t>(n));
  }
  double real(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() % 1000) / 1000;
  }

  void change(MaxMin& solver) {
    for (std::int32_t i = below(in_.batch + 1); i > 0 && !flows_.empty(); --i) {
      const auto victim =
          std::next(flows_.begin(), below(static_cast<std::int32_t>(flows_.size())));
      solver.remove(victim->first);
      flows_.erase(victim);
    }
    for (std::int32_t i = below(in_.batch + 2); i > 0; --i) add(solver);
  }

  void add(MaxMin& solver) {
    NaiveFlow flow;
    flow.weight = in_.weights ? real(0.2, 5) : 1;
    std::vector<LinkId> path;
    for (std::int32_t i = 1 + below(in_.longest_path); i > 0; --i) {
      path.push_back(LinkId(below(in_.links)));
      flow.links.push_back(path.back().value());
      flow.shares.push_back(in_.shares ? real(0.1, 1) : 1);
    }
    const FlowIndex index =
        solver.add(path, flow.weight,
                   in_.shares ? std::span<const double>(flow.shares) : std::span<const double>());
    flows_[index] = flow;
  }

  std::string compare(const MaxMin& solver) {
    std::vector<NaiveFlow> flows;
    std::vector<double> levels;
    for (const auto& [index, flow] : flows_) {
      flows.push_back(flow);
      levels.push_back(solver.level(index));
    }
    const std::string wrong = test::unfairness(capacities_, flows, levels, 1e-7);
    if (!wrong.empty()) return wrong;
    const std::vector<double> expected = test::naive_max_min(capacities_, flows);
    for (std::size_t f = 0; f < flows.size(); ++f)
      if (std::abs(levels[f] - expected[f]) > 1e-7 * expected[f])
        return "level " + std::to_string(levels[f]) + ", not " + std::to_string(expected[f]);
    return {};
  }

  Instance in_;
  std::mt19937_64 random_;
  std::vector<double> capacities_;
  std::map<FlowIndex, NaiveFlow> flows_;
};

void check_many(Instance instance, std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    instance.seed = seed;
    const std::string wrong = Replay(instance).run();
    ASSERT_EQ(wrong, "") << "seed " << seed;
  }
}

TEST(MaxMin, follows_changes_on_few_equal_links) {
  check_many({.links = 5}, 2000);
}
TEST(MaxMin, follows_changes_on_unequal_links) {
  check_many({.links = 8, .equal_capacities = false}, 1500);
}
TEST(MaxMin, follows_changes_with_weights) {
  check_many({.links = 8, .weights = true, .equal_capacities = false}, 1500);
}
TEST(MaxMin, follows_changes_with_shares) {
  check_many({.links = 6, .weights = true, .shares = true, .equal_capacities = false}, 1500);
}
TEST(MaxMin, follows_changes_on_many_links) {
  check_many({.links = 60, .longest_path = 8, .batches = 40, .batch = 8}, 60);
}
TEST(MaxMin, follows_changes_with_many_flows_on_a_link) {
  check_many({.links = 4, .longest_path = 3, .batches = 60, .batch = 20}, 60);
}
TEST(MaxMin, follows_single_changes_for_long) {
  check_many({.links = 20, .longest_path = 6, .batches = 500, .batch = 1}, 10);
}

}  // namespace
}  // namespace weft::simulation
