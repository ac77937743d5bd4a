// Where a search starts.
//
// Blocks: the ranks 0 .. n/2 - 1 and n/2 .. n - 1 of a binomial tree are two subtrees that one
// message joins, and so on within each. So the hosts are halved: the breadth-first order from the
// first of them, inside the part, gives its first half to the lower ranks.
#include <algorithm>
#include <bit>
#include <numeric>

#include "index.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/base/suggest.hpp"
#include "weft/search/order/metis_start.hpp"
#include "weft/search/order_network.hpp"

namespace weft::search {

namespace {

// The allowed hosts, each once.
std::vector<std::int32_t> hosts_of(const OrderNetwork& network,
                                   std::span<const std::int32_t> allowed) {
  if (!allowed.empty()) return {allowed.begin(), allowed.end()};
  std::vector<std::int32_t> hosts(index(network.hosts()));
  std::iota(hosts.begin(), hosts.end(), 0);
  return hosts;
}

Order linear(const OrderNetwork& network, const OrderStart& start) {
  Order order;
  for (const std::int32_t host : hosts_of(network, start.hosts))
    order.insert(order.end(), index(start.cores), host);
  return order;
}

// Sorts positions first..last by hops from the switch of the host at `first`.
void by_distance(const OrderNetwork& network, Order& order, std::size_t first, std::size_t last) {
  const std::int32_t center = network.switch_of(order[first]);
  const auto key = [&](std::int32_t host) {
    const std::int32_t place = network.switch_of(host);
    return std::pair(network.hops(center, place), place);
  };
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                   order.begin() + static_cast<std::ptrdiff_t>(last),
                   [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
}

// Halves of a power of two, as the tree has them.
void halve(const OrderNetwork& network, Order& order, std::size_t first, std::size_t last) {
  WEFT_ASSERT(first <= last && last <= order.size());
  if (last - first < 2) return;
  by_distance(network, order, first, last);
  const std::size_t middle = first + std::bit_floor(last - first - 1);
  halve(network, order, first, middle);
  halve(network, order, middle, last);
}

}  // namespace

Order order_from_hosts(const OrderNetwork& network, std::span<const std::int32_t> hosts,
                       std::int32_t cores, std::span<const std::int32_t> allowed) {
  std::vector<std::int32_t> left(index(network.hosts()), 0);
  const std::vector<std::int32_t> usable = hosts_of(network, allowed);
  for (const std::int32_t host : usable) left[index(host)] = cores;
  Order order;
  for (const std::int32_t host : hosts) {
    require(left[index(host)] > 0 || std::ranges::count(usable, host) > 0,
            "host {} of the order is not available; remove it, or add it to --hosts", host);
    require(left[index(host)]-- > 0,
            "host {} is in the order more often than it has cores ({}); name each host at most "
            "that often",
            host, cores);
    order.push_back(host);
  }
  for (const std::int32_t host : usable) order.insert(order.end(), index(left[index(host)]), host);
  WEFT_ASSERT(order.size() ==
              usable.size() * index(cores));  // each usable host as often as it has cores
  return order;
}

Order start_order(const OrderNetwork& network, const OrderStart& start) {
  require(start.cores >= 1 && start.cores <= 1024, "{} cores per host are out of range (1 to 1024)",
          start.cores);
  Order order = linear(network, start);
  const std::string policy = lower(start.policy);
  if (policy == "random") {
    Rng rng(start.seed);
    rng.shuffle(order);
  } else if (policy == "bfs") {
    by_distance(network, order, 0, order.size());
  } else if (policy == "blocks") {
    halve(network, order, 0, order.size());
  } else if (policy == "metis") {
    halve_by_metis(network, order, start.seed);
  } else if (policy != "linear") {
    const std::vector<std::string> known{"linear", "random", "bfs", "blocks", "metis", "file:PATH"};
    reject_unknown({"value of --start", start.policy}, known);
  }
  return order;
}

}  // namespace weft::search
