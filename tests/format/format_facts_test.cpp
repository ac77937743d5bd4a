// Checks the facts of each format in the registry, which docs/reference/formats.md lists.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/fabrics.hpp"

namespace weft::format {
namespace {

TEST(FormatFacts, are_there) {
  for (const Format& format : formats()) {
    EXPECT_FALSE(format.loses.empty()) << format.name;
    EXPECT_FALSE(format.what_it_writes().empty() && format.what_it_reads().empty()) << format.name;
  }
  EXPECT_TRUE(std::ranges::is_sorted(formats(), {}, &Format::name));
}

}  // namespace
}  // namespace weft::format
