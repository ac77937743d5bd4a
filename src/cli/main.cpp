#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <optional>

#include "cli/program.hpp"
#include "cli/screen/still_working.hpp"

int main(int count, char** arguments) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit fails to be written, in one line
  std::signal(SIGPIPE, SIG_DFL);  // `weft ... | head` ends quietly
  std::ios::sync_with_stdio(false);
  weft::cli::Streams streams{std::cout, std::cerr};
  std::optional<weft::cli::StillWorking> sign_of_life;
  if (::isatty(STDERR_FILENO) == 0)  // a terminal has a bar
    sign_of_life.emplace(std::chrono::seconds(5),
                         [](const std::string& line) { std::fputs(line.c_str(), stderr); });
  return weft::cli::run_program(count, arguments, streams);
}
