#include "weft/algorithm/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <climits>
#include <numeric>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::algorithm {

namespace {

using Type = Option::Type;

void check_chunks(const Chunks& chunks) {
  require(chunks.count >= 1 && chunks.count <= schedule::kMaxUnitsPerBlock,
          "{} chunks are out of range (1 to {})", chunks.count, schedule::kMaxUnitsPerBlock);
}

Chunks read_chunks(std::string_view text) {
  constexpr std::string_view kBest = "best:";
  const bool best = lower(text).starts_with(kBest);
  const auto count = number_in<std::int64_t>(best ? text.substr(kBest.size()) : text);
  require(count.has_value(),
          "invalid chunks '{}' (expected a number or best:LIMIT, such as 4 or best:64)", text);
  const Chunks chunks{*count, best};
  check_chunks(chunks);
  return chunks;
}

void check_permutation(const Option& option, std::span<const int> numbers) {
  std::vector<int> sorted(numbers.begin(), numbers.end()), wanted(numbers.size());
  std::ranges::sort(sorted);
  std::iota(wanted.begin(), wanted.end(), 1);
  require(!numbers.empty() && sorted == wanted,
          "{} {} is not a permutation (expected the numbers 1 to K in any order, such as 3,2,1)",
          option.name, fmt::join(numbers, ","));
}

std::vector<int> read_numbers(const Option& option, std::string_view text,
                              std::string_view example) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (bool more = true; more;) {
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    more = next != end && *next == ',';
    require(error == std::errc() && (next == end || more),
            "invalid {} '{}' (expected a list of numbers, such as {})", option.name, text, example);
    numbers.push_back(number);
    at = more ? next + 1 : next;
  }
  return numbers;
}

std::vector<int> read_permutation(const Option& option, std::string_view text) {
  std::vector<int> numbers = read_numbers(option, text, "3,2,1");
  check_permutation(option, numbers);
  return numbers;
}

void check_choice(const Option& option, std::string_view word) {
  const std::vector<std::string> known(option.choices.begin(), option.choices.end());
  if (std::ranges::find(known, word) == known.end())
    reject_unknown({fmt::format("value of --{}", option.name), word}, known);
}

void check_divisors(const Option& option, std::span<const int> sizes, std::int32_t ranks) {
  for (const int size : sizes)
    require(size >= 1 && ranks % size == 0,
            "{} {} does not divide {} ranks; use a divisor of the number of ranks", option.name,
            size, ranks);
  const auto apart = std::ranges::adjacent_find(
      sizes, [](int below, int size) { return size <= below || size % below != 0; });
  require(apart == sizes.end(),
          "{} {} is not nested; each size must be a multiple of the size before it", option.name,
          fmt::join(sizes, ","));
}

void check_choices(const Option& option, std::string_view words) {
  for (const std::string_view word : split(words, ',')) check_choice(option, word);
}

void check_count(const Option& option, std::int64_t count, std::int32_t ranks) {
  if (option.type == Type::divisors) {
    require(count >= 1 && ranks % count == 0,
            "{} {} does not divide {} ranks; use a divisor of the number of ranks", option.name,
            count, ranks);
    return;
  }
  require(count <= option.most, "{} {} is out of range ({} to {})", option.name, count,
          option.least, option.most);
  if (count >= option.least) return;
  const bool plural = option.name.ends_with('s');
  reject("{} {}",
         plural ? fmt::format("{} {} are", count, option.name)
                : fmt::format("{} {} is", option.name, count),
         option.least == 0
             ? "below 0"
             : fmt::format("too {} (needs {} or more)", plural ? "few" : "small", option.least));
}

// A long list of words is left to `weft list algorithms`.
std::string range_of(const Option& option) {
  constexpr std::size_t kMostShown = 6;
  if (!option.range.empty()) return fmt::format(", {}", option.range);
  if (option.type == Type::permutation) return ", a permutation such as 3,2,1";
  if (option.type != Type::choice && option.type != Type::choices)
    return fmt::format(", {} or more", option.least);
  return option.choices.size() > kMostShown
             ? "; see weft list algorithms"
             : fmt::format(": {}", fmt::join(option.choices, " or "));
}

// " for bruck [2] and knomial [4]": those that have a value of their own.
std::string takers_of(const Option& option) {
  std::vector<std::string> takers;
  for (const Algorithm& algorithm : algorithms())
    if (const Option* own = algorithm.option(option.name); own && !own->fallback.empty())
      takers.push_back(fmt::format("{} [{}]", algorithm.name, own->fallback));
  return takers.empty() ? "" : fmt::format(" for {}", fmt::join(takers, " and "));
}

}  // namespace

std::string to_text(const OptionValue& value) {
  struct Show {
    std::string operator()(std::int64_t count) const { return fmt::format("{}", count); }
    std::string operator()(const std::string& word) const { return word; }
    std::string operator()(const std::vector<int>& numbers) const {
      return fmt::format("{}", fmt::join(numbers, ","));
    }
    std::string operator()(const Chunks& chunks) const {
      return fmt::format("{}{}", chunks.best_up_to ? "best:" : "", chunks.count);
    }
  };
  return std::visit(Show{}, value);
}

OptionValue Option::read(std::string_view text) const {
  switch (type) {
    case Type::chunks:
      return read_chunks(text);
    case Type::permutation:
      return read_permutation(*this, text);
    case Type::choice: {
      std::string word = lower(text);
      check_choice(*this, word);
      return word;
    }
    case Type::choices: {
      std::string words = lower(text);
      check_choices(*this, words);
      return words;
    }
    case Type::divisors:
      if (text.find(',') != text.npos) return read_numbers(*this, text, "8,32");
      break;
    case Type::count:
      break;
  }
  const auto number = number_in<std::int64_t>(text);
  require(number.has_value(), "invalid {1} '{0}' (expected an integer from {2} to {3})", text, name,
          least, most);
  return *number;
}

void Option::check(const OptionValue& value, std::int32_t ranks) const {
  const OptionValue example = is_integer()                ? OptionValue(std::int64_t{})
                              : type == Type::chunks      ? OptionValue(Chunks{})
                              : type == Type::permutation ? OptionValue(std::vector<int>{})
                                                          : OptionValue(std::string());
  const auto* numbers = std::get_if<std::vector<int>>(&value);
  require(value.index() == example.index() || (type == Type::divisors && numbers != nullptr),
          "{} is not a {}; see weft list algorithms", to_text(value), name);
  if (const auto* count = std::get_if<std::int64_t>(&value)) check_count(*this, *count, ranks);
  if (const auto* chunks = std::get_if<Chunks>(&value)) check_chunks(*chunks);
  if (numbers != nullptr)
    type == Type::divisors ? check_divisors(*this, *numbers, ranks)
                           : check_permutation(*this, *numbers);
  if (const auto* words = std::get_if<std::string>(&value))
    type == Type::choices ? check_choices(*this, *words) : check_choice(*this, *words);
}

std::vector<int> groups_in(const AlgorithmOptions& options) {
  const auto found = options.values.find(kGroup.name);
  if (found == options.values.end()) return {};
  if (const auto* sizes = std::get_if<std::vector<int>>(&found->second)) return *sizes;
  // More than any number of ranks is no divisor either.
  return {static_cast<int>(std::min<std::int64_t>(std::get<std::int64_t>(found->second), INT_MAX))};
}

std::span<const Option> options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> found{kRadix, kSegments, kGroup, kChunks};
    for (const Algorithm& algorithm : algorithms())
      for (const Option& option : algorithm.options)
        if (option.name != kRoutes.name &&
            std::ranges::find(found, option.name, &Option::name) == found.end())
          found.push_back(option);
    found.push_back(kRoutes);
    return found;
  }();
  return all;
}

const Option* find_option(std::string_view name) {
  const auto found = std::ranges::find(options(), name, &Option::name);
  return found == options().end() ? nullptr : &*found;
}

std::string help_of(const Option& option) {
  std::string help = fmt::format("{}{}{}", option.what, takers_of(option), range_of(option));
  if (!option.otherwise.empty()) help += fmt::format(" [{}]", option.otherwise);
  return help;
}

bool has_fallback(const Option& option) {
  return !takers_of(option).empty();
}

}  // namespace weft::algorithm
