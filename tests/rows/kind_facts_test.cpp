// Kinds, their parameters and their columns all have a meaning for `weft list`.
#include "weft/rows/kind_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weft/fields/models.hpp"

namespace weft::rows {
namespace {

TEST(KindFacts, every_kind_and_column_has_a_meaning) {
  for (const RowKind& kind : kinds()) {
    EXPECT_NE(summary_of_kind(kind.name), "") << kind.name;
    for (const Measure& measure : kind.measures)
      EXPECT_NE(meaning_of_column(kind.name, measure.name), "") << kind.name << ' ' << measure.name;
  }
  EXPECT_EQ(summary_of_kind("no-kind"), "");
  EXPECT_EQ(meaning_of_column("simulate", "no_column"), "");
}

TEST(KindFacts, a_column_may_mean_another_thing_in_another_kind) {
  EXPECT_NE(meaning_of_column("order", "makespan"), meaning_of_column("crossings", "makespan"));
  EXPECT_EQ(meaning_of_column("load-curve", "accepted"),
            "accepted load, in flits per host and cycle");
}

TEST(KindFacts, every_parameter_has_one_meaning) {
  for (const FieldUse& use : fields_of_kinds()) {
    EXPECT_NE(meaning_of_field(*use.field), "") << use.field->name;
    EXPECT_FALSE(use.kinds.empty()) << use.field->name;
  }
}

TEST(KindFacts, parameters_are_needed_where_kinds_say_so) {
  for (const FieldUse& use : fields_of_kinds())
    if (use.field->name == "topology" || use.field->name == "size") {
      EXPECT_EQ(use.needed, use.field->name == "topology");
    }
}

// The rules of fields/models.cpp: packets have sizes, flows share cables, all have start-ups.
TEST(KindFacts, models_of_a_parameter_are_those_in_which_it_has_an_effect) {
  const auto models = [](std::string_view field) {
    std::vector<std::string> names;
    for (const std::string_view name : fields::models_of(field)) names.emplace_back(name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(models("packet-size"), (Names{"packet", "flit"}));
  EXPECT_EQ(models("flit-size"), (Names{"flit"}));
  EXPECT_EQ(models("cables"), (Names{"fluid"}));
  EXPECT_EQ(models("factors"), (Names{"alpha-beta", "fluid"}));
  EXPECT_EQ(models("alpha"), (Names{"alpha-beta", "fluid", "packet", "flit"}));
}

}  // namespace
}  // namespace weft::rows
