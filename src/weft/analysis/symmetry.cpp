// Symmetries of networks, by nauty and Traces (McKay and Piperno, "Practical graph isomorphism,
// II", J. Symbolic Computation 60, 2014).
//
// nauty knows simple graphs with coloured nodes. A multigraph becomes one: a node's colour is its
// kind and its number of loops, and m > 1 links from u to v become a node of colour "m links"
// between u and v. The automorphisms of the one are those of the other.
// nauty's headers are C; in C++ its name for thread-local storage is missing.
#define _Thread_local thread_local
#include <nauty/traces.h>
#undef _Thread_local

#include <algorithm>
#include <compare>
#include <mutex>
#include <vector>

#include "weft/analysis/metrics.hpp"

namespace weft::analysis {

namespace {

enum class Direction { along, against };

struct Colour {
  int kind;       // of a node; 2 for a bundle of parallel links
  int multitude;  // loops of a node; links of a bundle

  friend auto operator<=>(const Colour&, const Colour&) = default;
};

// Parallel links as one.
struct Bundle {
  int from, to, links;

  friend auto operator<=>(const Bundle&, const Bundle&) = default;
};

struct Bundles {
  std::vector<Bundle> between_nodes;  // sorted
  std::vector<int> loops;             // by node
};

Bundles bundle_links(const Topology& topology, Direction direction) {
  Bundles bundles;
  bundles.loops.assign(static_cast<std::size_t>(topology.node_count()), 0);
  std::vector<Bundle> single;
  for (LinkId link : topology.links()) {
    const NodeId tail = topology.tail(link), head = topology.head(link);
    if (tail == head)
      ++bundles.loops[tail.index()];
    else if (direction == Direction::along)
      single.push_back({tail.value(), head.value(), 1});
    else
      single.push_back({head.value(), tail.value(), 1});
  }
  std::sort(single.begin(), single.end());
  for (const Bundle& link : single) {
    auto& all = bundles.between_nodes;
    if (!all.empty() && all.back().from == link.from && all.back().to == link.to)
      ++all.back().links;
    else
      all.push_back(link);
  }
  return bundles;
}

// As many links from u to v as from v to u, for all u and v.
bool is_symmetric(const Bundles& bundles) {
  for (const Bundle& b : bundles.between_nodes)
    if (!std::binary_search(bundles.between_nodes.begin(), bundles.between_nodes.end(),
                            Bundle{b.to, b.from, b.links}))
      return false;
  return true;
}

// A graph as nauty takes it.
struct ColouredGraph {
  std::vector<Colour> colours;             // by node
  std::vector<std::vector<int>> out_ends;  // by node

  int node_count() const { return static_cast<int>(colours.size()); }
  int add_node(Colour colour) {
    colours.push_back(colour);
    out_ends.emplace_back();
    return node_count() - 1;
  }
  void add_arc(int from, int to) { out_ends[static_cast<std::size_t>(from)].push_back(to); }
};

ColouredGraph coloured(const Topology& topology, const Bundles& bundles, bool symmetric) {
  ColouredGraph shape;
  for (NodeId node : topology.nodes())
    shape.add_node({topology.is_host(node) ? 0 : 1, bundles.loops[node.index()]});
  for (const Bundle& bundle : bundles.between_nodes) {
    if (bundle.links == 1) {
      shape.add_arc(bundle.from, bundle.to);
    } else if (!symmetric) {
      const int middle = shape.add_node({2, bundle.links});
      shape.add_arc(bundle.from, middle);
      shape.add_arc(middle, bundle.to);
    } else if (bundle.from < bundle.to) {  // one middle for both directions
      const int middle = shape.add_node({2, bundle.links});
      for (int end : {bundle.from, bundle.to}) {
        shape.add_arc(end, middle);
        shape.add_arc(middle, end);
      }
    }
  }
  return shape;
}

// nauty's arrays, which keep the graph's colours as a partition: nodes in order of colour.
class NautyInput {
 public:
  explicit NautyInput(const ColouredGraph& shape)
      : labels(static_cast<std::size_t>(shape.node_count())),
        partition(labels.size()),
        orbits(labels.size()) {
    for (int v = 0; v < shape.node_count(); ++v) labels[static_cast<std::size_t>(v)] = v;
    const auto colour = [&](int v) { return shape.colours[static_cast<std::size_t>(v)]; };
    std::stable_sort(labels.begin(), labels.end(),
                     [&](int u, int v) { return colour(u) < colour(v); });
    for (std::size_t i = 0; i + 1 < labels.size(); ++i)
      partition[i] = colour(labels[i]) == colour(labels[i + 1]) ? 1 : 0;
    for (const auto& ends : shape.out_ends) {
      first_.push_back(ends_.size());
      degrees_.push_back(static_cast<int>(ends.size()));
      ends_.insert(ends_.end(), ends.begin(), ends.end());
    }
    sparse.nv = shape.node_count();
    sparse.nde = ends_.size();
    sparse.v = first_.data();
    sparse.d = degrees_.data();
    sparse.e = ends_.data();
    sparse.w = nullptr;
    sparse.vlen = first_.size();
    sparse.dlen = degrees_.size();
    sparse.elen = ends_.size();
    sparse.wlen = 0;
  }
  NautyInput(const NautyInput&) = delete;
  NautyInput& operator=(const NautyInput&) = delete;

  sparsegraph sparse{};
  std::vector<int> labels, partition, orbits;

 private:
  std::vector<std::size_t> first_;
  std::vector<int> degrees_, ends_;
};

// nauty keeps state outside its arguments.
std::mutex& nauty_mutex() {
  static std::mutex mutex;
  return mutex;
}

// For each node the least node that an automorphism takes it to.
std::vector<int> orbits_of(const ColouredGraph& shape, bool symmetric) {
  const std::lock_guard lock(nauty_mutex());
  NautyInput input(shape);
  if (symmetric) {
    DEFAULTOPTIONS_TRACES(options);
    options.defaultptn = FALSE;
    TracesStats stats;
    Traces(&input.sparse, input.labels.data(), input.partition.data(), input.orbits.data(),
           &options, &stats, nullptr);
  } else {
    DEFAULTOPTIONS_SPARSEDIGRAPH(options);
    options.defaultptn = FALSE;
    statsblk stats;
    sparsenauty(&input.sparse, input.labels.data(), input.partition.data(), input.orbits.data(),
                &options, &stats, nullptr);
  }
  return input.orbits;
}

// The same for isomorphic graphs only, when their colours agree: sorted adjacency lists of the
// canonical form.
std::vector<std::vector<int>> canonical_form(const ColouredGraph& shape) {
  const std::lock_guard lock(nauty_mutex());
  NautyInput input(shape);
  DEFAULTOPTIONS_SPARSEDIGRAPH(options);
  options.defaultptn = FALSE;
  options.getcanon = TRUE;
  statsblk stats;
  SG_DECL(canonical);
  sparsenauty(&input.sparse, input.labels.data(), input.partition.data(), input.orbits.data(),
              &options, &stats, &canonical);
  std::vector<std::vector<int>> form(shape.colours.size());
  for (std::size_t v = 0; v < form.size(); ++v) {
    const int* ends = canonical.e + canonical.v[v];
    form[v].assign(ends, ends + canonical.d[v]);
    std::sort(form[v].begin(), form[v].end());
  }
  SG_FREE(canonical);
  return form;
}

std::vector<Colour> sorted_colours(const ColouredGraph& shape) {
  std::vector<Colour> colours = shape.colours;
  std::sort(colours.begin(), colours.end());
  return colours;
}

}  // namespace

bool is_reverse_symmetric(const Topology& topology) {
  const Bundles bundles = bundle_links(topology, Direction::along);
  if (is_symmetric(bundles)) return true;
  const ColouredGraph along = coloured(topology, bundles, false);
  const ColouredGraph against =
      coloured(topology, bundle_links(topology, Direction::against), false);
  return sorted_colours(along) == sorted_colours(against) &&
         canonical_form(along) == canonical_form(against);
}

bool is_vertex_transitive(const Topology& topology) {
  const Bundles bundles = bundle_links(topology, Direction::along);
  const bool symmetric = is_symmetric(bundles);
  const auto orbits = orbits_of(coloured(topology, bundles, symmetric), symmetric);
  const auto core = topology.has_switches() ? topology.switches() : topology.hosts();
  return std::all_of(core.begin(), core.end(), [&](NodeId node) {
    return orbits[node.index()] == orbits[core.front().index()];
  });
}

}  // namespace weft::analysis
