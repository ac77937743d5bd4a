#include "weft/search/size_search.hpp"

#include <chrono>

#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/search/graph_search_kernel.hpp"

namespace weft::search {

std::int64_t size_search_rounds(int nodes) {
  constexpr int kFewNodes = 2000, kManyNodes = 4096;
  if (nodes <= kFewNodes) return 400;
  return nodes <= kManyNodes ? 250 : 60;
}

bool can_search(const SearchedSize& size) {
  if (size.nodes < 3 || size.nodes > kMostNodes || size.degree >= size.nodes) return false;
  const bool two_way = size.direction == Direction::bidirectional;
  if (size.degree < (two_way ? 3 : 2) || size.degree > kMostDegree) return false;
  return !two_way || size.nodes % 2 == 0 || size.degree % 2 == 0;
}

SizeSearch search_size(const SearchedSize& size, double time_limit_s) {
  WEFT_ASSERT(can_search(size));
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const std::int64_t rounds = size_search_rounds(size.nodes);
  Progress progress("searching", rounds);
  const SearchSummary found = search_graphs({.nodes = size.nodes,
                                             .degree = size.degree,
                                             .direction = size.direction,
                                             .seed = kSizeSearchSeed,
                                             .seconds = time_limit_s,
                                             .slices = rounds,
                                             .after_slice = [&] { progress.advance(); }});
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return {.results = found.results,
          .seconds = seconds,
          .complete = seconds < time_limit_s || found.slices >= rounds};
}

}  // namespace weft::search
