#include "weft/base/error.hpp"

namespace weft {

void assertion_failed(const char* condition, const char* file, int line) {
  throw std::logic_error(
      fmt::format("internal error: {} does not hold ({}:{})", condition, file, line));
}

}  // namespace weft
