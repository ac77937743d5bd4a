// The JSON answer of a command.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"

namespace weft::test {

/// Runs the line with --json. Expects exit code 0; null where it is another.
inline nlohmann::json answer_of(const std::string& line) {
  const Ran ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
  return ran.code == 0 ? nlohmann::json::parse(ran.out) : nlohmann::json();
}

}  // namespace weft::test
