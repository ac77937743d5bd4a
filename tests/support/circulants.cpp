#include "support/circulants.hpp"

#include <algorithm>
#include <numeric>

namespace weft::support {

namespace {

using Jumps = std::vector<int>;

// The jumps times a unit, each as the nearer of the two ways round.
Jumps multiplied(const Jumps& jumps, int unit, int nodes) {
  Jumps image;
  for (const int jump : jumps) {
    const int product = jump * unit % nodes;
    image.push_back(std::min(product, nodes - product));
  }
  std::sort(image.begin(), image.end());
  return image;
}

bool is_least_of_its_class(const Jumps& jumps, int nodes) {
  for (int unit = 2; unit < nodes; ++unit)
    if (std::gcd(unit, nodes) == 1 && multiplied(jumps, unit, nodes) < jumps) return false;
  return true;
}

bool is_connected(const Jumps& jumps, int nodes) {
  return std::accumulate(jumps.begin(), jumps.end(), nodes,
                         [](int a, int b) { return std::gcd(a, b); }) == 1;
}

// All ascending choices of `left` more jumps; `half` goes to the end of each.
void choose(int nodes, int left, bool half, Jumps& chosen, std::vector<Jumps>& found) {
  if (left == 0) {
    Jumps jumps = chosen;
    if (half) jumps.push_back(nodes / 2);
    if (is_connected(jumps, nodes) && is_least_of_its_class(jumps, nodes)) found.push_back(jumps);
    return;
  }
  for (int jump = chosen.empty() ? 1 : chosen.back() + 1; 2 * jump < nodes; ++jump) {
    chosen.push_back(jump);
    choose(nodes, left - 1, half, chosen, found);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<Jumps> circulant_jumps(int nodes, int jumps) {
  Jumps chosen;
  std::vector<Jumps> found;
  choose(nodes, jumps, false, chosen, found);
  return found;
}

std::vector<Jumps> circulant_jumps_and_half(int nodes, int jumps) {
  Jumps chosen;
  std::vector<Jumps> found;
  choose(nodes, jumps, true, chosen, found);
  return found;
}

}  // namespace weft::support
