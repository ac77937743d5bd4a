// OPT: the exchange in phases that crosses no level of a fat tree more often than it must.
//
// A phase is a permutation of the leaves. Of the Pi_L phases a leaf below a node of level l spends
// Pi_l inside its subtree, so that some phase sends at least ceil(Pi_l (1 - Pi_l / Pi_L)) messages
// up from the node. LIN and XOR keep whole subtrees inside in some phases, and send all out in
// others. To spread them evenly, let the *lowest* digits of the source and of the phase choose the
// *topmost* subtree of the destination: neighbouring leaves then choose different subtrees in the
// same phase, and one leaf different ones in neighbouring phases. Those below a node of level l
// that stay inside are the leaves with one remainder modulo Pi_L / Pi_l, and consecutive numbers
// have either all the same number of these or one more: the bound is met at every level at once.
//
// Arithmetic: writing x's digits the other way round, D(x), the destination is the sum without
// carries D(s) + D(p) in base (M_1, ..., M_L). With other sigmas D permutes the digits by sigma;
// with fewer levels the lower ones are one digit.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/exchange/permutation_exchange.hpp"
#include "weft/algorithm/phases.hpp"
#include "weft/base/checked.hpp"

namespace weft::algorithm {

namespace {

using schedule::Collective;

constexpr CountOption kLevels{{.name = "levels",
                               .what = "Number of topmost tree levels that opt distinguishes",
                               .otherwise = "all"}};
constexpr TypedOption<std::vector<int>> kSigma{{.name = "sigma",
                                                .what = "Order of opt's digits",
                                                .type = Option::Type::permutation,
                                                .otherwise = "from the top down"}};

/// The tree's digits after those below the topmost `levels` have been made one.
std::vector<std::int64_t> digits_of(const std::vector<int>& children,
                                    const std::optional<int>& levels) {
  const auto depth = static_cast<int>(children.size());
  const int kept = levels.value_or(depth);
  require(kept >= 0 && kept <= depth, "{} levels are out of range for a tree of {} (0 to {})", kept,
          depth, depth);
  const auto first_kept = children.begin() + (depth - kept);
  std::vector<std::int64_t> bases;
  if (kept < depth)
    bases.push_back(
        std::accumulate(children.begin(), first_kept, std::int64_t{1}, std::multiplies<>()));
  for (auto child = first_kept; child != children.end(); ++child) bases.push_back(*child);
  return bases;
}

/// Indices sigma(k) - 1.
std::vector<std::size_t> order_of(const std::vector<int>& sigma, std::size_t digits) {
  std::vector<std::size_t> order(digits);
  if (sigma.empty()) {
    std::iota(order.rbegin(), order.rend(), 0);
    return order;
  }
  std::vector<int> sorted = sigma, wanted(digits);
  std::ranges::sort(sorted);
  std::iota(wanted.begin(), wanted.end(), 1);
  require(sorted == wanted, "sigma {} is not a permutation of 1 to {}, the digits of the tree",
          fmt::join(sigma, ","), digits);
  std::ranges::transform(sigma, order.begin(),
                         [](int k) { return static_cast<std::size_t>(k - 1); });
  return order;
}

class VariableBase {
 public:
  VariableBase(const std::vector<int>& children, const TreeExchangeOptions& options)
      : bases_(digits_of(children, options.levels)) {
    const auto order = order_of(options.sigma, bases_.size());
    std::vector<std::int64_t> weights(bases_.size(), 1);
    for (std::size_t i = 1; i < bases_.size(); ++i) weights[i] = weights[i - 1] * bases_[i - 1];
    leaves_ = std::accumulate(bases_.begin(), bases_.end(), std::int64_t{1}, std::multiplies<>());
    permuted_.resize(leaves_);
    for (std::int64_t x = 0; x < leaves_; ++x) {
      std::int64_t rest = x, image = 0;
      for (const std::size_t digit : order) {
        image += rest % bases_[digit] * weights[digit];
        rest /= bases_[digit];
      }
      permuted_[x] = image;
    }
  }

  std::int64_t leaves() const { return leaves_; }

  std::int64_t destination(std::int64_t source, std::int64_t phase) const {
    return add(permuted_[source], permuted_[phase]);
  }

 private:
  /// The sum of all digits without carries.
  std::int64_t add(std::int64_t a, std::int64_t b) const {
    std::int64_t sum = 0, weight = 1;
    for (const std::int64_t base : bases_) {
      sum += (a % base + b % base) % base * weight;
      a /= base;
      b /= base;
      weight *= base;
    }
    return sum;
  }

  std::vector<std::int64_t> bases_;
  std::int64_t leaves_ = 1;
  std::vector<std::int64_t> permuted_;
};

std::optional<std::string> tree_misfit(const Context& context) {
  const auto tree = context.network == nullptr ? std::nullopt : populated_tree(*context.network);
  if (!tree) return "it follows the tree of an xgft or fat-tree network";
  const auto depth = static_cast<int>(tree->children.size());
  const std::int64_t levels = kLevels.given(context.options).value_or(depth);
  if (levels > depth) return fmt::format("the tree has {} levels, not {}", depth, levels);
  const auto sigma = kSigma.given(context.options);
  const auto digits = std::min<std::int64_t>(levels + 1, depth);
  if (sigma && std::ssize(*sigma) != digits)
    return fmt::format("sigma has {} numbers for {} digits", sigma->size(), digits);
  return std::nullopt;
}

}  // namespace

Schedule tree_exchange(const Collective& collective, const PopulatedTree& tree,
                       const TreeExchangeOptions& options) {
  require(std::ssize(tree.leaf_of_rank) == collective.ranks,
          "{} ranks do not match the {} of the tree", collective.ranks, tree.leaf_of_rank.size());
  const VariableBase base(tree.children, options);
  std::vector<std::int32_t> rank_of_leaf(base.leaves(), -1);
  for (std::int32_t rank = 0; rank < collective.ranks; ++rank)
    rank_of_leaf[tree.leaf_of_rank[rank]] = rank;
  Phases phases(collective, {.algorithm = "opt"});
  for (std::int64_t p = 0; p < base.leaves(); ++p) {
    for (std::int32_t rank = 0; rank < collective.ranks; ++rank) {
      const std::int64_t to = base.destination(tree.leaf_of_rank[rank], p);
      if (const std::int32_t peer = rank_of_leaf[to]; peer >= 0) phases.send(rank, peer);
    }
    phases.next();
  }
  return std::move(phases).build();
}

Algorithm opt_entry() {
  return {
      .name = "opt",
      .aliases = {},
      .summary = "The phases cross each level of a fat tree as rarely as possible",
      .source =
          "Prisacari, Rodriguez, Minkenberg, Hoefler, Bandwidth-optimal All-to-all Exchanges in "
          "Fat Tree Networks, 2013",
      .collectives = kPhasedCollectives,
      .options = {kLevels, kSigma},
      .misfit = tree_misfit,
      .build =
          [](const Context& context) {
            return tree_exchange(
                context.collective, *populated_tree(*context.network),
                {.levels = kLevels.given(context.options),
                 .sigma = kSigma.given(context.options).value_or(std::vector<int>{})});
          },
      .pair_messages = PairMessages::in_steps,
  };
}

}  // namespace weft::algorithm
