#pragma once

#include <string>

namespace weft::test {

/// The folder of weft's sources, whose examples, experiments and documents tests read. A function:
/// a path in the options of every test's compiler would keep clones from sharing what they
/// compiled.
std::string source_dir();

}  // namespace weft::test
