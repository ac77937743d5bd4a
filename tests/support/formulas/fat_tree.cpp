#include "support/formulas/fat_tree.hpp"

#include <functional>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::test {

namespace {

void check(const std::vector<int>& numbers, const char* what) {
  require(!numbers.empty(), "a fat tree without levels has no {} (needs 1 level or more)", what);
  for (const int number : numbers)
    require(number >= 1, "a fat tree with {} {} per node is not connected (needs at least 1)",
            number, what);
}

std::int64_t sum(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

}  // namespace

std::vector<std::int64_t> least_phase_loads(const std::vector<int>& children) {
  check(children, "children");
  std::int64_t above = 1;
  for (const int m : children) above = checked_mul(above, m);
  std::vector<std::int64_t> loads;
  std::int64_t below = 1;
  for (const int m : children) {
    loads.push_back(below - below / above);
    below *= m;
    above /= m;
  }
  return loads;
}

std::int64_t TreeParts::all_switches() const {
  return sum(switches);
}

std::int64_t TreeParts::all_cables() const {
  return sum(cables);
}

TreeParts tree_parts(const std::vector<int>& children, const std::vector<int>& parents) {
  check(children, "children");
  check(parents, "parents");
  require(children.size() == parents.size(),
          "{} numbers of children do not match {} numbers of parents", children.size(),
          parents.size());
  TreeParts parts;
  for (std::size_t level = 1; level <= children.size(); ++level) {
    std::int64_t switches = 1;
    for (std::size_t i = 0; i < children.size(); ++i)
      switches = checked_mul(switches, i < level ? parents[i] : children[i]);
    parts.switches.push_back(switches);
    parts.cables.push_back(checked_mul(switches, children[level - 1]));
  }
  return parts;
}

std::vector<int> full_bandwidth_parents(const std::vector<int>& children) {
  check(children, "children");
  std::vector<int> parents{1};
  parents.insert(parents.end(), children.begin(), children.end() - 1);
  return parents;
}

std::vector<int> least_parents(const std::vector<int>& children) {
  std::vector<int> parents;
  std::int64_t capacity = 1;
  for (const std::int64_t load : least_phase_loads(children)) {
    const std::int64_t least = std::max<std::int64_t>(1, (load + capacity - 1) / capacity);
    parents.push_back(static_cast<int>(least));
    capacity *= least;
  }
  return parents;
}

TreeSavings tree_savings(const TreeParts& whole, const TreeParts& slimmed) {
  WEFT_ASSERT(whole.all_switches() > 0 && whole.all_cables() > 0);
  return {Rational(1) - Rational(slimmed.all_switches(), whole.all_switches()),
          Rational(1) - Rational(slimmed.all_cables(), whole.all_cables())};
}

}  // namespace weft::test
