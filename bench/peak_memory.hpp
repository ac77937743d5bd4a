// Reads the peak memory of the process.
#pragma once

#include <sys/resource.h>

namespace weft::bench {

inline double peak_memory_MB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace weft::bench
