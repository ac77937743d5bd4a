#include "weft/topology/brackets.hpp"

#include "weft/topology/parameters.hpp"

namespace weft::topology {

std::vector<std::string_view> split_outside_brackets(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] != ',' || open != 0) continue;
    parts.push_back(trim(text.substr(start, i - start)));
    start = i + 1;
  }
  parts.push_back(trim(text.substr(start)));
  return parts;
}

}  // namespace weft::topology
