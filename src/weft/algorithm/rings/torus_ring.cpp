// Torus ring: rings along one dimension after the other, every dimension and direction busy at
// once.
//
// Each block is cut into one part for each dimension and direction. Part (i, direction) is gathered
// along dimension i first, then i + 1, ..., always with one-way rings in its own direction; in
// every phase the parts use different links. A phase in a dimension of m nodes takes m - 1 steps
// and passes on all that the phases before it gathered. With equal extents all links are always
// busy and T_B is (N-1)/N; with unequal ones a part with a long dimension holds up the others,
// which is what BFB mends. A dimension of two nodes has one cable, which both directions share.
// Source: Sack, Gropp, "Collective Algorithms for Multiported Torus Networks", ACM TOPC 1(2), 2015;
// the baseline of Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// section 8.5.2.
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/grids/linear_placement.hpp"
#include "weft/algorithm/halves.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

/// Blocks of the nodes with offsets in `gathered` dimensions free and `fixed` elsewhere.
void append_blocks(const topology::Extents& torus, const std::vector<int>& gathered,
                   std::size_t next, std::vector<int>& coordinates,
                   std::vector<std::int64_t>& blocks) {
  WEFT_ASSERT(next <= gathered.size() && coordinates.size() == torus.extents.size());
  if (next == gathered.size()) {
    blocks.push_back(torus.node(coordinates));
    return;
  }
  const auto dimension = static_cast<std::size_t>(gathered[next]);
  for (int x = 0; x < torus.extents[dimension]; ++x) {
    coordinates[dimension] = x;
    append_blocks(torus, gathered, next + 1, coordinates, blocks);
  }
  coordinates[dimension] = 0;
}

/// Rank 0's messages of one part of every block, whose unit is `unit`.
class Part {
 public:
  Part(ScheduleBuilder& builder, const topology::Extents& torus, int direction, std::int64_t unit)
      : builder_(builder), torus_(torus), direction_(direction), unit_(unit) {}

  /// One-way rings along a dimension, on all that is gathered so far.
  void gather_along(int dimension) {
    const int m = torus_.extents[dimension];
    std::vector<int> at(torus_.extents.size(), 0);
    at[dimension] = static_cast<int>(mod(direction_, m));
    const Agent next(torus_.node(at));
    for (int t = 0; t + 1 < m; ++t, ++step_) {
      at[dimension] = static_cast<int>(mod(std::int64_t{-t} * direction_, m));
      std::vector<std::int64_t> blocks;
      append_blocks(torus_, gathered_, 0, at, blocks);
      std::vector<Piece> pieces;
      for (const std::int64_t block : blocks)
        pieces.push_back({block * builder_.units_per_block() + unit_, 1});
      builder_.at(step_).send(Agent(0), next, pieces);
    }
    gathered_.push_back(dimension);
  }

 private:
  ScheduleBuilder& builder_;
  const topology::Extents& torus_;
  int direction_;
  std::int64_t unit_;
  std::int64_t step_ = 0;
  std::vector<int> gathered_;
};

Symmetry translations_of(const topology::Extents& torus) {
  std::vector<int> moduli;  // a group has no use for a modulus of 1
  for (const int m : torus.extents)
    if (m > 1) moduli.push_back(m);
  return moduli.empty() ? Symmetry() : Symmetry::translations(moduli);
}

/// sum (m_i - 1) steps on a torus of extents m_i; (N-1)/N where all extents are equal and above 2.
/// O(N * dimensions^2) stored pieces.
Schedule torus_ring_allgather(const topology::TorusView& torus) {
  const std::int64_t nodes = torus.size();
  const int dimensions = torus.dimensions();
  ScheduleBuilder builder(schedule::allgather(static_cast<std::int32_t>(nodes)),
                          {.algorithm = "torus-ring",
                           .units_per_block = std::max(1, 2 * dimensions),
                           .symmetry = translations_of(torus)});
  for (int first = 0; first < dimensions; ++first)
    for (const int direction : {1, -1}) {
      Part part(builder, torus, direction, 2 * first + (direction > 0 ? 0 : 1));
      for (int i = 0; i < dimensions; ++i) part.gather_along((first + i) % dimensions);
    }
  return std::move(builder).build();
}

}  // namespace

Algorithm torus_ring_entry() {
  return {
      .name = "torus-ring",
      .aliases = {"per-dimension-ring"},
      .summary = "Rings along all dimensions and directions of a torus at once",
      .source = "Sack, Gropp, Collective Algorithms for Multiported Torus Networks, 2015",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce},
      .options = {},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        const auto torus = torus_of_ranks(context.network);
        if (torus && torus->dimensions() >= 2) return std::nullopt;
        return "it needs a torus of two or more dimensions with rank r on node r";
      },
      .build =
          [](const Context& context) {
            return from_allgather(torus_ring_allgather(*torus_of_ranks(context.network)),
                                  context.collective.kind);
          },
  };
}

}  // namespace weft::algorithm
