// The full grids of the experiments that come with weft: some have thousands of networks.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/process/source_dir.hpp"
#include "weft/question/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::study {
namespace {

TEST(Experiments, full_grids_expand) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(weft::test::source_dir() + "/experiments")) {
    if (entry.path().extension() != ".toml") continue;
    ++count;
    EXPECT_FALSE(expand(load_experiment(entry.path().string())).empty()) << entry.path();
  }
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace weft::study
