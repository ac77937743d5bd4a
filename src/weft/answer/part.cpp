#include "weft/answer/part.hpp"

#include <algorithm>

namespace weft::answer {

std::string description_of(const PartText& part) {
  std::string text(part.meaning);
  if (part.unit == Unit::none) return text;
  return text.insert(std::min(text.find(';'), text.size()),
                     ", in " + std::string(name_of(part.unit)));
}

}  // namespace weft::answer
