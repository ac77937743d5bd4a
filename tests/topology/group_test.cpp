#include "weft/topology/group/group.hpp"

#include <gtest/gtest.h>

#include <string>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace weft::topology {
namespace {

const char* const kGroups[] = {
    "Z1",
    "Z2",
    "Z16",
    "Z2^5",
    "Z4xZ6",
    "Z2xZ3^2xZ5",
    "Z16xZ4,k=3",
    "Z7xZ3,k=2",
    "Z5xZ4,k=1",
    "Z3^2xZ8,A=[[0,1],[1,1]]",
    "Z2^3xZ7,A=[[0,0,1],[1,0,1],[0,1,0]]",
    "Z5^2xZ4,k=2",
    "D2",
    "D8",
    "DR1",
    "DR8",
    "Z3xDR5xDR2",
    "AGL(1,7)",
    "AGL(1,13,4)",
    "Perm[(0 1 2 3),(0 1)]",
    "Perm[(0 1)(2 3),(0 1 2),(3 4 5)]",
    "(Z16xZ4,k=3)xZ2",
    "Z3xD4xPerm[(0 1 2)]",
    "(Z3^2xZ8,A=[[0,1],[1,1]])xAGL(1,5)",
};

TEST(Group, satisfies_the_axioms_for_random_elements) {
  for (const char* text : kGroups) {
    const Group group = Group::parse(text);
    Rng rng(7);
    const auto any = [&] { return static_cast<Group::Element>(rng.below(group.order())); };
    for (int i = 0; i < 300; ++i) {
      const auto a = any(), b = any(), c = any();
      ASSERT_EQ(group.multiply(group.multiply(a, b), c), group.multiply(a, group.multiply(b, c)))
          << text << " " << a << " " << b << " " << c;
      ASSERT_EQ(group.multiply(0, a), a) << text;
      ASSERT_EQ(group.multiply(a, 0), a) << text;
      ASSERT_EQ(group.multiply(a, group.inverse(a)), 0) << text;
      ASSERT_EQ(group.multiply(group.inverse(a), a), 0) << text;
      ASSERT_EQ(group.element(group.to_text(a)), a) << text;
    }
  }
}

TEST(Group, translations_are_products) {
  for (const char* text : kGroups) {
    const Group group = Group::parse(text);
    Rng rng(8);
    for (int i = 0; i < 5; ++i) {
      const auto g = static_cast<Group::Element>(rng.below(group.order()));
      const auto right = group.right_translation(g);
      ASSERT_EQ(right.size(), static_cast<std::size_t>(group.order()));
      for (Group::Element x = 0; x < group.order(); ++x) {
        ASSERT_EQ(right[x], group.multiply(x, g)) << text;
      }
    }
  }
}

TEST(Group, its_text_is_canonical) {
  for (const char* text : kGroups) {
    EXPECT_EQ(Group::parse(text).text(), text);
  }
  EXPECT_EQ(Group::parse(" z4 x Z4x( z2 ) ").text(), "Z4^2xZ2");
  EXPECT_EQ(Group::parse("Z16 x Z4, k = 19").text(), "Z16xZ4,k=3");
  EXPECT_EQ(Group::parse("Z16xZ4,k=-13").text(), "Z16xZ4,k=3");
  EXPECT_EQ(Group::parse("Z7xZ3,A=[[9]]").text(), "Z7xZ3,k=2");
  EXPECT_EQ(Group::parse("(Z16xZ4,k=3)").text(), "Z16xZ4,k=3");
  EXPECT_EQ(Group::parse("perm[ ( 2  0 1 )( 4 3 ) ]").text(), "Perm[(0 1 2)(3 4)]");
  EXPECT_EQ(Group::parse("AGL(1,7,6)").text(), "AGL(1,7)");
  EXPECT_EQ(Group::abelian({2, 2, 3}), Group::parse("Z2^2xZ3"));
}

TEST(Group, orders_are_those_of_the_theory) {
  EXPECT_EQ(Group::parse("Z16xZ4,k=3").order(), 64);
  EXPECT_EQ(Group::parse("Z3^2xZ8,A=[[0,1],[1,1]]").order(), 72);
  EXPECT_EQ(Group::parse("D8").order(), 16);
  EXPECT_EQ(Group::parse("DR8").order(), 16);
  EXPECT_EQ(Group::parse("AGL(1,13)").order(), 13 * 12);
  EXPECT_EQ(Group::parse("AGL(1,13,4)").order(), 13 * 4);
  EXPECT_EQ(Group::parse("Perm[(0 1 2 3 4),(0 1)]").order(), 120);           // S5
  EXPECT_EQ(Group::parse("Perm[(0 1 2),(2 3 4)]").order(), 60);              // A5
  EXPECT_EQ(Group::parse("Perm[(0 1 2 3 4 5 6),(1 2)(3 6)]").order(), 168);  // PSL(2,7)
  EXPECT_EQ(Group::parse("Perm[(0 1 2 3 4 5 6),(0 1)]").order(), 5040);      // S7, no table
  EXPECT_EQ(Group::parse("Z2^30").order(), 1 << 30);
}

// S3 by its multiplication: a, then b.
TEST(Group, permutations_multiply_from_left_to_right) {
  const Group group = Group::parse("Perm[(0 1 2),(0 1)]");
  const auto a = group.element("(0 1 2)"), b = group.element("(0 1)");
  EXPECT_EQ(group.to_text(group.multiply(a, b)), "(1 2)");  // 0->1->0, 1->2->2, 2->0->1
  EXPECT_EQ(group.to_text(0), "()");
}

TEST(Group, semidirect_products_follow_their_formula) {
  const Group group = Group::parse("Z16xZ4,k=3");
  // (5, 2)(4, 3) = (5 + 9 * 4, 5) = (9, 1)
  EXPECT_EQ(group.to_text(group.multiply(group.element("(5,2)"), group.element("(4,3)"))), "(9,1)");
  EXPECT_EQ(group.element("(5,2)"), 5 + 16 * 2);
  const Group matrix = Group::parse("Z3^2xZ8,A=[[0,1],[1,1]]");
  // (1, 2; 1)(2, 1; 3): A (2, 1) = (1, 0), so (2, 2; 4)
  EXPECT_EQ(matrix.to_text(matrix.multiply(matrix.element("(1,2,1)"), matrix.element("(2,1,3)"))),
            "(2,2,4)");
}

// DR7 is D7 under other numbers: (x, s) is s + 2 x in place of x + 7 s.
TEST(Group, numbers_the_dihedral_group_round_a_ring) {
  const Group plain = Group::parse("D7"), ring = Group::parse("dr7");
  const auto renumbered = [](Group::Element g) { return g / 7 + 2 * (g % 7); };
  for (Group::Element a = 0; a < 14; ++a)
    for (Group::Element b = 0; b < 14; ++b)
      ASSERT_EQ(ring.multiply(renumbered(a), renumbered(b)), renumbered(plain.multiply(a, b)));
}

// z -> 3^s z + x over Z7 (3 is the least primitive root): apply b, then a.
TEST(Group, affine_elements_compose_as_maps) {
  const Group group = Group::parse("AGL(1,7)");
  const auto value = [&](Group::Element g, int z) {
    int power = 1;
    for (int s = 0; s < g / 7; ++s) power = power * 3 % 7;
    return (power * z + g % 7) % 7;
  };
  for (Group::Element a = 0; a < 42; ++a)
    for (Group::Element b = 0; b < 42; ++b)
      for (int z = 0; z < 7; ++z) ASSERT_EQ(value(group.multiply(a, b), z), value(a, value(b, z)));
}

TEST(Group, knows_whether_it_is_abelian) {
  EXPECT_TRUE(Group::parse("Z4xZ6").is_abelian());
  EXPECT_TRUE(Group::parse("Z5xZ4,k=1").is_abelian());
  EXPECT_TRUE(Group::parse("Perm[(0 1 2),(3 4)]").is_abelian());
  EXPECT_FALSE(Group::parse("D3").is_abelian());
  EXPECT_FALSE(Group::parse("Z2xPerm[(0 1 2),(0 1)]").is_abelian());
}

TEST(Group, generators_generate_and_subgroups_are_measured) {
  for (const char* text : kGroups) {
    const Group group = Group::parse(text);
    EXPECT_EQ(group.generated_order(group.generators()), group.order()) << text;
  }
  const Group group = Group::parse("Z16xZ4,k=3");
  EXPECT_EQ(group.generated_order(group.elements("(2,0),(0,1)")), 32);  // even x only
}

// What translates intervals of agents relies on: aligned boxes of low digits go to such boxes, and
// neighbouring boxes to neighbours where the digit shifts.
TEST(Group, left_multiplication_moves_boxes_of_low_digits) {
  for (const char* text : kGroups) {
    const Group group = Group::parse(text);
    Rng rng(9);
    for (int i = 0; i < 20; ++i) {
      const auto g = static_cast<Group::Element>(rng.below(group.order()));
      std::int32_t box = 1;
      for (std::size_t digit = 0; digit < group.extents().size(); ++digit) {
        const std::int32_t extent = group.extents()[digit];
        const auto start =
            static_cast<std::int32_t>(rng.below(group.order() / box / extent)) * box * extent;
        const std::int32_t image = group.multiply(g, start) / (box * extent);
        for (int j = 0; j < 20; ++j) {
          const auto in = static_cast<std::int32_t>(rng.below(std::int64_t{box} * extent));
          const std::int32_t moved = group.multiply(g, start + in);
          ASSERT_EQ(moved / (box * extent), image) << text << " box of digit " << digit;
          if (!group.shifts(digit, g)) continue;
          const std::int32_t shift = group.multiply(g, start) / box % extent;
          ASSERT_EQ(moved / box % extent, (in / box + shift) % extent) << text << " " << digit;
        }
        box *= extent;
      }
      ASSERT_EQ(box, group.order());
    }
  }
}

TEST(Group, a_million_elements_are_ordinary) {
  // 4097 = 1 + 2^12 has order 16 modulo 2^16.
  const Group group = Group::parse("Z65536xZ16,k=4097");
  EXPECT_EQ(group.order(), 1 << 20);
  EXPECT_EQ(group.generated_order(group.elements("(1,0),(0,1)")), 1 << 20);
}

TEST(Group, bad_text_says_what_would_be_right) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"Z16xZ4,k=2",
       "Z16xZ4,k=2 is not a group: 2^4 modulo 16 is 0, not 1; for example k = 3, 5, 7"},
      {"Z3^2xZ8,A=[[1,1],[1,1]]", "A^8 modulo 3 is not the identity"},
      {"Z3^2xZ8,A=[[1,1]]", "a matrix of 1 rows does not act on Z3^2"},
      {"Z3^2xZ8,A=[[1,1],[1]]", "a row of 1 entries"},
      {"Z16xZ4xZ2,k=3", "an action needs two cyclic factors before it"},
      {"Z0", "Z0 is too small (needs 2 or more)"},
      {"Z2147483647xZ2", "more than 2^31 - 1 elements"},
      {"Z2147483648", "expected a number below 2^31"},
      {"Z2^32", "32 copies of Z2 are out of range"},
      {"Z4x", "the text ends at position 4; expected a group"},
      {"Z4y", "unexpected 'y' at position 3"},
      {"D1", "D1 is too small"},
      {"DR0", "DR0 is out of range"},
      {"AGL(1,9)", "9 in AGL(1,9) is not a prime above 2; use an odd prime"},
      {"AGL(1,7,4)", "are not a subgroup (expected a divisor of 6, at least 2)"},
      {"AGL(1,2147483647)", "has more than 2147483647 elements"},
      {"AGL(2,3)", "only AGL(1,p) is supported"},
      {"Perm[(0 1 1)]", "point 1 is repeated in '(0"},
      {"Perm[(0 x)]", "'x' is not a point of a permutation"},
      {"Perm[]", "a permutation is missing"},
      {"Perm[(0 1 2 3 4 5 6 7 8 9 10 11),(0 1)]", "more than 2000000 elements is too large"},
      {"Perm[(0 99999)]", "point 99999"},
      {"", "the text ends at position 1; expected a group"},
  };
  for (const auto& c : cases) {
    try {
      Group::parse(c.text);
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(c.expected), std::string::npos)
          << c.text << ": " << error.what();
    }
  }
}

TEST(Group, bad_elements_are_refused) {
  const Group group = Group::parse("Z16xZ4,k=3");
  EXPECT_EQ(group.element(" ( -1 , 5 ) "), group.element("(15,1)"));
  for (const char* text : {"(1)", "1,3", "(1,2,3)", "", "(a,b)", "(1,)", "5", "((0 1),1)"})
    EXPECT_THROW(group.element(text), InvalidInput) << text;
  EXPECT_EQ(Group::cyclic(7).element("(10)"), 3);
  EXPECT_EQ(Group::cyclic(7).elements("1, 4,-1"), (std::vector<Group::Element>{1, 4, 6}));
  EXPECT_THROW(Group::parse("Perm[(0 1 2)]").element("(0 1)"), InvalidInput);
  EXPECT_THROW(Group::parse("Perm[(0 1 2)]").element("(0 7)"), InvalidInput);
}

}  // namespace
}  // namespace weft::topology
