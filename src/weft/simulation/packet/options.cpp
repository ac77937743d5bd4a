// Texts and defaults of the packet options.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/simulation/packet.hpp"

namespace weft::simulation {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 3> kSwitchings = {"cut-through", "store-and-forward",
                                                         "wormhole"};
constexpr std::array<std::string_view, 3> kArbitrations = {"first-come", "round-robin", "age"};
constexpr std::array<std::string_view, 2> kSelfMessages = {"local", "network"};

template <class Enum>
Enum parse(std::string_view name, std::span<const std::string_view> names, const char* what) {
  const auto found = std::ranges::find(names, lower(name));
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  const std::vector<std::string> known(names.begin(), names.end());
  reject("unknown {} \"{}\"; {}", what, name, suggest(name, known));
}

}  // namespace

std::int64_t automatic_buffer_B(std::int64_t bandwidth_Bps, std::int64_t round_trip_ps,
                                std::int64_t packet_B) {
  const double in_flight_B =
      static_cast<double>(bandwidth_Bps) * static_cast<double>(round_trip_ps) * 1e-12;
  return (static_cast<std::int64_t>(in_flight_B / static_cast<double>(packet_B)) + 3) * packet_B;
}

void parse_buffer_option(std::string_view text, BufferOptions& options) {
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos) {
    options.by_class[std::string(text.substr(0, equals))] = parse_size(text.substr(equals + 1));
  } else if (lower(text) == "auto") {
    options.all.reset();
  } else {
    options.all = parse_size(text);
  }
}

Switching parse_switching(std::string_view name) {
  return parse<Switching>(name, kSwitchings, "switching");
}

std::string_view name_of(Switching switching) {
  return kSwitchings[static_cast<std::size_t>(switching)];
}

Arbitration parse_arbitration(std::string_view name) {
  return parse<Arbitration>(name, kArbitrations, "arbitration");
}

std::string_view name_of(Arbitration arbitration) {
  return kArbitrations[static_cast<std::size_t>(arbitration)];
}

SelfMessages parse_self_messages(std::string_view name) {
  return parse<SelfMessages>(name, kSelfMessages, "place for messages to oneself");
}

std::string_view name_of(SelfMessages self_messages) {
  return kSelfMessages[static_cast<std::size_t>(self_messages)];
}

}  // namespace weft::simulation
