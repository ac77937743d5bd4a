// docs/how-to/write-a-study.md and the meanings of columns, held to what weft reads and gives.
#include <gtest/gtest.h>

#include <string>

#include "support/process/source_dir.hpp"
#include "weft/base/file.hpp"
#include "weft/rows/kind_facts.hpp"
#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::study {
namespace {

std::string document() {
  return read_file(weft::test::source_dir() + "/docs/how-to/write-a-study.md");
}

TEST(ExperimentsDoc, example_is_right) {
  const std::string text = document();
  const std::size_t begin = text.find("```toml\n") + 8;
  const Experiment experiment =
      parse_experiment(text.substr(begin, text.find("```", begin) - begin), "example.toml");
  // Two networks, two ways of links, 11 sizes; pairwise, Bruck with radix 2, and with radix 4 but
  // at one size.
  EXPECT_EQ(expand(experiment).size(), 2u * 2 * (11 + 11 + 10));
  EXPECT_EQ(expand(experiment, Grid::quick).size(), 1u * 2 * (2 + 2 + 1));
}

TEST(ExperimentsDoc, example_of_rows_that_choose_is_right) {
  const std::string text = document();
  const std::size_t begin = text.find("```toml\n", text.find("## Rows that choose")) + 8;
  const Experiment experiment =
      parse_experiment(text.substr(begin, text.find("```", begin) - begin), "example.toml");
  EXPECT_EQ(experiment.kind->name, "compare");
  EXPECT_EQ(expand(experiment).size(), 2u * 2);
}

TEST(ExperimentsDoc, every_column_is_listed_and_has_a_meaning) {
  for (const std::string kind :
       {"simulate",  "cost",    "topology", "forecast",  "throughput", "find",
        "crossings", "order",   "pairs",    "economics", "price",      "embedding",
        "phases",    "bounds",  "train",    "testbed",   "fit",        "load-curve",
        "optimum",   "compare", "degrade",  "plan",      "design"}) {
    const bool measured = kind == "topology" || kind == "throughput";
    const bool chooses = kind == "bounds" || kind == "optimum" || kind == "compare" ||
                         kind == "degrade" || kind == "plan";
    const std::string schedule =
        kind == "pairs" ? "collective = \"point-to-point\"\nalgorithm = \"multipath\"\n"
                        : "collective = \"allgather\"\nalgorithm = \"ring\"\n";
    const std::string grid =
        kind == "find"         ? "nodes = 8\n"
        : kind == "economics"  ? "design = \"slimfly\"\nrouters = 50\n"
        : kind == "price"      ? "part = \"switch\"\nunits = 48\n"
        : kind == "embedding"  ? "topology = \"2dfc:3x3\"\nguest = \"mesh:3x3\"\n"
        : kind == "train"      ? "topology = \"ring:4\"\nworkload = \"gpt-2-small\"\n"
        : kind == "design"     ? "nodes = 4\nmix = \"allgather:1KiB\"\nbuild = \"switches\"\n"
        : chooses              ? "topology = \"ring:4\"\ncollective = \"allgather\"\n"
        : kind == "fit"        ? "measurements = \"dc-figure-6\"\ncollective = \"allreduce\"\n"
                                 "algorithms = \"bfb,multi-ring\"\n"
        : kind == "testbed"    ? "measurements = \"dc-figure-6\"\ncollective = \"allreduce\"\n"
                                 "topology = \"complete:5\"\nalgorithm = \"bfb\"\nrate = \"10Mbit\"\n"
                                 "alpha = \"33.33ms\"\n"
        : kind == "load-curve" ? "topology = \"hosts(1, ring:4)\"\noffered-load = [0.1]\n"
        : measured             ? "topology = \"ring:4\"\n"
                               : "topology = \"hosts(1, ring:4)\"\n" + schedule;
    const Experiment experiment = parse_experiment(
        "[experiment]\ntitle = \"t\"\nkind = \"" + kind + "\"\n[grid]\n" + grid, "t.toml");
    const Values values = rows::measure(expand(experiment).at(0));
    for (const auto& [name, value] : values) {
      EXPECT_NE(rows::kind_of(kind).find_measure(name), nullptr) << kind << ' ' << name;
      EXPECT_NE(rows::meaning_of_column(kind, name), "") << kind << ' ' << name;
    }
  }
}

}  // namespace
}  // namespace weft::study
