// Quantities as SimGrid writes them: a number and a unit, or a number in the base unit.
#include <array>
#include <cmath>

#include "platform.hpp"
#include "weft/base/text.hpp"

namespace weft::format::simgrid {

namespace {

struct Unit {
  std::string_view name;
  double size;
};

constexpr std::array kTimes{Unit{"", 1},      Unit{"s", 1},      Unit{"ms", 1e-3}, Unit{"us", 1e-6},
                            Unit{"ns", 1e-9}, Unit{"ps", 1e-12}, Unit{"m", 60},    Unit{"h", 3600},
                            Unit{"d", 86400}, Unit{"w", 604800}};

// "MBps" and "Mibps": a power of 1000 or 1024 of bytes or bits.
std::optional<double> bandwidth_unit(std::string_view name) {
  if (name.empty()) return 1;
  const bool bits = name.ends_with("bps");
  if (!bits && !name.ends_with("Bps")) return std::nullopt;
  name.remove_suffix(3);
  const bool binary = name.ends_with('i');
  if (binary) name.remove_suffix(1);
  const double base = binary ? 1024 : 1000;
  double size = bits ? 0.125 : 1;
  if (name.empty()) return binary ? std::nullopt : std::optional(size);
  if (name.size() != 1) return std::nullopt;
  constexpr std::string_view kPrefixes = "kMGTPEZY";
  const std::size_t power = kPrefixes.find(name.front() == 'K' ? 'k' : name.front());
  if (power == std::string_view::npos) return std::nullopt;
  for (std::size_t i = 0; i <= power; ++i) size *= base;
  return size;
}

constexpr std::int64_t kMostNumbers = 1'000'000;
constexpr std::int64_t kForever_ps = 2'592'000'000'000'000'000;  // three of them can be added

std::optional<double> time_unit(std::string_view name) {
  for (const Unit& unit : kTimes)
    if (unit.name == name) return unit.size;
  return std::nullopt;
}

// In units of 1 / `scale` of the base unit, at most `most`.
template <class UnitOf>
std::int64_t quantity(const XmlFile& file, const pugi::xml_node& element, const char* key,
                      double scale, std::int64_t most, std::string_view example, UnitOf unit_of) {
  const std::string_view text = trim(file.text(element, key));
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto unit = unit_of(trim(text.substr(static_cast<std::size_t>(end - text.data()))));
  const double value = unit ? number * *unit * scale : -1;
  if (error != std::errc() || !unit || !(value >= 0))
    file.refuse(element, "{} '{}' is not a quantity such as {}", key, text, example);
  return value < static_cast<double>(most) ? std::llround(value) : most;
}

}  // namespace

std::int64_t bandwidth_of(const XmlFile& file, const pugi::xml_node& element, const char* key) {
  const auto value = quantity(file, element, key, 1, kUnlimited, "125MBps", bandwidth_unit);
  if (value < 1) file.refuse(element, "{} is 0, but links need more than 0", key);
  return value;
}

std::int64_t latency_of(const XmlFile& file, const pugi::xml_node& element, const char* key) {
  const std::int64_t value = quantity(file, element, key, 1e12, kForever_ps, "50us", time_unit);
  if (value >= kForever_ps)
    file.refuse(element, "{} '{}' is more than 30 days", key, element.attribute(key).value());
  return value;
}

std::vector<std::int64_t> radical_of(const XmlFile& file, const pugi::xml_node& element) {
  std::vector<std::int64_t> all;
  for (const std::string_view range : split(file.text(element, "radical"), ',')) {
    const std::string_view trimmed = trim(range);
    const std::size_t dash = trimmed.find('-');
    const auto low = number_in<std::int64_t>(trimmed.substr(0, dash));
    const auto high =
        dash == std::string_view::npos ? low : number_in<std::int64_t>(trimmed.substr(dash + 1));
    if (!low || !high || *low < 0 || *low > *high || *high - *low >= kMostNumbers - std::ssize(all))
      file.refuse(element, "radical '{}' is not a list of numbers and ranges, such as 0-15,20",
                  range);
    for (std::int64_t i = *low; i <= *high; ++i) all.push_back(i);
  }
  return all;
}

}  // namespace weft::format::simgrid
