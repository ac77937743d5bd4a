// Startups: where a message's start-up is paid, from what its host says of it.
//
// Paid for each message it is work of its agent's processor, one thing after the other with
// packing, unpacking and reductions: LogGP's overhead o. (Alexandrov, Ionescu, Schauser, Scheiman,
// "LogGP: Incorporating Long Messages into the LogP Model", SPAA 1995.) With all ports open a
// message is started as soon as it is packed; with k ports once it has one, which it then holds, so
// that a host of one port pays start-up and transfer in turn. Paid for each step it is a delay that
// all messages have at once and that costs the processor nothing.
#pragma once

#include "weft/network/network.hpp"

namespace weft::simulation {

/// In seconds; at most one of the first three, and of the last two, is not zero.
struct Startups {
  double with_packing_s = 0;  // work before sending: all ports open
  double on_port_s = 0;       // work once the message has its port
  double delay_s = 0;         // no work: per step
  double receive_s = 0;       // work with unpacking
  double last_receive_s = 0;  // work with that of an agent's last message of a step: per step

  /// What a message pays at each end, wherever.
  double send_s() const { return with_packing_s + on_port_s + delay_s; }
  double received_s() const { return receive_s + last_receive_s; }
};

Startups startups_of(const HostParameters& host);

}  // namespace weft::simulation
