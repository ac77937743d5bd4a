#include "weft/design/network/judged.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/work/time_limit.hpp"

namespace weft::design {

namespace {

// What is cheap to compare first.
bool is_same(const Judged& a, const Judged& b) {
  constexpr std::int64_t kMostNodes = 4096;  // canonical forms of more may take long
  if (a.row.hosts != b.row.hosts || a.row.switches != b.row.switches ||
      a.row.cables != b.row.cables || a.row.hosts + a.row.switches > kMostNodes)
    return false;
  const auto distances = [](const Judged& judged) {
    return analysis::summarize_distances(judged.built->topology).pairs_at;
  };
  return distances(a) == distances(b) &&
         analysis::are_isomorphic(a.built->topology, b.built->topology);
}

}  // namespace

void merge_same(std::vector<Judged>& judged) {
  for (std::size_t i = 0; i < judged.size(); ++i)
    for (std::size_t j = i + 1; j < judged.size();) {
      TimeLimit::check();
      if (!is_same(judged[i], judged[j])) {
        ++j;
        continue;
      }
      DesignRow& one = judged[i].row;
      DesignRow& other = judged[j].row;
      if (other.bill.dollars() < one.bill.dollars()) {
        other.also.insert(other.also.begin(), one.also.begin(), one.also.end());
        std::swap(judged[i], judged[j]);
      }
      DesignRow& kept = judged[i].row;
      const DesignRow& gone = judged[j].row;
      kept.also.push_back(gone.candidate.topology);
      kept.candidate.baseline = kept.candidate.baseline || gone.candidate.baseline;
      judged.erase(judged.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

void mark_efficient(std::vector<Judged>& judged) {
  for (Judged& one : judged)
    one.row.efficient = std::ranges::none_of(judged, [&](const Judged& other) {
      const double s = one.row.time_s(), dollars = one.row.bill.dollars();
      const double other_s = other.row.time_s(), other_dollars = other.row.bill.dollars();
      return other_s <= s && other_dollars <= dollars && (other_s < s || other_dollars < dollars);
    });
}

std::vector<std::size_t> choose_finalists(const std::vector<Judged>& judged, int count) {
  std::vector<std::size_t> order(judged.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return judged[i].row.alpha_beta_s(); });
  const double near_s = kNotFar * judged[order.front()].row.alpha_beta_s();
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
    return judged[i].row.efficient && judged[i].row.alpha_beta_s() <= near_s;
  });
  const double alike_s = kAsFast * (near_s / kNotFar);
  const auto dollars_where_alike = [&](std::size_t i) {
    const DesignRow& row = judged[i].row;
    return row.alpha_beta_s() <= alike_s ? row.bill.dollars()
                                         : std::numeric_limits<double>::infinity();
  };
  const auto cheapest = std::ranges::min_element(order, {}, dollars_where_alike);
  std::rotate(order.begin(), cheapest, cheapest + 1);
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  return order;
}

}  // namespace weft::design
