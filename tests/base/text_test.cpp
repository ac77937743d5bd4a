#include "weft/base/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "weft/base/alternatives.hpp"
#include "weft/base/error.hpp"
#include "weft/base/xml.hpp"

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
  EXPECT_EQ(number_in<int>(""), std::nullopt);
  EXPECT_EQ(number_in<int>("3.9"), std::nullopt);
  EXPECT_EQ(number_in<std::uint64_t>("ff", 16), 255U);
  EXPECT_EQ(number_in<double>("1e3"), 1000);
  for (const char* text : {"inf", "-inf", "nan", "1e999", "1.5x", " 1"})
    EXPECT_EQ(number_in<double>(text), std::nullopt) << text;
}

TEST(TakeNumber, leaves_what_follows) {
  std::string_view text = "12.5us";
  EXPECT_EQ(take_number<double>(text), 12.5);
  EXPECT_EQ(text, "us");
  EXPECT_EQ(take_number<double>(text), std::nullopt);
  EXPECT_EQ(text, "us");
}

// Expected: what Python's bytes.decode("utf-8", "replace") makes of the same bytes. R stands for
// U+FFFD.
TEST(Printable, replaces_what_is_no_utf_8) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 \xed\xa0\x80", "1 RRR"},  // a surrogate
      {"\xc0\xaf", "RR"},           // longer forms than needed
      {"\xe0\x80\xaf", "RRR"},
      {"\xf4\x90\x80\x80", "RRRR"},  // beyond U+10FFFF
      {"a\xe2\x82"
       "b",
       "aRb"},                // cut off by another character
      {"\xf0\x9f\x98", "R"},  // and by the end
      {"\xff\xfe", "RR"},
      {"\xf8\x88\x80\x80\x80", "RRRRR"},
      {"\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80"}};
  for (const auto& [bytes, expected] : cases) {
    std::string text = expected;
    for (std::size_t at = 0; (at = text.find('R', at)) != std::string::npos;)
      text.replace(at, 1, "\xef\xbf\xbd");
    EXPECT_EQ(printable(bytes), text);
  }
}

TEST(Printable, replaces_control_characters_but_those_that_are_kept) {
  using namespace std::string_literals;
  EXPECT_EQ(printable("a\0b\x1b[1m\x7f\n\t"s), "a?b?[1m???");
  EXPECT_EQ(printable("a\0b\n\t"s, "\n\t"), "a?b\n\t");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "?31m");                                     // one of terminals' beyond ASCII
  EXPECT_EQ(printable("\xef\xbf\xbe"), "\xef\xbf\xbd");  // U+FFFE, which XML may not contain
}

TEST(EscapeXml, has_nothing_that_xml_may_not_contain) {
  using namespace std::string_literals;
  EXPECT_EQ(escape_xml("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(escape_xml("\0\x01\n\xef\xbf\xbf\xed\xa0\x80"s),
            "??\n\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(InvalidInput, does_not_end_at_a_nul) {
  using namespace std::string_literals;
  EXPECT_STREQ(InvalidInput("a\0b"s).what(), "a?b");
}

TEST(Text, joins_alternatives) {
  const auto joined = [](const std::vector<std::string>& names) { return alternatives(names); };
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"a"}), "a");
  EXPECT_EQ(joined({"a", "b"}), "a or b");
  EXPECT_EQ(joined({"a", "b", "c"}), "a, b or c");
}

TEST(ToldWith, names_the_file_once) {
  const auto told = [](const std::string& why) -> std::string {
    try {
      told_with("f.txt", [&]() -> int { throw InvalidInput(why); });
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(told("is wrong"), "'f.txt': is wrong");
  EXPECT_EQ(told("f.txt:3: is wrong"), "f.txt:3: is wrong");
}

}  // namespace
}  // namespace weft
