// What is available, from files as Linux writes them.
#include "weft/base/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "weft/base/error.hpp"

namespace weft {
namespace {

class Memory : public testing::Test {
 protected:
  Memory() {
    write("meminfo", "MemTotal:       8000 kB\nMemFree:         100 kB\nMemAvailable:   6000 kB\n");
  }
  ~Memory() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  double available_KiB() const {
    return available_memory_B({.meminfo = folder_ / "meminfo",
                               .process_groups = folder_ / "cgroup",
                               .groups = folder_ / "groups"}) /
           1024;
  }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("weft-memory-" + std::to_string(::getpid()));
};

TEST_F(Memory, is_what_the_system_has_available) {
  EXPECT_EQ(available_KiB(), 6000);
  write("cgroup", "0::/jobs/one\n");
  write("groups/jobs/one/memory.max", "max\n");
  write("groups/jobs/one/memory.current", "4096\n");
  EXPECT_EQ(available_KiB(), 6000);
}

// Version 2: 3000 - 1000 KiB, of which 500 are cached files that the system frees.
TEST_F(Memory, is_what_the_control_group_leaves) {
  write("cgroup", "1:cpu:/\n0::/jobs/one\n");
  write("groups/jobs/one/memory.max", "3072000\n");
  write("groups/jobs/one/memory.current", "1024000\n");
  EXPECT_EQ(available_KiB(), 2000);
  write("groups/jobs/one/memory.stat", "anon 512000\ninactive_file 512000\nfile 1\n");
  EXPECT_EQ(available_KiB(), 2500);
}

TEST_F(Memory, is_what_the_tightest_group_around_it_leaves) {
  write("cgroup", "0::/jobs/one\n");
  write("groups/jobs/memory.max", "1024000\n");
  write("groups/jobs/memory.current", "2048000\n");
  write("groups/jobs/one/memory.max", "3072000\n");
  write("groups/jobs/one/memory.current", "1024\n");
  EXPECT_EQ(available_KiB(), 0);
}

// Version 1 has a tree of groups for each kind of resource; without a limit it has a huge number.
TEST_F(Memory, is_what_a_group_of_version_1_leaves) {
  write("cgroup", "4:cpuset,memory:/one\n3:pids:/two\n");
  write("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("groups/memory/memory.usage_in_bytes", "1\n");
  write("groups/memory/one/memory.limit_in_bytes", "2048000\n");
  write("groups/memory/one/memory.usage_in_bytes", "1024000\n");
  write("groups/memory/two/memory.limit_in_bytes", "1\n");
  write("groups/memory/two/memory.usage_in_bytes", "1\n");
  EXPECT_EQ(available_KiB(), 1000);
}

TEST_F(Memory, refuses_what_no_machine_has_in_one_line) {
  EXPECT_NO_THROW(require_memory(1, "bytes", ""));
  try {
    require_memory(1e18, "10 links of 4 channels", "use fewer channels");
    FAIL() << "nothing was refused";
  } catch (const InvalidInput& refusal) {
    const std::string text = refusal.what();
    EXPECT_EQ(text.find("not enough memory: 10 links of 4 channels need 1000000000.0 GB, but "), 0U)
        << text;
    EXPECT_NE(text.find(" GB are available; use fewer channels"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace weft
