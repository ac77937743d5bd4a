// Logs: what launchers, collectors and terminals put around the lines of a program.
//
//   LineLabels labels(text, "#");
//   labels.behind("[1,0]<stdout>:# Size  Latency (us)")   // "# Size  Latency (us)"
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace weft {

/// Without the escape sequences of terminals (colours, underlines) and UTF-8's mark of byte order.
/// O(length).
std::string without_escapes(std::string_view text);

/// What stands before each line of a log: the rank ("0: " of srun --label, "[1,0]<stdout>:" of
/// mpirun --tag-output, "[0] " of Hydra), the time, the host ("n5: " of pdsh), a quotation mark.
class LineLabels {
 public:
  /// `mark` begins some lines of the program. What else stands before it, in one word, is a label
  /// of this log. O(length).
  LineLabels(std::string_view text, std::string_view mark);

  /// The line behind its labels, without blanks at its ends.
  std::string_view behind(std::string_view line) const;

 private:
  std::set<std::string, std::less<>> own_;  // labels of this log alone
};

}  // namespace weft
