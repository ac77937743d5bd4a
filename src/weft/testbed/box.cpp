#include "weft/testbed/box.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "child.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/testbed/launch.hpp"
#include "weft/testbed/script.hpp"

namespace weft::testbed {

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = "/run/weft-testbed";
const fs::path kSpaces = "/run/netns";
constexpr std::string_view kPrefix = "weft-";

std::string first_line(const std::string& path) {
  if (!is_regular_file(path)) return {};
  const std::string text = read_file(path);
  return std::string(trim(text.substr(0, text.find('\n'))));
}

void write_script(const fs::path& path, const std::string& text) {
  write_file(path.string(), text);
  std::error_code failed;
  fs::permissions(path, fs::perms::owner_all, failed);
  require(!failed, "cannot make '{}' a program: {}", path.string(), failed.message());
}

std::string user() {
  if (const char* behind_sudo = std::getenv("SUDO_USER")) return behind_sudo;
  const passwd* entry = ::getpwuid(::getuid());
  return entry == nullptr ? fmt::format("user {}", ::getuid()) : entry->pw_name;
}

// The lock of a testbed, where nobody holds it; else -1. It goes with the process, and with the
// script that makes or removes the testbed, which outlives a process that is killed meanwhile.
int lock_of(const fs::path& folder) {
  const int file = ::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  if (file >= 0) ::close(file);
  return -1;
}

// Of "weft-4711-12" the testbed's id, 4711; nothing where the name is no testbed's.
std::optional<std::string> id_of_space(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || !number_in<std::int64_t>(name.substr(dash + 1)) ||
      !number_in<std::int64_t>(name.substr(0, dash)))
    return std::nullopt;
  return std::string(name.substr(0, dash));
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const std::string& name : names_in(kFolder)) all.push_back(name);
  for (const std::string& name : names_in(kSpaces))
    if (auto id = id_of_space(name)) all.push_back(std::move(*id));
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void remove(const std::string& id, int lock = -1) {
  const fs::path folder = kFolder / id;
  std::error_code error;
  fs::create_directories(folder, error);
  write_script(folder / "down", down_script(id));
  run_script((folder / "down").string(), (folder / "down.log").string(), lock);
  fs::remove_all(folder, error);
}

void require_root() {
  require(::geteuid() == 0,
          "a testbed needs root (for network namespaces and rates); run weft as root, or in a "
          "privileged container");
}

void sleep_a_little() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

// Until no script holds the lock, a minute at most: those of the largest testbeds take seconds.
void wait_for_scripts(const fs::path& folder) {
  constexpr int kTimes = 3000;
  const int file = ::open((folder / "lock").c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  for (int i = 0; i < kTimes && ::flock(file, LOCK_EX | LOCK_NB) != 0; ++i) sleep_a_little();
  ::close(file);
}

// Whether the child ended within the time, and its code then.
std::optional<int> wait_for(int child, double seconds, bool until_signal) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int status = 0;; sleep_a_little()) {
    if (::waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (std::chrono::steady_clock::now() > end) return std::nullopt;
    if (until_signal && SignalWatch::caught()) return std::nullopt;
  }
}

}  // namespace

std::vector<Found> testbeds() {
  std::vector<Found> all;
  for (const std::string& id : ids()) {
    const fs::path folder = kFolder / id;
    Found found{.id = id, .owner = first_line((folder / "owner").string())};
    std::error_code hidden;
    if (fs::exists(folder / "lock", hidden)) {
      const int lock = lock_of(folder);
      found.in_use = lock < 0;
      if (lock >= 0) ::close(lock);
    }
    all.push_back(std::move(found));
  }
  return all;
}

std::vector<Found> clean() {
  std::vector<Found> all = testbeds();
  std::erase_if(all, [](const Found& found) { return found.in_use; });
  for (const Found& found : all)
    require(::geteuid() == 0, "testbed {} is {}; run weft testbed clean as root", found.id,
            found.owner.empty() ? "root's" : "of " + found.owner);
  for (const Found& found : all) remove(found.id);
  return all;
}

std::string new_id() {
  return fmt::format("{}", ::getpid());
}

std::optional<std::string> find_program(const std::string& name) {
  const auto runs = [](const std::string& path) {
    std::error_code hidden;
    return fs::is_regular_file(path, hidden) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? std::optional(name) : std::nullopt;
  const char* set = std::getenv("PATH");
  const std::string path =
      std::string(set == nullptr ? "" : set) + ":/usr/sbin:/sbin:/usr/bin:/bin";
  for (const std::string_view folder : split(path, ':')) {
    if (folder.empty()) continue;
    const std::string whole = std::string(folder) + '/' + name;
    if (runs(whole)) return whole;
  }
  return std::nullopt;
}

Box::Box(Layout layout) : watch_(std::make_unique<SignalWatch>()), layout_(std::move(layout)) {
  require_root();
  for (const char* program : {"ip", "tc", "unshare"})
    require(find_program(program).has_value(),
            "{} is not installed, but testbeds need it; install {}", program,
            std::string_view(program) == "unshare" ? "util-linux" : "iproute2");
  start_guard();  // before there is anything to leave behind
  try {
    make();
  } catch (...) {
    take_away();
    throw;
  }
}

Box::~Box() {
  take_away();
}

std::string Box::file(const std::string& name) const {
  return (kFolder / layout_.options.id / name).string();
}

std::string Box::agent() const {
  return file("agent");
}

void Box::make() {
  const fs::path folder = kFolder / layout_.options.id;
  std::error_code error;
  fs::create_directories(folder, error);
  require(!error, "cannot make {}: {}", folder.string(), error.message());
  lock_ = lock_of(folder);
  require(lock_ >= 0, "testbed {} is in use", layout_.options.id);
  write_file(file("owner"), fmt::format("{}, process {}\n", user(), ::getpid()));
  write_script(agent(), agent_script(layout_));
  write_script(file("up"), up_script(layout_));
  if (run_script(file("up"), file("up.log"), lock_) == 0) return;
  const std::string line = first_line(file("up.log"));
  reject(
      "this machine cannot run a testbed: {} (it needs network namespaces, veth, bridge, "
      "htb and u32{}; in a container also its privileges)",
      line.empty() ? "ip and tc failed" : line,
      layout_.options.delay_ps > 0 ? ", netem for --delay" : "");
}

/// The guard holds neither the lock nor the end of the pipe that tells it of this process's. A
/// script that still runs then is waited for: it would go on making what is taken away.
void Box::start_guard() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw SystemError(std::string("pipe: ") + std::strerror(errno));
  guard_ = ::fork();
  if (guard_ < 0) throw SystemError(std::string("fork: ") + std::strerror(errno));
  if (guard_ > 0) {
    ::close(ends[0]);
    guard_pipe_ = ends[1];
    return;
  }
  ::close(ends[1]);
  ::setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  char done = 0;
  ssize_t bytes = 0;
  while ((bytes = ::read(ends[0], &done, 1)) < 0 && errno == EINTR) {
  }
  if (bytes == 0) wait_for_scripts(kFolder / layout_.options.id);
  if (bytes == 0) ::execl("/proc/self/exe", "weft", "testbed", "clean", "--quiet", nullptr);
  ::_exit(0);
}

void Box::take_away() {
  if (lock_ >= 0) remove(layout_.options.id, lock_);
  // Nothing is left for the guard; writing to it would end this process were it gone.
  if (guard_ > 0) ::kill(guard_, SIGKILL);
  if (guard_pipe_ >= 0) ::close(std::exchange(guard_pipe_, -1));
  while (guard_ > 0 && ::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
  }
  guard_ = -1;
  if (lock_ >= 0) ::close(std::exchange(lock_, -1));
}

Ended Box::run(const std::vector<std::string>& command, double limit_s) {
  constexpr double kGrace_s = 3;
  if (SignalWatch::caught()) return {.code = 1, .signal = SignalWatch::caught()};
  const int child = start(command);
  if (const auto code = wait_for(child, limit_s, true)) return {*code, SignalWatch::caught()};
  const auto caught = SignalWatch::caught();
  ::kill(child, caught.value_or(SIGTERM));
  if (!wait_for(child, kGrace_s, false)) {
    ::kill(child, SIGKILL);
    (void)wait_for(child, kGrace_s, false);
  }
  return {.code = 1, .signal = caught, .out_of_time = !caught};
}

}  // namespace weft::testbed
