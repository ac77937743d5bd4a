// CachedRoutes: routes between pairs of nodes, cached for the next message between the two.
//
// Threads share them: a pair is made once, or twice at the same moment with equal results. Above a
// budget of memory no more are kept.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/network/routing.hpp"

namespace weft::network {

class CachedRoutes {
 public:
  explicit CachedRoutes(std::int64_t budget_B) : budget_B_(budget_B) {}

  /// Adds the route of the pair to the flow that is being written; make(table) does the same to an
  /// empty table and returns the latency, where none is kept yet. Returns the latency.
  template <class Make>
  std::int64_t push(NodeId from, NodeId to, RouteTable& routes, Make&& make) {
    const std::uint64_t pair = std::uint64_t{static_cast<std::uint32_t>(from.value())} << 32 |
                               static_cast<std::uint32_t>(to.value());
    Shard& shard = shards_[(pair * 0x9e3779b97f4a7c15U) >> 58];
    const RouteTable* kept = nullptr;
    {
      const std::scoped_lock lock(shard.mutex);
      if (const auto found = shard.routes.find(pair); found != shard.routes.end())
        kept = &found->second;  // stays where it is
    }
    if (kept != nullptr) return copy(*kept, routes);
    if (used_B_.load(std::memory_order_relaxed) >= budget_B_) return make(routes);
    RouteTable made;
    made.finish(make(made));
    const std::int64_t latency_ps = copy(made, routes);
    const std::int64_t bytes = size_B(made);
    const std::scoped_lock lock(shard.mutex);
    if (shard.routes.emplace(pair, std::move(made)).second)
      used_B_.fetch_add(bytes, std::memory_order_relaxed);
    return latency_ps;
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, RouteTable> routes;
  };

  static std::int64_t copy(const RouteTable& route, RouteTable& routes) {
    const auto links = route.links(0);
    const auto shares = route.shares(0);
    for (std::size_t i = 0; i < links.size(); ++i) routes.push(links[i], shares[i]);
    return route.latency_ps(0);
  }
  // As vectors grow.
  static std::int64_t size_B(const RouteTable& route) {
    constexpr std::size_t kOverhead_B = 256;
    return static_cast<std::int64_t>(kOverhead_B + route.links(0).size() * 3 / 2 *
                                                       (sizeof(LinkId) + sizeof(Rational)));
  }

  std::int64_t budget_B_;
  std::atomic<std::int64_t> used_B_{0};
  std::array<Shard, 64> shards_;
};

}  // namespace weft::network
