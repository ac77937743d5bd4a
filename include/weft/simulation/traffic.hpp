// Traffic patterns: to which host each host sends, for open-loop runs and for background traffic.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/topology/topology.hpp"

namespace weft::simulation {

/// How the hosts of a network stand to each other, for patterns that go by it.
struct TrafficShape {
  std::vector<int> extents = {};  // of a grid with one host a node; none: all hosts in a row
  std::int32_t group = 0;         // hosts of a group or top subtree, in a row; 0: there are none
  /// Blocks of hosts in a row, each level's of equal size and within the next one's: hosts of one
  /// block, but of two of the level below, reach each other by links of this class and those below.
  struct Level {
    std::string link_class;
    std::int32_t hosts = 0;
  };
  std::vector<Level> levels = {};  // of Dragonflies and fat trees, from the inside

  /// Of a network: the extents of tori, meshes and Hamming networks, the groups of Dragonflies and
  /// the subtrees of fat trees.
  static TrafficShape of(const Topology& topology);
};

/// Where packets of one host go. Hosts are 0 .. hosts - 1.
class TrafficPattern {
 public:
  /// The pattern of that name: `uniform` (any host, the sender too), `others` (any but the sender),
  /// the permutations `complement` (h -> n - 1 - h), `transpose` and `reverse` (of the bits of h,
  /// for n = 4^k and n = 2^k), `shuffle` (bits rotated left), `tornado` (in each dimension x ->
  /// x + ceil(k / 2) - 1), `neighbor` (in each dimension x -> x + 1), `permutation` (a random one
  /// without fixed points, drawn from the seed), `asymmetric` (h mod n/2, in either half),
  /// `next-group` (any host of the next group, the adversary of Dragonflies), `class:NAME` (any
  /// host that is reached by links of that class, but by none further out), and `hot-spot:SHARE`
  /// (that share of all packets to host 0, the rest uniform). BookSim's names of them are
  /// understood too: bitcomp, bitrev, randperm, bad_dragon. Throws InvalidInput for another name,
  /// and for a number of hosts or a network that the pattern does not fit. Source of the
  /// permutations: Dally, Towles, "Principles and Practices of Interconnection Networks", 2004,
  /// section 3.2; of next-group: Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable
  /// Dragonfly Topology", ISCA 2008, section 4.2.
  /// `numbers` are the hosts' among those of the shape where not all take part, in order; only
  /// class:NAME and next-group go by them (the next group that takes part, but one's own). A host
  /// that they give no other sends to itself.
  static TrafficPattern make(std::string_view asked, std::int32_t hosts, std::uint64_t seed,
                             const TrafficShape& shape = {},
                             std::span<const std::int32_t> numbers = {});

  const std::string& name() const { return name_; }
  std::int32_t hosts() const { return hosts_; }

  /// Destination of the next packet of `source`.
  std::int32_t destination(std::int32_t source, Rng& rng) const {
    if (!fixed_.empty()) return fixed_[source];
    if (!rings_.empty()) return rings_[source].draw(source, rng);
    if (halves_)
      return source % (hosts_ / 2) + static_cast<std::int32_t>(rng.below(2)) * (hosts_ / 2);
    if (hot_share_ > 0 && rng.uniform() < hot_share_) return 0;
    if (with_sender_) return static_cast<std::int32_t>(rng.below(hosts_));
    const auto other = static_cast<std::int32_t>(rng.below(hosts_ - 1));
    return other + (other >= source);
  }

  /// How many hosts' packets arrive at each host on average, by host.
  std::vector<double> arrivals() const;

  /// How many hosts' packets, on average, go to a host of another part; parts by host, from 0 on.
  /// O(hosts log hosts).
  double between(std::span<const std::int32_t> part_of_host) const;

 private:
  std::string name_;
  std::int32_t hosts_ = 0;
  std::vector<std::int32_t> fixed_;  // of a permutation
  double hot_share_ = 0;
  bool with_sender_ = true;
  bool halves_ = false;  // asymmetric

  /// Hosts [first, last) but for [inner_first, inner_last), of class:NAME and next-group.
  struct Ring {
    std::int32_t first = 0, inner_first = 0, inner_last = 0, last = 0;
    std::int32_t count() const { return last - first - (inner_last - inner_first); }
    std::int32_t draw(std::int32_t source, Rng& rng) const {
      if (count() == 0) return source;
      const auto host = first + static_cast<std::int32_t>(rng.below(count()));
      return host < inner_first ? host : host + (inner_last - inner_first);
    }
  };
  std::vector<Ring> rings_;  // by host
  std::vector<double> ring_arrivals() const;
  void go_by_class(const TrafficShape& shape, std::span<const std::int32_t> numbers);
  void go_to_next_group(std::int32_t group, std::span<const std::int32_t> numbers);
};

/// One line of `weft list traffic`.
struct TrafficInfo {
  std::string name, summary;
};
std::span<const TrafficInfo> traffic_patterns();
/// The name of a pattern without aliases. Throws InvalidInput when there is none of that name.
std::string canonical_traffic(std::string_view asked);

}  // namespace weft::simulation
