// LIN, XOR and OPT: their phases are those of the paper (Prisacari et al., ICS 2013), and OPT
// meets the paper's lower bound on every tree.
#include "weft/algorithm/exchange/permutation_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "support/formulas/exchange_phases.hpp"
#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "support/process/scratch_folder.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using schedule::allgather;
using schedule::alltoall;

using test::on;

using test::destinations, test::full_tree, test::tree_exchange_destinations;

/// The least number of levels that meets the lower bound as all of them do: those at which
/// M_1 ... M_l >= M_(l+1) ... M_L, where an optimal exchange leaves capacity unused.
int levels_with_surplus(const std::vector<int>& children) {
  // Going up, the leaves inside grow and those outside shrink.
  const std::int64_t all = full_tree(children).leaves();
  std::int64_t inside = 1;
  std::size_t level = 0;
  for (; inside < all / inside; ++level) inside *= children[level];
  return static_cast<int>(children.size() - level);
}

/// The most messages that leave and enter a node of level l in any phase, by counting.
struct Crossings {
  std::int64_t up = 0, down = 0;
};
Crossings most_crossings(const std::vector<int>& children, int level,
                         const TreeExchangeOptions& options) {
  const auto to = tree_exchange_destinations(children, options);
  const auto n = full_tree(children).leaves();
  std::int64_t below = 1;
  for (int l = 0; l < level; ++l) below *= children[l];
  Crossings most;
  for (std::int64_t p = 0; p < n; ++p) {
    std::vector<Crossings> nodes(static_cast<std::size_t>(n / below));
    for (std::int64_t s = 0; s < n; ++s) {
      const std::int64_t d = to[p * n + s];
      if (s / below == d / below) continue;
      ++nodes[s / below].up;
      ++nodes[d / below].down;
    }
    for (const Crossings& node : nodes)
      most = {std::max(most.up, node.up), std::max(most.down, node.down)};
  }
  return most;
}

/// Pi_l - floor(Pi_l / (Pi_L / Pi_l)), Eq. 1.
std::int64_t least_crossings(const std::vector<int>& children, int level) {
  std::int64_t below = 1, rest = 1;
  for (int l = 0; l < std::ssize(children); ++l) (l < level ? below : rest) *= children[l];
  return below - below / rest;
}

void expect_bound_met(const std::vector<int>& children, const TreeExchangeOptions& options = {}) {
  for (int level = 0; level < std::ssize(children); ++level) {
    const Crossings most = most_crossings(children, level, options);
    const std::int64_t least = least_crossings(children, level);
    ASSERT_EQ(most.up, least) << "level " << level;
    ASSERT_EQ(most.down, least) << "level " << level;
  }
}

TEST(Opt, is_the_paper_s_figure_3_on_4_by_2) {
  // Section 3.2: d = ((s mod 2 + p mod 2) mod 2) * 4 + (s/2 + p/2) mod 4 for FT(2; 4, 2).
  const auto to = tree_exchange_destinations({4, 2});
  for (int p = 0; p < 8; ++p)
    for (int s = 0; s < 8; ++s) EXPECT_EQ(to[8 * p + s], (s + p) % 2 * 4 + (s / 2 + p / 2) % 4);
}

TEST(Opt, follows_equation_4_digit_by_digit) {
  // Written out for M = (3, 4, 2), sigma = (2, 3, 1): base (4, 2, 3) for s and p.
  const auto to = tree_exchange_destinations({3, 4, 2}, {.sigma = {2, 3, 1}});
  const auto digits = [](int x) { return std::vector{x % 4, x / 4 % 2, x / 8}; };
  for (int p = 0; p < 24; ++p)
    for (int s = 0; s < 24; ++s) {
      const auto a = digits(s), b = digits(p);
      const int second = (a[0] + b[0]) % 4, third = (a[1] + b[1]) % 2, first = (a[2] + b[2]) % 3;
      EXPECT_EQ(to[24 * p + s], first + 3 * second + 12 * third);
    }
}

TEST(Opt, meets_the_bound_on_trees_of_any_shape) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<int> children(1 + random() % 4);
    for (int& m : children) m = static_cast<int>(1 + random() % 5);
    SCOPED_TRACE(testing::PrintToString(children));
    expect_bound_met(children);
    expect_bound_met(children, {.levels = levels_with_surplus(children)});
  }
}

TEST(Opt, needs_separate_digits_for_the_levels_with_surplus_alone) {
  // Table 1's 1,024: Pi = 8, 64, 512; 64 >= 16, 8 < 128: the two topmost levels.
  EXPECT_EQ(levels_with_surplus({8, 8, 8, 2}), 2);
  EXPECT_EQ(levels_with_surplus({4, 2, 2}), 2);  // 4 >= 4
  EXPECT_EQ(levels_with_surplus({8, 8, 2}), 1);
  EXPECT_EQ(levels_with_surplus({7}), 0);
  // One level fewer misses the bound.
  EXPECT_GT(most_crossings({4, 2, 2}, 1, {.levels = 1}).up, least_crossings({4, 2, 2}, 1));
}

TEST(Opt, without_levels_or_with_sigma_from_below_is_linear_on_one_level) {
  const auto lin = destinations(lin_exchange(alltoall(12)));
  const auto opt = tree_exchange_destinations({3, 4}, {.levels = 0});
  for (std::size_t p = 0; p < 12; ++p)
    for (std::size_t s = 0; s < 12; ++s) EXPECT_EQ(opt[12 * p + s], lin[p][s]);
}

TEST(Opt, is_an_exchange_for_every_sigma) {
  std::vector<int> sigma{1, 2, 3};
  do {
    const PopulatedTree tree = full_tree({2, 3, 4});
    for (const Collective& collective : {alltoall(24), allgather(24), schedule::reduce_scatter(24)})
      EXPECT_EQ(test::execute(tree_exchange(collective, tree, {.sigma = sigma})).violation, "");
  } while (std::ranges::next_permutation(sigma).found);
}

TEST(Opt, every_phase_is_a_permutation) {
  const auto to = destinations(tree_exchange(alltoall(30), full_tree({5, 3, 2})));
  ASSERT_EQ(to.size(), 30u);
  for (auto phase : to) {
    std::ranges::sort(phase);
    std::vector<int> all(30);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(phase, all);
  }
}

TEST(Opt, follows_ranks_wherever_they_are_placed) {
  // The tree is the network's, so that a random placement permutes the ranks only.
  const Network shuffled = on("xgft:2;4,2;1,4", {.policy = "random", .seed = 5});
  const auto tree = *populated_tree(shuffled);
  EXPECT_EQ(tree.children, (std::vector<int>{4, 2}));
  for (std::size_t r = 0; r < 8; ++r)
    EXPECT_EQ(tree.leaf_of_rank[r], shuffled.placement().nodes[r].value());
  EXPECT_EQ(test::execute(build_schedule("opt", alltoall(8), &shuffled)).violation, "");
}

TEST(Opt, leaves_out_what_is_not_populated) {
  // 8 of 16 hosts in a row fill one half: the tree under them is 4 x 2, and the phases are 8.
  EXPECT_EQ(populated_tree(on("xgft:3;4,2,2;1,4,1", {.ranks = 8}))->children,
            (std::vector<int>{4, 2, 1}));
  const Network half = on("xgft:3;4,2,2;1,4,1", {.ranks = 8});
  EXPECT_EQ(build_schedule("opt", alltoall(8), &half).steps(), 8);
}

TEST(Opt, serves_partly_populated_trees) {
  for (const int ranks : {1, 3, 5, 11, 13, 16}) {
    const Network network = on("xgft:3;4,2,2;1,4,1", {.ranks = ranks, .policy = "random"});
    const Schedule schedule = build_schedule("opt", alltoall(ranks), &network);
    EXPECT_EQ(test::execute(schedule).violation, "") << ranks;
    EXPECT_LE(schedule.steps(), populated_tree(network)->leaves());
  }
}

TEST(Opt, takes_several_ranks_on_a_host_as_a_leaf_level) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("cores.txt", "0\n0\n1\n1\n2\n2\n3\n3\n");
  const Network cores = on("xgft:2;2,2;1,2", {.ranks = 8, .policy = "file:" + path});
  const auto tree = *populated_tree(cores);
  EXPECT_EQ(tree.children, (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(tree.leaf_of_rank, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(test::execute(build_schedule("opt", alltoall(8), &cores)).violation, "");
}

TEST(Opt, rejects_what_does_not_fit) {
  EXPECT_THROW(tree_exchange(alltoall(7), full_tree({4, 2})), InvalidInput);
  EXPECT_THROW(tree_exchange(schedule::allreduce(8), full_tree({4, 2})), InvalidInput);
  EXPECT_THROW(tree_exchange_destinations({4, 2}, {.levels = 3}), InvalidInput);
  EXPECT_THROW(tree_exchange_destinations({4, 2}, {.sigma = {1, 1}}), InvalidInput);
  EXPECT_THROW(tree_exchange_destinations({4, 2}, {.sigma = {1}}), InvalidInput);
  const Network tree = on("xgft:2;4,2;1,4"), torus = on("torus:4x2");
  EXPECT_TRUE(misfit(find_algorithm("opt"), {alltoall(8), &torus}));
  EXPECT_THROW(build_schedule("opt", alltoall(8), &tree, {.values = {{"levels", 3}}}),
               InvalidInput);
  EXPECT_THROW(build_schedule("opt", alltoall(8), &tree, {.values = {{"levels", -1}}}),
               InvalidInput);
  EXPECT_THROW(
      build_schedule("opt", alltoall(8), &tree, {.values = {{"sigma", std::vector<int>{1, 2, 3}}}}),
      InvalidInput);
  EXPECT_THROW(
      build_schedule("opt", alltoall(8), &tree, {.values = {{"sigma", std::vector<int>{2, 2}}}}),
      InvalidInput);
  EXPECT_THROW(build_schedule("lin", alltoall(8), &tree, {.values = {{"shift", 8}}}), InvalidInput);
  EXPECT_THROW(build_schedule("lin", alltoall(8), &tree, {.values = {{"shift", -1}}}),
               InvalidInput);
  EXPECT_THROW(build_schedule("xor", alltoall(12)), InvalidInput);
}

TEST(Sigma, is_a_list_of_numbers) {
  const Option& sigma = *find_option("sigma");
  EXPECT_EQ(sigma.read("3,1,2"), OptionValue(std::vector<int>{3, 1, 2}));
  EXPECT_EQ(sigma.read("1"), OptionValue(std::vector<int>{1}));
  for (const char* text : {"", "1,", ",1", "1;2", "2,3", "0,1", "1,1", "a"})
    EXPECT_THROW(sigma.read(text), InvalidInput) << text;
}

TEST(Lin, sends_to_the_source_plus_phase_plus_shift) {
  for (const std::int64_t shift : {0, 1, 5}) {
    const auto to = destinations(lin_exchange(alltoall(6), shift));
    for (int p = 0; p < 6; ++p)
      for (int s = 0; s < 6; ++s) EXPECT_EQ(to[p][s], (s + p + shift) % 6);
  }
}

TEST(Lin, keeps_the_own_block_in_an_all_to_all_alone) {
  EXPECT_EQ(lin_exchange(alltoall(6), 2).steps(), 6);
  EXPECT_EQ(lin_exchange(allgather(6), 2).steps(), 5);
  EXPECT_EQ(test::execute(lin_exchange(allgather(6), 2)).violation, "");
  EXPECT_EQ(test::execute(lin_exchange(schedule::reduce_scatter(6), 5)).violation, "");
}

TEST(Xor, sends_to_the_source_xor_the_phase) {
  const auto to = destinations(xor_exchange(alltoall(8)));
  for (int p = 0; p < 8; ++p)
    for (int s = 0; s < 8; ++s) EXPECT_EQ(to[p][s], s ^ p);
}

}  // namespace
}  // namespace weft::algorithm
