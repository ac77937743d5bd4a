#include <csignal>
#include <iostream>

#include "cli/program.hpp"

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_DFL);  // `weft ... | head` ends quietly
  std::ios::sync_with_stdio(false);
  weft::cli::Streams streams{std::cout, std::cerr};
  return weft::cli::run_program(count, arguments, streams);
}
