#include "pairs.hpp"

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
  return !error && std::filesystem::is_regular_file(beside) ? beside.string() : "weft";
}

bool message_in(const std::string& word, int ranks, Message& message) {
  int read = 0;
  return std::sscanf(word.c_str(), "%d>%d%n", &message.from, &message.to, &read) == 2 &&
         static_cast<std::size_t>(read) == word.size() && message.from >= 0 && message.to >= 0 &&
         message.from < ranks && message.to < ranks && message.from != message.to;
}

bool read_pattern(std::istringstream& words, int ranks, PairList& list) {
  Pattern pattern;
  words >> pattern.link_class >> pattern.load;
  for (std::string word; words >> word;) {
    Message message;
    if (!message_in(word, ranks, message)) return false;
    pattern.messages.push_back(message);
  }
  list.patterns.push_back(pattern);
  return !pattern.messages.empty() && pattern.link_class.find(',') == std::string::npos;
}

// Of all ranks or none: what the first one could do.
void require_done(const World& world, int done, const std::string& why) {
  MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (done == 0) refuse(world, why);
}

}  // namespace

PairList read_pairs(const World& world, const std::string& text, const std::string& where) {
  PairList list;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string at = where + ":" + std::to_string(++number) + ": ";
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word.front() == '#') continue;
    if (number == 1 && line == "weft-pairs 1") continue;
    int ranks = 0;
    if (number == 1)
      refuse(world, at + "no list of pairs; write one with weft calibrate --pairs -o FILE");
    else if (word == "topology")
      std::getline(words >> std::ws, list.topology);
    else if (word == "ranks" && words >> ranks) {
      if (ranks != world.ranks)
        refuse(world, at + "pairs of " + std::to_string(ranks) + " ranks, and there are " +
                          std::to_string(world.ranks));
    } else if (word != "measure" || !read_pattern(words, world.ranks, list)) {
      std::string fault = at;
      fault.append("'").append(line).append(
          "' is no line of a list of pairs: measure CLASS LOAD 0>1 ...");
      refuse(world, fault);
    }
  }
  if (list.patterns.empty()) refuse(world, where + ": no pair to measure");
  return list;
}

std::string text_of_file(const World& world, const std::string& path) {
  std::string text;
  int done = 1;
  if (world.first()) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream read;
    read << file.rdbuf();
    text = std::move(read).str();
    done = file.is_open() && std::filesystem::is_regular_file(path) ? 1 : 0;
  }
  require_done(world, done, "cannot read '" + path + "'; is it there?");
  return from_first(world, std::move(text));
}

std::string pairs_of_topology(const World& world, const std::string& topology) {
  std::string text;
  int done = 1;
  if (world.first()) {
    // What is preloaded into ranks, and what their launcher left for them, is not for weft.
    const std::string command = "env -u LD_PRELOAD " + quoted(program()) +
                                " calibrate --pairs --topology " + quoted(topology) + " --ranks " +
                                std::to_string(world.ranks);
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    for (std::size_t read = 1; pipe != nullptr && read > 0;) {
      read = std::fread(buffer.data(), 1, buffer.size(), pipe);
      text.append(buffer.data(), read);
    }
    const int status = pipe == nullptr ? -1 : pclose(pipe);
    done = status == 0 ? 1 : 0;
  }
  require_done(world, done,
               "weft calibrate --pairs names no pairs of " + topology +
                   "; is weft beside weft-bench or on the path? Else write the list elsewhere, and "
                   "give --pairs FILE");
  return from_first(world, std::move(text));
}

}  // namespace weft::mpi_bench
