// Names of enumerations: read in any case, refused with the nearest.
#include "weft/base/enumeration.hpp"

#include <gtest/gtest.h>

#include <string>

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

TEST(Names, say_the_nearest_of_what_is_none) {
  try {
    kPaces.value("trott");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()), "unknown pace 'trott'; did you mean trot?");
  }
  EXPECT_THROW(kPaces.value(""), InvalidInput);
}

}  // namespace
}  // namespace weft
