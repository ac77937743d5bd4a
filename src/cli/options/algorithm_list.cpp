#include "cli/options/algorithm_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cli/options/options.hpp"
#include "weft/algorithm/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/fields/members.hpp"

namespace weft::cli {

namespace {

auto cause_of(const evaluate::Dropped& dropped) {
  return std::tie(dropped.reason, dropped.remedy);
}

// The items of a list with commas; those in parentheses divide nothing.
std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : list) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth <= 0)
      items.emplace_back();
    else
      items.back() += c;
  }
  for (std::string& item : items) item = std::string(trim(item));
  return items;
}

bool has_parameters(std::string_view item) {
  return item.find('(') != std::string_view::npos;
}

// An algorithm as answers write it: "hierarchical(group=4, segments=2)".
struct Named {
  std::string algorithm;
  fields::Values values = {};  // texts of its parameters
};

Named named_in(const std::string& written) {
  const std::size_t open = written.find('(');
  require(written.ends_with(')'), "invalid -a '{}': it has no closing parenthesis at its end",
          written);
  require(written.find(')') == written.size() - 1,
          "invalid -a '{}': parentheses are not part of a parameter", written);
  std::vector<std::string> known;
  for (const algorithm::Option& option : algorithm::options()) known.emplace_back(option.name);
  Named named{std::string(trim(std::string_view(written).substr(0, open)))};
  const std::string_view inside =
      std::string_view(written).substr(open + 1, written.size() - open - 2);
  std::string name;
  for (const std::string_view each : split(inside, ',')) {
    const std::size_t equals = each.find('=');
    const bool is_more = equals == std::string_view::npos;  // of a value with commas: group=8,32
    const std::string value(trim(is_more ? each : each.substr(equals + 1)));
    if (is_more && !name.empty() && !value.empty()) {
      named.values[name] = fmt::format("{},{}", fields::text_in(named.values, name), value);
      continue;
    }
    require(!is_more && !value.empty(),
            "invalid -a '{}': '{}' is not a parameter (expected NAME=VALUE, such as group=4)",
            written, trim(each));
    name = std::string(trim(each.substr(0, equals)));
    require(std::ranges::find(known, name) != known.end(),
            "invalid -a '{}': unknown parameter '{}'; {}", written, name, suggest(name, known));
    require(!named.values.contains(name), "{} is given more than once in -a {}; give it once", name,
            written);
    named.values[name] = value;
  }
  return named;
}

void take_one(std::string& algorithms, const std::string& item, fields::Values& values) {
  const Named named = named_in(item);
  for (const auto& [name, value] : named.values) {
    require(!values.contains(name), "{} is given more than once, in -a {} or by --{}; give it once",
            name, item, name);
    values[name] = value;
  }
  algorithms = named.algorithm;
}

}  // namespace

void take_parameters(std::string& algorithms, fields::Values& values) {
  const std::vector<std::string> items = items_of(algorithms);
  if (std::ranges::none_of(items, has_parameters)) return;
  require(items.size() == 1,
          "invalid -a '{}': parameters in parentheses are for one algorithm alone, such as "
          "hierarchical(group=4); give them to several by options, such as --group 4",
          trim(algorithms));
  take_one(algorithms, items.front(), values);
}

void take_parameters(std::string& algorithms, GivenFields& said) {
  take_parameters(algorithms, said.values);
}

void take_parameters(std::string& algorithms, GivenFields& said,
                     std::vector<advise::NamedVariant>& variants) {
  const std::vector<std::string> items = items_of(algorithms);
  if (std::ranges::none_of(items, has_parameters)) return;
  if (items.size() == 1) return take_one(algorithms, items.front(), said.values);
  std::string others;
  for (const std::string& item : items) {
    if (!has_parameters(item)) {
      others += fmt::format("{}{}", others.empty() ? "" : ",", item);
      continue;
    }
    const Named named = named_in(item);
    variants.push_back({algorithm::find_algorithm(named.algorithm).name,
                        fields::algorithm_options_in(named.values)});
    require(std::ranges::count(variants, variants.back()) == 1,
            "--algorithms repeats {}; name each algorithm once", item);
  }
  algorithms = others.empty() ? std::string(evaluate::kNone) : others;
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
