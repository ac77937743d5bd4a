#include "weft/search/graph_search.hpp"

#include <algorithm>
#include <chrono>

#include "weft/base/error.hpp"
#include "weft/search/graph_search/source.hpp"

namespace weft::search {

namespace {

void check(const SearchOptions& options) {
  require(options.nodes >= 3 && options.nodes <= kMostNodes,
          "a graph search for {} nodes is out of range (needs 3 to {})", options.nodes, kMostNodes);
  require(options.degree >= 2 && options.degree <= kMostDegree,
          "a graph search of degree {} is out of range (needs 2 to {})", options.degree,
          kMostDegree);
  require(options.degree < options.nodes,
          "no simple graph of {} nodes has degree {} (needs at least {} nodes)", options.nodes,
          options.degree, options.degree + 1);
  require(options.direction == Direction::one_way || options.nodes * options.degree % 2 == 0,
          "no bidirectional graph has {} nodes of degree {} (the product is odd); change one "
          "of them",
          options.nodes, options.degree);
}

// Chooses the source of each slice: in even slices all take turns, in odd ones those that have
// found something of late.
class Turns {
 public:
  explicit Turns(std::size_t sources) : everyone_(sources) {
    for (std::size_t i = 0; i < sources; ++i) everyone_[i] = i;
  }

  bool empty() const { return everyone_.empty(); }

  std::size_t next(std::int64_t slice) {
    if (slice % 2 == 1 && !lucky_.empty())
      return lucky_[static_cast<std::size_t>(slice / 2) % lucky_.size()];
    position_ = (position_ + 1) % everyone_.size();
    return everyone_[position_];
  }

  void found(std::size_t source) {
    std::erase(lucky_, source);
    lucky_.push_back(source);
    if (lucky_.size() > kLucky) lucky_.erase(lucky_.begin());
  }

  void remove(std::size_t source) {
    std::erase(lucky_, source);
    std::erase(everyone_, source);
    if (!everyone_.empty()) position_ = (position_ + everyone_.size() - 1) % everyone_.size();
  }

 private:
  static constexpr std::size_t kLucky = 4;
  std::vector<std::size_t> everyone_, lucky_;
  std::size_t position_ = static_cast<std::size_t>(-1);
};

}  // namespace

int moore_steps(int nodes, int degree, Direction direction) {
  const std::int64_t growth = degree - (direction == Direction::bidirectional ? 1 : 0);
  std::int64_t layer = degree;
  std::int64_t reached = 1;
  int steps = 0;
  for (; reached < nodes; ++steps, layer *= growth) reached += layer;
  return steps;
}

int slice_size(int nodes, int degree) {
  WEFT_ASSERT(nodes >= 1 && degree >= 1);
  constexpr int kLinks = 1 << 20;
  return std::clamp(kLinks / (nodes * degree), 128, 4096);
}

Finds::Finds(const SearchOptions& options, OnResult on_result)
    : options_(options), on_result_(std::move(on_result)), targets_(no_targets()) {
  for (const SearchResult& known : options.known) {
    const Rational load =
        known.bandwidth_factor * Rational(nodes() * units_per_shard(degree()), degree());
    WEFT_ASSERT(load.denominator() == 1);
    targets_.improve({known.steps, load.numerator()});
  }
}

ParetoTargets Finds::no_targets() const {
  ParetoTargets none;
  if (options_.ties == Ties::accepted) none.accept_ties();
  return none;
}

bool Finds::offer(CandidateCost cost, const std::string& how,
                  const std::function<std::string()>& expression) {
  WEFT_ASSERT(cost.steps >= 1 && cost.load > 0);
  if (!targets_.improve(cost)) return false;
  SearchResult result{.expression = expression(),
                      .nodes = nodes(),
                      .degree = degree(),
                      .direction = direction(),
                      .steps = cost.steps,
                      .bandwidth_factor = search::bandwidth_factor(cost.load, nodes(), degree()),
                      .seed = options_.seed,
                      .slice = slice_,
                      .how = how};
  std::erase_if(results_, [&](const SearchResult& other) {
    return other.steps >= result.steps && other.bandwidth_factor >= result.bandwidth_factor;
  });
  if (options_.ties == Ties::refused && result.bandwidth_factor == Rational(nodes() - 1, nodes()) &&
      result.steps == moore_steps(nodes(), degree(), direction()))
    done_ = true;
  if (on_result_ && !on_result_(result)) done_ = true;
  results_.push_back(std::move(result));
  return true;
}

std::vector<SearchResult> Finds::front() const {
  std::vector<SearchResult> front = results_;
  std::sort(front.begin(), front.end(),
            [](const SearchResult& a, const SearchResult& b) { return a.steps < b.steps; });
  return front;
}

namespace {

SearchSummary run(Sources& sources, Finds& finds, const SearchOptions& options) {
  using Clock = std::chrono::steady_clock;
  constexpr double kForever = 1e9;
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(std::min(options.seconds, kForever)));
  Turns turns(sources.size());
  const Rng rng(options.seed);
  SearchSummary summary;
  while (!turns.empty() && !finds.done() && summary.slices < options.slices &&
         (summary.slices == 0 || Clock::now() < end)) {
    const std::size_t turn = turns.next(summary.slices);
    const auto before = finds.targets().front();
    finds.start_slice(summary.slices);
    sources[turn]->run(rng.split(static_cast<std::uint64_t>(summary.slices)), finds);
    if (finds.targets().front() != before) turns.found(turn);
    if (sources[turn]->exhausted()) turns.remove(turn);
    ++summary.slices;
    if (options.after_slice) options.after_slice();
  }
  summary.candidates = finds.candidates();
  summary.results = finds.front();
  return summary;
}

// Behind the most promising groups, where a short search comes too: by then a good symmetric graph
// refuses most random ones early.
void promote_last(Sources& sources) {
  constexpr std::size_t kPlace = 4;
  if (sources.size() > kPlace)
    std::rotate(sources.begin() + kPlace, sources.end() - 1, sources.end());
}

}  // namespace

SearchSummary search_graphs(const SearchOptions& options, const OnResult& on_result) {
  check(options);
  Finds finds(options, on_result);
  Sources sources;
  if (options.kinds != Kinds::derived) {
    append_cayley_sources(sources, finds);
    append_lift_sources(sources, finds);
  }
  if (options.kinds == Kinds::all || options.kinds == Kinds::fresh) {
    append_random_source(sources, finds);
    if (options.direction == Direction::bidirectional) promote_last(sources);
  }
  if (options.kinds == Kinds::all || options.kinds == Kinds::derived) {
    append_line_source(sources, options, finds);
    append_edit_sources(sources, options, finds);
  }
  return run(sources, finds, options);
}

}  // namespace weft::search
