#include "weft/base/memory.hpp"

#include <unistd.h>

#include "weft/base/error.hpp"

namespace weft {

void require_memory(double needed_B, const std::string& what, const char* way_out) {
  const double machine_B =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  constexpr double kGB = 1e9;
  require(needed_B < machine_B, "{} need {:.1f} GB of memory, this machine has {:.1f} GB; {}", what,
          needed_B / kGB, machine_B / kGB, way_out);
}

}  // namespace weft
