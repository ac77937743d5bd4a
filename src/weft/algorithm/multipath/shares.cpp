// Filling up ways like vessels.
//
// Path i is done with the part x of M bytes at a_i + c_i x, c_i = M / bandwidth. The latest is
// least when all ways that are used end at one time t and no unused one could have begun before:
// x_i = max(0, (t - a_i) / c_i), and sum x_i = 1 gives t = (1 + sum a_i / c_i) / sum 1 / c_i over
// the ways used, which are the first in the order of a_i, as many as have a_i < t. With the paths
// of a cheapest flow this is the least time of any way to send M bytes over the network, split,
// delayed or not: see docs/explanation/multi-path.md. In units the best split gives each way
// floor(x_i U) units and the few that are left, one by one, to the way that ends first with one
// more; no split that ends earlier exists, since at its end every way has at least its floor.
// Source: Burkard, Dlaska, Klinz, "The Quickest Flow Problem", ZOR 37, 1993.
#include "shares.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <numeric>
#include <set>

#include "weft/base/error.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

namespace {

using Integer = boost::multiprecision::cpp_int;
using Fraction = boost::multiprecision::cpp_rational;

/// A way for a given message: done with the part x of it at start + slope * x.
struct Line {
  Fraction start, slope;
};

std::vector<Line> lines_of(std::span<const SplitPath> ways, std::optional<std::int64_t> size_B) {
  constexpr std::int64_t kPicoseconds = 1'000'000'000'000;
  std::vector<Line> lines;
  for (const SplitPath& way : ways)
    lines.push_back({size_B ? way.fixed_ps : 0,
                     Fraction(Integer(size_B.value_or(1)) * kPicoseconds, way.bandwidth_Bps)});
  return lines;
}

/// The time at which all is done, cut at will. Precondition: no slope is zero.
Fraction level(const std::vector<Line>& lines) {
  WEFT_ASSERT(!lines.empty());
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lines[a].start < lines[b].start; });
  Fraction level, above = 1, below = 0;
  for (const std::size_t i : order) {
    if (below != 0 && lines[i].start >= level) break;
    above += lines[i].start / lines[i].slope;
    below += 1 / lines[i].slope;
    level = above / below;
  }
  return level;
}

/// The units of a block: as many as the shares need to be exact, within the limit.
std::int64_t units_for(const std::vector<Fraction>& shares, std::int64_t limit) {
  WEFT_ASSERT(limit >= 1);
  Integer common = 1;
  for (const Fraction& share : shares) {
    common = boost::multiprecision::lcm(common, Integer(denominator(share)));
    if (common > limit) return limit;
  }
  return static_cast<std::int64_t>(common);
}

std::int64_t floor_of(const Fraction& value) {
  return static_cast<std::int64_t>(Integer(numerator(value) / denominator(value)));
}

void give_rest(const std::vector<Line>& lines, Split& split) {
  std::int64_t rest = split.units_per_block;
  for (const std::int64_t units : split.units) rest -= units;
  WEFT_ASSERT(rest >= 0 &&
              rest <= std::ssize(split.units));  // shares add up to 1, each rounded down
  const auto next_end = [&](std::size_t i) {
    return Fraction(lines[i].start + lines[i].slope * (split.units[i] + 1) / split.units_per_block);
  };
  std::set<std::pair<Fraction, std::size_t>> ends;
  for (std::size_t i = 0; i < lines.size(); ++i) ends.emplace(next_end(i), i);
  for (; rest > 0; --rest) {
    const std::size_t i = ends.extract(ends.begin()).value().second;
    ++split.units[i];
    ends.emplace(next_end(i), i);
  }
}

}  // namespace

Split best_split(std::span<const SplitPath> ways, std::optional<std::int64_t> size_B) {
  WEFT_ASSERT(!ways.empty());
  Split split;
  split.units.resize(ways.size());
  if (size_B == 0) {
    const auto first = std::min_element(
        ways.begin(), ways.end(),
        [](const SplitPath& a, const SplitPath& b) { return a.fixed_ps < b.fixed_ps; });
    split.units[first - ways.begin()] = 1;
    split.finish_ps = static_cast<double>(first->fixed_ps);
    return split;
  }
  const std::vector<Line> lines = lines_of(ways, size_B);
  const Fraction end = level(lines);
  split.finish_ps = static_cast<double>(end);
  std::vector<Fraction> shares;
  for (const Line& line : lines)
    shares.push_back(line.start < end ? Fraction((end - line.start) / line.slope) : Fraction(0));
  split.units_per_block = units_for(
      shares, std::min(schedule::kMaxUnitsPerBlock, size_B.value_or(schedule::kMaxUnitsPerBlock)));
  for (std::size_t i = 0; i < ways.size(); ++i)
    split.units[i] = floor_of(shares[i] * split.units_per_block);
  give_rest(lines, split);
  return split;
}

}  // namespace weft::algorithm
