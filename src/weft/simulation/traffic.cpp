#include "weft/simulation/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation {

namespace {

const std::array<TrafficInfo, 11> kPatterns = {
    TrafficInfo{"uniform", "Any host, the sender included"},
    TrafficInfo{"others", "Any host except the sender"},
    TrafficInfo{"complement", "Host h sends to n - 1 - h"},
    TrafficInfo{"transpose", "The two halves of the bits of h swap; n = 4^k"},
    TrafficInfo{"reverse", "The bits of h in reverse order; n = 2^k"},
    TrafficInfo{"shuffle", "The bits of h rotate left by one; n = 2^k"},
    TrafficInfo{"tornado", "In each dimension of extent k, x sends to x + ceil(k / 2) - 1"},
    TrafficInfo{"neighbor", "In each dimension, x sends to x + 1"},
    TrafficInfo{"permutation", "A random permutation without fixed points (--seed)"},
    TrafficInfo{"asymmetric", "Host h sends to h mod n / 2, in either half; n is even"},
    TrafficInfo{"next-group",
                "Any host of the next group of a Dragonfly or of the next subtree of a fat tree"},
};
const TrafficInfo kHotSpot = {"hot-spot:SHARE",
                              "This share of the packets goes to host 0, the rest is uniform"};
const TrafficInfo kClass = {"class:NAME",
                            "Any host on paths with links up to this class: terminal, local, "
                            "global, or terminal, level1, ..."};
constexpr std::string_view kClassPrefix = "class:", kHotSpotPrefix = "hot-spot:";

int bits_of(std::string_view name, std::int32_t hosts) {
  require(std::has_single_bit(static_cast<std::uint32_t>(hosts)),
          "traffic {} needs a power of two of hosts, but there are {}; use permutation", name,
          hosts);
  return std::bit_width(static_cast<std::uint32_t>(hosts)) - 1;
}

template <class Function>
std::vector<std::int32_t> each(std::int32_t hosts, Function&& destination) {
  std::vector<std::int32_t> fixed(hosts);
  for (std::int32_t h = 0; h < hosts; ++h) fixed[h] = destination(h);
  return fixed;
}

std::int32_t reversed(std::int32_t h, int bits) {
  std::int32_t result = 0;
  for (int b = 0; b < bits; ++b) result |= ((h >> b) & 1) << (bits - 1 - b);
  return result;
}

std::vector<std::int32_t> transpose(std::int32_t hosts) {
  const int bits = bits_of("transpose", hosts);
  require(bits % 2 == 0, "traffic transpose needs 4^k hosts, but there are {}; use reverse", hosts);
  const int half = bits / 2;
  return each(hosts, [&](std::int32_t h) { return (h >> half) | ((h << half) & (hosts - 1)); });
}

// Sattolo's shuffle: one cycle through all hosts, so that none sends to itself.
std::vector<std::int32_t> one_cycle(std::int32_t hosts, std::uint64_t seed) {
  std::vector<std::int32_t> items(hosts);
  std::iota(items.begin(), items.end(), 0);
  Rng rng(seed);
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[rng.below(static_cast<std::int64_t>(i) - 1)]);
  return items;
}

// In each dimension x -> x + shift(extent).
template <class Shift>
std::vector<std::int32_t> shifted(std::int32_t hosts, const TrafficShape& shape, Shift&& shift) {
  topology::Extents grid{shape.extents};
  if (grid.extents.empty()) grid.extents = {hosts};
  WEFT_ASSERT(grid.size() == hosts);
  return each(hosts, [&](std::int32_t h) {
    std::vector<int> at = grid.coordinates(h);
    for (std::size_t d = 0; d < at.size(); ++d)
      at[d] = (at[d] + shift(grid.extents[d])) % grid.extents[d];
    return static_cast<std::int32_t>(grid.node(at));
  });
}

std::vector<std::int32_t> permutation(std::string_view name, std::int32_t n, std::uint64_t seed,
                                      const TrafficShape& shape) {
  if (name == "complement") return each(n, [&](std::int32_t h) { return n - 1 - h; });
  if (name == "transpose") return transpose(n);
  if (name == "tornado") return shifted(n, shape, [](int k) { return (k + 1) / 2 - 1; });
  if (name == "neighbor") return shifted(n, shape, [](int) { return 1; });
  if (name == "permutation") return one_cycle(n, seed);
  if (name == "reverse") {
    const int bits = bits_of(name, n);
    return each(n, [&](std::int32_t h) { return reversed(h, bits); });
  }
  if (name == "shuffle") {
    const int bits = bits_of(name, n);
    return each(n, [&](std::int32_t h) {
      return bits == 0 ? 0 : ((h << 1) | (h >> (bits - 1))) & (n - 1);
    });
  }
  return {};
}

// Of the first in order that is not below the number.
std::int32_t place_of(std::span<const std::int32_t> numbers, std::int32_t number) {
  return static_cast<std::int32_t>(std::ranges::lower_bound(numbers, number) - numbers.begin());
}

double share_of(std::string_view name) {
  const std::string_view number = name.substr(name.find(':') + 1);
  const double share = number_in<double>(number).value_or(-1);
  require(share > 0 && share <= 1,
          "invalid traffic '{}' (expected hot-spot:SHARE with a share above 0 and at most 1)",
          name);
  return share;
}

}  // namespace

std::string canonical_traffic(std::string_view asked) {
  // What follows the colon is a number, or a class, whose '_' is its own.
  const std::size_t colon = std::min(asked.find(':'), asked.size());
  const std::string word = lower_name(asked.substr(0, colon));
  std::string name = word + lower(asked.substr(colon));
  // BookSim's names.
  if (name == "bitcomp") return "complement";
  if (name == "bitrev") return "reverse";
  if (name == "randperm") return "permutation";
  if (name == "bad-dragon") return "next-group";
  if (name.starts_with(kHotSpotPrefix)) share_of(name);
  if (name.starts_with(kHotSpotPrefix) || name.starts_with(kClassPrefix)) return name;
  // "hotspot" is near hot-spot, not near hot-spot:SHARE.
  std::vector<std::string> names;
  for (const TrafficInfo& info : traffic_patterns()) {
    if (info.name == name) return name;
    names.push_back(info.name);
    const std::string known = info.name.substr(0, info.name.find(':'));
    if (known != info.name && edit_distance(word, known) <= 1)
      reject("unknown traffic '{}'; write {}, such as {}", asked, info.name,
             info.name.starts_with(kHotSpotPrefix) ? "hot-spot:0.1" : "class:global");
  }
  reject_unknown({"traffic", asked}, names);
}

namespace {

// Hosts of a group, where all have as many and each group's are neighbours; else 0.
std::int32_t equal_groups(const Topology& topology, const topology::HostGroups& groups) {
  const auto hosts = static_cast<std::int32_t>(topology.hosts().size());
  if (groups.count == 0 || hosts % groups.count != 0) return 0;
  const std::int32_t size = hosts / groups.count;
  for (std::int32_t h = 0; h < hosts; ++h)
    if (groups.of[topology.hosts()[h]] != h / size) return 0;
  return size;
}

}  // namespace

TrafficShape TrafficShape::of(const Topology& topology) {
  TrafficShape shape;
  constexpr auto kAllowed = topology::Damage::allowed;
  const auto all = static_cast<std::int32_t>(topology.hosts().size());
  const auto take = [&](const auto& view) {
    if (view && view->size() == all) shape.extents = view->extents;  // no node failed
  };
  if (!topology.has_switches()) {
    take(topology::as_hamming(topology, kAllowed));
    take(topology::as_mesh(topology, kAllowed));
    take(topology::as_torus(topology, kAllowed));
  }
  if (const auto groups = topology::as_host_groups(topology))
    shape.group = equal_groups(topology, *groups);
  const auto fly = topology::as_dragonfly(topology, kAllowed);
  if (fly && shape.group == fly->a * fly->p)  // no host failed
    shape.levels = {{"terminal", fly->p}, {"local", shape.group}, {"global", all}};
  const auto tree = topology::as_xgft(topology, kAllowed);
  if (tree && tree->children.size() > 1 && tree->first_of_level[1] == all) {
    shape.group = all / tree->children.back();
    std::int32_t hosts = 1;
    for (std::size_t level = 0; level < tree->children.size(); ++level)
      shape.levels.push_back({level == 0 ? "terminal" : fmt::format("level{}", level),
                              hosts *= tree->children[level]});
  }
  if (shape.group == all) shape.group = 0;  // there is no next one
  return shape;
}

TrafficPattern TrafficPattern::make(std::string_view asked, std::int32_t hosts, std::uint64_t seed,
                                    const TrafficShape& shape,
                                    std::span<const std::int32_t> numbers) {
  require(hosts >= 2, "traffic needs at least two hosts, but there are {}", hosts);
  std::vector<std::int32_t> all;
  if (numbers.empty()) {
    all = each(hosts, [](std::int32_t h) { return h; });
    numbers = all;
  }
  WEFT_ASSERT(std::ssize(numbers) == hosts && std::ranges::is_sorted(numbers));
  TrafficPattern pattern;
  pattern.name_ = canonical_traffic(asked);
  pattern.hosts_ = hosts;
  if (pattern.name_.starts_with(kHotSpotPrefix)) {
    pattern.hot_share_ = share_of(pattern.name_);
    return pattern;
  }
  if (pattern.name_ == "uniform") return pattern;
  pattern.with_sender_ = false;
  if (pattern.name_ == "others") return pattern;
  if (pattern.name_.starts_with(kClassPrefix)) {
    pattern.go_by_class(shape, numbers);
    return pattern;
  }
  if (pattern.name_ == "next-group") {
    require(shape.group > 0,
            "traffic next-group needs a network with groups of hosts (Dragonfly, fat tree); use "
            "tornado");
    pattern.go_to_next_group(shape.group, numbers);
    return pattern;
  }
  if (pattern.name_ == "asymmetric") {
    require(hosts % 2 == 0, "traffic asymmetric needs an even number of hosts, but there are {}",
            hosts);
    pattern.halves_ = true;
    return pattern;
  }
  pattern.fixed_ = permutation(pattern.name_, hosts, seed, shape);
  WEFT_ASSERT(std::ssize(pattern.fixed_) == hosts);
  return pattern;
}

void TrafficPattern::go_by_class(const TrafficShape& shape, std::span<const std::int32_t> numbers) {
  require(!shape.levels.empty(), "traffic {} needs a Dragonfly or a fat tree; use others", name_);
  const std::string asked = name_.substr(kClassPrefix.size());
  std::size_t level = 0;
  while (level < shape.levels.size() && shape.levels[level].link_class != asked) ++level;
  if (level == shape.levels.size()) {
    std::vector<std::string> names;
    for (const TrafficShape::Level& one : shape.levels)
      names.push_back(std::string(kClassPrefix) + one.link_class);
    reject("traffic {} does not name a link class of this network; {}", name_,
           suggest(name_, names));
  }
  const std::int32_t outer = shape.levels[level].hosts;
  const std::int32_t inner = level == 0 ? 1 : shape.levels[level - 1].hosts;
  WEFT_ASSERT(inner > 0 && outer % inner == 0);
  for (const std::int32_t h : numbers)
    rings_.push_back({place_of(numbers, h / outer * outer), place_of(numbers, h / inner * inner),
                      place_of(numbers, (h / inner + 1) * inner),
                      place_of(numbers, (h / outer + 1) * outer)});
}

void TrafficPattern::go_to_next_group(std::int32_t group, std::span<const std::int32_t> numbers) {
  WEFT_ASSERT(group > 0 && !numbers.empty());
  for (const std::int32_t h : numbers) {
    const std::int32_t after = place_of(numbers, (h / group + 1) * group);
    const std::int32_t first = after < hosts_ ? after : 0;
    const std::int32_t next = numbers[first] / group;
    const std::int32_t last = next == h / group ? first : place_of(numbers, (next + 1) * group);
    rings_.push_back({first, last, last, last});
  }
}

std::vector<double> TrafficPattern::arrivals() const {
  if (!rings_.empty()) return ring_arrivals();
  std::vector<double> sums(hosts_, fixed_.empty() ? 1 - hot_share_ : 0);
  for (const std::int32_t target : fixed_) sums[target] += 1;
  if (fixed_.empty()) sums[0] += hot_share_ * hosts_;
  // Every packet arrives somewhere.
  WEFT_ASSERT(std::abs(std::accumulate(sums.begin(), sums.end(), 0.0) - hosts_) <= 1e-9 * hosts_);
  return sums;
}

// A sender's share is the same for all in its ring: differences, summed up.
std::vector<double> TrafficPattern::ring_arrivals() const {
  std::vector<double> steps(static_cast<std::size_t>(hosts_) + 1);
  for (const Ring& ring : rings_) {
    if (ring.count() == 0) continue;
    const double share = 1.0 / ring.count();
    steps[ring.first] += share;
    steps[ring.inner_first] -= share;
    steps[ring.inner_last] += share;
    steps[ring.last] -= share;
  }
  std::partial_sum(steps.begin(), steps.end(), steps.begin());
  steps.pop_back();
  return steps;
}

namespace {

// The hosts of each part, in order.
class Parts {
 public:
  explicit Parts(std::span<const std::int32_t> parts) : parts_(parts), members_(parts.size()) {
    for (std::size_t h = 0; h < parts.size(); ++h) {
      WEFT_ASSERT(parts[h] >= 0 && parts[h] < std::ssize(parts));
      members_[parts[h]].push_back(static_cast<std::int32_t>(h));
    }
  }
  const std::vector<std::int32_t>& of(std::int32_t host) const { return members_[parts_[host]]; }
  double differ(std::int32_t from, std::int32_t to) const { return &of(from) != &of(to) ? 1 : 0; }
  // Hosts in [first, last) that are in another part than `host`.
  double others(std::int32_t host, std::int32_t first, std::int32_t last) const {
    const auto same =
        std::ranges::lower_bound(of(host), last) - std::ranges::lower_bound(of(host), first);
    return static_cast<double>(last - first - same);
  }

 private:
  std::span<const std::int32_t> parts_;
  std::vector<std::vector<std::int32_t>> members_;
};

}  // namespace

double TrafficPattern::between(std::span<const std::int32_t> part_of_host) const {
  WEFT_ASSERT(std::ssize(part_of_host) == hosts_);
  const Parts parts(part_of_host);
  const auto of_ring = [&](const Ring& ring, std::int32_t from) {
    if (ring.count() == 0) return 0.0;
    return (parts.others(from, ring.first, ring.last) -
            parts.others(from, ring.inner_first, ring.inner_last)) /
           ring.count();
  };
  const std::int32_t half = hosts_ / 2, targets = with_sender_ ? hosts_ : hosts_ - 1;
  double sum = 0;
  for (std::int32_t h = 0; h < hosts_; ++h) {
    if (!fixed_.empty())
      sum += parts.differ(h, fixed_[h]);
    else if (!rings_.empty())
      sum += of_ring(rings_[h], h);
    else if (halves_)
      sum += (parts.differ(h, h % half) + parts.differ(h, h % half + half)) / 2;
    else
      sum +=
          hot_share_ * parts.differ(h, 0) + (1 - hot_share_) * parts.others(h, 0, hosts_) / targets;
  }
  return sum;
}

std::span<const TrafficInfo> traffic_patterns() {
  static const std::vector<TrafficInfo> all = [] {
    std::vector<TrafficInfo> list(kPatterns.begin(), kPatterns.end());
    list.push_back(kHotSpot);
    list.push_back(kClass);
    return list;
  }();
  return all;
}

}  // namespace weft::simulation
