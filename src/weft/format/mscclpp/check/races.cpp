#include "races.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format::mscclpp::checking {

std::int32_t Races::packet(const Slot& slot) const {
  WEFT_ASSERT(slot.packet && slot.first >= 0 && slot.first + 1 < std::ssize(slots_));
  const std::int32_t stamp = slots_[static_cast<std::size_t>(slot.first)].stamp;
  return stamp == slots_[static_cast<std::size_t>(slot.first + 1)].stamp ? stamp : 0;
}

namespace {

bool is_over(const Chain& chain, const Moment& moment, std::int32_t op) {
  return std::ranges::any_of(chain, [&](const ChainLink& link) {
    return link.moment.agent == moment.agent && link.moment.phase == moment.phase &&
           link.moment.thread == moment.thread && op <= link.op;
  });
}

}  // namespace

void Races::compare(const Access& before, bool was_write, const Actor& now, bool is_write,
                    std::int64_t slot) {
  WEFT_ASSERT(now.clock != nullptr);
  if (!before.moment.exists() || is_ordered(before.moment, now.moment, *now.clock)) return;
  if (!was_write && now.chain && is_over(*now.chain, before.moment, before.op.op)) return;
  const OpId& a = before.op;
  const OpId& b = now.op;
  if (!reported_.emplace(a.rank, a.block, a.op, b.rank, b.block, b.op).second) return;
  findings_.add(Severity::fault, [&] {
    const auto does = [](bool writes) { return writes ? "writes" : "reads"; };
    const bool same_block = a.rank == b.rank && a.block == b.block;
    const std::string where = memory_.name(slot);
    const std::string why =
        before.moment.agent == now.moment.agent
            ? "other threads of the thread block do so, and no nop is between them"
        : same_block
            ? "the proxy may do so later: nothing flushes the channel or says that it is done"
            : "nothing orders them";
    return places_.finding(
        "race", b,
        fmt::format("{} {} {}, and {} {} it; {}", places_.name(a), does(was_write), where,
                    places_.name(b), does(is_write), why),
        {fmt::format("one order: {} {} {}, then {} {} it", places_.name(a), does(was_write), where,
                     places_.name(b), does(is_write)),
         fmt::format("another order: {} comes first", places_.name(b))});
  });
}

void Races::read(const Slot& slot, const Actor& actor) {
  for (std::int32_t i = 0; i < slot.count(); ++i) {
    History& history = at(slot.first + i);
    // A packet orders its read after its write by itself.
    if (!slot.packet || history.stamp == 0)
      compare(history.written, true, actor, false, slot.first + i);
    history.read.push_back({actor.moment, actor.op});
  }
}

void Races::write(const Slot& slot, const Actor& actor, std::int32_t stamp,
                  const std::shared_ptr<const Chain>& chain) {
  for (std::int32_t i = 0; i < slot.count(); ++i) {
    History& history = at(slot.first + i);
    compare(history.written, true, actor, true, slot.first + i);
    for (const Access& before : history.read) compare(before, false, actor, true, slot.first + i);
    history.read.clear();
    history.written = {actor.moment, actor.op};
    history.stamp = stamp;
    history.chain = stamp != 0 ? chain : nullptr;
  }
}

std::vector<Races::Unread> Races::unread_packets() const {
  std::vector<Unread> result;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    if (slots_[slot].stamp != 0 && slots_[slot].read.empty())
      result.push_back({static_cast<std::int64_t>(slot), slots_[slot].written.op});
  return result;
}

}  // namespace weft::format::mscclpp::checking
