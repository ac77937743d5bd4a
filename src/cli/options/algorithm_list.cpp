#include "cli/options/algorithm_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace weft::cli {

namespace {

auto cause_of(const evaluate::Dropped& dropped) {
  return std::tie(dropped.reason, dropped.remedy);
}

}  // namespace

std::vector<std::string> notes_of(std::span<const evaluate::Dropped> dropped) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    const auto alike = [&](const evaluate::Dropped& other) {
      return cause_of(other) == cause_of(dropped[i]);
    };
    if (std::ranges::any_of(dropped.first(i), alike)) continue;
    std::string names = dropped[i].algorithm;
    bool are_several = false;
    for (const evaluate::Dropped& other : dropped.subspan(i + 1)) {
      if (!alike(other)) continue;
      names += ", " + other.algorithm;
      are_several = true;
    }
    notes.push_back(fmt::format("{} {} left out ({}); {}", names, are_several ? "are" : "is",
                                dropped[i].reason, dropped[i].remedy));
  }
  return notes;
}

}  // namespace weft::cli
