#include "../../src/weft/network/cached_routes.hpp"

#include <gtest/gtest.h>

namespace weft::network {
namespace {

// Pushes pair (from, to) over link `to`, of a latency of 10 * to; counts how often it was made.
std::int64_t push(CachedRoutes& kept, int from, int to, RouteTable& routes, int& made) {
  return kept.push(NodeId(from), NodeId(to), routes, [&](RouteTable& table) {
    ++made;
    table.push(LinkId(to), Rational(1, 2));
    table.push(LinkId(to + 1), Rational(1, 2));
    return std::int64_t{10} * to;
  });
}

void push_all_twice(CachedRoutes& kept, int& made) {
  RouteTable routes;
  for (int round = 0; round < 2; ++round)
    for (int to = 0; to < 10; ++to) {
      const std::int64_t latency_ps = push(kept, 1, to, routes, made);
      EXPECT_EQ(latency_ps, 10 * to);
      routes.finish(latency_ps);
      ASSERT_EQ(routes.links(routes.size() - 1).size(), 2U);
      EXPECT_EQ(routes.links(routes.size() - 1)[0], LinkId(to));
      EXPECT_EQ(routes.shares(routes.size() - 1)[1], Rational(1, 2));
    }
}

TEST(CachedRoutes, makes_each_pair_once_while_there_is_room) {
  CachedRoutes kept(1 << 20);
  int made = 0;
  push_all_twice(kept, made);
  EXPECT_EQ(made, 10);
  RouteTable back;
  push(kept, 2, 3, back, made);
  EXPECT_EQ(made, 11);
}

TEST(CachedRoutes, makes_pairs_anew_without_room) {
  CachedRoutes kept(0);
  int made = 0;
  push_all_twice(kept, made);
  EXPECT_EQ(made, 20);
}

}  // namespace
}  // namespace weft::network
