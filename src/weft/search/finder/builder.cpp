#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <tuple>

#include "catalogue_data.hpp"
#include "circulants.hpp"
#include "traits.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/random.hpp"
#include "weft/search/graph_search_kernel.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {

namespace {

constexpr int kPiece = 100;  // sizes between two writings of a file
constexpr int kMostMaskedDegree = 16;

std::string path_in(const std::string& folder, const char* name) {
  return (std::filesystem::path(folder) / name).string();
}

// Calls work(first, last) for the sizes up to `nodes`, piece by piece.
template <class Work>
void by_pieces(int nodes, const Work& work) {
  for (int first = 2; first <= nodes; first += kPiece)
    work(first, std::min(first + kPiece - 1, nodes));
}

class Builder {
 public:
  using Tell = std::function<void(const std::string&)>;
  Builder(const std::string& folder, const BuildOptions& options, const Tell& tell)
      : genkautz_file_(path_in(folder, "genkautz.csv")),
        bases_file_(path_in(folder, "bases.csv")),
        searched_file_(path_in(folder, "searched.csv")),
        traits_file_(path_in(folder, "searched_traits.csv")),
        options_(options),
        tell_(tell) {
    require_writable(genkautz_file_);
    require_writable(bases_file_);
    if (is_there(genkautz_file_)) costs_ = read_genkautz_costs(read_file(genkautz_file_));
    if (is_there(bases_file_)) entries_ = read_bases(read_file(bases_file_));
  }

  void run() {
    small_families();
    searched_traits();
    for (const int degree : options_.degrees) {
      require(degree >= 2 && degree <= kMostMaskedDegree,
              "degree {} is out of range for the catalogue (needs 2 to {})", degree,
              kMostMaskedDegree);
      by_pieces(options_.nodes, [&](int first, int last) { genkautz(degree, first, last); });
      if (degree >= 6 && degree % 2 == 0)
        by_pieces(options_.nodes, [&](int first, int last) { circulants(degree, first, last); });
    }
  }

 private:
  void genkautz(int degree, int first, int last) {
    std::set<int> known;
    for (const GenKautzCost& cost : costs_)
      if (cost.degree == degree) known.insert(cost.nodes);
    std::vector<int> missing;
    for (int n = std::max(first, degree + 1); n <= last; ++n)
      if (!known.contains(n)) missing.push_back(n);
    if (missing.empty()) return;
    const std::size_t before = costs_.size();
    costs_.resize(before + missing.size());
    const Ways ways = 2 * degree <= kMostMaskedDegree ? Ways::both : Ways::one;
    parallel_for(static_cast<std::int64_t>(missing.size()), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      costs_[before + at] = genkautz_cost(degree, missing[at], ways);
    });
    std::sort(costs_.begin(), costs_.end(), [](const GenKautzCost& a, const GenKautzCost& b) {
      return std::tie(a.degree, a.nodes) < std::tie(b.degree, b.nodes);
    });
    write_file(genkautz_file_, genkautz_text(costs_));
    tell_(fmt::format("genkautz:{},{}..{}", degree, first, last));
  }

  void circulants(int degree, int first, int last) {
    std::vector<int> missing;
    for (int n = std::max(first, degree + 2); n <= last; ++n)
      if (!has_circulant(n, degree)) missing.push_back(n);
    if (missing.empty()) return;
    std::vector<std::vector<CirculantCost>> found(missing.size());
    const Rng rng = Rng(options_.seed).split(static_cast<std::uint64_t>(degree));
    parallel_for(static_cast<std::int64_t>(missing.size()), [&](std::int64_t i) {
      const int n = missing[i];
      found[i] =
          best_circulants(n, degree, options_.candidates, rng.split(static_cast<std::uint64_t>(n)));
    });
    for (std::size_t i = 0; i < missing.size(); ++i)
      for (const CirculantCost& cost : found[i]) entries_.push_back(entry_of(missing[i], cost));
    write_bases();
    tell_(fmt::format("circulants of {} jumps, {}..{}", degree / 2, first, last));
  }

  bool has_circulant(int nodes, int degree) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const CatalogueEntry& entry) {
      return entry.facts.nodes == nodes && entry.facts.degree == degree &&
             entry.expression.starts_with("circulant:");
    });
  }

  CatalogueEntry entry_of(int nodes, const CirculantCost& cost) const {
    const auto degree = static_cast<int>(2 * cost.jumps.size());
    CatalogueEntry entry{fmt::format("circulant:{},{}", nodes, fmt::join(cost.jumps, ",")),
                         {.nodes = nodes,
                          .degree = degree,
                          .steps = cost.steps,
                          .bandwidth_factor = cost.load * Rational(degree, nodes),
                          .branching = true,
                          .bfb = true,
                          .reversible = true,
                          .tight = true},
                         true,
                         fmt::format("computed: best of {} sets of jumps, seed {}",
                                     options_.candidates, options_.seed)};
    return entry;
  }

  // Twisted hypercubes and de Bruijn networks, costed from every node.
  void small_families() {
    for (int n = 3; n <= kMostDegree && 1 << n <= options_.nodes; ++n)
      add_measured(fmt::format("twisted-hypercube:{}", n),
                   {.branching = true, .bfb = true, .reversible = true, .tight = true}, true);
    for (int d = 2; d <= kMostDegree; ++d)
      for (int k = 2, n = d * d; n <= options_.nodes; ++k, n *= d)
        add_measured(fmt::format("debruijn:{},{}", d, k),
                     {.loops = true, .branching = true, .bfb = true}, false);
    for (const int q : {3, 4, 5, 7, 8, 9}) add_slimfly(q);
    write_bases();
    tell_("twisted hypercubes, de Bruijn networks and Slim Flies");
  }

  // The graphs of McKay, Miller and Siran, of diameter 2.
  void add_slimfly(int q) {
    const std::string expression = fmt::format("slimfly:{}", q);
    if (2 * q * q > options_.nodes || has(expression)) return;
    entries_.push_back(
        {expression, bfb_facts(topology::make_topology(expression), {}), true, "computed: BFB"});
  }

  bool has(const std::string& expression) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const CatalogueEntry& entry) { return entry.expression == expression; });
  }

  void add_measured(const std::string& expression, algorithm::Prediction facts, bool cabled) {
    if (has(expression)) return;
    const Topology topology = topology::make_topology(expression);
    const int nodes = topology.node_count(), degree = topology.nominal_degree();
    std::vector<Node> roots(nodes);
    std::iota(roots.begin(), roots.end(), Node{0});
    const auto cost =
        CandidateKernel(nodes, degree).rooted(in_neighbours(topology), roots, ParetoTargets());
    WEFT_ASSERT(cost.has_value());
    facts.nodes = nodes;
    facts.degree = degree;
    facts.steps = cost->steps;
    facts.bandwidth_factor = bandwidth_factor(cost->load, nodes, degree);
    entries_.push_back({expression, facts, cabled, "computed: BFB"});
  }

  // What the searched graphs are fit for; graphs that are gone are forgotten.
  void searched_traits() {
    if (!is_there(searched_file_)) return;
    const auto graphs = SearchedCatalogue::parse(read_file(searched_file_)).results();
    const Traits before = is_there(traits_file_) ? read_traits(read_file(traits_file_)) : Traits();
    Traits traits;
    std::vector<const SearchResult*> missing;
    for (const SearchResult& graph : graphs) {
      const std::pair key(graph.nodes, checksum(graph.expression));
      if (const auto known = before.find(key); known != before.end())
        traits.insert(*known);
      else
        missing.push_back(&graph);
    }
    constexpr std::size_t kGraphs = 500;  // between two writings
    for (std::size_t first = 0; first < missing.size(); first += kGraphs) {
      std::vector<std::string> letters(std::min(kGraphs, missing.size() - first));
      parallel_for(static_cast<std::int64_t>(letters.size()), [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        letters[at] = compute_traits(*missing[first + at]);
      });
      for (std::size_t i = 0; i < letters.size(); ++i)
        traits[{missing[first + i]->nodes, checksum(missing[first + i]->expression)}] = letters[i];
      write_file(traits_file_, traits_text(traits));
      tell_(fmt::format("traits of {} of {} searched graphs", traits.size(), graphs.size()));
    }
    if (traits != before) write_file(traits_file_, traits_text(traits));
  }

  void write_bases() {
    std::sort(entries_.begin(), entries_.end(),
              [](const CatalogueEntry& a, const CatalogueEntry& b) {
                return std::tie(a.facts.degree, a.facts.nodes, a.facts.steps, a.expression) <
                       std::tie(b.facts.degree, b.facts.nodes, b.facts.steps, b.expression);
              });
    write_file(bases_file_, bases_text(entries_));
  }

  std::string genkautz_file_, bases_file_, searched_file_, traits_file_;
  const BuildOptions& options_;
  const Tell& tell_;
  std::vector<GenKautzCost> costs_;
  std::vector<CatalogueEntry> entries_;
};

}  // namespace

void build_catalogue(const std::string& folder, const BuildOptions& options,
                     const std::function<void(const std::string&)>& tell) {
  Builder(folder, options, tell).run();
}

}  // namespace weft::search
