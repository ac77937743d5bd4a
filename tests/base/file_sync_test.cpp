// What write_file asks of the system, and in which order: bytes on the disk before the name points
// at them, the name on the disk before it returns (Pillai et al., "All File Systems Are Not Created
// Equal", OSDI 2014, on what a power cut leaves otherwise).
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "support/process/disk_calls.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft {
namespace {

using Calls = std::vector<std::string>;

class FileSync : public testing::Test {
 protected:
  FileSync() { std::filesystem::create_directory(folder_); }
  ~FileSync() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ / name; }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("weft-sync-" + std::to_string(::getpid()));
  std::string temporary_ = "a.tmp." + std::to_string(::getpid());
  test::DiskCalls disk_;
};

TEST_F(FileSync, bytes_come_before_the_name_and_the_name_before_the_return) {
  write_file(path("a"), "content");
  EXPECT_EQ(disk_.take(), (Calls{"sync " + temporary_, "rename " + temporary_ + " a",
                                 "sync " + folder_.filename().string()}));
  EXPECT_EQ(read_file(path("a")), "content");
}

TEST_F(FileSync, a_disk_that_fails_leaves_the_old_file) {
  write_file(path("a"), "old");
  disk_.take();
  disk_.fail_with(EIO);
  EXPECT_THROW(write_file(path("a"), "new"), InvalidInput);
  EXPECT_EQ(disk_.take(), Calls{"sync " + temporary_});
  EXPECT_EQ(read_file(path("a")), "old");
  EXPECT_FALSE(std::filesystem::exists(path(temporary_)));
}

TEST_F(FileSync, a_file_system_that_cannot_sync_is_written_to_all_the_same) {
  disk_.fail_with(EINVAL);
  write_file(path("a"), "content");
  EXPECT_EQ(read_file(path("a")), "content");
}

}  // namespace
}  // namespace weft
