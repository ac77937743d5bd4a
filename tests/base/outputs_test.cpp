#include "weft/base/files/outputs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft {
namespace {

class Outputs : public testing::Test {
 protected:
  Outputs() {
    std::filesystem::create_directory(folder_);
    write_file(path("a"), "a");
    write_file(path("b"), "b");
  }
  ~Outputs() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ / name; }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("weft-outputs-" + std::to_string(::getpid()));
};

TEST_F(Outputs, are_no_files_that_were_read_before_or_after) {
  const OutputGuard guard;
  read_file(path("a"));
  EXPECT_THROW(claim_output(path("a"), "-o"), InvalidInput);
  std::filesystem::create_symlink(path("a"), path("link"));
  EXPECT_THROW(claim_output(path("link"), "-o"), InvalidInput);
  claim_output(path("b"), "-o");
  EXPECT_THROW(read_file(path("b")), InvalidInput);
  EXPECT_EQ(read_file(path("a")), "a");
}

TEST_F(Outputs, are_two_files_also_where_none_is_there_yet) {
  const OutputGuard guard;
  claim_output(path("new"), "--plot");
  claim_output(path("new"), "--plot");  // the same once more
  EXPECT_THROW(claim_output(path("new"), "-o"), InvalidInput);
  EXPECT_THROW(claim_output(path("x/../new"), "-o"), InvalidInput);
  claim_output(path("other"), "-o");
  claim_beside(path("other"), path("other"));
  EXPECT_THROW(claim_beside(path("new"), path("other")), InvalidInput);
}

TEST_F(Outputs, are_no_file_and_a_link_that_leads_there) {
  const OutputGuard guard;
  std::filesystem::create_symlink("new", path("link"));
  claim_output(path("new"), "--csv");
  EXPECT_THROW(claim_output(path("link"), "--chart"), InvalidInput);
}

// By their names alone, as paths from here, which begin with nothing that is there.
TEST_F(Outputs, are_two_files_however_they_are_written) {
  const std::string name = "weft-outputs-not-there.svg";
  for (const std::string& other :
       {"./" + name, "x/../" + name, std::string(std::filesystem::absolute(name))}) {
    const OutputGuard guard;
    claim_output(name, "--csv");
    EXPECT_THROW(claim_output(other, "--chart"), InvalidInput) << other;
  }
}

TEST_F(Outputs, may_be_devices_and_standard_output) {
  const OutputGuard guard;
  read_file("/dev/null");
  for (const char* option : {"-o", "--csv"}) {
    claim_output("/dev/null", option);
    claim_output("-", option);
  }
}

// A program that asks for nothing of the kind, and the next command of the same process.
TEST_F(Outputs, are_free_without_a_guard) {
  claim_output(path("a"), "-o");
  EXPECT_EQ(read_file(path("a")), "a");
  {
    const OutputGuard guard;
    claim_output(path("a"), "-o");
  }
  const OutputGuard next;
  EXPECT_EQ(read_file(path("a")), "a");
  EXPECT_THROW(claim_output(path("a"), "-o"), InvalidInput);
}

}  // namespace
}  // namespace weft
