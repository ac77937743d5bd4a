// Line graphs of smaller graphs. The line graph of a graph of N nodes has d N nodes and a step
// more, and its T_B is at most T_B + 1/N; it is often less, since a root's own shard leaves room in
// one of the layers. That depends on the graph, so that every base as good as the best is tried.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// section 5.1.
#include <algorithm>
#include <map>
#include <numeric>

#include "source.hpp"
#include "weft/search/searched_catalogue.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {

namespace {

class LineSource : public Source {
 public:
  LineSource(const SearchOptions& options, const Finds& finds)
      : bases_(options),
        kernel_(finds.nodes(), finds.degree()),
        graph_{finds.nodes(), {}},
        every_node_(finds.nodes()) {
    graph_.rows.assign(finds.degree(), std::vector<Node>(finds.nodes()));
    std::iota(every_node_.begin(), every_node_.end(), Node{0});
    bases_.nodes = finds.nodes() / finds.degree();
    bases_.slices = kSlices;
    bases_.kinds = Kinds::symmetric;
    bases_.ties = Ties::accepted;
    bases_.known.clear();
    bases_.after_slice = {};
    for (const SearchResult& base : options.bases)
      if (base.nodes == bases_.nodes) bases_.known.push_back(base);
  }

  // The bases given, then in every slice what a short search finds that is no worse.
  void run(Rng rng, Finds& finds) override {
    if (!given_tried_)
      for (const SearchResult& base : bases_.known) attempt(base, finds);
    given_tried_ = true;
    bases_.seed = rng.next();
    std::map<std::pair<int, Rational>, std::vector<SearchResult>> found;  // by T_L and T_B
    const auto summary = search_graphs(bases_, [&](const SearchResult& base) {
      auto& equals = found[{base.steps, base.bandwidth_factor}];
      if (equals.size() < kMostEqual) equals.push_back(base);
      return true;
    });
    SearchedCatalogue front;
    for (const SearchResult& base : bases_.known) front.add(base);
    for (const SearchResult& base : summary.results) front.add(base);
    bases_.known = front.results();
    for (const SearchResult& best : bases_.known)
      for (const SearchResult& base : found[{best.steps, best.bandwidth_factor}])
        attempt(base, finds);
  }

 private:
  static constexpr std::int64_t kSlices = 32;
  static constexpr std::size_t kMostEqual = 64;

  void attempt(const SearchResult& base, Finds& finds) {
    const std::int64_t bound =
        units_per_shard(finds.degree()) / finds.degree() * std::int64_t{finds.nodes() - 1};
    if (!finds.targets().open(base.steps + 1, bound)) return;
    const Topology line = make_topology("line(" + base.expression + ")");
    for (const NodeId node : line.nodes()) {
      const auto links = line.in_links(node);
      for (std::size_t r = 0; r < links.size(); ++r)
        graph_.rows[r][node.index()] = static_cast<Node>(line.tail(links[r]).value());
    }
    finds.count(1);
    // Of a Cayley graph the links of the unit stand for all, and come first.
    std::span<const Node> roots = every_node_;
    if (base.how == "cayley") roots = roots.first(static_cast<std::size_t>(finds.degree()));
    if (const auto cost = kernel_.rooted(graph_, roots, finds.targets()))
      finds.offer(*cost, "line", [&] { return line.name(); });
  }

  SearchOptions bases_;
  CandidateKernel kernel_;
  InNeighbours graph_;
  std::vector<Node> every_node_;
  bool given_tried_ = false;
};

}  // namespace

void append_line_source(Sources& sources, const SearchOptions& options, const Finds& finds) {
  const int nodes = options.nodes / options.degree;
  if (options.direction == Direction::one_way && options.nodes % options.degree == 0 &&
      nodes > std::max(2, options.degree))
    sources.push_back(std::make_unique<LineSource>(options, finds));
}

}  // namespace weft::search
