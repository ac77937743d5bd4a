// Families whose best allgather theory gives at once. All of these have a BFB schedule with
// T_B = (N-1)/N, so that only the diameter and the kinds of links differ.
//
// Distance-regular networks: a node at distance t from u has c_t usable in-neighbours of u, and
// every in-neighbour of u is the last stop of as many nodes, so that even shares load all links
// alike (Zhao et al., Theorem 18); complete, bipartite and the networks of Table 8 are such. Rings:
// one node in every direction a step. Circulants of two jumps m, m + 1: Theorem 22 gives the least
// diameter. Directed circulants u -> u + 1, ..., u + d on d + 2 nodes: the one node at distance two
// comes evenly over all links. Twisted tori are checked by tests up to 10^4 nodes.
#include <fmt/format.h>

#include <cmath>

#include "weft/base/modular.hpp"
#include "weft/search/catalogue.hpp"

namespace weft::search {

namespace {

using algorithm::Prediction;

Prediction optimal(int nodes, int degree, int steps) {
  return {.nodes = nodes,
          .degree = degree,
          .steps = steps,
          .bandwidth_factor = Rational(nodes - 1, nodes),
          .branching = degree >= 2,
          .bfb = true,
          .optimal_bfb = true,
          .reversible = true,
          .tight = degree >= 2};
}

class Rules {
 public:
  Rules(int nodes, int degree) : nodes_(nodes), degree_(degree) {}

  std::vector<CatalogueEntry> entries() && {
    complete_and_bipartite();
    rings();
    circulants();
    twisted_tori();
    distance_regular();
    polarity();
    return std::move(entries_);
  }

 private:
  void cabled(std::string expression, int steps, const char* source) {
    entries_.push_back({std::move(expression), optimal(nodes_, degree_, steps), true, source});
  }

  void complete_and_bipartite() {
    if (degree_ == nodes_ - 1) cabled(fmt::format("complete:{}", nodes_), 1, "by rule: complete");
    if (nodes_ == 2 * degree_ && degree_ >= 2)
      cabled(fmt::format("bipartite:{},{}", degree_, degree_), 2, "by rule: complete bipartite");
  }

  void rings() {
    if (degree_ % 2 == 0 && nodes_ >= 3) {
      cabled(degree_ == 2 ? fmt::format("ring:{}", nodes_)
                          : fmt::format("biring:{},{}", degree_, nodes_),
             nodes_ / 2, "by rule: rings");
      entries_.back().facts.parallel = degree_ > 2;
    }
    if (nodes_ < 3 && degree_ == 1) return;
    Prediction one_way = optimal(nodes_, degree_, nodes_ - 1);
    one_way.parallel = degree_ > 1;
    one_way.branching = one_way.tight = false;
    entries_.push_back({degree_ == 1 ? fmt::format("uniring:{}", nodes_)
                                     : fmt::format("uniring:{},{}", degree_, nodes_),
                        one_way, false, "by rule: one-way rings"});
  }

  void circulants() {
    if (degree_ == 4 && nodes_ > 6) {
      const int jump = least_jump(nodes_);
      cabled(fmt::format("circulant:{},{},{}", nodes_, jump, jump + 1), jump,
             "by rule: circulant of least diameter (Theorem 22)");
    }
    if (nodes_ == degree_ + 2 && degree_ >= 2)
      entries_.push_back({fmt::format("directed-circulant:{}", degree_),
                          optimal(nodes_, degree_, 2), false, "by rule: directed circulant"});
  }

  // ceil((sqrt(2n - 1) - 1) / 2), without rounding: the least m with 2 m (m + 1) + 1 >= n.
  static int least_jump(int nodes) {
    int jump = 1;
    while (2 * jump * (jump + 1) + 1 < nodes) ++jump;
    return jump;
  }

  void twisted_tori() {
    const char* source = "by rule: twisted torus";
    for (int k = 3; 2 * k * k <= nodes_; ++k) {
      if (degree_ == 4 && nodes_ == 2 * k * k)
        cabled(fmt::format("twisted-torus:{}x{}", k, 2 * k), k, source);
      if (degree_ == 6 && nodes_ == 2 * k * k * k)
        cabled(fmt::format("twisted-torus:{}x{}x{}", k, k, 2 * k), 3 * k / 2, source);
      if (degree_ == 6 && nodes_ == 4 * k * k * k)
        cabled(fmt::format("twisted-torus:{}x{}x{}", k, 2 * k, 2 * k), 3 * k / 2, source);
    }
  }

  void distance_regular() {
    struct Known {
      const char* name;
      int nodes, diameter;
    };
    static constexpr Known kKnown[] = {{"octahedron", 6, 2},
                                       {"paley-9", 9, 2},
                                       {"k5-5-minus-matching", 10, 3},
                                       {"heawood-distance-3", 14, 3},
                                       {"line-petersen", 15, 3},
                                       {"4-cube", 16, 4},
                                       {"line-heawood", 21, 3},
                                       {"pg-2-3", 26, 3},
                                       {"ag-2-4-minus-class", 32, 4},
                                       {"odd-4", 35, 3},
                                       {"line-tutte-8-cage", 45, 4},
                                       {"doubled-odd-4", 70, 7},
                                       {"gq-3-3", 80, 4},
                                       {"line-tutte-12-cage", 189, 6},
                                       {"gh-3-3", 728, 6}};
    if (degree_ != 4) return;
    for (const Known& known : kKnown)
      if (known.nodes == nodes_)
        cabled(fmt::format("distance-regular:{}", known.name), known.diameter,
               "by rule: distance-regular (Theorem 18)");
  }

  // Polarfly: any two nodes have one common neighbour, which may be one of them, so that blocks of
  // the second step have one way each. A node of q + 1 links has at most q blocks on each, one of q
  // links (they belong to q + 1 nodes) exactly q: T_B = (q + 1) (q + 1) / N. It is regular but for
  // them, which is why expansions, whose algebra takes regular networks, get none.
  void polarity() {
    const int q = degree_ - 1;
    if (nodes_ != q * q + q + 1 || !as_prime_power(q)) return;
    cabled(fmt::format("polarfly:{}", q), 2, "by rule: polarity graph");
    CatalogueEntry& entry = entries_.back();
    entry.facts.bandwidth_factor = Rational(std::int64_t{degree_} * degree_, nodes_);
    entry.facts.optimal_bfb = entry.facts.reversible = entry.facts.tight = false;
    entry.algorithm = ReachedBy::bfb;
  }

  int nodes_, degree_;
  std::vector<CatalogueEntry> entries_;
};

}  // namespace

std::vector<CatalogueEntry> bases_by_rule(int nodes, int degree) {
  return Rules(nodes, degree).entries();
}

}  // namespace weft::search
