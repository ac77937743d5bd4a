#include "weft/search/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "weft/search/finder.hpp"
#include "weft/search/finder/cayley_samples.hpp"
#include "weft/search/finder/circulants.hpp"
#include "weft/search/graph_search_kernel.hpp"
#include "weft/search/searched_catalogue.hpp"

namespace weft::search {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kCayleySets = 8;  // of each group

// A larger graph costs more to try, so fewer are.
std::int64_t slices_for(int nodes) {
  constexpr int kFewNodes = 4096;
  return nodes <= kFewNodes ? 32 : 16;
}

std::int64_t circulants_for(int nodes) {
  constexpr std::int64_t kNodesTried = 10'000'000;
  return std::clamp<std::int64_t>(kNodesTried / nodes, 100, 600);
}

void add_circulants(int nodes, int degree, SearchedCatalogue& known) {
  const Rng rng = Rng(kSeed).split(static_cast<std::uint64_t>(degree));
  for (const CirculantCost& cost : best_circulants(nodes, degree, circulants_for(nodes),
                                                   rng.split(static_cast<std::uint64_t>(nodes))))
    known.add({.expression = fmt::format("circulant:{},{}", nodes, fmt::join(cost.jumps, ",")),
               .nodes = nodes,
               .degree = degree,
               .direction = Direction::bidirectional,
               .steps = cost.steps,
               .bandwidth_factor = cost.load * Rational(degree, nodes),
               .seed = kSeed,
               .how = "circulant"});
}

}  // namespace

std::vector<SearchResult> sampled_graphs(int nodes, int degree) {
  const bool possible = degree >= kLeastSampledDegree && degree <= kMostSampledDegree &&
                        nodes > degree && nodes <= kMostFinderNodes &&
                        std::int64_t{nodes} * degree % 2 == 0;
  if (!possible) return {};
  SearchedCatalogue known;
  add_circulants(nodes, degree, known);
  if (nodes > kMostNodes)
    for (SearchResult found : best_cayley_graphs(nodes, degree, kCayleySets,
                                                 Rng(kSeed)
                                                     .split(static_cast<std::uint64_t>(degree))
                                                     .split(std::uint64_t(nodes) + 1))) {
      found.seed = kSeed;
      known.add(found);
    }
  if (nodes <= kMostNodes && degree <= kMostDegree) {
    SearchOptions options{.nodes = nodes,
                          .degree = degree,
                          .direction = Direction::bidirectional,
                          .seed = kSeed,
                          .seconds = std::numeric_limits<double>::infinity(),
                          .slices = slices_for(nodes),
                          .kinds = Kinds::fresh,
                          .known = known.results()};
    for (const SearchResult& found : search_graphs(options).results) known.add(found);
  }
  return known.results();
}

}  // namespace weft::search
