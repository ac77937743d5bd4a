#include "weft/topology/import/speed_attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::topology {

namespace {

constexpr std::array<std::string_view, 12> kRates{
    "capacity",     "bandwidth",     "bw",           "datarate",   "bitrate", "linkrate",
    "linkcapacity", "linkbandwidth", "maxbandwidth", "throughput", "rate",    "speed"};
constexpr std::array<std::string_view, 8> kTimes{"latency",     "delay",     "lat",
                                                 "linklatency", "linkdelay", "propagationdelay",
                                                 "propdelay",   "edgedelay"};
// Read where the value carries a unit, and of no meaning to us else.
constexpr std::array<std::string_view, 4> kMaybe{"weight", "label", "linklabel", "value"};
constexpr int kRawRank = 1, kSpeedRank = 2, kRateRank = 3, kMaybeRank = 4;

struct Scale {
  std::string_view name;
  double factor;
};
constexpr std::array kBodies{
    Scale{"", 1},       Scale{"bps", 1},     Scale{"b/s", 1},   Scale{"bit/s", 1},
    Scale{"bits/s", 1}, Scale{"bit", 1},     Scale{"bits", 1},  Scale{"b", 1},
    Scale{"bitps", 1},  Scale{"bit/sec", 1}, Scale{"bE", 1},    Scale{"bits/sec", 1},
    Scale{"E", 1},      Scale{"b/sec", 1},   Scale{"Bps", 8},   Scale{"B/s", 8},
    Scale{"byte/s", 8}, Scale{"bytes/s", 8}, Scale{"B/sec", 8}, Scale{"bytes/sec", 8}};
constexpr std::array kPrefixWords{Scale{"kilo", 1e3}, Scale{"mega", 1e6}, Scale{"giga", 1e9},
                                  Scale{"tera", 1e12}};
constexpr std::array kTimeUnits{Scale{"ps", 1},
                                Scale{"ns", 1e3},
                                Scale{"us", 1e6},
                                Scale{"\u00b5s", 1e6},
                                Scale{"\u03bcs", 1e6},
                                Scale{"usec", 1e6},
                                Scale{"microsecond", 1e6},
                                Scale{"microseconds", 1e6},
                                Scale{"ms", 1e9},
                                Scale{"msec", 1e9},
                                Scale{"millisecond", 1e9},
                                Scale{"milliseconds", 1e9},
                                Scale{"nanosecond", 1e3},
                                Scale{"nanoseconds", 1e3},
                                Scale{"s", 1e12},
                                Scale{"sec", 1e12},
                                Scale{"second", 1e12},
                                Scale{"seconds", 1e12}};

double prefix_factor(char letter) {
  switch (letter) {
    case 'k':
    case 'K':
      return 1e3;
    case 'm':
    case 'M':
      return 1e6;
    case 'g':
    case 'G':
      return 1e9;
    case 't':
    case 'T':
      return 1e12;
    default:
      return 0;
  }
}

// Bits a second behind the prefix; a lone B may mean bits or bytes, and "BPS" likewise.
std::optional<double> body_factor(std::string_view text, bool with_prefix) {
  if (text.empty() && !with_prefix) return std::nullopt;
  for (const Scale& body : kBodies)
    if (body.name == text && (with_prefix || body.name.size() > 1)) return body.factor;
  if (text.size() > 1 && (text[0] == 'B' || text[0] == 'b')) {  // "Bit/s", "BIT"
    const std::string lowered = lower(std::string(text));
    if (lowered.starts_with("bit"))
      for (const Scale& body : kBodies)
        if (body.name == lowered) return body.factor;
  }
  return std::nullopt;
}

std::optional<double> bits_a_second(std::string_view unit) {
  if (const auto plain = body_factor(unit, false)) return plain;
  for (const Scale& word : kPrefixWords)
    if (lower(std::string(unit)).starts_with(word.name) && unit.size() > word.name.size()) {
      const auto body = body_factor(unit.substr(word.name.size()), true);
      return body ? std::optional(*body * word.factor) : std::nullopt;
    }
  if (unit.empty() || unit == "m") return std::nullopt;  // metres
  double factor = prefix_factor(unit.front());
  if (factor == 0) return std::nullopt;
  unit.remove_prefix(1);
  if (unit.size() > 1 && unit.front() == 'i') {
    const double power = std::round(std::log10(factor) / 3);
    factor = std::pow(1024.0, power);
    unit.remove_prefix(1);
  }
  const auto body = body_factor(unit, true);
  return body ? std::optional(*body * factor) : std::nullopt;
}

std::optional<double> picoseconds(std::string_view unit) {
  for (const Scale& known : kTimeUnits)
    if (known.name == unit) return known.factor;
  const std::string lowered = lower(std::string(unit));
  for (const Scale& known : kTimeUnits)
    if (known.name.size() > 2 && known.name == lowered) return known.factor;
  return std::nullopt;
}

// The number that a text begins with, and what follows it as its unit.
struct Quantity {
  double number;
  std::string_view unit;
};
std::optional<Quantity> quantity_in(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto number = take_number<double>(text);
  if (!number) return std::nullopt;
  return Quantity{*number, trim(text)};
}

// More than a prefix, which might be of metres or of anything; "10G" is a rate as a weight. People
// write GB/s for Gb/s where they draw, so that bytes are not taken from a label.
bool names_rate(const GraphAttribute& attribute) {
  const auto quantity = quantity_in(attribute.value);
  if (!quantity) return false;
  const std::string_view unit = quantity->unit;
  if (lower(attribute.key) == "weight") return unit.size() > 1 || unit == "G" || unit == "M";
  return unit.size() > 1 && unit.find("B/s") == unit.npos && unit.find("Bps") == unit.npos;
}

std::optional<std::int64_t> whole(double value) {
  constexpr double kMost = 9.2e18;
  if (!(value >= 0) || value > kMost) return std::nullopt;
  return std::llround(value);
}

}  // namespace

std::string attribute_text(std::string_view key) {
  constexpr std::size_t kLongest = 80;
  return fmt::format("attribute '{}'", printable(key.substr(0, kLongest)));
}

std::optional<std::int64_t> rate_in(std::string_view text, std::string_view unit) {
  const auto quantity = quantity_in(text);
  if (!quantity) return std::nullopt;
  const auto scale = bits_a_second(quantity->unit.empty() ? unit : quantity->unit);
  if (!scale || quantity->number <= 0) return std::nullopt;
  const auto rate = whole(quantity->number * *scale / 8);
  return rate && *rate > 0 ? rate : std::nullopt;
}

std::optional<std::int64_t> time_in(std::string_view text, std::string_view unit) {
  const auto quantity = quantity_in(text);
  if (!quantity) return std::nullopt;
  if (quantity->number == 0 && quantity->unit.empty()) return 0;
  const auto scale = picoseconds(quantity->unit.empty() ? unit : quantity->unit);
  return scale ? whole(quantity->number * *scale) : std::nullopt;
}

void SpeedReader::set_unit(std::string_view key, std::string_view unit) {
  const Role role = meaning_of(key).role;
  if (role == Role::rate && bits_a_second(unit)) rate_unit_ = unit;
  if (role == Role::time && picoseconds(unit)) time_unit_ = unit;
}

// The name without what parts words in it, as "link_speed (Gbps)".
SpeedReader::Meaning SpeedReader::meaning_of(std::string_view key) {
  if (key == "bandwidth_Bps") return {Role::exact_rate, 0, {}};
  if (key == "latency_ps") return {Role::exact_time, 0, {}};
  std::string plain;
  for (const char c : key)
    if (std::string_view(" _-()[]/.").find(c) == std::string_view::npos) plain += c;
  const std::string word = lower(plain);
  if (word == "linkspeedraw") return {Role::rate, kRawRank, "bps"};
  if (word == "linkspeedunits" || word == "linkspeedunit") return {Role::unit, 0, {}};
  const auto behind = [&](std::string_view name) -> std::optional<std::string> {
    if (!word.starts_with(name)) return std::nullopt;
    return plain.substr(name.size());
  };
  if (const auto unit = behind("linkspeed"); unit && (unit->empty() || bits_a_second(*unit)))
    return {Role::rate, kSpeedRank, *unit};
  for (const std::string_view name : kRates)
    if (const auto unit = behind(name); unit && (unit->empty() || bits_a_second(*unit)))
      return {Role::rate, kRateRank, *unit};
  for (const std::string_view name : kTimes)
    if (const auto unit = behind(name); unit && (unit->empty() || picoseconds(*unit)))
      return {Role::time, kRateRank, *unit};
  for (const std::string_view name : kMaybe)
    if (word == name) return {Role::either, kMaybeRank, {}};
  return {};
}

std::optional<std::string> unit_of_rate(std::string_view key) {
  const auto meaning = SpeedReader::meaning_of(key);
  if (meaning.role == SpeedReader::Role::exact_rate) return "Bps";
  return meaning.role == SpeedReader::Role::rate ? std::optional(meaning.unit) : std::nullopt;
}

std::optional<std::string> unit_of_time(std::string_view key) {
  const auto meaning = SpeedReader::meaning_of(key);
  if (meaning.role == SpeedReader::Role::exact_time) return "ps";
  return meaning.role == SpeedReader::Role::time ? std::optional(meaning.unit) : std::nullopt;
}

const SpeedReader::Meaning& SpeedReader::known(const std::string& key) {
  constexpr std::size_t kMostKept = 10'000;  // hostile files have ever new keys
  if (meanings_.size() > kMostKept) meanings_.clear();
  const auto found = meanings_.find(key);
  return found != meanings_.end() ? found->second
                                  : meanings_.emplace(key, meaning_of(key)).first->second;
}

std::int64_t SpeedReader::exact(const GraphAttribute& attribute, Role role,
                                std::int64_t line) const {
  const std::string where = line > 0 ? fmt::format("{}:{}", log_.file(), line) : log_.file();
  const auto value = number_in<std::int64_t>(trim(attribute.value));
  require(value.has_value(), "{}: {} '{}' is not an integer", where, attribute.key,
          printable(attribute.value));
  require(role != Role::exact_rate || *value > 0, "{}: bandwidth {} must be above 0 bytes/s", where,
          *value);
  require(*value >= 0, "{}: latency {} must be at least 0 picoseconds", where, *value);
  return *value;
}

// Nothing where it is not read, which is logged.
std::optional<std::int64_t> SpeedReader::value_of(const GraphAttribute& attribute,
                                                  const Meaning& meaning,
                                                  std::string_view unit_beside, std::int64_t line) {
  const bool is_rate = meaning.role == Role::rate;
  std::string_view unit = meaning.unit;
  if (unit.empty() && is_rate && meaning.rank == kSpeedRank) unit = unit_beside;
  if (unit.empty()) unit = is_rate ? rate_unit_ : time_unit_;
  const auto value = is_rate ? rate_in(attribute.value, unit) : time_in(attribute.value, unit);
  if (value) return value;
  const auto quantity = quantity_in(attribute.value);
  if (!quantity || !quantity->unit.empty() || !unit.empty()) {
    log_.skip(fmt::format("{} where its value is no {}", attribute_text(attribute.key),
                          is_rate ? "speed" : "time"),
              line);
    return std::nullopt;
  }
  if (log_.strict()) log_.skip(attribute_text(attribute.key) + " without a unit", line);
  log_.note(fmt::format("'{}' has no unit, so its numbers are not read as {}; write {}",
                        printable(attribute.key), is_rate ? "speeds" : "latencies",
                        is_rate ? "\"10 Gbps\" for 10" : "\"10 us\" for 10"),
            NoteKind::speed);
  return std::nullopt;
}

void SpeedReader::take(std::optional<Found>& best, const Found& found, std::string_view edge,
                       std::int64_t line) {
  if (!best) {
    best = found;
    return;
  }
  const bool better = found.rank < best->rank;
  const Found& loser = better ? *best : found;
  const Found& winner = better ? found : *best;
  if (loser.rank < kMaybeRank && loser.value != winner.value)
    log_.mend(fmt::format("taken from '{}', because '{}' has another value",
                          printable(winner.from->key), printable(loser.from->key)),
              fmt::format("the speed of {}", printable(edge)), line);
  else
    log_.skip(attribute_text(loser.from->key), line);
  if (better) best = found;
}

EdgeSpeed SpeedReader::read(const GraphAttributes& attributes, std::string_view edge,
                            std::int64_t line) {
  std::string_view unit_beside;
  for (const GraphAttribute& attribute : attributes)
    if (known(attribute.key).role == Role::unit) unit_beside = trim(attribute.value);
  std::optional<Found> rate, time;
  for (const GraphAttribute& attribute : attributes) {
    const Meaning meaning = known(attribute.key);
    const auto skip = [&] { log_.skip(attribute_text(attribute.key), line); };
    switch (meaning.role) {
      case Role::exact_rate:
      case Role::exact_time:
        take(meaning.role == Role::exact_rate ? rate : time,
             {exact(attribute, meaning.role, line), 0, &attribute}, edge, line);
        break;
      case Role::rate:
      case Role::time:
        if (trim(attribute.value).empty()) break;
        if (const auto value = value_of(attribute, meaning, unit_beside, line))
          take(meaning.role == Role::rate ? rate : time, {*value, meaning.rank, &attribute}, edge,
               line);
        break;
      case Role::either:
        if (const auto is_rate = rate_in(attribute.value); is_rate && names_rate(attribute))
          take(rate, {*is_rate, meaning.rank, &attribute}, edge, line);
        else if (const auto is_time = time_in(attribute.value); is_time && *is_time > 0)
          take(time, {*is_time, meaning.rank, &attribute}, edge, line);
        else if (quantity_in(attribute.value))
          log_.skip(attribute_text(attribute.key) + ", whose numbers have no unit", line);
        else
          skip();
        break;
      case Role::unit:
        break;
      case Role::other:
        skip();
    }
  }
  EdgeSpeed speed;
  if (rate) speed.bandwidth_Bps = rate->value;
  if (time) speed.latency_ps = time->value;
  return speed;
}

}  // namespace weft::topology
