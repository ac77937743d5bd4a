#include "support/process/scratch_folder.hpp"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace weft::test {

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "weft-test-XXXXXX").string();
  path_ = ::mkdtemp(pattern.data()) == nullptr ? "." : pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (path_ != ".") std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::file(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::vector<std::string> ScratchFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace weft::test
