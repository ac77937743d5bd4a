#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <limits>
#include <optional>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/program.hpp"
#include "cli/screen/signals.hpp"
#include "cli/screen/still_working.hpp"

namespace {

// Runs allocate and free a hundred megabytes again and again. To hand them back to the system each
// time, and have them cleared anew, takes up to half of the time.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace

int main(int count, char** arguments) {
  keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit fails to be written, in one line
  std::signal(SIGPIPE, SIG_DFL);  // `weft ... | head` ends quietly
  weft::cli::say_interrupted_on_signal();
  std::ios::sync_with_stdio(false);
  weft::cli::Streams streams{std::cout, std::cerr};
  std::optional<weft::cli::StillWorking> sign_of_life;
  if (::isatty(STDERR_FILENO) == 0)  // a terminal has a bar
    sign_of_life.emplace(std::chrono::seconds(5),
                         [](const std::string& line) { std::fputs(line.c_str(), stderr); });
  return weft::cli::run_program(count, arguments, streams);
}
