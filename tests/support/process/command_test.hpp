// Tests of commands that read files which the test writes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"

namespace weft::test {

class CommandTest : public testing::Test {
 protected:
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& text) const {
    return folder_.file(name, text);
  }
  /// Expects exit code 2, no answer, and one line with this text.
  static void expect_refused(const std::string& line, const std::string& says) {
    const Ran ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(says), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }

  ScratchFolder folder_;
};

}  // namespace weft::test
