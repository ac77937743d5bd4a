// What the tables say of families is what their examples have.
#include "weft/topology/facts/family_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "weft/base/text.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// "x y z d4 ..." goes on with d5, and "level0 level1 ... levelk" with level2; "..." names any.
bool names_class(std::string_view classes, const std::string& name) {
  const auto named = split(classes, ' ');
  const auto has = [&](std::string_view word) {
    return std::ranges::find(named, word) != named.end();
  };
  if (has(name) || classes == "...") return true;
  return has("...") &&
         ((has("level1") && name.starts_with("level")) || (has("d4") && name.starts_with("d")));
}

TEST(FamilyFacts, every_family_has_one_in_the_order_of_the_registry) {
  const auto& families = standard_registry().families;
  ASSERT_EQ(family_facts().size(), families.size());
  for (std::size_t i = 0; i < families.size(); ++i)
    EXPECT_EQ(family_facts()[i].family, families[i].name);
  EXPECT_EQ(facts_of_family("no-family"), nullptr);
}

TEST(FamilyFacts, link_classes_of_the_example_are_named) {
  for (const Family& family : standard_registry().families) {
    const Topology topology = make_topology(family.name == "file"      ? "ring:4"
                                            : family.name == "network" ? "ring:4"
                                                                       : family.example);
    const FamilyFacts& facts = *facts_of_family(family.name);
    for (const std::string& name : topology.class_names())
      EXPECT_TRUE(names_class(facts.classes, name)) << family.name << ' ' << name;
  }
}

TEST(FamilyFacts, fixed_sizes_are_those_of_the_network) {
  EXPECT_EQ(std::to_string(make_topology("diamond").node_count()),
            facts_of_family("diamond")->nodes);
  EXPECT_EQ(std::to_string(make_topology("petersen").node_count()),
            facts_of_family("petersen")->nodes);
}

TEST(FamilyFacts, every_placement_is_described) {
  const auto policies = placement_policies();
  ASSERT_EQ(placement_facts().size(), policies.size());
  for (std::size_t i = 0; i < policies.size(); ++i)
    EXPECT_EQ(placement_facts()[i].name, policies[i]);
}

}  // namespace
}  // namespace weft::topology
