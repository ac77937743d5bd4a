// Traffic patterns: to which host each host sends, for open-loop runs and for background traffic.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/random.hpp"

namespace weft::simulation {

/// Where packets of one host go. Hosts are 0 .. hosts - 1.
class TrafficPattern {
 public:
  /// The pattern of that name: `uniform` (any host, the sender too), `others` (any but the sender),
  /// the permutations `complement` (h -> n - 1 - h), `transpose` and `reverse` (of the bits of h,
  /// for n = 4^k and n = 2^k), `shuffle` (bits rotated left), `tornado` (h + ceil(n / 2) - 1),
  /// `neighbor` (h + 1), `permutation` (a random one without fixed points, drawn from the seed),
  /// and `hot-spot:SHARE` (that share of all packets to host 0, the rest uniform). Throws
  /// InvalidInput for another name and for a number of hosts that the pattern does not fit. Source
  /// of the permutations: Dally, Towles, "Principles and Practices of Interconnection Networks",
  /// 2004, section 3.2.
  static TrafficPattern make(std::string_view name, std::int32_t hosts, std::uint64_t seed);

  const std::string& name() const { return name_; }
  std::int32_t hosts() const { return hosts_; }

  /// Destination of the next packet of `source`.
  std::int32_t destination(std::int32_t source, Rng& rng) const {
    if (!fixed_.empty()) return fixed_[static_cast<std::size_t>(source)];
    if (hot_share_ > 0 && rng.uniform() < hot_share_) return 0;
    if (with_sender_) return static_cast<std::int32_t>(rng.below(hosts_));
    const auto other = static_cast<std::int32_t>(rng.below(hosts_ - 1));
    return other + (other >= source);
  }

  /// How many hosts' packets arrive at each host on average, by host.
  std::vector<double> arrivals() const;

 private:
  std::string name_;
  std::int32_t hosts_ = 0;
  std::vector<std::int32_t> fixed_;  // of a permutation
  double hot_share_ = 0;
  bool with_sender_ = true;
};

/// One line of `weft list traffic`.
struct TrafficInfo {
  std::string name, summary;
};
std::span<const TrafficInfo> traffic_patterns();

}  // namespace weft::simulation
