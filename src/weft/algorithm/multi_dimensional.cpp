// Multi-dimensional: every block is cut into shares, and share r runs dimension order from
// dimension r on, r + 1 next and so on round: in every step all rotations use different dimensions,
// so that no two meet on a link and all links are busy.
//
// Loads of rotation r in step t, for a share of 1, on extents m_i with product N:
//   all-to-all  N / m_(r+t) on every link of dimension r + t
//   allgather   m_r m_(r+1) ... m_(r+t-1)
//
// All-to-all. Links of dimension i carry N / m_i blocks whatever the shares, so that N / min(m_i)
// over the narrowest dimension, T_B = d / min(m_i), is a bound. Equal shares 1/n meet it: each of
// the n steps takes N / (n min(m_i)). In two dimensions x = m1 / (m1 + m2), which balances the
// first step (x m2 = (1 - x) m1), meets it too: m1 m2 / (m1 + m2) + max(m1, m2)^2 / (m1 + m2) =
// max(m1, m2).
//
// Allgather. The last step costs most: N / m_last for a share of 1. Shares in proportion to the
// extent of a rotation's last dimension balance it. Equal extents: shares 1/n, all links always
// busy, T_B = (N-1)/N. Two dimensions, m1 <= m2, x the share that starts with the first: the steps
// take max(x, 1 - x) + max(x m1, (1 - x) m2), which falls with slope 1 - m2 up to x = m2 / (m1 +
// m2) and rises with 1 + m1 after it: that x is the best fixed share, and T_B = d (m1 m2 + max(m1,
// m2)) / (N (m1 + m2)). On unequal extents no shares of this kind meet (N-1)/N, since dimension i
// has to carry the same for every link in total: 4x6 takes 1 against 23/24, 4x6x8 155/144 against
// 191/192; BFB meets the bound there.
// Source: Pham, "Low-Latency Collective Communication for High-Performance Computing Networks", PhD
// thesis, SOKENDAI, 2026, section 4.2, Algorithm 2 and Eq. 4.6 (with x mended as above).
#include "weft/algorithm/multi_dimensional.hpp"

#include <numeric>

#include "entries.hpp"
#include "hamming_ranks.hpp"
#include "weft/algorithm/dimension_order.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

using topology::HammingView;

const char* const kSource =
    "Pham, Low-Latency Collective Communication for High-Performance Computing Networks, 2026";

/// The dimensions of more than one node, in order.
std::vector<int> wide_dimensions(const HammingView& hamming) {
  std::vector<int> wide;
  for (int i = 0; i < hamming.dimensions(); ++i)
    if (hamming.extents[static_cast<std::size_t>(i)] > 1) wide.push_back(i);
  return wide;
}

std::vector<int> rotation(const HammingView& hamming, int first) {
  std::vector<int> order(hamming.extents.size());
  for (int t = 0; t < hamming.dimensions(); ++t)
    order[static_cast<std::size_t>(t)] = (first + t) % hamming.dimensions();
  return order;
}

/// All rotations at once.
Schedule rotations(const HammingView& hamming, const Collective& collective) {
  const std::vector<Rational> shares = rotation_shares(hamming, collective.kind);
  std::vector<Share> parts;
  for (int first = 0; first < hamming.dimensions(); ++first)
    if (const Rational share = shares[static_cast<std::size_t>(first)]; share != Rational(0))
      parts.push_back({dimension_order(hamming, collective, rotation(hamming, first)), share});
  const Schedule all = parts.empty() ? dimension_order(hamming, collective)  // one node
                                     : schedule::merge(parts);
  return all.with_algorithm("md");
}

}  // namespace

std::vector<Rational> rotation_shares(const HammingView& hamming, CollectiveKind kind) {
  std::vector<Rational> shares(hamming.extents.size());
  const std::vector<int> wide = wide_dimensions(hamming);
  const std::size_t n = wide.size();
  const auto extent = [&](std::size_t i) {
    return std::int64_t{hamming.extents[static_cast<std::size_t>(wide[i % n])]};
  };
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += extent(i);
  const bool equal = kind == CollectiveKind::alltoall && n != 2;
  for (std::size_t r = 0; r < n; ++r) {
    const std::int64_t balanced = extent(kind == CollectiveKind::alltoall ? r : r + n - 1);
    shares[static_cast<std::size_t>(wide[r])] =
        equal ? Rational(1, static_cast<std::int64_t>(n)) : Rational(balanced, sum);
  }
  return shares;
}

Schedule multi_dimensional(const HammingView& hamming, const Collective& collective) {
  const Collective gathers = schedule::allgather(collective.ranks);
  switch (collective.kind) {
    case CollectiveKind::alltoall:
    case CollectiveKind::allgather:
      return rotations(hamming, collective);
    case CollectiveKind::reduce_scatter:
      return schedule::transpose(rotations(hamming, gathers));
    case CollectiveKind::allreduce: {
      const Schedule half = rotations(hamming, gathers);
      return schedule::concatenate(schedule::transpose(half), half);
    }
    default:
      reject("md serves no {} (it serves all-to-all, allgather, reduce-scatter and allreduce)",
             schedule::name_of(collective.kind));
  }
}

Schedule mixed_allreduce(const HammingView& hamming, const Collective& collective) {
  require(collective.kind == CollectiveKind::allreduce, "do-md serves allreduce only, no {}",
          schedule::name_of(collective.kind));
  return schedule::concatenate(dimension_order(hamming, schedule::reduce_scatter(collective.ranks)),
                               multi_dimensional(hamming, schedule::allgather(collective.ranks)))
      .with_algorithm("do-md");
}

Algorithm multi_dimensional_entry() {
  return {
      .name = "md",
      .aliases = {"multi-dimensional"},
      .summary = "dimension order in all rotations at once, each on its share",
      .source = kSource,
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce, CollectiveKind::alltoall},
      .options = {},
      .misfit = hamming_misfit,
      .build =
          [](const Context& context) {
            return multi_dimensional(*hamming_of_ranks(context), context.collective);
          },
  };
}

Algorithm mixed_allreduce_entry() {
  return {
      .name = "do-md",
      .aliases = {},
      .summary = "reduce-scatter by do, then allgather by md",
      .source = kSource,
      .collectives = {CollectiveKind::allreduce},
      .options = {},
      .misfit = hamming_misfit,
      .build =
          [](const Context& context) {
            return mixed_allreduce(*hamming_of_ranks(context), context.collective);
          },
  };
}

}  // namespace weft::algorithm
