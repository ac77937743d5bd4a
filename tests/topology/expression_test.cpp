#include "weft/topology/expression.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

std::string message(std::string_view text) {
  try {
    parse_expression(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(Expression, reads_a_family) {
  const Expression e = parse_expression(" Kautz : 16,2 ");
  EXPECT_EQ(e.name, "kautz");
  EXPECT_EQ(e.parameters, "16,2");
  EXPECT_TRUE(e.is_family());
  EXPECT_EQ(parse_expression("\thosts(2,\n ring:4\n)\n").to_string(), "hosts(2, ring:4)");
  EXPECT_EQ(parse_expression("diamond"), (Expression{"diamond", "", {}}));
}

TEST(Expression, own_arguments_come_first_and_inner_commas_need_no_quotes) {
  const Expression e = parse_expression("hosts( 4 ,random-regular:64,8,seed=7)");
  EXPECT_EQ(e.name, "hosts");
  EXPECT_EQ(e.parameters, "4");
  EXPECT_EQ(e.children, (std::vector{Expression{"random-regular", "64,8,seed=7", {}}}));
  const Expression w = parse_expression("WITHOUT(Cable = 3,node=7, kautz:4,2)");
  EXPECT_EQ(w.to_string(), "without(cable=3, node=7, kautz:4,2)");
  const Expression c = parse_expression("line(cayley:Z16xZ4,k=3;(1,3),(1,0))");
  EXPECT_EQ(c.parameters, "");
  EXPECT_EQ(c.children[0].parameters, "Z16xZ4,k=3;(1,3),(1,0)");
  const Expression d = parse_expression("hosts(2, dragonfly:a=4,p=2,h=2)");
  EXPECT_EQ(d.children[0].parameters, "a=4,p=2,h=2");
}

TEST(Expression, several_operands_stand_side_by_side) {
  const Expression e = parse_expression("boxes(16, ring:8, leaf-spine:leaves=8,spines=8)");
  EXPECT_EQ(e.parameters, "16");
  EXPECT_EQ(e.children, (std::vector{Expression{"ring", "8", {}},
                                     Expression{"leaf-spine", "leaves=8,spines=8", {}}}));
  // Canonical: what has commas of its own stands in brackets before another operand.
  for (const char* text : {"boxes(2, (torus:4x4 * kautz:4,2), xgft:2;4,4;1,4)",
                           "boxes(2, torus:4x4 * kautz:4,2, xgft:2;4,4;1,4)"})
    EXPECT_EQ(parse_expression(text).to_string(),
              "boxes(2, (torus:4x4 * kautz:4,2), xgft:2;4,4;1,4)");
  for (const char* text :
       {"boxes(2, hosts(4, ring:8), ring:16)", "boxes(2, (ring:8), diamond)",
        "f((a:3), (b:1, 2), c:3)", "boxes(2, wiring=rail, (kautz:4,2), kautz:4,3)",
        "planes(2, boxes(2, ring:8, ring:16))"})
    EXPECT_EQ(parse_expression(text).to_string(), text);
  // A bare name is a parameter, and brackets of their own have their own commas.
  EXPECT_EQ(parse_expression("boxes(2, ring:8, diamond)").children.size(), 1u);
  EXPECT_EQ(parse_expression("f(2, (g:8, h:9))").children[0].parameters, "8, h:9");
}

TEST(Expression, products_are_flat_in_whatever_brackets) {
  const char* canonical = "ring:4 * mesh:2x2 * complete:3";
  for (const char* text : {"ring:4*mesh:2x2*complete:3", "(ring:4 * mesh:2x2) * complete:3",
                           "ring:4 * (mesh:2x2 * complete:3)", "((ring:4*mesh:2x2*complete:3))"})
    EXPECT_EQ(parse_expression(text).to_string(), canonical) << text;
  EXPECT_EQ(parse_expression("hosts(2, ring:4 * ring:5)").to_string(), "hosts(2, ring:4 * ring:5)");
}

TEST(Expression, functions_take_powers) {
  const Expression e = parse_expression("line^3(circulant:16,3,4)");
  EXPECT_EQ(e.power, 3);
  EXPECT_EQ(e.to_string(), "line^3(circulant:16,3,4)");
  EXPECT_EQ(parse_expression("line^1(ring:3)").to_string(), "line(ring:3)");
}

TEST(Expression, quotes_hide_what_would_end_the_parameters) {
  const Expression e = parse_expression(R"(hosts(2, file:"odd, (name)*\" 1.edges" * ring:3))");
  EXPECT_EQ(e.children[0].children[0].parameters, R"("odd, (name)*\" 1.edges")");
}

TEST(Expression, errors_name_the_position) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"", "the topology expression is empty"},
      {"   ", "the topology expression is empty"},
      {"kautz:", "the parameters are missing at position 7"},
      {":4,2", "unexpected ':' at position 1; expected the name of a family or function"},
      {"kautz:4,2)", "unexpected ')' at position 10"},
      {"ring:4 ring", "(accepted)"},  // "4 ring" is for the family to refuse
      {"ring 4", "unexpected '4' at position 6"},
      {"ring:4 *", "the text ends at position 9; expected the name"},
      {"* ring:4", "unexpected '*' at position 1"},
      {"ring:4 ** ring:4", "unexpected '*' at position 9"},
      {"hosts(4, ring:4", "the text ends at position 16; expected \")\""},
      {"hosts(4)", "the inner topology is missing at position 8"},
      {"hosts(4, )", "unexpected ')' at position 10; expected the name"},
      {"hosts()", "unexpected ')' at position 7; expected the name"},
      {"line^(ring:4)", "the power is not valid at position 6"},
      {"line^0(ring:4)", "the power is not valid at position 6"},
      {"line^99999999999(ring:4)", "the power is not valid at position 6"},
      {"line^3", "the text ends at position 7; expected \"(\""},
      {"cayley:Z4;(1,2", "a bracket in the parameters is not closed at position 15"},
      {"file:\"a.edges", "a quote is not closed at position 6"},
      {"without(x y=3, ring:4)", "unexpected 'y' at position 11"},
  };
  for (const auto& c : cases)
    EXPECT_NE(message(c.text).find(c.expected), std::string::npos) << c.text << "\n"
                                                                   << message(c.text);
}

TEST(Expression, deep_nesting_is_refused_without_harm) {
  const std::string deep(100'000, '(');
  EXPECT_NE(message(deep).find("too deep"), std::string::npos);
  EXPECT_NE(message(std::string(2'000'000, 'x')).find("too long"), std::string::npos);
  EXPECT_NE(message(std::string("ring:4)\0", 8)).find("control character at position 8"),
            std::string::npos);
}

TEST(Expression, random_bytes_parse_or_are_refused) {
  constexpr std::string_view kAlphabet = "ring:4,*()^\"\\= x2;[]{}\t\0-";
  Rng rng(11);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::int64_t i = rng.below(24); i > 0; --i) text += kAlphabet[rng.below(kAlphabet.size())];
    try {
      const Expression tree = parse_expression(text);
      EXPECT_EQ(parse_expression(tree.to_string()), tree) << text;
    } catch (const InvalidInput&) {
    }
  }
}

}  // namespace
}  // namespace weft::topology
