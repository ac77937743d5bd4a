#include "weft/base/text.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Counted, has_the_plural_of_all_but_one) {
  EXPECT_EQ(counted(0, "link"), "0 links");
  EXPECT_EQ(counted(1, "link"), "1 link");
  EXPECT_EQ(counted(2, "link"), "2 links");
  EXPECT_EQ(counted(1, "box", "boxes"), "1 box");
  EXPECT_EQ(counted(3, "box", "boxes"), "3 boxes");
}

TEST(Split, has_the_parts_without_blanks_around) {
  EXPECT_EQ(split(" a, b ,c", ','), (std::vector<std::string_view>{"a", "b", "c"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(split("a,", ','), (std::vector<std::string_view>{"a", ""}));
}

TEST(NumberIn, is_that_of_the_whole_text) {
  EXPECT_EQ(number_in<int>("-12"), -12);
  EXPECT_EQ(number_in<int>("12x"), std::nullopt);
  EXPECT_EQ(number_in<std::int8_t>("300"), std::nullopt);
}

}  // namespace
}  // namespace weft
