// Reduction order by following the data, as verification does (slab_check.cpp), with other values
// on the lines: in place of the set of contributors the expression that a unit's value is. Equal
// expressions have one number, so that two ranks have put a unit together alike if their lines
// have the same number there.
#include "weft/schedule/reduction_order.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "slabs/run_line.hpp"
#include "slabs/slabs.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::schedule {

namespace {

// Expression 0 is nothing, r + 1 the contribution of rank r, and those after are sums of two.
class Expressions {
 public:
  explicit Expressions(std::int32_t ranks) {
    for (std::int32_t rank = -1; rank < ranks; ++rank) least_.push_back(rank);
  }

  std::int32_t least_rank(RunLine::Value expression) const {
    return least_[static_cast<std::size_t>(expression)];
  }
  RunLine::Value sum(RunLine::Value left, RunLine::Value right) {
    WEFT_ASSERT(left > 0 && right > 0);  // 0 is nothing, which cannot be added
    const auto key = static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
    const auto [found, is_new] =
        known_.try_emplace(key, static_cast<RunLine::Value>(least_.size()));
    if (is_new) least_.push_back(least_rank(left));
    return found->second;
  }

 private:
  std::vector<std::int32_t> least_;  // contributing rank, by expression
  std::unordered_map<std::uint64_t, RunLine::Value> known_;
};

class SlabOrder {
 public:
  SlabOrder(const Schedule& schedule, const Slabs& slabs, std::int64_t slab)
      : schedule_(schedule),
        start_(slabs.start(slab)),
        length_(slabs.length(slab)),
        expressions_(schedule.collective().ranks),
        lines_(schedule.agents()),
        movements_(slabs.movements(slab)) {
    for (const Rank rank : ids<Rank>(schedule.collective().ranks))
      lines_[rank].reset(length_, rank.value() + 1);
  }

  void run(std::vector<ReducedPiece>& pieces) {
    std::int64_t step = 0;
    for (std::size_t i = 0; i < movements_.size();) {
      while (movements_[i].message >= schedule_.first_message(step + 1)) ++step;
      arrivals_.clear();
      for (; i < movements_.size() && movements_[i].message < schedule_.first_message(step + 1);
           ++i)
        read(movements_[i]);
      for (const Arriving& arriving : arrivals_) land(arriving, pieces);
    }
  }

  // Whether all ranks hold every unit in one expression; asked of allreduces alone.
  bool is_alike() const {
    bool alike = true;
    for (const Rank rank : ids<Rank>(schedule_.collective().ranks))
      lines_[rank].visit(0, length_,
                         [&](std::uint32_t first, std::uint32_t end, RunLine::Value value) {
                           lines_[Agent(0)].visit(
                               first, end, [&](std::uint32_t, std::uint32_t, RunLine::Value other) {
                                 alike = alike && value == other;
                               });
                         });
    return alike;
  }

 private:
  struct Arriving {
    Agent to;
    std::uint32_t first, end;
    RunLine::Value value;
    std::int64_t message;
  };

  void read(const Movement& movement) {
    lines_[movement.from].visit(
        movement.first, movement.end,
        [&](std::uint32_t first, std::uint32_t end, RunLine::Value value) {
          arrivals_.push_back({movement.to, first, end, value, movement.message});
        });
  }

  void land(const Arriving& arriving, std::vector<ReducedPiece>& pieces) {
    RunLine& line = lines_[arriving.to];
    if (schedule_.message(arriving.message).arrival == Arrival::copy)
      return line.assign(arriving.first, arriving.end, arriving.value);
    line.transform(
        arriving.first, arriving.end,
        [&](std::uint32_t first, std::uint32_t end, RunLine::Value held) {
          const bool left = expressions_.least_rank(arriving.value) < expressions_.least_rank(held);
          pieces.push_back({arriving.message, {start_ + first, std::int64_t{end} - first}, left});
          return left ? expressions_.sum(arriving.value, held)
                      : expressions_.sum(held, arriving.value);
        });
  }

  const Schedule& schedule_;
  std::int64_t start_;
  std::uint32_t length_;
  Expressions expressions_;
  IdVector<Agent, RunLine> lines_;
  std::span<const Movement> movements_;
  std::vector<Arriving> arrivals_;
};

void sort_and_join(std::vector<ReducedPiece>& pieces) {
  std::ranges::sort(pieces, {}, [](const ReducedPiece& reduced) {
    return std::tuple(reduced.message, reduced.piece.first);
  });
  std::size_t kept = 0;
  for (const ReducedPiece& reduced : pieces) {
    if (kept > 0) {
      ReducedPiece& last = pieces[kept - 1];
      if (last.message == reduced.message && last.piece.end() == reduced.piece.first &&
          last.arrives_left == reduced.arrives_left) {
        last.piece.count += reduced.piece.count;
        continue;
      }
    }
    pieces[kept++] = reduced;
  }
  pieces.resize(kept);
}

}  // namespace

ReductionOrder reduction_order(const Verified& verified) {
  const Schedule& schedule = verified.schedule();
  WEFT_ASSERT(schedule.symmetry().is_trivial() && schedule.helpers() == 0);
  ReductionOrder order;
  if (!schedule.collective().reduces()) return order;
  const bool shared = schedule.collective().kind == CollectiveKind::allreduce;
  const OrbitLine line(schedule);
  const Slabs slabs(schedule, line);
  for (std::int64_t slab = 0; slab < slabs.count(); ++slab) {
    SlabOrder part(schedule, slabs, slab);
    part.run(order.pieces);
    order.one_association = order.one_association && (!shared || part.is_alike());
  }
  sort_and_join(order.pieces);
  return order;
}

}  // namespace weft::schedule
