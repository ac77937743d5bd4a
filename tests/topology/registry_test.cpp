#include "weft/topology/registry.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"

namespace weft::topology {
namespace {

TEST(Registry, every_example_builds_and_its_name_builds_it_again) {
  for (const Family& family : standard_registry().families) {
    if (family.name == "file") continue;
    const Topology built = make_topology(family.example);
    EXPECT_EQ(built.name(), family.example);
    EXPECT_EQ(make_topology(built.name()).hash(), built.hash()) << built.name();
  }
  for (const Function& function : standard_registry().functions) {
    if (function.example.find("file:") != std::string::npos) continue;  // of the user's
    const Topology built = make_topology(function.example);
    EXPECT_EQ(built.name(), function.example);
    EXPECT_EQ(make_topology(built.name()).hash(), built.hash()) << built.name();
  }
}

TEST(Registry, names_the_nearest_family) {
  try {
    make_topology("kauz:4,2");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()), "unknown topology family 'kauz'; did you mean kautz?");
  }
}

}  // namespace
}  // namespace weft::topology
