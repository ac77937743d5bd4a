#include "weft_program.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace weft::mpi_bench {

namespace {

// The text between quotes of a shell.
std::string quoted(const std::string& text) {
  std::string made = "'";
  for (const char letter : text)
    made += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return made + "'";
}

std::string program() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = self.parent_path() / "weft";
  return !error && std::filesystem::is_regular_file(beside, error) ? beside.string() : "weft";
}

WeftAnswer run(const std::vector<std::string>& words) {
  // What is preloaded into ranks is not for weft.
  std::string command = "env -u LD_PRELOAD " + quoted(program());
  for (const std::string& word : words) command.append(" ").append(quoted(word));
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {.code = 127, .output = {}};
  WeftAnswer answer;
  std::array<char, 65536> buffer{};
  for (std::size_t read = 1; read > 0;) {
    read = std::fread(buffer.data(), 1, buffer.size(), pipe);
    answer.output.append(buffer.data(), read);
  }
  const int status = pclose(pipe);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 3;
  return answer;
}

}  // namespace

WeftAnswer ask_weft(const World& world, const std::vector<std::string>& words) {
  WeftAnswer answer;
  if (world.first()) answer = run(words);
  MPI_Bcast(&answer.code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  answer.output = from_first(world, std::move(answer.output));
  return answer;
}

std::string text_of_file(const World& world, const std::string& path) {
  std::string text, fault;
  if (world.first()) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream read;
    read << file.rdbuf();
    text = std::move(read).str();
    std::error_code error;
    if (!file.is_open() || !std::filesystem::is_regular_file(path, error))
      fault = "cannot read '" + path + "'; is it there?";
  }
  refuse_faults(world, fault);
  return from_first(world, std::move(text));
}

}  // namespace weft::mpi_bench
