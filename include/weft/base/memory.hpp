// Memory: what a process may still use, and the refusal of work that needs more.
#pragma once

#include <string>

namespace weft {

/// Where the system reports memory; tests name files of their own.
struct MemoryFiles {
  std::string meminfo = "/proc/meminfo";
  std::string process_groups = "/proc/self/cgroup";  // the control group of this process
  std::string groups = "/sys/fs/cgroup";             // limits of control groups, versions 1 and 2
};

/// Bytes that this process may still use: the least of the system's available memory, what the
/// limits of its control group and of the groups around it leave, and what the limit of its address
/// space (`ulimit -v`) leaves. What the system does not report counts as no limit.
double available_memory_B(const MemoryFiles& files = {});

/// Throws InvalidInput if `needed_B` bytes are more than is available: "WHAT need 30.0 GB of
/// memory, 16.0 GB are available; WAY_OUT".
void require_memory(double needed_B, const std::string& what, const char* way_out);

}  // namespace weft
