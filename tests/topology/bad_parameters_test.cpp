#include <gtest/gtest.h>

#include <string>

#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

TEST(Families, bad_parameters_say_what_would_be_right) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"kautz:1,3", "degree 1 is too small for Kautz (needs 2 or more); use uniring:N"},
      {"kautz:2,0", "diameter 0 is too small"},
      {"kautz:4", "\"4\" has too few parameters (expected kautz:d,k); for example kautz:16,2"},
      {"kautz:4,2,1", "too many parameters"},
      {"kautz:4,x", "parameter \"x\" is not an integer"},
      {"kautz:4,99999999999", "out of range"},
      {"kautz:1000,9", "kautz:1000,9 is too large (more than 10^15 nodes"},
      {"kautz:2,2147483647", "is too large"},
      {"kautz", "too few parameters"},
      {"genkautz:4,4", "needs at least 5 nodes"},
      {"genkautz:2147483647,2147483647", "needs at least 2147483648 nodes"},
      {"debruijn:2,31", "is too large"},
      {"2dfc:4", "2dfc has two extents"},
      {"2dfc:4x1", "extent 1 of 2dfc:4x1 is too small"},
      {"hamming:4x0x4", "extent 0"},
      {"hamming:4x-3", "extent -3"},
      {"hamming:100000x100000", "is too large"},
      {"torus:4x", "parameter \"\" is not an integer"},
      {"torus:4x1", "extent 1 of torus:4x1 is too small (needs 2 or more); leave it out"},
      {"torus:100000x100000x100000x100000x100000", "is too large"},
      {"mesh:4,4", "parameter \"4,4\" is not an integer"},
      {"hypercube:0", "0 dimensions"},
      {"hypercube:2147483647", "is too large"},
      {"ring:1", "needs 2 or more"},
      {"ring:2147483647", "is too large"},
      {"uniring:0,4", "degree 0 is too small for uniring"},
      {"uniring:1,2,3", "too many parameters"},
      {"uniring:100000,100000", "is too large"},
      {"biring:3,8", "degree 3 is wrong for biring"},
      {"biring:4,2", "a biring of 2 nodes is too small"},
      {"biring:2000000000,5", "is too large"},
      {"shifted-ring:2", "a shifted-ring of 2 nodes is too small"},
      {"directed-circulant:0", "degree 0 is too small for directed-circulant"},
      {"directed-circulant:100000", "is too large"},
      {"twisted-torus:4x4", "twisted-torus:4x4 has no extent twice as long to shift along"},
      {"twisted-torus:4x6", "extents of twisted-torus:4x6 do not fit a twist"},
      {"twisted-torus:8", "has 1 dimensions (a twisted torus has 2 or 3)"},
      {"twisted-torus:1x2", "extent 1 of twisted-torus:1x2 is too small"},
      {"twisted-torus:2000000000x2000000000", "has no extent twice as long"},
      {"twisted-torus:1000x1000x2000", "is too large"},
      {"twisted-hypercube:2", "a twisted-hypercube of 2 dimensions is too small"},
      {"twisted-hypercube:40", "is too large"},
      {"diamond:8", "diamond has no parameters (expected diamond); for example diamond"},
      {"debruijn-mod:1,3", "degree 1 is too small for debruijn-mod"},
      {"debruijn-mod:2,2", "debruijn-mod:2,2 is not defined"},
      {"debruijn-mod:2,40", "is too large"},
      {"double-binary-tree:1", "a double-binary-tree of 1 nodes is too small"},
      {"distance-regular:odd4", "unknown distance-regular graph \"odd4\"; did you mean odd-4?"},
      {"distance-regular", "the name of the distance-regular graph is missing"},
      {"complete:100000", "is too large"},
      {"bipartite:0,4", "empty side"},
      {"circulant:16", "too few parameters"},
      {"circulant:16,9", "jump 9 of circulant:16,9 is out of range (needs 1 to 8"},
      {"circulant:16,3,3", "given twice"},
      {"random-regular:5,3,seed=1", "nodes * degree is odd"},
      {"random-regular:4,4,seed=1", "degree 4 is out of range"},
      {"random-regular:4,1,seed=1", "disconnected"},
      {"random-regular:64,8,7", "\"7\" is not seed=s"},
      {"random-regular:64,8,seed=-7", "seed \"-7\""},
      {"dragonfly:a=4,p=2", "h is missing"},
      {"dragonfly:a=4,p=2,h=2,g=10", "needs 2 to a*h + 1 = 9"},
      {"dragonfly:a=4,p=2,h=2,q=1", "unknown key \"q\""},
      {"dragonfly:a=4,p=2,h=2,a=3", "given twice"},
      {"dragonfly:a=4,p=2,h=2,arrangement=absolut", "did you mean absolute"},
      {"dragonfly:a=100000,p=1,h=100000", "is too large"},
      {"slimfly:15", "slimfly:15 does not exist (q is a prime power, 3 or more"},
      {"slimfly:15", "the nearest: 13 and 16"},
      {"slimfly:2", "3 or more); the nearest: 3"},
      {"slimfly:-2147483648", "the nearest: 3"},
      {"slimfly:2147483647", "slimfly:2147483647 is too large"},
      {"slimfly:2147483646", "the nearest: 401"},
      {"slimfly:409", "is too large"},
      {"slimfly", "too few parameters"},
      {"polarfly:6", "polarfly:6 does not exist (q is a prime power); the nearest: 5 and 7"},
      {"polarfly:1", "the nearest: 2"},
      {"polarfly:2147483647", "is too large"},
      {"polarfly:587", "is too large"},
      {"xgft:2;4,3;1", "height 2 does not fit 2 and 1"},
      {"xgft:2;4,0;1,2", "level 2 has 0 children"},
      {"xgft:3;8,4,2", "has 2 parts"},
      {"xgft:2;100000,100000;100000,100000", "is too large"},
      {"fat-tree:1,2", "arity 1"},
      {"fat-tree:4,40", "40 levels"},
      {"hosts(0, ring:4)", "0 hosts a switch"},
      {"hosts(ring:4)", "too few parameters"},
      {"hosts(2, fat-tree:2,2)", "has hosts already"},
      {"hosts(1000000000, ring:4)", "is too large"},
      {"hosts:4", "hosts is a function"},
      {"ring(4, ring:4)", "ring is a family"},
      {"hots(4, ring:4)", "unknown topology function \"hots\"; did you mean hosts?"},
      {"without(ring:4)", "nothing is removed"},
      {"without(cable=4, ring:4)", "cable 4 does not exist in ring:4 (it has cables 0 to 3)"},
      {"without(link=-1, ring:4)", "link -1 does not exist"},
      {"without(wire=1, ring:4)", "unknown key \"wire\""},
      {"without(node=0, node=1, ring:2)", "removes every node"},
      {"power(0, ring:4)", "power 0 is out of range"},
      {"power(40, ring:4)", "is too large"},
      {"complete:3 * fat-tree:2,2", "has switches"},
      {"transpose(3, ring:4)", "no parameters of its own"},
      {"line(3, ring:4)", "no parameters of its own"},
      {"line(fat-tree:2,2)", "has switches, so line(X) is not defined"},
      {"line^12(complete:5)", "line^12(complete:5) is too large (83886080 nodes, 335544320 links"},
      {"degree(0, ring:4)", "0 copies are too few"},
      {"degree(ring:4)", "too few parameters"},
      {"degree(2, debruijn:2,3)", "has a self-loop at node 0"},
      {"degree(100000, ring:4)", "is too large"},
      {"degree(2, hosts(1, ring:4))", "has switches, so degree(n, X) is not defined"},
      {"bidirectional(2, ring:4)", "no parameters of its own"},
      {"bidirectional(hosts(1, ring:4))", "has switches, so bidirectional(X) is not defined"},
  };
  for (const auto& c : cases) {
    try {
      make_topology(c.text);
      ADD_FAILURE() << c.text << " is accepted";
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(c.expected), std::string::npos) << c.text << "\n"
                                                                               << error.what();
    }
  }
}

}  // namespace
}  // namespace weft::topology
