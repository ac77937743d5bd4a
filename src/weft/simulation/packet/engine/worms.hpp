// What a virtual channel keeps of the packets that pass it flit by flit.
#pragma once

#include "weft/simulation/packet/engine/pool.hpp"

namespace weft::simulation::packet {

struct Worm {
  // At the tail of the link: who may send into the channel.
  bool owned = false;                                  // by a packet, from its head to its tail
  std::int32_t first_head = kNone, last_head = kNone;  // of packets that want it, in order
  // At the head of the link: the flits in the buffer, in order.
  bool occupied = false;                                   // there is a front, which has asked
  std::int32_t first_behind = kNone, last_behind = kNone;  // flits behind the front
  std::int32_t route = kNone;  // the channel that the front packet takes
};

}  // namespace weft::simulation::packet
