// CallOptions: how the messages of a call begin and end at their hosts.
//
// Every option is off by default. A new option is a member, a line of kCallOptions, its effect and
// a field (src/weft/fields/run_fields.cpp). Bytes that it adds to messages are in wire_B(); another
// effect is code of the simulators. Shortcuts stand aside where it is on until it is a feature that
// they cover (shortcuts/features.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weft/topology/fabric.hpp"

namespace weft::simulation {

/// When a receiver is ready for a message.
enum class Receives : std::uint8_t {
  early,    // from the beginning, so that messages leave when they are sent
  in_step,  // once it is in the message's step, as where an MPI program posts its receives
};

struct CallOptions {
  Receives receives = Receives::early;  // of steps that are read as lockstep or per-rank
  /// Messages of less leave their sender's hands at once, when they are sent; 0: none. As receives.
  std::int64_t eager_B = 0;
  std::int64_t header_B = 0;  // that a message carries on top of its own, on the wire
  /// The way of each message between two ranks of one host, shared with no other; nothing: copies,
  /// at the host's bandwidth.
  std::optional<LinkSpeed> loopback = {};

  /// Bytes of a message on the wire, which links and factors by size see. Strictly increasing.
  std::int64_t wire_B(std::int64_t bytes) const { return bytes + header_B; }
  /// Bytes on the wire below which messages are eager; 0: none.
  std::int64_t eager_wire_B() const { return eager_B > 0 ? wire_B(eager_B) : 0; }
  friend bool operator==(const CallOptions&, const CallOptions&) = default;
};

/// Which models cover an option of calls.
enum class CallModels : std::uint8_t { fluid, fluid_and_alpha_beta };

struct CallOption {
  std::string_view name;  // of its field: --NAME
  CallModels models;
  std::string_view why;  // the other models do not cover it
  void (*turn_off)(CallOptions& options);
};

template <auto member>
void turn_off(CallOptions& options) {
  options.*member = CallOptions().*member;
}

/// One for each member of CallOptions.
inline constexpr std::array kCallOptions = {
    CallOption{"receives", CallModels::fluid, "its receives wait from the beginning",
               turn_off<&CallOptions::receives>},
    CallOption{"eager", CallModels::fluid, "its senders do not wait for receives",
               turn_off<&CallOptions::eager_B>},
    CallOption{"header", CallModels::fluid_and_alpha_beta, "a message is its packets",
               turn_off<&CallOptions::header_B>},
    CallOption{"loopback", CallModels::fluid_and_alpha_beta, "messages within a host are copies",
               turn_off<&CallOptions::loopback>}};

}  // namespace weft::simulation

namespace weft {
using simulation::CallOptions;
}  // namespace weft
