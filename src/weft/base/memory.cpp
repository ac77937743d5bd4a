#include "weft/base/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string_view>

#include "weft/base/error.hpp"

namespace weft {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// The number after `key` in a file of lines "KEY NUMBER ..."; infinity if there is none.
double number_after(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  std::string word;
  double number = 0;
  while (file >> word)
    if (word == key && file >> number) return number;
  return kUnlimited;
}

// Of a file with a single number; infinity if there is no file, or it says "max".
double number_in(const std::string& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? number : kUnlimited;
}

double available_to_system_B(const MemoryFiles& files) {
  constexpr double kKiB = 1024;
  const double available_B = number_after(files.meminfo, "MemAvailable:") * kKiB;
  if (available_B < kUnlimited) return available_B;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

// Names of the files of one version of control groups, and of the cached part in memory.stat, which
// the system frees when memory is short.
struct GroupFiles {
  const char *limit, *used, *cached;
};
constexpr GroupFiles kFirstVersion{"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                   "total_inactive_file"};
constexpr GroupFiles kSecondVersion{"/memory.max", "/memory.current", "inactive_file"};

double left_in_group_B(const std::string& group, const GroupFiles& files) {
  const double limit_B = number_in(group + files.limit), used_B = number_in(group + files.used);
  if (limit_B == kUnlimited || used_B == kUnlimited) return kUnlimited;
  const double cached_B = number_after(group + "/memory.stat", files.cached);
  return std::max(0.0, limit_B - used_B + (cached_B < kUnlimited ? std::min(cached_B, used_B) : 0));
}

// The limit of each group around the group counts, too. Inside a container the path may be that of
// the host, so that only the root is there.
double left_in_groups_B(const std::string& root, std::string path, const GroupFiles& files) {
  double left_B = left_in_group_B(root, files);
  for (; path.size() > 1; path.resize(path.rfind('/')))
    left_B = std::min(left_B, left_in_group_B(root + path, files));
  return left_B;
}

// Lines are "0::/PATH" in version 2 and "NUMBER:memory,...:/PATH" in version 1.
double left_in_groups_B(const MemoryFiles& files) {
  double left_B = kUnlimited;
  std::ifstream lines(files.process_groups);
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos || line.compare(second + 1, 1, "/") != 0) continue;
    const std::string path = line.substr(second + 1);
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
    if (kinds == ",,")
      left_B = std::min(left_B, left_in_groups_B(files.groups, path, kSecondVersion));
    else if (kinds.find(",memory,") != std::string::npos)
      left_B = std::min(left_B, left_in_groups_B(files.groups + "/memory", path, kFirstVersion));
  }
  return left_B;
}

double left_of_address_space_B() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const double used_pages = number_in("/proc/self/statm");  // the first number is the address space
  if (used_pages == kUnlimited) return static_cast<double>(limit.rlim_cur);
  return std::max(0.0, static_cast<double>(limit.rlim_cur) -
                           used_pages * static_cast<double>(sysconf(_SC_PAGE_SIZE)));
}

}  // namespace

double available_memory_B(const MemoryFiles& files) {
  return std::min(
      {available_to_system_B(files), left_in_groups_B(files), left_of_address_space_B()});
}

void require_memory(double needed_B, const std::string& what, const char* way_out) {
  const double available_B = available_memory_B();
  constexpr double kGB = 1e9;
  require(needed_B < available_B,
          "not enough memory: {} need {:.1f} GB, but {:.1f} GB are available; {}", what,
          needed_B / kGB, available_B / kGB, way_out);
}

}  // namespace weft
