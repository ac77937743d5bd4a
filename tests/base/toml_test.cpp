// TOML files: values with their lines, and what stands before a wrong one.
#include <gtest/gtest.h>

#include <functional>

#include "weft/base/toml_table.hpp"

namespace weft {
namespace {

const std::string kPath = "f.toml";

std::string refusal_of(const std::string& text, const std::function<void(TomlTable&)>& take) {
  try {
    const TomlNode root = parse_toml(text, kPath);
    TomlTable table(root, "the file", kPath);
    take(table);
    return "";
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

// 256 levels, counting tables, lists and the parts of keys, are fine; one more is refused before
// the parser, which takes some of the stack for each, sees it.
TEST(Toml, bounds_the_nesting_of_keys) {
  const auto refusal = [](const std::string& text) { return refusal_of(text, [](TomlTable&) {}); };
  const auto key = [](int parts) {
    std::string text = "a";
    for (int i = 1; i < parts; ++i) text += ".a";
    return text;
  };
  const std::string deep = "nested deeper than 256";
  EXPECT_EQ(refusal(key(255) + " = 1\n"), "");
  EXPECT_NE(refusal("b = 1\n" + key(257) + " = 1\n").find("f.toml:2: " + deep), std::string::npos);
  EXPECT_NE(refusal("[" + key(257) + "]\n").find("f.toml:1: " + deep), std::string::npos);
  EXPECT_NE(refusal("[[" + key(257) + "]]\n").find("f.toml:1: " + deep), std::string::npos);
  EXPECT_NE(refusal("[" + key(200) + "]\n" + key(100) + " = 1\n").find("f.toml:2: " + deep),
            std::string::npos);
  EXPECT_NE(refusal("b = {" + key(200) + " = {" + key(100) + " = 1}}\n").find(deep),
            std::string::npos);
  EXPECT_NE(refusal("b = [1,\n {" + key(300) + " = 1}]\n").find("f.toml:2: " + deep),
            std::string::npos);
  std::string quoted = "\"a.b\"";
  for (int i = 0; i < 300; ++i) quoted += " . 'c'";
  EXPECT_NE(refusal(quoted + " = 1\n").find(deep), std::string::npos);
}

TEST(Toml, counts_no_dots_that_nest_nothing) {
  const auto refusal = [](const std::string& text) { return refusal_of(text, [](TomlTable&) {}); };
  std::string dots(1000, '.'), numbers, tables;
  for (int i = 0; i < 400; ++i) numbers += "1.5, ";
  for (int i = 0; i < 400; ++i) tables += "[t.a" + std::to_string(i) + "]\nb.c = {d.e = 1.5}\n";
  EXPECT_EQ(refusal("a = \"" + dots + "\\\"" + dots + "\" # " + dots + "\nb = '" + dots + "'\n"),
            "");
  EXPECT_EQ(refusal("a = \"\"\"\n" + dots + "\n\"" + dots + "\"\"\"\nb = '''" + dots + "'''\n"),
            "");
  EXPECT_EQ(refusal("a = [" + numbers + "]\nb = [\n" + numbers + "\n]\n"), "");
  EXPECT_EQ(refusal(tables), "");
}

TEST(Toml, takes_finite_numbers_only) {
  for (const char* number : {"inf", "-inf", "nan", "-1"})
    EXPECT_NE(refusal_of(std::string("a = ") + number + "\n",
                         [](TomlTable& table) { table.number_or("a", 1); }),
              "")
        << number;
}

TEST(Toml, keeps_order_lines_and_kinds) {
  const TomlNode root = parse_toml("z = 8\na = \"x\"\n\n[t]\nb = [1, true]\n", kPath);
  ASSERT_EQ(root.members.size(), 3u);
  EXPECT_EQ(root.members[0].name, "z");
  EXPECT_EQ(root.members[0].value.text, "8");
  EXPECT_EQ(root.members[1].value.kind, TomlNode::Kind::text);
  const TomlNode& list = root.members[2].value.members[0].value;
  EXPECT_EQ(list.line, 5);
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[1].kind, TomlNode::Kind::truth);
}

TEST(Toml, tells_where_a_file_is_none) {
  EXPECT_TRUE(refusal_of("a = 1\nb = \n", [](TomlTable&) {
              }).starts_with("f.toml:2: the file is not valid TOML"));
  EXPECT_TRUE(refusal_of("a = 1979-05-27\n", [](TomlTable&) {
              }).starts_with("f.toml:1: dates and times are not supported"));
}

TEST(Toml, takes_integers_in_their_range_alone) {
  const auto integer = [](TomlTable& table) { (void)table.integer("n", 1, 9); };
  EXPECT_EQ(refusal_of("n = 9\n", integer), "");
  EXPECT_EQ(refusal_of("n = 10\n", integer), "f.toml:1: n is not an integer from 1 to 9");
  EXPECT_EQ(refusal_of("n = 1.5\n", integer), "f.toml:1: n is not an integer from 1 to 9");
  EXPECT_EQ(refusal_of("n = \"5\"\n", integer), "f.toml:1: n is not an integer from 1 to 9");
  EXPECT_EQ(refusal_of("m = 5\n", integer), "f.toml:1: the file has no n");
}

TEST(Toml, takes_numbers_in_their_range_alone) {
  const auto number = [](TomlTable& table) { (void)table.number("n", 0.5, 9); };
  EXPECT_EQ(refusal_of("n = 0.5\n", number), "");
  EXPECT_EQ(refusal_of("n = 9\n", number), "");
  for (const char* wrong : {"-1", "0.4", "9.1", "nan", "inf"})
    EXPECT_EQ(
        refusal_of("n = " + std::string(wrong) + "\n", number),
        "f.toml:1: n of the file is " + std::string(wrong) + " (expected a number from 0.5 to 9)");
  EXPECT_EQ(refusal_of("n = \"5\"\n", number),
            "f.toml:1: n of the file is a text (expected a number from 0.5 to 9)");
  EXPECT_EQ(refusal_of("m = 5\n", number), "f.toml:1: the file has no n");
}

TEST(Toml, refuses_what_nobody_asked_for) {
  const auto take = [](TomlTable& table) {
    (void)table.text_or("bandwidth", "");
    table.finish();
  };
  EXPECT_EQ(refusal_of("bandwidth = \"1\"\n", take), "");
  EXPECT_EQ(refusal_of("x = 1\nbandwith = \"1\"\n", take).substr(0, 9), "f.toml:1:");
  EXPECT_EQ(refusal_of("bandwith = \"1\"\n", take),
            "f.toml:1: unknown key 'bandwith' in the file; known: bandwidth");
  const auto only = [](TomlTable& table) { table.only({"a"}); };
  EXPECT_NE(refusal_of("a = 1\nb = 2\n", only).find("f.toml:2: "), std::string::npos);
}

}  // namespace
}  // namespace weft
