// Accesses of slots, and whether all that conflict are ordered.
//
// Operations come in an order that a run can have. So it suffices to compare an access with those
// before it: a write with the last write and all reads since, a read with the last write.
#pragma once

#include <memory>
#include <set>
#include <tuple>

#include "../../msccl/check/findings.hpp"
#include "clocks.hpp"
#include "places.hpp"

namespace weft::format::mscclpp::checking {

/// Reads that are over once a packet is there: each element of it was computed from what they read,
/// by one thread after another.
struct ChainLink {
  Moment moment;
  std::int32_t op = -1;
};
using Chain = std::vector<ChainLink>;

/// Whoever reads or writes.
struct Actor {
  Moment moment;
  const Clock* clock = nullptr;
  OpId op;
  std::int32_t rank = 0;                    // of the agent
  std::shared_ptr<const Chain> chain = {};  // of the packets that were read for this
};

class Races {
 public:
  Races(const Memory& memory, const Places& places, msccl::Findings& findings)
      : memory_(memory),
        places_(places),
        findings_(findings),
        slots_(static_cast<std::size_t>(memory.slots())) {}

  void read(const Slot& slot, const Actor& actor);
  /// `stamp` names the write of packets, 0 one of plain data.
  void write(const Slot& slot, const Actor& actor, std::int32_t stamp,
             const std::shared_ptr<const Chain>& chain);

  /// The stamp of the packet that is there; 0: none.
  std::int32_t packet(const Slot& slot) const;
  /// What is over once the packet is there; null: nothing that is known.
  const std::shared_ptr<const Chain>& chain(const Slot& slot) const {
    return slots_[static_cast<std::size_t>(slot.first)].chain;
  }
  /// Packets at a slot that were written and never read: who wrote them.
  struct Unread {
    std::int64_t slot = 0;
    OpId by;
  };
  std::vector<Unread> unread_packets() const;

 private:
  struct Access {
    Moment moment;
    OpId op;
  };
  struct History {
    Access written;
    std::int32_t stamp = 0;
    std::shared_ptr<const Chain> chain;  // of a packet
    std::vector<Access> read;            // since
  };

  History& at(std::int64_t slot) { return slots_[static_cast<std::size_t>(slot)]; }
  void compare(const Access& before, bool was_write, const Actor& now, bool is_write,
               std::int64_t slot);

  const Memory& memory_;
  const Places& places_;
  msccl::Findings& findings_;
  std::vector<History> slots_;
  std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                      std::int32_t>>
      reported_;  // pairs of operations
};

}  // namespace weft::format::mscclpp::checking
