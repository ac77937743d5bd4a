#include "weft/algorithm/trees/populated_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

/// Leaves below a node of each level: 1, M_1, M_1 M_2, ...
std::vector<std::int64_t> leaves_below(const std::vector<int>& children) {
  std::vector<std::int64_t> below{1};
  for (const int m : children) below.push_back(checked_mul(below.back(), m));
  return below;
}

std::vector<std::int32_t> by_node(const std::vector<NodeId>& nodes) {
  std::vector<std::int32_t> ranks(nodes.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::ranges::stable_sort(ranks, {}, [&](std::int32_t rank) { return nodes[rank].value(); });
  return ranks;
}

/// Numbers the children of each node in which a rank is. Level 0 are the ranks of a host, level l
/// the children of a switch of level l of the xgft.
class Digits {
 public:
  explicit Digits(const std::vector<int>& children)
      : below_(leaves_below(children)), digit_(children.size() + 1, 0), most_(digit_) {}

  /// The next rank in host order.
  void add(std::int64_t host) {
    if (previous_) {
      std::size_t level = 0;  // the lowest at which both hosts are below one node
      while (*previous_ / below_[level] != host / below_[level]) ++level;
      ++digit_[level];
      std::fill_n(digit_.begin(), level, 0);
    }
    previous_ = host;
    for (std::size_t i = 0; i < digit_.size(); ++i) most_[i] = std::max(most_[i], digit_[i]);
    digits_.insert(digits_.end(), digit_.begin(), digit_.end());
  }

  /// The tree of the greatest digits, and the leaves of the ranks in the order they were added.
  PopulatedTree tree() const {
    PopulatedTree tree;
    for (const int digit : most_) tree.children.push_back(digit + 1);
    const auto below = leaves_below(tree.children);
    require(below.back() <= std::numeric_limits<std::int32_t>::max(),
            "{} leaves are too many for a tree of ranks (at most 2^31 - 1)", below.back());
    for (std::size_t first = 0; first < digits_.size(); first += digit_.size()) {
      std::int64_t leaf = 0;
      for (std::size_t i = 0; i < digit_.size(); ++i) leaf += digits_[first + i] * below[i];
      tree.leaf_of_rank.push_back(static_cast<std::int32_t>(leaf));
    }
    if (tree.children.front() == 1) tree.children.erase(tree.children.begin());
    return tree;
  }

 private:
  std::vector<std::int64_t> below_;
  std::vector<int> digit_, most_;  // of the last rank, and the greatest of all
  std::vector<int> digits_;        // of all ranks, digit_.size() of each
  std::optional<std::int64_t> previous_;
};

}  // namespace

std::int64_t PopulatedTree::leaves() const {
  return leaves_below(children).back();
}

std::optional<PopulatedTree> populated_tree(const Network& network) {
  const auto xgft = topology::as_xgft(network.topology());
  if (!xgft) return std::nullopt;
  const auto& nodes = network.placement().nodes;  // host i is node i
  const auto ranks = by_node(nodes);
  Digits digits(xgft->children);
  for (const std::int32_t rank : ranks) digits.add(nodes[rank].value());
  PopulatedTree tree = digits.tree();
  std::vector<std::int32_t> leaf_of_rank(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) leaf_of_rank[ranks[i]] = tree.leaf_of_rank[i];
  tree.leaf_of_rank = std::move(leaf_of_rank);
  return tree;
}

}  // namespace weft::algorithm
