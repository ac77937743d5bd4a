// Names of enumerations: read in any case, refused with all or the nearest.
#include "weft/base/enumeration.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "weft/base/error.hpp"

namespace weft {
namespace {

enum class Pace { walk, trot, flying_change };
constexpr Names<Pace, 3> kPaces{"pace", {"walk", "trot", "flying-change"}};

TEST(Names, are_read_as_they_are_written) {
  for (const Pace pace : {Pace::walk, Pace::trot, Pace::flying_change})
    EXPECT_EQ(kPaces.value(kPaces[pace]), pace);
  EXPECT_EQ(kPaces.value("TROT"), Pace::trot);
  EXPECT_EQ(kPaces.value("Flying_Change"), Pace::flying_change);
}

TEST(Names, are_written_in_one_way) {
  EXPECT_EQ(lower_name("Flying_Change"), "flying-change");
  EXPECT_EQ(lower_name(""), "");
}

TEST(Names, list_all_if_they_are_few) {
  try {
    kPaces.value("trott");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()), "unknown pace 'trott'; known: walk, trot, flying-change");
  }
  EXPECT_THROW(kPaces.value(""), InvalidInput);
}

TEST(UnknownText, suggests_the_nearest_of_more_than_three) {
  const std::vector<std::string> known{"walk", "trot", "canter", "gallop"};
  EXPECT_EQ(unknown_text({"value of --pace", "trott"}, known),
            "unknown value of --pace 'trott'; did you mean trot?");
  EXPECT_EQ(unknown_text({"value of --pace", "trott", "of a horse"}, std::span(known).first(3)),
            "unknown value of --pace 'trott' of a horse; known: walk, trot, canter");
}

}  // namespace
}  // namespace weft
