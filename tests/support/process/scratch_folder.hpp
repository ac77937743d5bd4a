// Files of a test, in a folder that no other test has, not even one that runs beside it.
#pragma once

#include <string>
#include <vector>

namespace weft::test {

/// A folder that goes with this object.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& content) const;
  std::vector<std::string> files() const;

 private:
  std::string path_;
};

}  // namespace weft::test
