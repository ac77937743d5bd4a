#include "weft/base/shipped.hpp"

#include <cstdlib>
#include <filesystem>

#include "weft/base/error.hpp"

namespace weft {

std::string shipped_folder(const char* variable, const std::string& source,
                           const std::string& installed) {
  namespace fs = std::filesystem;
  if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0') {
    require(fs::is_directory(folder), "{} is '{}', which is no folder", variable, folder);
    return folder;
  }
  if (fs::is_directory(source)) return source;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return "";
  const fs::path folder = program.parent_path();
  for (const fs::path& candidate : {folder.parent_path() / "share/weft" / installed,
                                    folder.parent_path().parent_path().parent_path() / source})
    if (fs::is_directory(candidate)) return candidate.string();
  return "";
}

}  // namespace weft
