// What launchers, collectors and terminals put around the lines of a program, by their manuals.
#include "weft/base/logs/log_text.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(LogText, removes_escapes_of_terminals) {
  EXPECT_EQ(without_escapes("\x1b[4mGPU0\x1b[0m\n\x1b[1;31mred\x1b[K"), "GPU0\nred");
  EXPECT_EQ(without_escapes("plain"), "plain");
  EXPECT_EQ(without_escapes("cut \x1b[4\nnext"), "cut \nnext");
  EXPECT_EQ(without_escapes("\x1b"), "");
  EXPECT_EQ(without_escapes("\xef\xbb\xbf# Size"), "# Size");
}

TEST(LogText, finds_lines_behind_ranks_and_times) {
  const LineLabels labels("", "#");
  for (const char* line :
       {"# Size  Latency (us)", "  # Size  Latency (us)\r", "0: # Size  Latency (us)",
        "12:  # Size  Latency (us)", "[1,0]<stdout>:# Size  Latency (us)",
        "[prterun-n1-77@1,0]<stdout>: # Size  Latency (us)", "[0] # Size  Latency (us)",
        "2024-05-01T12:34:56.1234567Z # Size  Latency (us)",
        "2024-05-01 12:34:56,789 0: # Size  Latency (us)",
        "[2024-05-01 12:34:56] # Size  Latency (us)", "12:34:56 # Size  Latency (us)",
        "Mon Nov 27 09:55:00 2023[1,0]<stdout>:# Size  Latency (us)",
        "Nov 27 09:55:00 # Size  Latency (us)"})
    EXPECT_EQ(labels.behind(line), "# Size  Latency (us)") << line;
  for (const char* line : {"1048576   12.5", "1  2", "0:1", "12:34", "[0]"})
    EXPECT_EQ(labels.behind(line), line);
}

TEST(LogText, learns_labels_from_lines_with_the_mark) {
  const std::string text = "n5: # Size\nlauncher-1  | # OSU\n> # quoted\nwords before # this\n";
  const LineLabels labels(text, "#");
  EXPECT_EQ(labels.behind("n5: 8  1.5"), "8  1.5");
  EXPECT_EQ(labels.behind("launcher-1  | 8  1.5"), "8  1.5");
  EXPECT_EQ(labels.behind("> 8 1.5"), "8 1.5");
  EXPECT_EQ(labels.behind("n6: 8  1.5"), "n6: 8  1.5");
  EXPECT_EQ(labels.behind("words before 8"), "words before 8");
}

}  // namespace
}  // namespace weft
