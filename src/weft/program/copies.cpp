// Model. An agent has its input and its result in rank order, and a buffer of its own. A message is
// sent without a copy where its cells lie in one run of the input, of the result, or of the own
// buffer. What comes lands as one run of the own buffer, in the order in which it was sent, and
// what belongs into the result is copied there; where it is a run of the result it lands there, and
// what later messages need in the own buffer is copied there. Input that is combined with other
// data is copied into the own buffer once. What makes no run is packed, as in rank order. A
// reduction reads what came and writes where it should: no copy.
//
// `kept` leaves input and result in the own buffer: only what makes no run is copied.
#include "weft/program/copies.hpp"

#include <algorithm>

#include "own_buffers.hpp"
#include "rank_order.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::program {

using network::BlockLayout;
using schedule::Agent;
using schedule::Arrival;
using schedule::BlockRuns;
using schedule::Rank;

namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 23;

bool contains(const BlockRuns& runs, std::int64_t block) {
  if (block < runs.first || runs.times == 0) return false;
  const std::int64_t behind = block - runs.first;
  const std::int64_t run = runs.stride == 0 ? 0 : std::min(behind / runs.stride, runs.times - 1);
  return behind - run * runs.stride < runs.count;
}

/// Units that agents copy.
class Tally {
 public:
  explicit Tally(std::int32_t agents) : by_agent_(agents, 0) {}
  void add(Agent agent, std::int64_t units) {
    WEFT_ASSERT(units >= 0);
    by_agent_[agent] += units;
    total_ += units;
  }
  /// Those of the busiest agent, then of all.
  std::pair<std::int64_t, std::int64_t> price() const {
    return {*std::ranges::max_element(by_agent_), total_};
  }

 private:
  IdVector<Agent, std::int64_t> by_agent_;
  std::int64_t total_ = 0;
};

Tally copied_in_rank_order(const Moves& moves, std::int32_t agents) {
  Tally tally(agents);
  for (const Move& move : moves.all) {
    if (!move.run_at_sender) tally.add(move.from, move.units);
    if (!move.run_at_receiver && move.arrival == Arrival::copy) tally.add(move.to, move.units);
  }
  return tally;
}

Tally copied_by(const CopyPlan& plan, const Moves& moves, std::int32_t agents) {
  Tally tally(agents);
  for (const Move& move : moves.all) {
    tally.add(move.from, plan.sender_units(move.message, move.element));
    tally.add(move.to, plan.receiver_units(move.message, move.element));
  }
  return tally;
}

/// Whether in rank order every message is sent from a run and lands in one.
bool rank_order_copies_nothing(const schedule::Schedule& schedule) {
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m) {
    const schedule::Message& message = schedule.message(m);
    const auto pieces = schedule.pieces(m);
    std::int64_t units = 0;
    for (const schedule::Piece& piece : pieces) units += piece.count;
    for (std::int32_t g = 0; g < schedule.symmetry().order(); ++g) {
      const Agent from = schedule.symmetry().apply(g, message.from);
      const Agent to = schedule.symmetry().apply(g, message.to);
      if (from == to) continue;
      if (!is_run_in_rank_order(schedule, from, pieces, units, g)) return false;
      if (message.arrival == Arrival::copy && !is_run_in_rank_order(schedule, to, pieces, units, g))
        return false;
    }
  }
  return true;
}

}  // namespace

/// Counts the copies of one layout.
class CopyPlanner {
 public:
  CopyPlanner(const schedule::Schedule& schedule, const Moves& moves, BlockLayout layout)
      : schedule_(schedule),
        moves_(moves),
        kept_(layout == BlockLayout::kept),
        from_users_(by_users()),
        buffers_(own_buffers(moves, from_users_)),
        needed_(buffers_.entries.size(), false),
        there_(buffers_.entries.size(), false) {}

  std::shared_ptr<const CopyPlan> plan() && {
    auto plan = std::make_shared<CopyPlan>();
    plan->layout_ = kept_ ? BlockLayout::kept : BlockLayout::combined;
    plan->order_ = schedule_.symmetry().order();
    const auto instances = static_cast<std::size_t>(schedule_.stored_messages() * plan->order_);
    plan->sender_.assign(instances, 0);
    plan->receiver_.assign(instances, 0);
    for (std::size_t i = 0; i < moves_.all.size(); ++i)
      if (goes_as_run(i))
        for (const std::size_t entry : buffers_.sent_in(moves_.all[i])) needed_[entry] = true;
    for (std::size_t i = 0; i < moves_.all.size(); ++i) {
      const Move& move = moves_.all[i];
      const std::size_t at = plan->index(move.message, move.element);
      plan->sender_[at] = copied_by_sender(i);
      plan->receiver_[at] = copied_by_receiver(move);
    }
    return plan;
  }

 private:
  std::int64_t block_of(std::int32_t cell) const {
    return moves_.cells[cell].first / schedule_.units_per_block();
  }
  std::int64_t units_of(std::size_t cell_index) const {
    return moves_.cells[moves_.cell_of[cell_index]].units;
  }
  /// What an agent holds at first or wants; nothing for helpers.
  BlockRuns wanted(Agent agent) const {
    const auto& collective = schedule_.collective();
    return agent.value() < collective.ranks ? collective.wanted(Rank(agent.value())) : BlockRuns{};
  }
  BlockRuns held(Agent agent) const {
    const auto& collective = schedule_.collective();
    return agent.value() < collective.ranks ? collective.held_at_first(Rank(agent.value()))
                                            : BlockRuns{};
  }
  bool all_in(const Move& move, const BlockRuns& runs) const {
    return std::ranges::all_of(moves_.cells_of(move),
                               [&](std::int32_t cell) { return contains(runs, block_of(cell)); });
  }

  /// Of each move, whether it is sent from a run of its sender's input or result.
  std::vector<bool> by_users() const {
    std::vector<bool> result;
    for (const Move& move : moves_.all)
      result.push_back(!kept_ && move.run_at_sender &&
                       (all_in(move, held(move.from)) || all_in(move, wanted(move.from))));
    return result;
  }

  bool goes_as_run(std::size_t index) const {
    return !from_users_[index] && buffers_.is_run(moves_.all[index]);
  }

  std::int64_t copied_by_sender(std::size_t index) {
    const Move& move = moves_.all[index];
    if (from_users_[index]) return 0;
    if (!buffers_.is_run(move)) return move.units;
    std::int64_t copied = 0;
    for (std::size_t i = move.first_cell; i < move.first_cell + move.cells; ++i) {
      const std::size_t entry = buffers_.sent[i];
      if (!kept_ && !buffers_.entries[entry].landed && !there_[entry]) copied += units_of(i);
      there_[entry] = true;
    }
    return copied;
  }

  std::int64_t copied_by_receiver(const Move& move) {
    const BlockRuns result = wanted(move.to);
    std::int64_t to_result = 0, needed = 0, both = 0;
    for (std::size_t i = move.first_cell; i < move.first_cell + move.cells; ++i) {
      const bool is_needed = needed_[buffers_.received[i]];
      const bool is_result = buffers_.last[i] && contains(result, block_of(moves_.cell_of[i]));
      if (is_needed) needed += units_of(i);
      if (is_result) to_result += units_of(i);
      if (is_needed && is_result) both += units_of(i);
      if (move.arrival == Arrival::reduce) there_[buffers_.received[i]] = true;
    }
    if (kept_) return 0;
    if (move.arrival == Arrival::reduce) return both;
    return move.run_at_receiver && to_result == move.units ? needed : to_result;
  }

  const schedule::Schedule& schedule_;
  const Moves& moves_;
  bool kept_;
  std::vector<bool> from_users_;
  OwnBuffers buffers_;
  std::vector<bool> needed_;  // by entry: some message is a run of the own buffer with it
  std::vector<bool> there_;   // by entry: input that is in the own buffer by now
};

std::shared_ptr<const CopyPlan> plan_copies(const schedule::Verified& verified,
                                            BlockLayout layout) {
  if (layout == BlockLayout::rank_order) return nullptr;
  const schedule::Schedule& schedule = verified.schedule();
  if (layout == BlockLayout::best && rank_order_copies_nothing(schedule)) return nullptr;
  const auto moves = moves_of(schedule, kMostCells);
  if (!moves) return nullptr;
  auto plan = CopyPlanner(schedule, *moves, layout).plan();
  const std::int32_t agents = schedule.agents();
  if (layout == BlockLayout::best &&
      copied_in_rank_order(*moves, agents).price() <= copied_by(*plan, *moves, agents).price())
    return nullptr;
  return plan;
}

std::shared_ptr<const CopyPlan> plan_copies(const schedule::Verified& verified,
                                            const network::HostParameters& host) {
  return host.copies_are_free() ? nullptr : plan_copies(verified, host.layout);
}

}  // namespace weft::program
