// Small experiment files for tests: the head that they share, and the message that rejects a file.
#pragma once

#include <string>

#include "weft/base/error.hpp"
#include "weft/study/grid.hpp"

namespace weft::test {

// Six lines, which end in an axis of rings with 4 and 8 nodes, then the given lines.
inline std::string rings_and(const std::string& lines) {
  return R"([experiment]
title = "t"
[variables]
n = [4, 8]
[grid]
topology = "ring:{n}"
)" + lines;
}

// The message with which reading and expanding this file ends; empty if the file is right.
inline std::string message_of_file(const std::string& content) {
  try {
    study::expand(study::parse_experiment(content, "t.toml"));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

}  // namespace weft::test
