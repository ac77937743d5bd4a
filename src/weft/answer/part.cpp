#include "weft/answer/part.hpp"

#include <algorithm>

namespace weft::answer {

std::string description_of(const PartText& part) {
  std::string text(part.meaning);
  if (part.unit == Unit::none) return text;
  const std::size_t end = std::min({text.find(';'), text.find(", or null"), text.size()});
  return text.insert(end, ", in " + std::string(name_of(part.unit)));
}

}  // namespace weft::answer
