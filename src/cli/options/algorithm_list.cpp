#include "cli/options/algorithm_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"

namespace weft::cli {

std::vector<std::string> algorithms_named(const std::string& list, const Collective& collective,
                                          const Network& network,
                                          const algorithm::AlgorithmOptions& options) {
  std::vector<std::string> names = question::algorithms_in(list);
  if (std::erase(names, question::kAll) == 0 && !names.empty()) return names;
  for (const auto* each : algorithm::applicable(collective, &network, options))
    if (std::ranges::find(names, each->name) == names.end()) names.push_back(each->name);
  return names;
}

std::string note_of(const question::Dropped& dropped) {
  return fmt::format("weft: {} is left out ({}); {}\n", dropped.algorithm, dropped.reason,
                     dropped.remedy);
}

}  // namespace weft::cli
