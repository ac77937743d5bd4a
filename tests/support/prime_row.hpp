// A row of nodes whose exact costs outgrow fractions.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "weft/base/file.hpp"
#include "weft/network/network.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::test {

// The largest primes below 10^9.
inline std::vector<std::int64_t> large_primes(std::size_t count) {
  std::vector<std::int64_t> primes;
  for (std::int64_t n = 999'999'999; primes.size() < count; n -= 2) {
    std::int64_t divisor = 3;
    while (divisor * divisor <= n && n % divisor != 0) divisor += 2;
    if (divisor * divisor > n) primes.push_back(n);
  }
  return primes;
}

// A row of nodes whose links have different primes as bandwidths: T_B of a chain, a fraction for
// each link, has their product as its denominator, 10^90 of ten links.
class PrimeRow {
 public:
  explicit PrimeRow(std::size_t links)
      : path_(fmt::format("{}/primes-{}-{}.edges", ::testing::TempDir(), links, getpid())) {
    std::string text;
    int node = 0;
    for (const std::int64_t prime : large_primes(links)) {
      text += fmt::format("{} {} {}Bps 1us\n", node, node + 1, prime);
      ++node;
    }
    write_file(path_, text);
  }
  ~PrimeRow() { std::remove(path_.c_str()); }

  Network network() const {
    const Fabric fabric(build_topology("file:" + path_));
    return {fabric,
            topology::place(fabric.topology(), {}),
            {},
            network::make_routing("shortest", fabric)};
  }

 private:
  std::string path_;
};

}  // namespace weft::test
