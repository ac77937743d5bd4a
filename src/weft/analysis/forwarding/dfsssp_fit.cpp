// Whether tables are those of SSSP and DFSSSP (lightest_paths.hpp).
//
// Which of several lightest paths an engine takes does not matter here. The order of addresses
// does: it is that of the switches with many hosts first, and of GUIDs among equals, in which
// fabrics are imported. Other tables are tried in the order of the switches' numbers and in that of
// addresses, too.
#include <algorithm>

#include "weft/analysis/forwarding/engine_fits.hpp"
#include "weft/analysis/forwarding/lightest_paths.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

// Whether each path is a lightest one when its turn comes.
bool follows(const SwitchNet& net, const Destinations& to, const Columns& columns,
             const std::vector<std::int32_t>& order) {
  LightestPaths paths(net, to);
  for (const std::int32_t address : order) {
    paths.begin(to.group[address]);
    if (!paths.is_lightest(columns.of(address))) return false;
    paths.add(columns.of(address));
  }
  return true;
}

}  // namespace

std::vector<std::int32_t> routing_order(const Destinations& to) {
  struct Group {
    std::int32_t members = 0, first = 0;
  };
  std::vector<Group> groups(to.leaves.size());
  std::vector<std::int32_t> order;
  for (std::int32_t address = 0; address < to.count(); ++address) {
    if (to.group[address] < 0) continue;
    Group& group = groups[to.group[address]];
    if (group.members++ == 0) group.first = address;
    order.push_back(address);
  }
  std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
    const Group &of_a = groups[to.group[a]], &of_b = groups[to.group[b]];
    if (of_a.members != of_b.members) return of_a.members > of_b.members;
    return of_a.first < of_b.first;
  });
  WEFT_ASSERT(std::ssize(order) <= to.count());
  return order;
}

std::string why_not_dfsssp(const SwitchNet& net, const Destinations& to, const Columns& columns) {
  std::vector<std::int32_t> order = routing_order(to);
  if (follows(net, to, columns, order)) return {};
  std::ranges::stable_sort(order, {},
                           [&](std::int32_t address) { return to.leaves[to.group[address]]; });
  if (follows(net, to, columns, order)) return {};
  std::ranges::sort(order);
  if (follows(net, to, columns, order)) return {};
  return "in no order that was tried does each address take the lightest of its shortest paths";
}

}  // namespace weft::analysis
