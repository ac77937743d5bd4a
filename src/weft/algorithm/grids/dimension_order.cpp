// Dimension order: exchange along the first dimension, then along the second, and so on.
//
// In a Hamming network the nodes of a line are fully connected, so that one step does the exchange
// along a dimension, and all that has the same next hop goes as one message (message-combine):
// n steps on n dimensions, the least possible. In each step only the links of one dimension are
// busy, which is what MD mends.
//
// What travels: before dimension i a node holds, in an all-to-all, the blocks (s, d) with d equal
// to the node in the dimensions done and s equal to it in the others; those whose d has coordinate
// x go to the neighbour x. In an allgather it holds the blocks of the nodes that differ from it in
// dimensions done only, and sends them to all neighbours. On m1 x m2: 2 steps, (m1 + m2) blocks
// over the busiest links of an all-to-all, 1 + m1 of an allgather.
// Source: Pham, "Low-Latency Collective Communication for High-Performance Computing Networks", PhD
// thesis, SOKENDAI, 2026, section 4.1.1, Algorithm 1 (with m2 blocks to a row peer in the first
// step, which the print has otherwise) and Eq. 4.5.
#include "weft/algorithm/grids/dimension_order.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "hamming_ranks.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/halves.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

using topology::HammingView;

/// A box of nodes: in each dimension one coordinate, or all of them.
using Box = std::vector<std::optional<int>>;

std::vector<std::int64_t> nodes_in(const HammingView& hamming, const Box& box) {
  WEFT_ASSERT(box.size() == hamming.extents.size());
  std::vector<std::int64_t> nodes{0};
  std::int64_t weight = 1;
  for (std::size_t i = 0; i < box.size(); weight *= hamming.extents[i], ++i) {
    std::vector<std::int64_t> wider;
    for (int x = box[i].value_or(0); x < (box[i] ? *box[i] + 1 : hamming.extents[i]); ++x)
      for (const std::int64_t node : nodes) wider.push_back(node + x * weight);
    nodes = std::move(wider);
  }
  return nodes;
}

Box box_of(const HammingView& hamming, std::int64_t node) {
  const std::vector<int> coordinates = hamming.coordinates(node);
  return {coordinates.begin(), coordinates.end()};
}

Symmetry translations_of(const HammingView& hamming) {
  std::vector<int> moduli;  // a group has no use for a modulus of 1
  for (const int m : hamming.extents)
    if (m > 1) moduli.push_back(m);
  return moduli.empty() ? Symmetry() : Symmetry::translations(moduli);
}

/// Sends the messages of one sender, dimension by dimension.
class Pass {
 public:
  Pass(const HammingView& hamming, const Collective& collective, std::span<const int> order)
      : hamming_(hamming),
        builder_(collective,
                 {.algorithm = "do",
                  .symmetry = collective.rooted() ? Symmetry() : translations_of(hamming)}) {
    for (const int i : order)
      if (hamming.extents[i] > 1) order_.push_back(static_cast<std::size_t>(i));
  }

  Schedule build() && {
    const std::int64_t first =
        builder_.collective().rooted() ? builder_.collective().root.value() : 0;
    Box reached = box_of(hamming_, first);  // by the dimensions done
    for (std::size_t t = 0; t < order_.size(); ++t) {
      if (builder_.collective().rooted())
        for (const std::int64_t node : nodes_in(hamming_, reached)) exchange(t, node, reached);
      else
        exchange(t, first, reached);
      reached[order_[t]].reset();
    }
    return std::move(builder_).build();
  }

 private:
  /// The messages of `node` in step t, to its neighbours in the t-th dimension.
  void exchange(std::size_t t, std::int64_t node, const Box& reached) {
    const std::size_t dimension = order_[t];
    Box to = box_of(hamming_, node);
    const int own = *to[dimension];
    for (int x = 0; x < hamming_.extents[dimension]; ++x) {
      if (x == own) continue;
      to[dimension] = x;
      const Agent neighbour(static_cast<std::int32_t>(nodes_in(hamming_, to).front()));
      builder_.at(static_cast<std::int64_t>(t))
          .send(Agent(static_cast<std::int32_t>(node)), neighbour, carried(t, to, reached));
    }
  }

  /// What goes to `to` in step t.
  std::vector<Piece> carried(std::size_t t, const Box& to, const Box& reached) const {
    Box beyond = to;  // the nodes that are reached by way of `to`
    for (std::size_t later = t + 1; later < order_.size(); ++later) beyond[order_[later]].reset();
    switch (builder_.collective().kind) {
      case CollectiveKind::broadcast:
        return {builder_.everything()};
      case CollectiveKind::scatter:
        return pieces({0}, nodes_in(hamming_, beyond));
      case CollectiveKind::allgather:
        return pieces({0}, nodes_in(hamming_, reached));
      default:
        return pieces(nodes_in(hamming_, reached), nodes_in(hamming_, beyond));
    }
  }

  std::vector<Piece> pieces(const std::vector<std::int64_t>& sources,
                            const std::vector<std::int64_t>& destinations) const {
    std::vector<Piece> result;
    for (const std::int64_t source : sources)
      for (const std::int64_t destination : destinations)
        result.push_back(builder_.block(source * hamming_.size() + destination));
    return result;
  }

  const HammingView& hamming_;
  ScheduleBuilder builder_;
  std::vector<std::size_t> order_;
};

void check_order(const HammingView& hamming, const std::vector<int>& order) {
  std::vector<int> sorted = order, wanted(hamming.extents.size());
  std::ranges::sort(sorted);
  std::iota(wanted.begin(), wanted.end(), 0);
  require(sorted == wanted, "the order of dimensions is not a permutation of 0 to {}",
          hamming.dimensions() - 1);
}

}  // namespace

Schedule dimension_order(const HammingView& hamming, const Collective& collective,
                         std::vector<int> order) {
  schedule::check(collective);
  const auto& [kind, ranks, root, peer] = collective;
  require(ranks == hamming.size(), "{} ranks do not match the {} nodes of the Hamming network",
          ranks, hamming.size());
  if (order.empty()) {
    order.resize(hamming.extents.size());
    std::iota(order.begin(), order.end(), 0);
  }
  check_order(hamming, order);
  const auto pass = [&](const Collective& what) { return Pass(hamming, what, order).build(); };
  switch (kind) {
    case CollectiveKind::reduce:
      return schedule::transpose(pass(schedule::broadcast(ranks, root)));
    case CollectiveKind::gather:
      return schedule::transpose(pass(schedule::scatter(ranks, root)));
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::allreduce:
      return from_allgather(pass(schedule::allgather(ranks)), kind);
    case CollectiveKind::point_to_point:
      reject("dimension order does not support point-to-point; use direct");
    default:
      return pass(collective);
  }
}

Algorithm dimension_order_entry() {
  return {
      .name = "do",
      .aliases = {"dimension-order"},
      .summary = "One dimension of a Hamming network after another, with combined messages",
      .source =
          "Pham, Low-Latency Collective Communication for High-Performance Computing Networks, "
          "2026",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                      CollectiveKind::gather, CollectiveKind::allgather,
                      CollectiveKind::reduce_scatter, CollectiveKind::allreduce,
                      CollectiveKind::alltoall},
      .options = {},
      .misfit = hamming_misfit,
      .build =
          [](const Context& context) {
            return dimension_order(*hamming_of_ranks(context), context.collective);
          },
  };
}

}  // namespace weft::algorithm
