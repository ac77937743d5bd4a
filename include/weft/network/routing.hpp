// Routing: the paths that the network gives to the messages of one step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::network {

struct WaysTo;  // ways_to.hpp

/// A message to route: from a node to a node.
struct Flow {
  NodeId from, to;
};

/// Routes of many flows in flat arrays. Flow i uses links(i); with shares, link j of it carries
/// shares(i)[j] of the flow (a split over equal paths, merged by link), without, each carries all
/// of it. A flow between two agents on one node has no link.
class RouteTable {
 public:
  /// Takes all flows out; keeps the memory.
  void clear();
  std::int64_t size() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  std::span<const LinkId> links(std::int64_t flow) const { return range(links_, flow); }
  /// Empty when the flow is not split.
  std::span<const Rational> shares(std::int64_t flow) const {
    return shares_.empty() ? std::span<const Rational>() : range(shares_, flow);
  }
  bool has_shares() const { return !shares_.empty(); }
  /// Picoseconds from end to end, the longest path of a split flow; excludes the sender's start-up.
  std::int64_t latency_ps(std::int64_t flow) const {
    WEFT_ASSERT(flow >= 0 && flow < size());
    return latencies_ps_[flow];
  }

  /// Appends links to the flow being written, then finish() closes it. A table is either split or
  /// not.
  void push(LinkId link) { links_.push_back(link); }
  void push(LinkId link, Rational share) {
    links_.push_back(link);
    shares_.push_back(share);
  }
  /// Puts image(link) in the place of each link.
  template <class Image>
  void map_links(Image&& image) {
    for (LinkId& link : links_) link = image(link);
  }
  /// The links pushed since the last finish().
  std::span<const LinkId> unfinished() const {
    return std::span(links_).subspan(static_cast<std::size_t>(first_.back()));
  }
  void finish(std::int64_t latency_ps) {
    WEFT_ASSERT(shares_.empty() ||
                shares_.size() == links_.size());  // a table is either split or not
    first_.push_back(static_cast<std::int64_t>(links_.size()));
    latencies_ps_.push_back(latency_ps);
  }

 private:
  template <class T>
  std::span<const T> range(const std::vector<T>& all, std::int64_t flow) const {
    WEFT_ASSERT(flow >= 0 && flow < size());
    const auto i = static_cast<std::size_t>(flow);
    return std::span(all).subspan(static_cast<std::size_t>(first_[i]),
                                  static_cast<std::size_t>(first_[i + 1] - first_[i]));
  }

  std::vector<std::int64_t> first_{0};
  std::vector<LinkId> links_;
  std::vector<Rational> shares_;
  std::vector<std::int64_t> latencies_ps_;
};

/// How the network routes. Thread-safe: tables that are filled on demand are guarded.
class Routing {
 public:
  virtual ~Routing() = default;

  /// As in `weft list routings`.
  virtual std::string_view name() const = 0;

  /// Appends the route of each flow of one step, in order; a pattern-aware routing may look at all
  /// of them. Throws InvalidInput when a node cannot be reached, naming both.
  virtual void route(std::span<const Flow> step, RouteTable& routes) const = 0;

  /// Whether flows are split over several paths.
  virtual bool splits() const { return false; }

  /// A common denominator of all shares; 1 where nothing is split, 0 where none is known.
  virtual std::int64_t share_denominator() const { return splits() ? 0 : 1; }

  /// Whether a flow's route depends on the other flows of its step.
  virtual bool sees_whole_step() const { return false; }

  /// Whether route(g x, g y) = g route(x, y) for every translation g of the topology's extents:
  /// then loads of a symmetric schedule may be computed from its representatives.
  virtual bool translation_invariant() const { return false; }

  /// Whether routes move with every automorphism of a network without parallel links that keeps
  /// the speeds of links.
  virtual bool moves_with_automorphisms() const { return false; }

  /// Whether messages split equally over links that depend on their target alone, so that ways_to()
  /// writes them.
  virtual bool knows_ways() const { return false; }
  /// Writes the ways to a node; a target without any leaves them empty. Precondition: knows_ways().
  /// O(links), and a search for each target that was not asked about before.
  virtual void ways_to(NodeId target, WaysTo& ways) const;

  std::uint64_t topology_hash() const { return topology_hash_; }

 protected:
  explicit Routing(const Topology& topology) : topology_hash_(topology.hash()) {}

 private:
  std::uint64_t topology_hash_;
};

/// What `auto` stands for on such a machine: table where it has tables; d-mod-k on extended
/// generalised fat trees, also with failures; minimal on Dragonflies of single links between
/// groups, Dragonfly+, Slim Fly and PolarFly; minimal-split on other Dragonflies, also with
/// failures, in planes and under boxes; dimension-order on Hamming networks, HyperX, tori and
/// meshes, also with failures; widest-split where the cards of a box share a leaf or hosts are
/// joined by cables of several widths; shortest-split on other networks with
/// switches and on twisted tori; shortest on the rest. Of hosts(k, X) it is that of X, if it fits.
std::string_view default_routing(const Topology& topology);

/// The routing of that name of those in routings() (routings.hpp) that give paths; of auto
/// default_routing(), whose name it bears. Throws InvalidInput for an unknown name (with near ones)
/// and a topology it does not fit.
std::shared_ptr<const Routing> make_routing(std::string_view name, const Fabric& fabric,
                                            std::uint64_t seed = 1);

}  // namespace weft::network

namespace weft {
using network::default_routing;
using network::make_routing;
using network::RouteTable;
using network::Routing;
}  // namespace weft
