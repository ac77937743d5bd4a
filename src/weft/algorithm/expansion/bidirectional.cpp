// One-way to two-way networks (section A.6). The paper sends half of every block by a schedule A of
// X, and half by g(A), g an isomorphism from X to its transpose. Any allgather of the transpose
// serves in its place, so that none has to be found: the recursion builds one beside A.
#include <algorithm>
#include <numeric>

#include "steps.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/expansions.hpp"

namespace weft::algorithm {

Sends bidirectional_sends(const Sends& along, const Sends& against, const View& inner,
                          const View& outer) {
  WEFT_ASSERT(along.units >= 1 && against.units >= 1);
  const std::int64_t half = std::lcm(along.units, against.units);
  Sends result{checked_mul(half, 2), std::max(along.steps, against.steps), {}};
  require_few_units(result.units, outer.topology());
  result.list.reserve(along.list.size() + against.list.size());
  const auto add = [&](const Sends& part, std::int64_t first, bool over_reverses) {
    const std::int64_t scale = half / part.units;
    for (const Send& send : part.list) {
      const LinkId way =
          topology::forward_link(inner.topology(), outer.topology(), LinkId(send.link));
      const LinkId link = over_reverses ? *outer.topology().reverse(way) : way;
      result.list.push_back({send.step, link.value(), send.source,
                             static_cast<std::int32_t>(first + send.first * scale),
                             static_cast<std::int32_t>(send.count * scale)});
    }
  };
  add(along, 0, false);
  add(against, half, true);
  return result;
}

}  // namespace weft::algorithm
