// Texts and defaults of the packet options.
#include <string>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/simulation/packet.hpp"

namespace weft::simulation {

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
  const std::string lowered = lower(name);
  for (const Switching s : {Switching::cut_through, Switching::store_and_forward})
    if (lowered == name_of(s)) return s;
  const std::vector<std::string> names{"cut-through", "store-and-forward"};
  reject("unknown switching \"{}\"; {}", name, suggest(name, names));
}

std::string_view name_of(Switching switching) {
  return switching == Switching::cut_through ? "cut-through" : "store-and-forward";
}

}  // namespace weft::simulation
