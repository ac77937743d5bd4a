#include "cli/study/group_counts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace weft::cli {
namespace {

study::Experiment experiment(const std::string& claims) {
  return study::parse_experiment(
      "[experiment]\ntitle = \"t\"\ngroups = [\"paper\"]\nkind = \"topology\"\n[grid]\n"
      "topology = \"ring:4\"\n" +
          claims,
      "t.toml");
}

std::string claim(const std::string& source, const std::string& more) {
  return "[[claim]]\ntext = \"c\"\ncolumn = \"nodes\"\nwhere = {}\nsource = \"" + source + "\"\n" +
         more;
}

// Three sources: one of a claim that is met and one that is open, one met loosely, one with a
// proof; and a claim of our own.
TEST(GroupCounts, has_the_worst_mark_of_an_items_claims) {
  const std::string reason = "reason = \"reproduction/notes/p.md: x\"\nours = 4\n";
  const auto counts =
      counts_by_group({experiment(claim("figure 1", "printed = \"4\"\n") +
                                  claim("figure 1", "printed = \"5\"\n" + reason) +
                                  claim("figure 2", "printed = \"3\"\nform = \"above\"\n")),
                       experiment(claim("table 1", "printed = \"6\"\nproof = \"p\"\n" + reason) +
                                  claim("theory", "expected = \"4\"\n"))});
  ASSERT_EQ(counts.size(), 1);
  EXPECT_EQ(counts[0].name, "paper");
  EXPECT_EQ(counts[0].experiments, 2);
  EXPECT_EQ(counts[0].items, (MarkCounts{0, 1, 1, 1, 0}));
  EXPECT_EQ(counts[0].claims, (MarkCounts{1, 1, 1, 1, 0}));
  EXPECT_EQ(counts[0].own, 1);
}

}  // namespace
}  // namespace weft::cli
