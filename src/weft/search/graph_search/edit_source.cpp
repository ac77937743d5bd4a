// Edited graphs, for the orders that have no suitable group: good graphs of a few nodes less with
// nodes spliced into their links, and generalized Kautz digraphs with the heads of some links
// exchanged, their self-loops' first of all, which carry nothing.
//
// A hill climb: one cut or exchange is changed at a time, and the change stays when it is no worse.
// An edit leaves no symmetry, so that a candidate takes a search from every node; but those near
// the edits come first and refuse most candidates.
#include <algorithm>

#include "edited_graph.hpp"
#include "source.hpp"
#include "weft/topology/families/kautz.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {

namespace {

class Climber {
 public:
  Climber(Topology base, int added, const Finds& finds)
      : graph_(std::move(base), added),
        kernel_(graph_.nodes(), graph_.degree()),
        cabled_(graph_.base().cable_count() < graph_.base().link_count()) {
    kernel_.set_growth(finds.growth());
    start_.cuts.resize(added);
  }

  /// Candidates begin with these exchanges.
  void start_with(std::vector<std::pair<int, int>> exchanges) {
    start_.exchanges = std::move(exchanges);
  }

  /// Whether the base has links for all cuts, and one more to change to.
  bool has_room() const { return start_.cuts.size() * links_cut() < cables(); }

  /// Takes turns with a descent towards `steps`, down the number of pairs that are further apart;
  /// for a base that has no more steps itself.
  void descend_to(int steps) { descent_.steps = steps; }

  void attempt(Rng& rng, const std::string& how, Finds& finds) {
    finds.count(1);
    if (descent_.steps > 0 && rng.below(2) == 0) {
      descend(rng, how, finds);
      return;
    }
    const bool fresh = best_.empty() || (!start_.cuts.empty() && rng.below(8) == 0);
    const Edits edits = fresh ? draw(rng) : change(pick(rng).edits, rng);
    if (graph_.apply(edits)) cost(edits, how, finds);
  }

 private:
  struct Best {
    CandidateCost cost;
    Edits edits;
  };

  struct Descent {
    int steps = 0;  // 0: none
    std::int64_t far = INT64_MAX / 2;
    Edits edits;
  };

  // Costs the edited graph that stands in graph_.
  void cost(const Edits& edits, const std::string& how, Finds& finds) {
    const auto cost = kernel_.rooted(graph_.rows(), graph_.roots(), own_);
    if (!cost) return;
    finds.offer(*cost, how, [&] { return graph_.text(edits); });
    own_.improve({cost->steps, cost->load + 1});  // as good is good enough, to cross plains
    std::erase_if(best_, [&](const Best& best) {
      return best.cost.steps >= cost->steps && best.cost.load >= cost->load;
    });
    best_.push_back({*cost, edits});
  }

  void descend(Rng& rng, const std::string& how, Finds& finds) {
    const Edits edits = descent_.edits.cuts.empty() ? draw(rng) : change(descent_.edits, rng);
    if (!graph_.apply(edits)) return;
    const std::int64_t far =
        kernel_.far_pairs(graph_.rows(), graph_.roots(), descent_.steps, descent_.far);
    if (far > descent_.far) return;
    descent_.far = far;
    descent_.edits = edits;
    if (far > 0) return;
    cost(edits, how, finds);
    descent_.steps = 0;  // from here the climb goes on
  }

  std::size_t cables() const { return static_cast<std::size_t>(graph_.base().cable_count()); }

  // Whether so many links are left that the edits do not name.
  bool has_free(const Edits& edits, std::size_t count) const {
    std::size_t named = 2 * edits.exchanges.size();
    for (const auto& cut : edits.cuts) named += cut.size();
    return named + count <= cables();
  }

  // A link that the edits do not name, by the lower of its cable's two. Precondition: there is one.
  int draw_link(const Edits& edits, Rng& rng) const {
    for (;;) {
      const LinkId link(static_cast<std::int32_t>(rng.below(graph_.base().link_count())));
      const auto reverse = graph_.base().reverse(link);
      const LinkId lower = reverse && *reverse < link ? *reverse : link;
      if (!edits.touches(lower.value())) return lower.value();
    }
  }

  std::size_t links_cut() const {
    return static_cast<std::size_t>(cabled_ ? graph_.degree() / 2 : graph_.degree());
  }

  Edits draw(Rng& rng) const {
    Edits edits = start_;
    for (auto& cut : edits.cuts)
      while (cut.size() < links_cut()) cut.push_back(draw_link(edits, rng));
    return edits;
  }

  Edits change(Edits edits, Rng& rng) const {
    const bool cut = !edits.cuts.empty() && (cabled_ || rng.below(4) != 0);
    if (cut && has_free(edits, 1)) {
      auto& links = edits.cuts[index(edits.cuts.size(), rng)];
      const int other = draw_link(edits, rng);
      links[index(links.size(), rng)] = other;
    } else if (!cut) {
      change_exchange(edits, rng);
    }
    return edits;
  }

  // One more exchange, one less, or another partner.
  void change_exchange(Edits& edits, Rng& rng) const {
    constexpr std::size_t kMost = 64;
    const auto kind = edits.exchanges.empty() ? 0 : rng.below(4);
    if (kind == 0 && edits.exchanges.size() < kMost && has_free(edits, 2)) {
      const int a = draw_link(edits, rng);
      int b = a;
      while (b == a) b = draw_link(edits, rng);
      edits.exchanges.emplace_back(a, b);
    } else if (kind == 1) {
      edits.exchanges.erase(edits.exchanges.begin() +
                            static_cast<std::ptrdiff_t>(index(edits.exchanges.size(), rng)));
    } else if (!edits.exchanges.empty() && has_free(edits, 1)) {
      const int other = draw_link(edits, rng);
      edits.exchanges[index(edits.exchanges.size(), rng)].second = other;
    }
  }

  static std::size_t index(std::size_t count, Rng& rng) {
    return static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(count)));
  }

  const Best& pick(Rng& rng) const { return best_[index(best_.size(), rng)]; }

  EditedGraph graph_;
  CandidateKernel kernel_;
  bool cabled_;  // the base may be, even of a one-way search
  Edits start_;
  Descent descent_;
  ParetoTargets own_;
  std::vector<Best> best_;
};

int edit_slice_size(int nodes) {
  return std::clamp((1 << 20) / (nodes * nodes), 4, 256);
}

// The best symmetric graphs of N - added nodes, with nodes spliced in.
class SpliceSource : public Source {
 public:
  SpliceSource(int added, const SearchOptions& options) : added_(added), options_(options) {}

  void run(Rng rng, Finds& finds) override {
    if (climbers_.empty() && !exhausted_) find_bases(finds);
    if (climbers_.empty()) return;
    for (int i = edit_slice_size(finds.nodes()); i > 0; --i)
      climbers_[rng.below(static_cast<std::int64_t>(climbers_.size()))]->attempt(rng, "splice",
                                                                                 finds);
  }

  bool exhausted() const override { return exhausted_; }

 private:
  void find_bases(const Finds& finds) {
    for (const SearchResult& base : bases()) {
      Topology graph = make_topology(base.expression);
      const bool cabled = graph.cable_count() < graph.link_count();
      if (cabled && finds.degree() % 2 != 0) continue;  // a node takes whole cables
      auto climber = std::make_unique<Climber>(std::move(graph), added_, finds);
      if (!climber->has_room()) continue;
      climbers_.push_back(std::move(climber));
      const int wanted = 1 + moore_steps(finds.nodes(), finds.degree(), finds.direction());
      if (base.steps <= wanted) climbers_.back()->descend_to(wanted);
    }
    exhausted_ = climbers_.empty();
  }

  // Those given, without edits of their own, or what a short search finds.
  std::vector<SearchResult> bases() const {
    constexpr std::int64_t kSlices = 48;
    std::vector<SearchResult> given;
    for (const SearchResult& base : options_.bases)
      if (base.nodes == options_.nodes - added_ && (base.how == "cayley" || base.how == "lift"))
        given.push_back(base);
    if (!given.empty()) return given;
    SearchOptions smaller = options_;
    smaller.nodes -= added_;
    smaller.slices = kSlices;
    smaller.kinds = Kinds::symmetric;
    smaller.known.clear();
    smaller.after_slice = {};
    return search_graphs(smaller).results;
  }

  int added_;
  SearchOptions options_;
  bool exhausted_ = false;
  std::vector<std::unique_ptr<Climber>> climbers_;
};

class ExchangeSource : public Source {
 public:
  explicit ExchangeSource(const Finds& finds)
      : climber_(topology::generalized_kautz(finds.degree(), finds.nodes()), 0, finds) {
    climber_.start_with(rewired_loops(topology::generalized_kautz(finds.degree(), finds.nodes())));
  }

  void run(Rng rng, Finds& finds) override {
    for (int i = edit_slice_size(finds.nodes()); i > 0; --i)
      climber_.attempt(rng, "exchange", finds);
  }

 private:
  // Self-loops exchange heads with one another, the last of an odd number with a link elsewhere.
  static std::vector<std::pair<int, int>> rewired_loops(const Topology& graph) {
    std::vector<int> loops;  // at most one a node, since a node's links lead to different nodes
    for (const LinkId link : graph.links())
      if (graph.tail(link) == graph.head(link)) loops.push_back(link.value());
    if (loops.size() % 2 == 1) {
      const NodeId node = graph.tail(LinkId(loops.back()));
      for (const LinkId link : graph.links()) {
        const NodeId tail = graph.tail(link), head = graph.head(link);
        if (tail == head || graph.find_link(node, head) || graph.find_link(tail, node)) continue;
        loops.push_back(link.value());
        break;
      }
    }
    std::vector<std::pair<int, int>> exchanges;
    for (std::size_t i = 0; i + 1 < loops.size(); i += 2)
      exchanges.emplace_back(loops[i], loops[i + 1]);
    return exchanges;
  }

  Climber climber_;
};

}  // namespace

void append_edit_sources(Sources& sources, const SearchOptions& options, const Finds& finds) {
  constexpr int kMostAdded = 4;
  for (int added = 1; added <= kMostAdded; ++added) {
    const int nodes = options.nodes - added;
    if (options.direction == Direction::bidirectional && options.degree % 2 != 0) break;
    if (nodes > options.degree) sources.push_back(std::make_unique<SpliceSource>(added, options));
  }
  if (options.direction == Direction::one_way)
    sources.push_back(std::make_unique<ExchangeSource>(finds));
}

}  // namespace weft::search
