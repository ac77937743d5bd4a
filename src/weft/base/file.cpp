#include "weft/base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/files/outputs.hpp"

namespace weft {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

const char* reason() {
  return std::strerror(errno);
}

void write_all(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    require(written > 0, "cannot write '{}': {}", path, reason());
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

void write_special(const std::string& path, std::string_view content) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  require(fd.get() >= 0, "cannot write '{}': {}", path, reason());
  write_all(fd.get(), content, path);
}

// A device such as /dev/zero never ends.
constexpr std::size_t kMostStreamed = std::size_t{1} << 30;

std::string read_all(int fd, const std::string& name) {
  struct stat status {};
  const bool endless = ::fstat(fd, &status) == 0 && !S_ISREG(status.st_mode);
  std::string content;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    require(count >= 0, "cannot read '{}': {}", name, reason());
    if (count == 0) return content;
    require(content.size() < kMostStreamed || !endless,
            "cannot read '{}': it is not a regular file and gave {} GiB without an end", name,
            kMostStreamed >> 30);
    content.append(buffer, static_cast<std::size_t>(count));
  }
}

// Windows' editors write a byte-order mark before a text; no file that weft reads begins with these
// bytes otherwise.
std::string without_mark(std::string content) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (content.starts_with(kMark)) content.erase(0, kMark.size());
  return content;
}

// Removes the temporary file unless it was renamed.
struct Temporary {
  std::string path;
  bool kept = false;
  ~Temporary() {
    if (!kept) ::unlink(path.c_str());
  }
};

// Some file systems cannot sync what was written, or not folders; there nothing is lost that they
// would have kept.
bool synced(int fd) {
  return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max(slash, std::size_t{1}));
}

// A new name is safe once its folder is. Who may write to a folder but not list it cannot open it;
// then the name comes to the disk when the system sees fit.
bool synced_folder(const std::string& path) {
  const Descriptor fd(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.get() < 0 || synced(fd.get());
}

}  // namespace

std::string read_file(const std::string& path) {
  note_read(path);
  if (path == "-") return without_mark(read_all(STDIN_FILENO, "standard input"));
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  require(fd.get() >= 0, "cannot read '{}': {}", path, reason());
  return without_mark(read_all(fd.get(), path));
}

void write_file(const std::string& path, std::string_view content) {
  if (path == "-") return write_all(STDOUT_FILENO, content, "standard output");
  const std::string target = written_path(path);
  if (const auto descriptor = output_descriptor(target))
    return write_all(*descriptor, content, path);
  if (is_special(target)) return write_special(target, content);
  Temporary temporary{target + ".tmp." + std::to_string(::getpid())};
  Descriptor fd(::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (fd.get() < 0) {
    temporary.kept = true;  // nothing to remove
    reject("cannot write '{}': {}", path, reason());
  }
  write_all(fd.get(), content, path);
  // In this order: else a power cut could leave the new name with none of the bytes.
  require(synced(fd.get()) && ::close(fd.release()) == 0 &&
              ::rename(temporary.path.c_str(), target.c_str()) == 0,
          "cannot write '{}': {}", path, reason());
  temporary.kept = true;
  require(synced_folder(target), "cannot write '{}': {}", path, reason());
}

bool is_there(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ||
         (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG);
}

bool is_regular_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string temporary_folder() {
  std::error_code error;
  const std::string folder = std::filesystem::temp_directory_path(error).string();
  return error ? "/tmp" : folder;
}

void require_writable(const std::string& path) {
  if (path == "-") return;
  const std::string target = written_path(path);
  if (output_descriptor(target)) return;
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  require(!exists || !S_ISDIR(status.st_mode), "cannot write '{}': it is a folder", path);
  if (exists && !S_ISREG(status.st_mode)) return;
  const std::string folder = folder_of(target);
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
  reject("cannot write '{}': its folder '{}' is not writable ({}); choose another place", path,
         folder, reason());
}

}  // namespace weft
