// Jellyfish: switches that are cabled to each other at random, each with as many hosts. It is
// hosts(h, random-regular:n,d,seed=s) under the name that data centres know it by.
// Source: Singla, Hong, Popa, Godfrey, "Jellyfish: Networking Data Centers Randomly", NSDI 2012.
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/families/random_regular.hpp"
#include "weft/topology/functions/functions.hpp"

namespace weft::topology {

namespace {

Topology jellyfish(int switches, int degree, int hosts, std::uint64_t seed) {
  const Expression name{
      "jellyfish", fmt::format("{},{},{},seed={}", switches, degree, hosts, seed), {}};
  require(switches >= 2 && degree >= 1 && hosts >= 1,
          "{} is too small (needs 2 or more switches, and 1 or more cables and hosts a switch)",
          name.to_string());
  require(degree < switches,
          "{} has too few switches (a switch has at most one cable to each of the {} others)",
          name.to_string(), switches - 1);
  require(switches % 2 == 0 || degree % 2 == 0,
          "{} does not exist (switches * degree is odd); change one of them by 1",
          name.to_string());
  require(degree > 1 || switches == 2,
          "{} is disconnected (with degree 1 it has only pairs); use degree 2 or more",
          name.to_string());
  require_size(name.to_string(), switches * (1.0 + hosts),
               1.0 * switches * degree + 2.0 * switches * hosts);
  return attach_hosts_as(name, hosts, {random_regular(switches, degree, seed), {}}).topology;
}

// The seed is "seed=7" as of all random families, or the fourth number.
SeededIntegers read(const Parameters& parameters) {
  const auto parts = split(parameters.text(), ',');
  if (parts.size() != 4 || lower(parts[3]).starts_with("seed"))
    return parameters.seeded_integers(3, "switches,degree,hosts");
  SeededIntegers values;
  for (std::size_t i = 0; i < 3; ++i) values.integers.push_back(parameters.integer(parts[i]));
  values.seed = parameters.seed(parts[3]);
  return values;
}

}  // namespace

Family jellyfish_family() {
  return make_family("jellyfish", "switches,degree,hosts[,seed=s]",
                     "Switches with random cables between them, each with `degree` cables and "
                     "`hosts` hosts; the default seed is 1",
                     "jellyfish:16,4,3,seed=1", [](const Parameters& parameters) {
                       const SeededIntegers values = read(parameters);
                       return jellyfish(values.integers[0], values.integers[1], values.integers[2],
                                        values.seed);
                     });
}

}  // namespace weft::topology
