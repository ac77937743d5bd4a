#include "weft/base/cache.hpp"

#include <cstdlib>
#include <filesystem>

namespace weft {

namespace fs = std::filesystem;

std::string cache_file(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return (fs::path(cache) / "weft" / name).string();
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return "";
  return (fs::path(home) / ".cache/weft" / name).string();
}

}  // namespace weft
