// SizeFactors: latency and bandwidth of links by the size of the message that crosses them.
//
// A library sends small messages at once (eager) and asks before it sends large ones (rendezvous),
// and each way has its own latency and bandwidth. So the time of a message of m bytes is piecewise:
// on a link of class c whose latency is L and whose bandwidth is B it takes
//
//     lat(c, m) * L + m / (bw(c, m) * B)
//
// with factors that hold from a size on, up to the next that is named; below the first they are 1.
// SimGrid says the same by smpi/lat-factor and smpi/bw-factor. Where messages share a link, one of
// m bytes is there as m / bw(c, m) bytes: a slow one keeps the link busy for longer.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::simulation {

/// What holds for messages of `from_B` bytes and more.
struct SizeFactor {
  std::int64_t from_B = 0;            // 0 or more
  double latency = 1, bandwidth = 1;  // of the link's own; above 0

  friend bool operator==(const SizeFactor&, const SizeFactor&) = default;
};

/// In the order of sizes, each named once.
using FactorsBySize = std::vector<SizeFactor>;

/// In place of a class: of messages between two ranks of a host, over the loopback.
inline constexpr std::string_view kLoopbackClass = "loopback";

struct SizeFactors {
  FactorsBySize all;                                           // of classes that are not named
  std::map<std::string, FactorsBySize, std::less<>> by_class;  // in the place of `all`

  /// "FILE:LINE" that names a class first, for messages; no part of what the factors are.
  std::map<std::string, std::string, std::less<>> places = {};

  /// Factors of the loopback: its own, or those of classes that are not named.
  const FactorsBySize& of_loopback() const {
    const auto own = by_class.find(kLoopbackClass);
    return own == by_class.end() ? all : own->second;
  }
  bool empty() const { return all.empty() && by_class.empty(); }
  friend bool operator==(const SizeFactors& a, const SizeFactors& b) {
    return a.all == b.all && a.by_class == b.by_class;
  }
};

/// Reads "FROM:LATENCY,BANDWIDTH" or "CLASS=FROM:LATENCY,BANDWIDTH", as 64KiB:2.5,0.9, into the
/// factors. Throws InvalidInput, also for a size that was named before.
void parse_factor_option(std::string_view text, SizeFactors& factors);
/// Those of SimGrid's SMPI in a release, "smpi-3.12", "smpi-3.28" or "smpi-3.32"; null for other
/// names. SimGrid's default values of smpi/lat-factor and smpi/bw-factor, which all three share
/// (measured on a TCP cluster: Degomme et al., Simulating MPI Applications: The SMPI Approach, IEEE
/// TPDS 2017). A size that is a threshold there has the factors below it, so that these begin a
/// byte later.
const FactorsBySize* published_factors(std::string_view name);
/// The names that it knows.
std::span<const std::string_view> published_factor_names();

/// The options that say them, in the order of classes and sizes; numbers in their shortest form
/// that reads back.
std::vector<std::string> factor_options(const SizeFactors& factors);

/// Of a message of `bytes`; 1 below the first size. O(log sizes).
const SizeFactor& factor_of(const FactorsBySize& factors, std::int64_t bytes);

/// The lowest factor of latency and the highest of bandwidth that messages of any size have on
/// links of any class; 1 where there are no factors (null) or all are worse. Bounds count with it.
SizeFactor best_factor(const SizeFactors* factors);

/// The factors of a network's classes.
class LinkFactors {
 public:
  /// Throws InvalidInput for a class that the topology lacks, naming those it has. O(classes *
  /// sizes).
  LinkFactors(const SizeFactors& factors, const Topology& topology);

  /// Whether all classes have the same at every size.
  bool alike() const { return alike_; }
  /// Of a class, for a message of `bytes`. O(log sizes).
  const SizeFactor& of(topology::ClassId link_class, std::int64_t bytes) const {
    return factor_of(by_class_[link_class.index()], bytes);
  }

  /// The latency of a message whose route takes `latency_ps` without factors; of a split one,
  /// scaled by the mean over its links. `shares` is empty or one for each link. O(links).
  std::int64_t latency_ps(const Fabric& fabric, std::span<const LinkId> links,
                          std::span<const Rational> shares, std::int64_t bytes,
                          std::int64_t latency_ps) const;
  /// Appends what each byte of the message puts on each of its links. O(links).
  void add_loads(const Topology& topology, std::span<const LinkId> links,
                 std::span<const Rational> shares, std::int64_t bytes,
                 std::vector<double>& loads) const;

 private:
  std::vector<FactorsBySize> by_class_;  // by class
  bool alike_ = true;
};

}  // namespace weft::simulation

namespace weft {
using simulation::SizeFactors;
}
