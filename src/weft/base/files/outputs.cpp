#include "weft/base/files/outputs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft {

namespace {

struct Claim {
  std::string path;
  std::string option;  // that named it, or the file that it is written along with
  std::string beside;  // that file; empty where the option named this one
};

// A command and what it calls in threads.
struct Known {
  std::mutex lock;
  int guards = 0;
  std::vector<Claim> claims;
  std::set<std::string> reads;
};

Known& known() {
  static Known all;
  return all;
}

struct stat status_of(const std::string& path) {
  struct stat status {};
  const int failed = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  if (failed != 0) status.st_mode = 0;  // of no file
  return status;
}

bool is_one_file(const std::string& a, const std::string& b) {
  const struct stat of_a = status_of(a), of_b = status_of(b);
  return S_ISREG(of_a.st_mode) && S_ISREG(of_b.st_mode) && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

// Two files may also become one.
bool is_one_output(const std::string& a, const std::string& b) {
  if (is_one_file(a, b)) return true;
  if (status_of(a).st_mode != 0 || status_of(b).st_mode != 0) return false;
  // From the root on: a path whose first part is not there yet would stay as it is written.
  std::error_code failed;
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(written_path(path), failed),
                                             failed);
  };
  const auto first = place(a), second = place(b);
  return !failed && first == second;
}

void require_unread(const Claim& claim, const std::string& read) {
  if (!is_one_file(claim.path, read)) return;
  const std::string what =
      claim.beside.empty() ? claim.path : claim.path + " (written next to " + claim.beside + ")";
  reject("the output {} is the input {}; give {} another file", what,
         read == "-" ? "standard input" : read, claim.option);
}

void add(const Claim& claim) {
  for (const Claim& other : known().claims) {
    const bool again = claim.path == other.path && claim.option == other.option;
    require(again || !is_one_output(claim.path, other.path),
            "{} is the output of both {} and {}; give {} another file", claim.path, other.option,
            claim.option, claim.option);
  }
  for (const std::string& read : known().reads) require_unread(claim, read);
  known().claims.push_back(claim);
}

}  // namespace

OutputGuard::OutputGuard() {
  const std::lock_guard hold(known().lock);
  ++known().guards;
}

OutputGuard::~OutputGuard() {
  const std::lock_guard hold(known().lock);
  if (--known().guards > 0) return;
  known().claims.clear();
  known().reads.clear();
}

void claim_output(const std::string& path, std::string_view option) {
  const std::lock_guard hold(known().lock);
  if (known().guards == 0 || path == "-") return;
  add({path, std::string(option), {}});
}

void claim_beside(const std::string& path, const std::string& main) {
  const std::lock_guard hold(known().lock);
  const auto claim = std::ranges::find(known().claims, main, &Claim::path);
  if (claim == known().claims.end()) return;
  add({path, claim->option, main});
}

void note_read(const std::string& path) {
  const std::lock_guard hold(known().lock);
  if (known().guards == 0) return;
  for (const Claim& claim : known().claims) require_unread(claim, path);
  known().reads.insert(path);
}

std::optional<int> output_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (path.starts_with(folder)) return number_in<int>(path.substr(folder.size()));
  return std::nullopt;
}

std::string written_path(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  std::filesystem::path at = path;
  std::error_code failed;
  for (int i = 0; i < kMostLinks; ++i) {
    if (output_descriptor(at.native()) || !std::filesystem::is_symlink(at, failed))
      return at.string();
    const std::filesystem::path next = std::filesystem::read_symlink(at, failed);
    require(!failed, "cannot write '{}': {}", path, failed.message());
    at = at.parent_path() / next;
  }
  reject("cannot write '{}': {}", path,
         std::make_error_code(std::errc::too_many_symbolic_link_levels).message());
}

}  // namespace weft
