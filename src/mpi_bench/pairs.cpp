#include "pairs.hpp"

#include <charconv>
#include <sstream>
#include <system_error>

#include "weft_program.hpp"

namespace weft::mpi_bench {

namespace {

bool message_in(const std::string& word, int ranks, Message& message) {
  const char* const end = word.data() + word.size();
  const auto from = std::from_chars(word.data(), end, message.from);
  if (from.ec != std::errc() || from.ptr == end || *from.ptr != '>') return false;
  const auto to = std::from_chars(from.ptr + 1, end, message.to);
  return to.ec == std::errc() && to.ptr == end && message.from >= 0 && message.to >= 0 &&
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
      refuse(world, at + "not a list of pairs; write one with weft calibrate --pairs -o FILE");
    else if (word == "topology")
      std::getline(words >> std::ws, list.topology);
    else if (word == "ranks" && words >> ranks) {
      if (ranks != world.ranks)
        refuse(world, at + "the pairs need " + std::to_string(ranks) + " ranks, but there are " +
                          std::to_string(world.ranks));
    } else if (word != "measure" || !read_pattern(words, world.ranks, list)) {
      std::string fault = at;
      fault.append("'").append(line).append(
          "' is no line of a list of pairs: measure CLASS LOAD 0>1 ...");
      refuse(world, fault);
    }
  }
  if (list.patterns.empty()) refuse(world, where + ": the list has no pairs");
  return list;
}

std::string pairs_of_topology(const World& world, const std::string& topology) {
  const WeftAnswer answer = ask_weft(world, {"calibrate", "--pairs", "--topology", topology,
                                             "--ranks", std::to_string(world.ranks)});
  if (answer.code != 0)
    refuse(world, "weft calibrate --pairs names no pairs of " + topology +
                      "; put weft next to weft-bench or on the path, or give --pairs FILE");
  return answer.output;
}

}  // namespace weft::mpi_bench
