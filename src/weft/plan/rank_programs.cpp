#include "weft/plan/rank_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/plan/plan.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/reduction_order.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::plan {

using layout::Combine;
using schedule::Arrival;
using schedule::Message;
using schedule::Piece;
using schedule::ReducedPiece;

bool operator==(const RankProgram& a, const RankProgram& b) {
  const auto same = [](const layout::Message& x, const layout::Message& y) {
    return x.peer == y.peer && x.step == y.step && x.first == y.first && x.count == y.count;
  };
  return std::ranges::equal(a.sends, b.sends, same) &&
         std::ranges::equal(a.receives, b.receives, same) && a.units == b.units;
}

namespace {

// Messages carry pieces, whichever their routes: what is left is a schedule on no network.
Schedule without_symmetry_or_routes(const Schedule& schedule) {
  if (schedule.symmetry().is_trivial() && schedule.route_count() == 0) return schedule;
  schedule::ScheduleBuilder builder(schedule.collective(),
                                    {.algorithm = schedule.algorithm(),
                                     .units_per_block = schedule.units_per_block(),
                                     .symmetry = schedule.symmetry(),
                                     .segments = schedule.segments()});
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const Message& message = schedule.message(m);
      builder.at(t).send(message.from, message.to, schedule.pieces(m), message.arrival);
    }
  return schedule::expand_symmetry(std::move(builder).build());
}

bool owns_input(const Collective& collective, std::int64_t block, schedule::Rank rank) {
  return !collective.reduces() && schedule::position_in(collective.held_at_first(rank), block) &&
         !schedule::position_in(collective.wanted(rank), block);
}

class Programs {
 public:
  explicit Programs(const Schedule& schedule)
      : schedule_(schedule), programs_(static_cast<std::size_t>(schedule.collective().ranks)) {}

  std::vector<RankProgram> make(std::span<const ReducedPiece> reduced) {
    for (std::int64_t t = 0; t < schedule_.stored_steps(); ++t) {
      std::vector<std::int64_t> order;
      for (std::int64_t m = schedule_.first_message(t); m < schedule_.first_message(t + 1); ++m) {
        order.push_back(m);
        receive(t, m, reduced);
      }
      // Receivers have them in the schedule's order; how senders have them is free, so fixed.
      std::ranges::stable_sort(order, {}, [&](std::int64_t m) { return schedule_.message(m).to; });
      for (const std::int64_t m : order) send(t, m);
    }
    return std::move(programs_);
  }

 private:
  static layout::Message message(schedule::Agent peer, std::int64_t step, std::size_t first) {
    return {peer.value(), static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(first), 0};
  }

  void send(std::int64_t step, std::int64_t m) {
    RankProgram& program = programs_[schedule_.message(m).from.index()];
    layout::Message sent = message(schedule_.message(m).to, step, program.units.size());
    for (const Piece& piece : schedule_.pieces(m))
      program.units.push_back({piece.first, piece.count, Combine::copy});
    sent.count = static_cast<std::uint32_t>(program.units.size()) - sent.first;
    program.sends.push_back(sent);
  }

  void receive(std::int64_t step, std::int64_t m, std::span<const ReducedPiece>& reduced) {
    RankProgram& program = programs_[schedule_.message(m).to.index()];
    layout::Message received = message(schedule_.message(m).from, step, program.units.size());
    if (schedule_.message(m).arrival == Arrival::copy) {
      for (const Piece& piece : schedule_.pieces(m))
        program.units.push_back({piece.first, piece.count, Combine::copy});
    } else {
      for (; !reduced.empty() && reduced.front().message == m; reduced = reduced.subspan(1))
        program.units.push_back(
            {reduced.front().piece.first, reduced.front().piece.count,
             reduced.front().arrives_left ? Combine::arrives_left : Combine::arrives_right});
    }
    received.count = static_cast<std::uint32_t>(program.units.size()) - received.first;
    program.receives.push_back(received);
  }

  const Schedule& schedule_;
  std::vector<RankProgram> programs_;
};

}  // namespace

std::string unplannable(const Schedule& schedule) {
  if (schedule.helpers() > 0)
    return fmt::format("{} helpers in switches combine or forward, which MPI processes cannot do",
                       schedule.helpers());
  if (const CollectiveKind kind = schedule.collective().kind; !plan::has_collective(kind))
    return fmt::format("{} is not a collective of MPI", name_of(kind));
  const Schedule expanded = without_symmetry_or_routes(schedule);
  const std::int64_t units = expanded.units_per_block();
  for (std::int64_t m = 0; m < expanded.stored_messages(); ++m)
    for (const Piece& piece : expanded.pieces(m))
      for (std::int64_t block = piece.first / units; block <= (piece.end() - 1) / units; ++block)
        if (owns_input(expanded.collective(), block,
                       schedule::Rank(expanded.message(m).to.value())))
          return fmt::format("it brings block {} back to rank {}, whose input it is", block,
                             expanded.message(m).to.value());
  return "";
}

PlannedSchedule planned(const Verified& verified) {
  const Schedule& schedule = verified.schedule();
  const std::string why = unplannable(schedule);
  require(why.empty(), "{} cannot run in MPI processes ({}); choose another algorithm",
          schedule.algorithm(), why);
  const Schedule expanded = without_symmetry_or_routes(schedule);
  const Verified proved = schedule::verify_own(expanded);
  const schedule::ReductionOrder order = schedule::reduction_order(proved);
  return {
      schedule.collective(),   schedule.algorithm(),       expanded.units_per_block(),
      expanded.stored_steps(), expanded.segments(),        proved.facts().keeps_order,
      order.one_association,   schedule.route_count() > 0, Programs(expanded).make(order.pieces)};
}

namespace {

// The sends of one step by sender and receiver, each taken once.
class OpenSends {
 public:
  explicit OpenSends(const PlannedSchedule& planned)
      : planned_(planned), next_(planned.programs.size(), 0) {}

  void begin(std::uint32_t step) {
    for (std::size_t from = 0; from < planned_.programs.size(); ++from) {
      const auto& sends = planned_.programs[from].sends;
      for (std::size_t& i = next_[from]; i < sends.size() && sends[i].step == step; ++i)
        open_[{static_cast<std::int32_t>(from), sends[i].peer}].push_back(&sends[i]);
    }
  }
  const layout::Message* take(std::int32_t from, std::int32_t to) {
    auto& sends = open_[{from, to}];
    if (sends.empty()) return nullptr;
    const layout::Message* first = sends.front();
    sends.erase(sends.begin());
    return first;
  }
  bool all_taken() const {
    return std::ranges::all_of(open_, [](const auto& entry) { return entry.second.empty(); });
  }

 private:
  const PlannedSchedule& planned_;
  std::vector<std::size_t> next_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<const layout::Message*>> open_;
};

using Pieces = std::vector<Piece>;

Pieces pieces_of(const RankProgram& program, const layout::Message& message) {
  Pieces pieces;
  for (std::uint32_t i = message.first; i < message.first + message.count; ++i) {
    const layout::Units& units = program.units[i];
    if (!pieces.empty() && pieces.back().end() == units.first)
      pieces.back().count += units.count;
    else
      pieces.push_back({units.first, units.count});
  }
  return pieces;
}

}  // namespace

Schedule lift(const PlannedSchedule& planned) {
  schedule::ScheduleBuilder builder(planned.collective, {.algorithm = planned.algorithm,
                                                         .units_per_block = planned.units_per_block,
                                                         .segments = planned.segments});
  OpenSends open(planned);
  std::vector<std::size_t> next(planned.programs.size(), 0);
  for (std::int64_t step = 0; step < planned.stored_steps; ++step) {
    open.begin(static_cast<std::uint32_t>(step));
    for (std::size_t to = 0; to < planned.programs.size(); ++to) {
      const RankProgram& receiver = planned.programs[to];
      for (std::size_t& i = next[to];
           i < receiver.receives.size() && receiver.receives[i].step == step; ++i) {
        const layout::Message& received = receiver.receives[i];
        const auto rank = static_cast<std::int32_t>(to);
        const layout::Message* sent = open.take(received.peer, rank);
        const Pieces pieces = pieces_of(receiver, received);
        require(
            sent != nullptr && pieces == pieces_of(planned.programs[received.peer], *sent) &&
                received.count > 0,
            "step {} of {}: rank {} waits for a message that rank {} does not send in this form",
            step, planned.algorithm, rank, received.peer);
        const bool copies = receiver.units[received.first].combine == Combine::copy;
        builder.at(step).send(schedule::Agent(received.peer), schedule::Agent(rank), pieces,
                              copies ? Arrival::copy : Arrival::reduce);
      }
    }
    require(open.all_taken(), "step {} of {}: a message is sent but never received", step,
            planned.algorithm);
  }
  return std::move(builder).build();
}

}  // namespace weft::plan
