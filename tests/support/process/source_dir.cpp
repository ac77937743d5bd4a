#include "support/process/source_dir.hpp"

namespace weft::test {

std::string source_dir() {
  return WEFT_SOURCE_DIR;
}

}  // namespace weft::test
