// The classes that weft gives to links: every name that its own networks have is known.
#include "weft/topology/link_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "weft/topology/machines/machines.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

TEST(LinkClasses, those_of_every_family_function_and_machine_are_usual) {
  const auto expect_usual = [](const std::string& expression) {
    const Topology topology = make_topology(expression);
    for (const std::string& name : topology.class_names())
      EXPECT_TRUE(is_usual_link_class(name)) << name << " of " << expression;
  };
  for (const Family& family : standard_registry().families)
    if (family.name != "file") expect_usual(family.example);
  for (const char* expression :
       {"hosts(4, ring:4)", "ring:4 * ring:3", "line(ring:4)", "hypercube:6", "torus:2x2x2x2x2x2",
        "boxes(2, ring:4)", "boxes(4, network:dgx-a100)", "boxes(4, torus:2x2, torus:4x4)"})
    expect_usual(expression);
}

TEST(LinkClasses, numbers_may_be_any_and_other_names_are_not_usual) {
  for (const char* name : {"level0", "level12", "d17", "nvlink-x18", "xgmi-x4", "box-x"})
    EXPECT_TRUE(is_usual_link_class(name)) << name;
  for (const char* name : {"", "foo", "level", "levelx", "d-1", "nvlnk", "box-", "all"})
    EXPECT_FALSE(is_usual_link_class(name)) << name;
  for (const std::string& name : usual_link_classes()) EXPECT_TRUE(is_usual_link_class(name));
}

}  // namespace
}  // namespace weft::topology
