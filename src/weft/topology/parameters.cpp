#include "weft/topology/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft::topology {

namespace {

thread_local double most_links = kMostLinks;

std::string count_text(double count) {
  return count < 1e15 ? fmt::format("{:.0f}", count) : fmt::format("more than 10^15");
}

}  // namespace

std::string join(const std::vector<int>& numbers, std::string_view separator) {
  std::string text;
  for (int number : numbers) {
    if (!text.empty()) text += separator;
    text += std::to_string(number);
  }
  return text;
}

void Parameters::fail(std::string_view problem) const {
  reject("{} (expected {}); for example {}", problem, usage_, example_);
}

int Parameters::integer(std::string_view text) const {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    fail(fmt::format("parameter '{}' is out of range", text));
  if (error != std::errc() || end != text.data() + text.size())
    fail(fmt::format("parameter '{}' is not an integer", text));
  return value;
}

std::uint64_t Parameters::seed(std::string_view text) const {
  const auto value = number_in<std::uint64_t>(text);
  if (!value) fail(fmt::format("seed '{}' is not an integer from 0 to 2^64 - 1", text));
  return *value;
}

SeededIntegers Parameters::seeded_integers(std::size_t count, std::string_view names) const {
  const auto parts = split(text_, ',');
  if (parts.size() < count || parts.size() > count + 1)
    fail(fmt::format("'{}' is not {} or {},seed=s", text_, names, names));
  SeededIntegers values;
  if (parts.size() > count) {
    const std::string text = lower(parts.back());
    if (!text.starts_with("seed=")) fail(fmt::format("'{}' is not seed=s", parts.back()));
    values.seed = seed(trim(std::string_view(text).substr(5)));
  }
  for (std::size_t i = 0; i < count; ++i) values.integers.push_back(integer(parts[i]));
  return values;
}

std::vector<int> Parameters::integers_from(std::size_t least) const {
  const auto parts = text_.empty() ? std::vector<std::string_view>{} : split(text_, ',');
  if (parts.size() < least) fail(fmt::format("'{}' has too few parameters", text_));
  std::vector<int> values;
  for (std::string_view part : parts) values.push_back(integer(part));
  return values;
}

std::vector<int> Parameters::integers(std::size_t count) const {
  auto values = integers_from(count);
  if (values.size() > count) fail(fmt::format("'{}' has too many parameters", text_));
  return values;
}

std::vector<int> Parameters::extents() const {
  if (text_.empty()) fail("the extents are missing");
  std::string text = lower(text_);
  std::vector<int> values;
  for (std::string_view part : split(text, 'x')) values.push_back(integer(part));
  return values;
}

std::map<std::string, std::string> Parameters::key_values(
    std::span<const std::string_view> known) const {
  std::map<std::string, std::string> values;
  if (text_.empty()) return values;
  for (std::string_view part : split(text_, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) fail(fmt::format("'{}' is not key=value", part));
    const std::string key = lower(trim(part.substr(0, equals)));
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail(unknown_text({"key", key}, std::vector<std::string>(known.begin(), known.end())));
    if (!values.emplace(key, trim(part.substr(equals + 1))).second)
      fail(fmt::format("key '{}' is repeated", key));
  }
  return values;
}

std::map<std::string, int> Parameters::named_integers(
    std::initializer_list<std::string_view> needed,
    std::initializer_list<std::string_view> optional) const {
  std::vector<std::string_view> known(needed);
  known.insert(known.end(), optional.begin(), optional.end());
  std::map<std::string, int> values;
  for (const auto& [key, text] : key_values(known)) values[key] = integer(text);
  for (const std::string_view key : needed)
    if (!values.contains(std::string(key))) fail(fmt::format("{} is missing", key));
  return values;
}

SizeLimit::SizeLimit(double most) : previous_(most_links) {
  most_links = std::min(most_links, most);
}

SizeLimit::~SizeLimit() {
  most_links = previous_;
}

void require_size(std::string_view name, double nodes, double links) {
  require(nodes <= most_links && links <= most_links,
          "{} is too large ({} nodes, {} links; at most {:.0f} are built); use smaller parameters",
          name, count_text(nodes), count_text(links), most_links);
}

std::string dimension_name(int dimension) {
  constexpr std::string_view kNames = "xyz";
  if (dimension < 3) return std::string(1, kNames[dimension]);
  return fmt::format("d{}", dimension + 1);
}

}  // namespace weft::topology
