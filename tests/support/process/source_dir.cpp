#include "support/process/source_dir.hpp"

namespace weft::test {

std::string source_dir() {
  return test::source_dir();
}

}  // namespace weft::test
