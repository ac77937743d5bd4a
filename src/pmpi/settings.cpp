#include "pmpi/settings.hpp"

#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace weft::pmpi {

namespace {

// Those of the program weft, which jobs may have as well, among them.
constexpr std::array<std::string_view, 17> kKnown = {
    "WEFT_PLAN",      "WEFT_LOG",         "WEFT_VERIFY",  "WEFT_STATS",        "WEFT_DRY_RUN",
    "WEFT_YIELD",     "WEFT_NETWORKS",    "WEFT_PRICES",  "WEFT_MODELS",       "WEFT_DEVICES",
    "WEFT_CATALOGUE", "WEFT_EXPERIMENTS", "WEFT_PROFILE", "WEFT_MOST_AT_ONCE", "WEFT_MACHINE",
    "WEFT_MACHINES",  "WEFT_PUBLISHED"};

std::string_view value_of(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

class Reader {
 public:
  explicit Reader(bool tells) : tells_(tells) {}

  bool flag(const char* name) const {
    const std::string_view value = value_of(name);
    if (value.empty() || value == "0") return false;
    if (value != "1") tell(name, value, "0 or 1");
    return value == "1";
  }
  int level(const char* name, int otherwise, int most) const {
    const std::string_view value = value_of(name);
    if (value.empty()) return otherwise;
    if (value.size() == 1 && value[0] >= '0' && value[0] <= '0' + most) return value[0] - '0';
    tell(name, value, "0, 1 or 2");
    return otherwise;
  }
  std::int64_t bytes(const char* name, std::int64_t most) const {
    const std::string_view value = value_of(name);
    if (value.empty()) return most;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size() && number >= 1 && number <= most)
      return number;
    tell(name, value, "bytes, 1 to " + std::to_string(most));
    return most;
  }
  void unknown(char** environment) const {
    for (char** entry = environment; tells_ && entry != nullptr && *entry != nullptr; ++entry) {
      const std::string_view text(*entry);
      const std::string_view name = text.substr(0, text.find('='));
      if (!name.starts_with("WEFT_")) continue;
      bool is_known = false;
      for (const std::string_view known : kKnown) is_known = is_known || known == name;
      if (!is_known) say("the variable " + std::string(name) + " is unknown and ignored");
    }
  }

 private:
  void tell(const char* name, std::string_view value, const std::string& right) const {
    if (tells_)
      say(std::string(name) + "=" + std::string(value) + " is ignored (expected " + right + ")");
  }
  bool tells_;
};

}  // namespace

Settings read_settings(bool tells) {
  const Reader reader(tells);
  reader.unknown(environ);
  Settings settings;
  settings.plan = value_of("WEFT_PLAN");
  settings.profile = value_of("WEFT_PROFILE");
  settings.log = reader.level("WEFT_LOG", 1, 2);
  settings.verify = reader.flag("WEFT_VERIFY");
  settings.stats = reader.flag("WEFT_STATS");
  settings.dry_run = reader.flag("WEFT_DRY_RUN");
  settings.most_at_once_B = reader.bytes("WEFT_MOST_AT_ONCE", kMostAtOnce_B);
  if (!value_of("WEFT_YIELD").empty())
    settings.yield = reader.flag("WEFT_YIELD") ? Yield::always : Yield::never;
  return settings;
}

void say(const std::string& line) {
  std::string text;
  for (const char c : line) text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  text = "weft: " + text + '\n';
  // One call, so that lines of ranks do not mix.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace weft::pmpi
