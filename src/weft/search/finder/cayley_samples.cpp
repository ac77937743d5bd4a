// Circulants of d jumps reach no further than N^(2/d) steps; a group whose elements do not commute
// gives steps near the Moore bound's logarithm, and a hundred thousand nodes are costed in
// milliseconds, since the network looks alike from every node.
#include "cayley_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../graph_search/groups.hpp"
#include "rooted_cost.hpp"
#include "weft/search/searched_catalogue.hpp"

namespace weft::search {

namespace {

constexpr std::size_t kGroupsTried = 6;

using Elements = std::vector<Group::Element>;

/// Steps; 0 when the generators do not reach all nodes.
int search(RootedCost& cost, const Group& group, const Elements& generators) {
  std::vector<std::vector<int>> rows;
  for (const Group::Element generator : generators) {
    const auto row = group.right_translation(generator);
    rows.emplace_back(row.begin(), row.end());
  }
  return cost.search(group.order(), [&](int x, auto&& visit) {
    for (std::size_t link = 0; link < rows.size(); ++link)
      visit(rows[link][x], static_cast<int>(link));
  });
}

Elements involutions_of(const Group& group) {
  Elements result;
  for (Group::Element x = 1; x < group.order(); ++x)
    if (group.inverse(x) == x) result.push_back(x);
  return result;
}

// Different elements with their inverses: one that is its own where the degree is odd, and two such
// in place of a pair now and then (a dihedral group needs them). Empty where chance drew too few.
Elements draw_generators(const Group& group, const Elements& involutions, int degree, Rng& rng) {
  constexpr int kTries = 1000;
  Elements result;
  const auto take = [&](Group::Element x) {
    const bool fresh = x != 0 && std::ranges::find(result, x) == result.end();
    if (fresh) result.push_back(x);
    return fresh;
  };
  const auto take_involution = [&] {
    return !involutions.empty() && take(involutions[rng.below(std::ssize(involutions))]);
  };
  for (int i = 0; i < kTries && static_cast<int>(result.size()) < degree; ++i) {
    if ((degree - result.size()) % 2 == 1 || rng.below(4) == 0) {
      take_involution();
      continue;
    }
    const auto x = static_cast<Group::Element>(rng.below(group.order()));
    if (group.inverse(x) != x && take(x)) result.push_back(group.inverse(x));
  }
  if (static_cast<int>(result.size()) < degree) return {};
  std::ranges::sort(result);
  return result;
}

std::string text_of(const Group& group, const Elements& generators) {
  std::string text = "cayley:" + group.text() + ";";
  for (std::size_t i = 0; i < generators.size(); ++i)
    text += (i == 0 ? "" : ",") + group.to_text(generators[i]);
  return text;
}

}  // namespace

std::vector<SearchResult> best_cayley_graphs(int nodes, int degree, int sets, Rng rng) {
  std::vector<Group> groups = groups_of_order(nodes);
  std::erase_if(groups, [&](const Group& g) { return g.text() == fmt::format("Z{}", nodes); });
  if (groups.size() > kGroupsTried) groups.resize(kGroupsTried);
  SearchedCatalogue front;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    RootedCost cost(nodes, degree);
    const Elements involutions = involutions_of(groups[i]);
    Rng stream = rng.split(i);
    for (int set = 0; set < sets; ++set) {
      const Elements generators = draw_generators(groups[i], involutions, degree, stream);
      const int steps = generators.empty() ? 0 : search(cost, groups[i], generators);
      if (steps == 0) continue;
      front.add({.expression = text_of(groups[i], generators),
                 .nodes = nodes,
                 .degree = degree,
                 .direction = Direction::bidirectional,
                 .steps = steps,
                 .bandwidth_factor = cost.load() * Rational(degree, nodes),
                 .how = "cayley"});
    }
  }
  return front.results();
}

}  // namespace weft::search
