#include "weft/topology/facets.hpp"

#include <algorithm>
#include <iterator>

#include "weft/base/error.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {

Coordinates coordinates(const std::vector<int>& extents, LineShape shape) {
  Coordinates result;
  for (const int extent : extents) result.dimensions.push_back({extent, shape});
  return result;
}

Holes::Holes(std::vector<std::int32_t> failed_nodes) : failed_(std::move(failed_nodes)) {
  for (std::size_t i = 0; i < failed_.size(); ++i)
    left_before_.push_back(failed_[i] - static_cast<std::int32_t>(i));
}

std::int32_t Holes::whole(std::int32_t node) const {
  WEFT_ASSERT(node >= 0);
  const auto before = std::ranges::upper_bound(left_before_, node) - left_before_.begin();
  return node + static_cast<std::int32_t>(before);
}

std::optional<std::int32_t> Holes::now(std::int32_t node) const {
  const auto next = std::ranges::lower_bound(failed_, node);
  if (next != failed_.end() && *next == node) return std::nullopt;
  return node - static_cast<std::int32_t>(next - failed_.begin());
}

Holes Holes::with(std::span<const std::int32_t> nodes) const {
  std::vector<std::int32_t> more, all;
  for (const std::int32_t node : nodes) more.push_back(whole(node));
  std::ranges::merge(failed_, more, std::back_inserter(all));
  return Holes(std::move(all));
}

bool operator==(const Facets& a, const Facets& b) {
  const auto same = [](const auto& x, const auto& y) { return x == y || (x && y && *x == *y); };
  return a.facets == b.facets && a.holes == b.holes && same(a.names, b.names) &&
         same(a.tables, b.tables);
}

}  // namespace weft::topology
