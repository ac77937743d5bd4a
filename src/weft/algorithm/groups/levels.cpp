// A collective in levels: in all groups at once, then, for each place in a group, across them. What
// goes across may be composed likewise, of groups of groups: boxes, racks of boxes, rows of racks.
//
// With G groups of g ranks, rank (q, i) of group q and place i:
//
//   allgather       across: block q is (q, i)'s; within: block i is those of place i of all groups
//   reduce-scatter  the same backwards
//   allreduce       within a reduce-scatter, across an allreduce on each rank's share, within an
//                   allgather; share i is G neighbouring blocks
//   all-to-all      within: what goes to place j of any group, to place j; across: to its group
//   broadcast       a scatter in the root's group, broadcasts across on the shares, an allgather
//                   within; reduce is that backwards
//   scatter         to the places of the root's group what goes to their like, then across; gather
//                   is that backwards
//
// A collective of a level is a schedule on few ranks. It is played by each team (a group, or the
// ranks of a place) with its blocks standing for sets of blocks of the whole; a part of one stands
// for the same part of each of the set. So whatever is right on few ranks is right here, and the
// exact cost of one segment is that of the levels, one after the other, with all teams of a level
// under way together. A schedule on few ranks is one composed on groups of groups, too, where there
// are more levels: each level takes the rest of them for one algorithm across its groups.
// Source: Traff, Hunold, "Decomposing MPI Collectives for Exploiting Multi-lane Communication",
// CLUSTER 2020; for all-to-all Traff, Rougier, EuroMPI 2014.
#include "weft/algorithm/groups/levels.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/most_messages.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

using schedule::Piece;

/// A collective of a level: of all groups or the root's alone (inner), or of all places.
struct Phase {
  CollectiveKind kind;
  bool inner;
  bool root_group_only = false;
};

std::vector<Phase> phases_of(CollectiveKind kind) {
  using enum CollectiveKind;
  switch (kind) {
    case allgather:
      return {{allgather, false}, {allgather, true}};
    case reduce_scatter:
      return {{reduce_scatter, true}, {reduce_scatter, false}};
    case allreduce:
      return {{reduce_scatter, true}, {allreduce, false}, {allgather, true}};
    case alltoall:
      return {{alltoall, true}, {alltoall, false}};
    case broadcast:
      return {{scatter, true, true}, {broadcast, false}, {allgather, true}};
    case reduce:
      return {{reduce_scatter, true}, {reduce, false}, {gather, true, true}};
    case scatter:
      return {{scatter, true, true}, {scatter, false}};
    case gather:
      return {{gather, false}, {gather, true, true}};
    default:
      reject("levels serve collectives of all ranks, not {}", schedule::name_of(kind));
  }
}

/// Whether nobody asked for the phase's collective by choosing its algorithm.
bool is_by_the_way(const Phase& phase, CollectiveKind whole) {
  return phase.root_group_only &&
         (whole == CollectiveKind::broadcast || whole == CollectiveKind::reduce);
}

/// The collective whose schedule, reversed, is one for this; nothing where there is none (nor for
/// a reduce: some broadcasts bring a rank the same data twice).
std::optional<CollectiveKind> reversed(CollectiveKind kind) {
  using enum CollectiveKind;
  switch (kind) {
    case allgather:
      return reduce_scatter;
    case reduce_scatter:
      return allgather;
    case scatter:
      return gather;
    case gather:
      return scatter;
    default:
      return std::nullopt;
  }
}

/// How the algorithm does a level's collective: itself, or one that is reversed. What hands a
/// buffer out for a broadcast or collects it for a reduce, for which few algorithms are made, is a
/// binomial tree's where the algorithm does not.
struct Means {
  const Algorithm* algorithm;
  Collective collective;
  const Network* mesh = nullptr;  // that it goes by
  bool transposed = false;
};
std::optional<Means> means_of(const Collective& collective, std::string_view name,
                              const Network* mesh, bool or_binomial) {
  if (name != kOfMeshes) mesh = nullptr;
  const auto fits = [&](const Algorithm& algorithm, const Collective& served) {
    return algorithm.supports(served.kind) &&
           !misfit(algorithm, {.collective = served, .network = mesh});
  };
  const Algorithm& algorithm = find_algorithm(name);
  if (fits(algorithm, collective)) return Means{&algorithm, collective, mesh};
  if (const auto kind = reversed(collective.kind)) {
    Collective backwards = collective;
    backwards.kind = *kind;
    if (fits(algorithm, backwards)) return Means{&algorithm, backwards, mesh, true};
  }
  if (or_binomial) return Means{&find_algorithm("binomial"), collective};
  return std::nullopt;
}

/// For so many teams.
Schedule schedule_of(const Means& means, std::int64_t teams) {
  const Schedule built = build_schedule(means.algorithm->name, means.collective, means.mesh);
  schedule::require_holdable(checked_mul(teams, built.message_count()));
  Schedule schedule = schedule::expand_symmetry(built);
  return means.transposed ? schedule::transpose(schedule) : schedule;
}

/// Ranks by (group, place), and where the root is.
class Grid {
 public:
  Grid(const LocalGroups& groups, Rank root) : groups_(groups), ranks_(ranks_in(groups)) {
    require(root.value() >= 0 && root.value() < ranks_, "root {} is no rank of {}", root.value(),
            ranks_);
    for (std::int32_t q = 0; q < G(); ++q)
      for (std::int32_t i = 0; i < g(); ++i)
        if (at(q, i) == root) root_group_ = q, root_place_ = i;
  }

  std::int32_t G() const { return static_cast<std::int32_t>(groups_.size()); }
  std::int32_t g() const { return static_cast<std::int32_t>(groups_.front().size()); }
  std::int32_t ranks() const { return ranks_; }
  Rank at(std::int32_t group, std::int32_t place) const { return groups_[group][place]; }
  std::int32_t root_group() const { return root_group_; }
  std::int32_t root_place() const { return root_place_; }

  std::int32_t teams(const Phase& phase) const { return phase.inner ? G() : g(); }
  /// The collective of a phase, on the ranks of one team.
  Collective collective(const Phase& phase) const {
    return phase.inner ? Collective{.kind = phase.kind, .ranks = g(), .root = Rank(root_place_)}
                       : Collective{.kind = phase.kind, .ranks = G(), .root = Rank(root_group_)};
  }

 private:
  const LocalGroups& groups_;
  std::int32_t ranks_, root_group_ = 0, root_place_ = 0;
};

/// Writes phases, one after the other.
class Composer {
 public:
  Composer(const Collective& whole, const Grid& grid, std::int64_t units_per_block,
           std::int64_t segments)
      : whole_(whole),
        grid_(grid),
        builder_(whole, {.algorithm = "hierarchical",
                         .units_per_block = units_per_block,
                         .segments = {segments, 1}}) {}

  void add(const Phase& phase, const Schedule& part) {
    for (std::int32_t team = 0; team < grid_.teams(phase); ++team)
      if (!phase.root_group_only || team == grid_.root_group()) play(phase, part, team);
    first_step_ += part.stored_steps();
  }
  Schedule build() && { return std::move(builder_).build(); }

 private:
  Rank member(const Phase& phase, std::int32_t team, schedule::Agent agent) const {
    return phase.inner ? grid_.at(team, agent.value()) : grid_.at(agent.value(), team);
  }

  void play(const Phase& phase, const Schedule& part, std::int32_t team) {
    std::vector<Piece> pieces;
    for (std::int64_t t = 0; t < part.stored_steps(); ++t)
      for (std::int64_t m = part.first_message(t); m < part.first_message(t + 1); ++m) {
        const schedule::Message& message = part.message(m);
        if (message.from == message.to) continue;  // it is there
        pieces.clear();
        for (const Piece& piece : part.pieces(m)) append(phase, part, team, piece, pieces);
        builder_.at(first_step_ + t)
            .send(member(phase, team, message.from), member(phase, team, message.to), pieces,
                  message.arrival);
      }
  }

  /// What the piece of a team's schedule stands for.
  void append(const Phase& phase, const Schedule& part, std::int32_t team, Piece piece,
              std::vector<Piece>& pieces) const {
    const std::int64_t units = part.units_per_block();
    while (piece.count > 0) {
      const std::int64_t block = piece.first / units, low = piece.first % units;
      const std::int64_t count = std::min(piece.count, units - low);
      each_range(phase, team, block, [&](Piece range) {
        const std::int64_t scale = range.count / units;
        pieces.push_back({range.first + low * scale, count * scale});
      });
      piece = {piece.first + count, piece.count - count};
    }
  }

  /// Calls visit(range) for the ranges of the whole that a block of a team's collective stands for.
  template <class Visit>
  void each_range(const Phase& phase, std::int32_t team, std::int64_t block, Visit&& visit) const {
    const auto own = [&](std::int64_t group, std::int64_t place) {
      return std::int64_t{
          grid_.at(static_cast<std::int32_t>(group), static_cast<std::int32_t>(place)).value()};
    };
    const std::int64_t G = grid_.G(), g = grid_.g(), N = grid_.ranks();
    if (whole_.kind == CollectiveKind::alltoall) {
      const std::int64_t teams = phase.inner ? g : G;
      const std::int64_t from = block / teams, to = block % teams;
      if (phase.inner)
        for (std::int64_t p = 0; p < G; ++p)
          visit(builder_.block(own(team, from) * N + own(p, to)));
      else
        for (std::int64_t j = 0; j < g; ++j)
          visit(builder_.block(own(from, j) * N + own(to, team)));
    } else if (whole_.whole_buffer()) {
      const Piece one = builder_.block(phase.inner ? block * G : team * G + block);
      visit(Piece{one.first, phase.inner ? one.count * G : one.count});
    } else if (phase.inner) {
      for (std::int64_t q = 0; q < G; ++q) visit(builder_.block(own(q, block)));
    } else {
      visit(builder_.block(own(block, team)));
    }
  }

  const Collective& whole_;
  const Grid& grid_;
  schedule::ScheduleBuilder builder_;
  std::int64_t first_step_ = 0;
};

using Names = std::span<const std::string_view>;

std::optional<std::string> misfit_of(CollectiveKind kind, std::span<const std::int32_t> shape,
                                     Names algorithms, const Network* mesh, int level) {
  const std::int32_t above =
      std::accumulate(shape.begin() + 1, shape.end(), 1, std::multiplies<>());
  for (const Phase& phase : phases_of(kind)) {
    const Collective part{.kind = phase.kind, .ranks = phase.inner ? shape[0] : above};
    if (!phase.inner && shape.size() > 2) {
      if (auto why =
              misfit_of(phase.kind, shape.subspan(1), algorithms.subspan(1), nullptr, level + 1))
        return why;
      continue;
    }
    const std::string_view name = algorithms[phase.inner ? 0 : 1];
    const Network* own = phase.inner ? mesh : nullptr;
    if (part.ranks > 1 && !means_of(part, name, own, is_by_the_way(phase, kind)))
      return fmt::format(
          "{} does not do the {} of {} {} {} the groups{}{}", name, schedule::name_of(part.kind),
          part.ranks, level == 0 ? "ranks" : "groups", phase.inner ? "within" : "across",
          level == 0 ? "" : fmt::format(" of level {}", level + 1),
          name == kOfMeshes && own == nullptr ? ": it goes by cables that join the hosts of a "
                                                "smallest group, in all groups the same"
                                              : "");
  }
  return std::nullopt;
}

/// Nothing where a part is none, or the units of the parts have no common multiple in range.
template <typename PartOfPhase>
std::optional<Schedule> join(const Collective& collective, const LocalGroups& groups,
                             std::int64_t segments, const PartOfPhase& part_of) {
  const Grid grid(groups, collective.root);
  require(grid.ranks() == collective.ranks, "the groups hold {} ranks and the collective has {}",
          grid.ranks(), collective.ranks);
  std::vector<std::pair<Phase, Schedule>> parts;
  std::int64_t units = 1, messages = 0;
  for (const Phase& phase : phases_of(collective.kind)) {
    const Collective part = grid.collective(phase);
    if (part.ranks == 1) continue;
    std::optional<Schedule> schedule = part_of(part, phase);
    if (!schedule) return std::nullopt;
    units = std::lcm(units, schedule->units_per_block());
    if (units > schedule::kMaxUnitsPerBlock) return std::nullopt;
    messages += schedule->message_count() * (phase.root_group_only ? 1 : grid.teams(phase));
    schedule::require_holdable(messages);
    parts.emplace_back(phase, *std::move(schedule));
  }
  Composer composer(collective, grid, units, segments);
  for (const auto& [phase, part] : parts) composer.add(phase, part);
  return std::move(composer).build();
}

std::optional<Schedule> compose(const Collective& collective, std::span<const LocalGroups> levels,
                                Names algorithms, std::int64_t segments, const Network* mesh) {
  return join(collective, levels[0], segments,
              [&](const Collective& part, const Phase& phase) -> std::optional<Schedule> {
                if (!phase.inner && levels.size() > 1)
                  return compose(part, levels.subspan(1), algorithms.subspan(1), 1, nullptr);
                return schedule_of(
                    *means_of(part, algorithms[phase.inner ? 0 : 1], phase.inner ? mesh : nullptr,
                              is_by_the_way(phase, collective.kind)),
                    phase.root_group_only ? 1 : collective.ranks / part.ranks);
              });
}

}  // namespace

LevelShape shape_of(const GroupLevels& levels) {
  LevelShape shape;
  for (const LocalGroups& groups : levels)
    shape.push_back(static_cast<std::int32_t>(groups.front().size()));
  shape.push_back(static_cast<std::int32_t>(levels.back().size()));
  return shape;
}

std::optional<std::string> misfit_of_levels(CollectiveKind kind, const LevelShape& shape,
                                            const LevelAlgorithms& algorithms,
                                            const Network* mesh) {
  WEFT_ASSERT(shape.size() >= 2 && algorithms.size() == shape.size());
  return misfit_of(kind, shape, algorithms, mesh, 0);
}

std::optional<Schedule> try_in_levels(const Collective& collective, const GroupLevels& levels,
                                      const LevelAlgorithms& algorithms, std::int64_t segments,
                                      const Network* mesh) {
  if (const auto why = misfit_of_levels(collective.kind, shape_of(levels), algorithms, mesh))
    reject("{}", *why);
  return compose(collective, levels, algorithms, segments, mesh);
}

std::optional<Schedule> schedule_of_parts(const Collective& collective, const LocalGroups& groups,
                                          std::int64_t segments, const PartOf& part) {
  return join(collective, groups, segments, [&](const Collective& asked, const Phase& phase) {
    return part(asked, phase.inner ? Side::within : Side::across);
  });
}

Schedule schedule_in_levels(const Collective& collective, const GroupLevels& levels,
                            const LevelAlgorithms& algorithms, std::int64_t segments,
                            const Network* mesh) {
  auto schedule = try_in_levels(collective, levels, algorithms, segments, mesh);
  require(schedule.has_value(),
          "the algorithms of the levels ({}) cut blocks into units without a common multiple up to "
          "{}; choose another within or across the groups",
          fmt::join(algorithms, ", "), schedule::kMaxUnitsPerBlock);
  return std::move(*schedule);
}

}  // namespace weft::algorithm
