#include "support/process/command_line.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "../../../src/cli/program.hpp"

namespace weft::test {

namespace {

// Expected times are those of formulas. Tests of default machines take the variable away.
const bool kIdealMachine = [] { return setenv("WEFT_MACHINE", "ideal", 0) == 0; }();

}  // namespace

Ran run_weft(const std::vector<std::string>& arguments) {
  std::vector<const char*> raw{"weft"};
  for (const std::string& argument : arguments) raw.push_back(argument.c_str());
  std::ostringstream out, err;
  cli::Streams streams{out, err};
  const int code = cli::run_program(static_cast<int>(raw.size()), raw.data(), streams);
  return {code, out.str(), err.str()};
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && c == ' ') {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else
      words.back() += c;
  }
  return words;
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace weft::test
