#include "cli/options/algorithm_list.hpp"

#include <fmt/format.h>

namespace weft::cli {

std::string note_of(const question::Dropped& dropped) {
  return fmt::format("weft: {} is left out ({}); {}\n", dropped.algorithm, dropped.reason,
                     dropped.remedy);
}

}  // namespace weft::cli
