#include "weft/answer/part.hpp"

namespace weft::answer {

std::string description_of(const PartText& part) {
  std::string text(part.meaning);
  if (part.unit != Unit::none) text += ", in " + std::string(name_of(part.unit));
  return text;
}

}  // namespace weft::answer
