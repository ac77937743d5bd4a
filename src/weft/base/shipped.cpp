#include "weft/base/shipped.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kExtension = ".toml";

// As the folder writes the name; in any case, where no other file is called so.
const NamedFile* among(const std::vector<NamedFile>& files, std::string_view name) {
  auto found = std::ranges::find(files, name, &NamedFile::name);
  if (found == files.end())
    found = std::ranges::find(files, lower(name),
                              [](const NamedFile& file) { return lower(file.name); });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

std::string shipped_folder(const char* variable, const std::string& source,
                           const std::string& installed) {
  if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0') {
    require(is_folder(folder), "{} is set to '{}', which is not a folder", variable, folder);
    return folder;
  }
  if (is_folder(source)) return source;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return "";
  const fs::path folder = program.parent_path();
  for (const fs::path& candidate : {folder.parent_path() / "share/weft" / installed,
                                    folder.parent_path().parent_path().parent_path() / source})
    if (is_folder(candidate.string())) return candidate.string();
  return "";
}

std::vector<NamedFile> ShippedFiles::all() const {
  const std::string where =
      shipped_folder(variable, fmt::format("share/{}", folder), std::string(folder));
  std::vector<NamedFile> files;
  if (where.empty()) return files;
  for (const std::string& name : names_in(where))
    if (const fs::path path = fs::path(where) / name; path.extension() == kExtension)
      files.push_back({path.stem().string(), path.string()});
  std::ranges::sort(files, {}, &NamedFile::name);
  return files;
}

NamedFile ShippedFiles::find(std::string_view name) const {
  const std::vector<NamedFile> files = all();
  require(!files.empty(),
          "no {} file was found (the program has no folder share/{} near it); set the "
          "environment variable {} to the folder",
          kind, folder, variable);
  if (const NamedFile* file = among(files, name)) return *file;
  std::vector<std::string> names;
  for (const NamedFile& file : files) names.push_back(file.name);
  reject_unknown({kind, name}, names);
}

NamedFile ShippedFiles::find_or_path(const std::string& name_or_path) const {
  const fs::path path(name_or_path);
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path == "-" ||
                       path.extension() == kExtension;
  NamedFile own{path.stem().string(), name_or_path};
  if (is_path) return own;
  if (!among(all(), name_or_path) && is_there(name_or_path) && !is_folder(name_or_path)) return own;
  return find(name_or_path);
}

std::string cache_file(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return (fs::path(cache) / "weft" / name).string();
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return "";
  return (fs::path(home) / ".cache/weft" / name).string();
}

}  // namespace weft
