// Files that come with weft, by their names.
#include "weft/base/shipped.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/process/scratch_folder.hpp"
#include "weft/base/error.hpp"

namespace {

using namespace weft;

constexpr ShippedFiles kThings{"WEFT_TEST_THINGS", "no-such-things", "thing"};

// A folder that the variable names, with a file of each name.
class NamedFolder : public ::testing::Test {
 protected:
  NamedFolder() { ::setenv(kThings.variable, folder_.path().c_str(), 1); }
  ~NamedFolder() override { ::unsetenv(kThings.variable); }

  void add(const std::string& name) const { (void)folder_.file(name, "x = 1\n"); }
  static std::string refused(const std::string& name) {
    try {
      return "(found) " + kThings.find_or_path(name).path;
    } catch (const InvalidInput& error) {
      return error.what();
    }
  }

  test::ScratchFolder folder_;
};

TEST_F(NamedFolder, lists_toml_files_by_name) {
  add("b.toml");
  add("a-1.1.toml");
  add("c.txt");
  const auto all = kThings.all();
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].name, "a-1.1");
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[1].path, folder_.path("b.toml"));
}

TEST_F(NamedFolder, finds_a_name_in_any_case_the_exact_one_first) {
  add("one.toml");
  add("Two.toml");
  add("two.toml");
  EXPECT_EQ(kThings.find("ONE").name, "one");
  EXPECT_EQ(kThings.find("two").path, folder_.path("two.toml"));
  EXPECT_EQ(kThings.find("Two").path, folder_.path("Two.toml"));
}

TEST_F(NamedFolder, names_the_nearest) {
  add("alpha.toml");
  add("beta.toml");
  EXPECT_EQ(refused("alpah"), "unknown thing 'alpah'; known: alpha, beta");
  EXPECT_EQ(refused("zzzzzz"), "unknown thing 'zzzzzz'; known: alpha, beta");
}

TEST_F(NamedFolder, takes_paths_as_they_are) {
  add("a.toml");
  EXPECT_EQ(kThings.find_or_path("a").path, folder_.path("a.toml"));
  EXPECT_EQ(kThings.find_or_path("x/a").path, "x/a");
  EXPECT_EQ(kThings.find_or_path("./a.b").name, "a");
  EXPECT_EQ(kThings.find_or_path("own.toml").path, "own.toml");
  EXPECT_EQ(kThings.find_or_path("own.toml").name, "own");
  EXPECT_EQ(kThings.find_or_path("-").path, "-");
}

TEST_F(NamedFolder, takes_a_file_that_is_here_where_none_is_shipped) {
  add("a.toml");
  const auto before = std::filesystem::current_path();
  const test::ScratchFolder here;
  (void)here.file("a", "");
  (void)here.file("mine", "");
  std::filesystem::current_path(here.path());
  const auto shipped = kThings.find_or_path("a"), own = kThings.find_or_path("mine");
  std::filesystem::current_path(before);
  EXPECT_EQ(shipped.path, folder_.path("a.toml"));
  EXPECT_EQ(own.path, "mine");
}

TEST(ShippedFilesWithoutFolder, say_which_variable_names_one) {
  ::unsetenv(kThings.variable);
  EXPECT_TRUE(kThings.all().empty());
  try {
    (void)kThings.find("a");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(
        error.what(),
        "no thing file was found (the program has no folder share/no-such-things near it); "
        "set the environment variable WEFT_TEST_THINGS to the folder");
  }
}

}  // namespace
