#include "weft/search/catalogue_folder.hpp"

#include <cstdlib>
#include <filesystem>

#include "weft/base/error.hpp"

namespace weft::search {

namespace {

namespace fs = std::filesystem;

fs::path installed_folder() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : program.parent_path().parent_path() / "share/weft/catalogue";
}

}  // namespace

std::string catalogue_folder() {
  if (const char* folder = std::getenv("WEFT_CATALOGUE"); folder != nullptr && *folder != '\0') {
    require(fs::is_directory(folder), "WEFT_CATALOGUE is '{}', which is no folder", folder);
    return folder;
  }
  if (fs::is_directory("share/catalogue")) return "share/catalogue";
  const fs::path installed = installed_folder();
  return fs::is_directory(installed) ? installed.string() : "";
}

}  // namespace weft::search
