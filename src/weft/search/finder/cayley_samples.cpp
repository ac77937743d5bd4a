// Circulants of d jumps reach no further than N^(2/d) steps; a group whose elements do not commute
// gives steps near the Moore bound's logarithm, and a hundred thousand nodes are costed in
// milliseconds, since the network looks alike from every node: the links that bring a block from x
// are the last letters of the shortest words for x, which a breadth-first search from the unit
// collects.
#include "cayley_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "../graph_search/groups.hpp"
#include "fair_share.hpp"
#include "weft/search/searched_catalogue.hpp"

namespace weft::search {

namespace {

constexpr std::size_t kGroupsTried = 6;

using Elements = std::vector<Group::Element>;

class Coster {
 public:
  Coster(const Group& group, int degree)
      : group_(group),
        share_(degree),
        level_(static_cast<std::size_t>(group.order())),
        links_(static_cast<std::size_t>(group.order())) {}

  /// Steps; 0 when the generators do not reach all nodes.
  int search(const Elements& generators) {
    std::vector<std::vector<Group::Element>> rows;
    for (const Group::Element generator : generators) {
      const auto row = group_.right_translation(generator);
      rows.emplace_back(row.begin(), row.end());
    }
    std::fill(level_.begin(), level_.end(), -1);
    std::fill(links_.begin(), links_.end(), 0U);
    queue_.assign(1, 0);
    level_[0] = 0;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const auto x = static_cast<std::size_t>(queue_[next]);
      for (std::size_t link = 0; link < rows.size(); ++link)
        reach(rows[link][x], level_[x] + 1, 1U << link);
    }
    return std::ssize(queue_) < std::ssize(level_) ? 0 : level_of(queue_.size() - 1);
  }

  /// Of the last search: the fullest link's load, summed over the steps.
  Rational load() {
    Rational result;
    for (std::size_t first = 1; first < queue_.size();) {
      std::map<std::uint32_t, std::int32_t> counts;
      for (const int level = level_of(first); first < queue_.size() && level_of(first) == level;
           ++first)
        ++counts[links_[static_cast<std::size_t>(queue_[first])]];
      std::vector<Demand> demands;
      for (const auto& [links, count] : counts) demands.push_back({links, count});
      result += share_.raise(0, demands);
    }
    return result;
  }

 private:
  int level_of(std::size_t place) const { return level_[static_cast<std::size_t>(queue_[place])]; }

  void reach(Group::Element element, int distance, std::uint32_t link) {
    const auto x = static_cast<std::size_t>(element);
    if (level_[x] < 0) {
      level_[x] = distance;
      queue_.push_back(element);
    }
    if (level_[x] == distance) links_[x] |= link;
  }

  const Group& group_;
  FairShare share_;
  std::vector<int> level_;
  std::vector<std::uint32_t> links_;  // usable last links, by node
  Elements queue_;
};

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
    return !involutions.empty() &&
           take(involutions[static_cast<std::size_t>(rng.below(std::ssize(involutions)))]);
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
    Coster coster(groups[i], degree);
    const Elements involutions = involutions_of(groups[i]);
    Rng stream = rng.split(i);
    for (int set = 0; set < sets; ++set) {
      const Elements generators = draw_generators(groups[i], involutions, degree, stream);
      const int steps = generators.empty() ? 0 : coster.search(generators);
      if (steps == 0) continue;
      front.add({.expression = text_of(groups[i], generators),
                 .nodes = nodes,
                 .degree = degree,
                 .direction = Direction::bidirectional,
                 .steps = steps,
                 .bandwidth_factor = coster.load() * Rational(degree, nodes),
                 .how = "cayley"});
    }
  }
  return front.results();
}

}  // namespace weft::search
