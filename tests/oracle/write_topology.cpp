// weft_write_topology EXPRESSION PATH [EXPRESSION PATH ...]: builds and writes each, for judges.
#include <fmt/core.h>

#include <cstdio>
#include <exception>

#include "weft/topology/files/files.hpp"
#include "weft/topology/registry.hpp"

int main(int argc, char** argv) {
  try {
    for (int i = 1; i + 1 < argc; i += 2)
      weft::topology::write_topology(weft::build_topology(argv[i]), argv[i + 1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
