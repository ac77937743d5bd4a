// Texts and defaults of the packet options.
#include <string>

#include "weft/base/enumeration.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/simulation/packet.hpp"

namespace weft::simulation {

namespace {

constexpr Names<Switching, 3> kSwitchings{"value of --switching",
                                          {"cut-through", "store-and-forward", "wormhole"}};
constexpr Names<Arbitration, 3> kArbitrations{"value of --arbitration",
                                              {"first-come", "round-robin", "age"}};
constexpr Names<SelfMessages, 2> kSelfMessages{"value of --self-messages", {"local", "network"}};
constexpr Names<AdapterKind, 3> kAdapters{"kind of adapter", {"pipelined", "serial", "shared"}};
constexpr Names<InjectionOrder, 3> kInjections{"value of --injection",
                                               {"interleaved", "in-order", "data-first"}};
constexpr Names<ChannelReuse, 2> kReuses{"value of --vc-reuse", {"at-tail", "empty"}};

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
  return kSwitchings.value(name);
}

std::string_view name_of(Switching switching) {
  return kSwitchings[switching];
}

Arbitration parse_arbitration(std::string_view name) {
  return kArbitrations.value(name);
}

std::string_view name_of(Arbitration arbitration) {
  return kArbitrations[arbitration];
}

SelfMessages parse_self_messages(std::string_view name) {
  return kSelfMessages.value(name);
}

std::string_view name_of(SelfMessages self_messages) {
  return kSelfMessages[self_messages];
}

AdapterKind parse_adapter_kind(std::string_view name) {
  return kAdapters.value(name);
}

std::string_view name_of(AdapterKind adapter) {
  return kAdapters[adapter];
}

InjectionOrder parse_injection(std::string_view name) {
  return kInjections.value(name);
}

std::string_view name_of(InjectionOrder injection) {
  return kInjections[injection];
}

ChannelReuse parse_channel_reuse(std::string_view name) {
  return kReuses.value(name);
}

std::string_view name_of(ChannelReuse reuse) {
  return kReuses[reuse];
}

}  // namespace weft::simulation
