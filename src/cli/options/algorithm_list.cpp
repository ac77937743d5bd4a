#include "cli/options/algorithm_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cli/options/options.hpp"
#include "weft/algorithm/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::cli {

namespace {

auto cause_of(const evaluate::Dropped& dropped) {
  return std::tie(dropped.reason, dropped.remedy);
}

}  // namespace

void take_parameters(std::string& algorithms, GivenFields& said) {
  const std::string written(trim(algorithms));
  const std::size_t open = written.find('(');
  if (open == std::string::npos) return;
  require(written.ends_with(')'), "invalid -a '{}': it has no closing parenthesis at its end",
          written);
  require(written.find(')') == written.size() - 1 && written.find(',') > open,
          "invalid -a '{}': parameters in parentheses are for one algorithm alone, such as "
          "hierarchical(group=4); give them to several by options, such as --group 4",
          written);
  std::vector<std::string> known;
  for (const algorithm::Option& option : algorithm::options()) known.emplace_back(option.name);
  const std::string_view inside =
      std::string_view(written).substr(open + 1, written.size() - open - 2);
  std::string name;
  for (const std::string_view each : split(inside, ',')) {
    const std::size_t equals = each.find('=');
    const bool is_more = equals == std::string_view::npos;  // of a value with commas: group=8,32
    const std::string value(trim(is_more ? each : each.substr(equals + 1)));
    if (is_more && !name.empty() && !value.empty()) {
      said.values[name] = fmt::format("{},{}", said.text(name), value);
      continue;
    }
    require(!is_more && !value.empty(),
            "invalid -a '{}': '{}' is not a parameter (expected NAME=VALUE, such as group=4)",
            written, trim(each));
    name = std::string(trim(each.substr(0, equals)));
    require(std::ranges::find(known, name) != known.end(),
            "invalid -a '{}': unknown parameter '{}'; {}", written, name, suggest(name, known));
    require(!said.of(name), "{} is given more than once, in -a {} or by --{}; give it once", name,
            written, name);
    said.values[name] = value;
  }
  algorithms = std::string(trim(std::string_view(written).substr(0, open)));
}

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
