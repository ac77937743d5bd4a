#include "weft/evaluate/algorithm_names.hpp"

#include <algorithm>
#include <sstream>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/contender.hpp"

namespace weft::evaluate {

namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> items;
  std::istringstream in(list);
  for (std::string item; std::getline(in, item, ',');) {
    const std::size_t first = item.find_first_not_of(' ');
    require(first != std::string::npos, "'{}' has an empty name; write ring,bruck", list);
    items.push_back(item.substr(first, item.find_last_not_of(' ') + 1 - first));
  }
  return items;
}

// `kind` goes to find_algorithm(), if there is one.
void require_each_once(const std::vector<std::string>& names, auto... kind) {
  std::vector<std::string_view> known;
  for (const std::string& name : names) {
    known.push_back(name == kAll ? kAll : algorithm::find_algorithm(name, kind...).name);
    require(std::ranges::count(known, known.back()) == 1,
            "--algorithms repeats {}; name each algorithm once", known.back());
  }
}

std::vector<std::string> names_in(const std::string& list, auto... kind) {
  std::vector<std::string> names = split(list);
  for (std::string& name : names)
    if (lower(name) == kAll) name = kAll;
  require_each_once(names, kind...);
  if (names == std::vector{std::string(kAll)}) return {};
  return names;
}

}  // namespace

std::vector<std::string> algorithms_in(const std::string& list) {
  return names_in(list);
}

std::vector<std::string> algorithms_in(const std::string& list, CollectiveKind kind) {
  return names_in(list, kind);
}

std::vector<std::string> algorithms_named(const std::string& list, const Collective& collective,
                                          const Network& network,
                                          const algorithm::AlgorithmOptions& options) {
  std::vector<std::string> names = algorithms_in(list, collective.kind);
  if (std::erase(names, kAll) == 0 && !names.empty()) return names;
  for (const auto* each : algorithm::applicable(collective, &network, options))
    if (std::ranges::find(names, each->name) == names.end()) names.push_back(each->name);
  return names;
}

std::vector<std::string> names_for_unequal(std::vector<std::string> names, CollectiveKind kind) {
  constexpr std::string_view kPipelinedRing = "pipelined-ring";
  if (!are_all(names) || !algorithm::find_algorithm(kPipelinedRing).supports(kind)) return names;
  for (const std::string_view name : {kAll, kPipelinedRing})
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  return names;
}

}  // namespace weft::evaluate
