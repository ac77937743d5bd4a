// docs/reference/foreign-formats.md has the registry's facts about each format.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/fabrics.hpp"

namespace weft::format {
namespace {

TEST(FormatFacts, are_in_the_document) {
  const std::string document = read_file(test::source_dir() + "/docs/reference/foreign-formats.md");
  for (const Format& format : formats()) {
    const auto or_blank = [](const std::string& text) { return text.empty() ? "" : text + " "; };
    const std::string row =
        fmt::format("| `{}` | {}| {}| {} |\n", format.name, or_blank(format.what_it_writes()),
                    or_blank(format.what_it_reads()), format.loses);
    EXPECT_NE(document.find(row), std::string::npos) << "the page lacks the line\n" << row;
  }
}

TEST(FormatFacts, are_there) {
  for (const Format& format : formats()) {
    EXPECT_FALSE(format.loses.empty()) << format.name;
    EXPECT_FALSE(format.what_it_writes().empty() && format.what_it_reads().empty()) << format.name;
  }
  EXPECT_TRUE(std::ranges::is_sorted(formats(), {}, &Format::name));
}

}  // namespace
}  // namespace weft::format
