// Random regular graphs, by their seed: for every size and degree of which there is a graph at all,
// nearly as few steps as any graph can have. They need no group of the order, but have no symmetry
// either, so that each is costed from every node; the first nodes refuse most.
#include <algorithm>
#include <numeric>

#include "source.hpp"
#include "weft/topology/families/random_regular.hpp"

namespace weft::search {

namespace {

class RandomSource : public Source {
 public:
  explicit RandomSource(const Finds& finds)
      : kernel_(finds.nodes(), finds.degree()), every_node_(finds.nodes()) {
    kernel_.set_growth(finds.growth());
    std::iota(every_node_.begin(), every_node_.end(), Node{0});
  }

  // Seeds 1, 2, ...: short expressions, whatever the seed of the search.
  void run(Rng /*rng*/, Finds& finds) override {
    for (int i = seeds_in_slice(finds.nodes()); i > 0; --i) {
      const Topology graph = topology::random_regular(finds.nodes(), finds.degree(), ++seed_);
      finds.count(1);
      if (const auto cost = kernel_.rooted(in_neighbours(graph), every_node_, finds.targets()))
        finds.offer(*cost, "random", [&] { return graph.name(); });
    }
  }

 private:
  static int seeds_in_slice(int nodes) {
    constexpr int kPairs = 1 << 22;
    return std::clamp(kPairs / (nodes * nodes), 1, 32);
  }

  CandidateKernel kernel_;
  std::vector<Node> every_node_;
  std::uint64_t seed_ = 0;
};

}  // namespace

void append_random_source(Sources& sources, const Finds& finds) {
  if (finds.direction() == Direction::bidirectional)
    sources.push_back(std::make_unique<RandomSource>(finds));
}

}  // namespace weft::search
