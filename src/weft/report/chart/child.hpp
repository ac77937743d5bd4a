// Other programs as children: gnuplot, Graphviz.
#pragma once

#include <string>
#include <vector>

namespace weft::report {

/// A folder that goes with this object. Throws InvalidInput where none can be made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Runs a program found on the path; its output and messages go to the file `log`. Its exit status,
/// or -1 when it cannot be started (127 where that shows late).
int run_child(std::vector<std::string> words, const std::string& log);

}  // namespace weft::report
