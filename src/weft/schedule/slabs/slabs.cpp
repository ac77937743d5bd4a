#include "slabs.hpp"

#include <limits>

#include "weft/base/error.hpp"

namespace weft::schedule {

namespace {

constexpr std::int64_t kMostSlabs = 256;
// A slab keeps one line of runs for each agent: not so many slabs that this outweighs the
// movements.
constexpr std::int64_t kAgentsPerMovement = 4;
constexpr std::int64_t kMostUnits = std::numeric_limits<std::uint32_t>::max() / 2;

// Beyond these a proof would not fit in the memory of a common machine: some 20 bytes a movement,
// 100 a line.
constexpr std::int64_t kMostMovements = std::int64_t{1} << 29;
constexpr std::int64_t kMostAgents = std::int64_t{1} << 24;
constexpr std::int64_t kMostLines = std::int64_t{1} << 28;  // over all slabs, one after the other

std::int64_t slab_count(std::int64_t pieces, double units_moved, std::int64_t length,
                        std::int64_t agents) {
  if (units_moved == 0) return (length + kMostUnits - 1) / kMostUnits;
  const double uncut = static_cast<double>(pieces) * static_cast<double>(length) / units_moved;
  std::int64_t count = std::min({kMostSlabs, static_cast<std::int64_t>(uncut), length,
                                 kAgentsPerMovement * pieces / std::max<std::int64_t>(agents, 1)});
  count = std::max<std::int64_t>(count, 1);
  return std::max(count, (length + kMostUnits - 1) / kMostUnits);
}

}  // namespace

Slabs::Slabs(const Schedule& schedule, const OrbitLine& line) : length_(line.length()) {
  WEFT_ASSERT(length_ >= 1);
  require(schedule.stored_messages() <= std::numeric_limits<std::int32_t>::max(),
          "a schedule of {} stored messages is too large to verify (at most 2^31 - 1)",
          schedule.stored_messages());
  std::int64_t pieces = 0;
  double units_moved = 0;
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
    for (const Piece& piece : schedule.pieces(m)) {
      const std::int64_t parts = line.movement_count(piece);  // 2^62 at most
      require(parts <= kMostMovements - pieces,
              "the schedule moves more than {} pieces, too many to verify", kMostMovements);
      pieces += parts;
      units_moved += static_cast<double>(piece.count);
    }
  const std::int64_t slabs = slab_count(pieces, units_moved, length_, schedule.agents());
  require(schedule.agents() <= std::min(kMostAgents, kMostLines / slabs),
          "{} agents and {} units are too many to verify", schedule.agents(), length_);
  width_ = (length_ + slabs - 1) / slabs;
  first_.assign(static_cast<std::size_t>((length_ + width_ - 1) / width_) + 1, 0);

  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
    line.movements(m, [&](Agent, Agent, std::int64_t first, std::int64_t count) {
      for (std::int64_t s = first / width_; s <= (first + count - 1) / width_; ++s)
        ++first_[static_cast<std::size_t>(s) + 1];
    });
  for (std::size_t s = 0; s + 1 < first_.size(); ++s) first_[s + 1] += first_[s];
  movements_.resize(first_.back());

  std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
  for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
    line.movements(m, [&](Agent from, Agent to, std::int64_t first, std::int64_t count) {
      for (std::int64_t s = first / width_; s <= (first + count - 1) / width_; ++s) {
        const std::int64_t begin = std::max(first, start(s)) - start(s);
        const std::int64_t end = std::min(first + count, start(s) + width_) - start(s);
        movements_[next[s]++] = {from, to, static_cast<std::uint32_t>(begin),
                                 static_cast<std::uint32_t>(end), static_cast<std::int32_t>(m)};
      }
    });
  WEFT_ASSERT(std::equal(next.begin(), next.end(), first_.begin() + 1));  // every bucket is full
}

}  // namespace weft::schedule
