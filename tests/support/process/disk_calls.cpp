#include "support/process/disk_calls.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace {

struct Record {
  bool on = false;
  int error = 0;
  std::vector<std::string> calls;
};

Record& record() {
  static Record the;
  return the;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::string last_name(const std::filesystem::path& path) {
  return path.filename().string();
}

int sync(const char* function, int fd) {
  if (record().on) {
    const auto file = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd));
    record().calls.push_back("sync " + last_name(file));
    errno = record().error;
    if (errno != 0) return -1;
  }
  return next<int(int)>(function)(fd);
}

}  // namespace

// The program's own definitions stand before the C library's.
extern "C" int fsync(int fd) {
  return sync("fsync", fd);
}
extern "C" int fdatasync(int fd) {
  return sync("fdatasync", fd);
}
extern "C" int rename(const char* from, const char* to) noexcept {
  if (record().on) record().calls.push_back("rename " + last_name(from) + " " + last_name(to));
  return next<int(const char*, const char*)>("rename")(from, to);
}

namespace weft::test {

DiskCalls::DiskCalls() {
  record().on = true;
}
DiskCalls::~DiskCalls() {
  record() = {};
}

std::vector<std::string> DiskCalls::take() {
  return std::exchange(record().calls, {});
}

void DiskCalls::fail_with(int error) {
  record().error = error;
}

}  // namespace weft::test
