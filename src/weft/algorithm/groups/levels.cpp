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
// Groups of several sizes have lanes, one for each place of the largest group, and a rank of a
// smaller group serves several lanes (team_grid.hpp). Across the groups, a lane carries the blocks
// of the ranks whose home it is, or one share of a whole buffer; all shares are equal. Or the
// smallest group has as many ranks as there are lanes, and ranks beyond these serve none: within
// the groups they give and get what others do, but hold no share. Their own blocks join a lane: a
// rank of the lane gets these in a step of its own before, or hands them back in one after.
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
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "level_phases.hpp"
#include "team_grid.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/most_messages.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

using schedule::Piece;

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

std::int32_t teams_of(const Phase& phase, const TeamGrid& grid) {
  return phase.inner ? grid.G() : grid.lanes();
}

/// The collective of a phase, on the ranks of one team.
Collective collective_of(const Phase& phase, const TeamGrid& grid, std::int32_t team) {
  return phase.inner
             ? Collective{.kind = phase.kind,
                          .ranks = grid.size(team),
                          .root = Rank(phase.root_group_only ? grid.root_member() : 0)}
             : Collective{.kind = phase.kind, .ranks = grid.G(), .root = Rank(grid.root_group())};
}

/// Schedules of a phase, by the ranks of a team.
using PartBySize = std::map<std::int32_t, Schedule>;

/// Writes phases, one after the other.
class Composer {
 public:
  Composer(const Collective& whole, const TeamGrid& grid, std::int64_t units_per_block,
           std::int64_t segments)
      : whole_(whole),
        grid_(grid),
        share_(units_per_block * grid.ranks() / (std::int64_t{grid.lanes()} * grid.G())),
        builder_(whole, {.algorithm = "hierarchical",
                         .units_per_block = units_per_block,
                         .segments = {segments, 1}}) {}

  void add(const Phase& phase, const PartBySize& parts) {
    std::int64_t steps = 0;
    for (std::int32_t team = 0; team < teams_of(phase, grid_); ++team) {
      if (phase.root_group_only && team != grid_.root_group()) continue;
      const auto part = parts.find(collective_of(phase, grid_, team).ranks);
      if (part == parts.end()) continue;  // of a rank alone
      play(phase, part->second, team);
      steps = std::max(steps, part->second.stored_steps());
    }
    first_step_ += steps;
  }
  /// A step in which ranks beyond the lanes hand their blocks to ranks of the lanes, or get them.
  void hand_over() {
    const bool joins = blocks_join_first(whole_.kind);
    for (std::int32_t q = 0; q < grid_.G(); ++q)
      for (std::int32_t lane = 0; lane < grid_.lanes(); ++lane)
        for (const Rank rank : grid_.beyond(q, lane)) {
          if (is_at_root(rank)) continue;
          const Rank serving = grid_.at(q, lane);
          builder_.at(first_step_)
              .send(joins ? rank : serving, joins ? serving : rank, blocks_of(rank));
        }
    ++first_step_;
  }
  Schedule build() && { return std::move(builder_).build(); }

 private:
  // Whether the root of a scatter or gather holds the block of the rank: it is its own.
  bool is_at_root(Rank rank) const {
    const bool deals =
        whole_.kind == CollectiveKind::scatter || whole_.kind == CollectiveKind::gather;
    return deals && rank == whole_.root;
  }

  // Those that a rank has or gets; of an all-to-all without the one from itself.
  std::vector<Piece> blocks_of(Rank rank) const {
    if (whole_.kind != CollectiveKind::alltoall) return {builder_.block(rank.value())};
    std::vector<Piece> blocks;
    for (const Rank source : ids<Rank>(grid_.ranks()))
      if (source != rank)
        blocks.push_back(
            builder_.block(std::int64_t{source.value()} * grid_.ranks() + rank.value()));
    return blocks;
  }

  Rank member(const Phase& phase, std::int32_t team, schedule::Agent agent) const {
    return phase.inner ? grid_.members(team)[agent.value()] : grid_.at(agent.value(), team);
  }

  void play(const Phase& phase, const Schedule& part, std::int32_t team) {
    std::vector<Piece> pieces;
    for (std::int64_t t = 0; t < part.stored_steps(); ++t)
      for (std::int64_t m = part.first_message(t); m < part.first_message(t + 1); ++m) {
        const schedule::Message& message = part.message(m);
        if (message.from == message.to) continue;  // it is there
        pieces.clear();
        for (const Piece& piece : part.pieces(m)) append(phase, part, team, piece, pieces);
        if (pieces.empty()) continue;  // of lanes that carry nothing of a small group
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
    if (whole_.kind == CollectiveKind::alltoall)
      each_of_alltoall(phase, team, block, visit);
    else if (whole_.whole_buffer())
      each_share(phase, team, block, visit);
    else if (!phase.inner)
      visit_home(block, team, [&](Rank rank) { visit(builder_.block(rank.value())); });
    else
      for (const std::int32_t lane : grid_.lanes_of(team, block))
        for (std::int32_t q = 0; q < grid_.G(); ++q)
          visit_home(q, lane, [&](Rank rank) { visit(builder_.block(rank.value())); });
  }

  /// Calls visit(rank) for the ranks of the group that this lane is home to.
  template <class Visit>
  void visit_home(std::int64_t group, std::int32_t lane, Visit&& visit) const {
    const auto q = static_cast<std::int32_t>(group);
    if (grid_.is_home(q, lane)) visit(grid_.at(q, lane));
    for (const Rank rank : grid_.beyond(q, lane))
      if (!is_at_root(rank)) visit(rank);
  }

  template <class Visit>
  void each_share(const Phase& phase, std::int32_t team, std::int64_t block, Visit& visit) const {
    const std::int64_t G = grid_.G();
    if (!phase.inner) return visit(Piece{(team * G + block) * share_, share_});
    for (const std::int64_t lane : grid_.lanes_of(team, block))
      visit(Piece{lane * G * share_, G * share_});
  }

  template <class Visit>
  void each_of_alltoall(const Phase& phase, std::int32_t team, std::int64_t block,
                        Visit& visit) const {
    const auto between = [&](Rank source, Rank destination) {
      if (source == destination && grid_.is_beyond(source)) return;  // it stays there
      visit(builder_.block(std::int64_t{source.value()} * grid_.ranks() + destination.value()));
    };
    const std::int64_t teams = phase.inner ? grid_.size(team) : grid_.G();
    const auto from = static_cast<std::int32_t>(block / teams);
    const std::int64_t to = block % teams;
    if (phase.inner)
      for (std::int32_t p = 0; p < grid_.G(); ++p)
        for (const std::int32_t lane : grid_.lanes_of(team, to))
          visit_home(p, lane, [&](Rank rank) { between(grid_.members(team)[from], rank); });
    else
      for (const Rank source : grid_.members(from))
        visit_home(to, team, [&](Rank rank) { between(source, rank); });
  }

  const Collective& whole_;
  const TeamGrid& grid_;
  const std::int64_t share_;  // units of one share of whole buffers: of one lane and group
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

/// The least units of a block that make a share of the buffer, of one lane and group, whole units
/// of each part.
std::int64_t units_of(const Collective& collective, const TeamGrid& grid, std::int64_t units) {
  if (!collective.whole_buffer()) return units;
  const std::int64_t all = checked_mul(std::int64_t{grid.lanes()} * grid.G(), units);
  return all / std::gcd(all, std::int64_t{grid.ranks()});
}

/// Nothing where a part is none, or the units of the parts have no common multiple in range.
template <typename PartOfPhase>
std::optional<Schedule> join(const Collective& collective, const LaneGroups& lanes,
                             std::int64_t segments, const PartOfPhase& part_of) {
  const TeamGrid grid(lanes, collective.root);
  require(grid.ranks() == collective.ranks, "the groups have {} ranks, but the collective has {}",
          grid.ranks(), collective.ranks);
  std::vector<std::pair<Phase, PartBySize>> phases;
  std::int64_t units = 1, messages = 0;
  for (const Phase& phase : phases_of(collective.kind)) {
    PartBySize parts;
    for (std::int32_t team = 0; team < teams_of(phase, grid); ++team) {
      if (phase.root_group_only && team != grid.root_group()) continue;
      const Collective part = collective_of(phase, grid, team);
      auto known = parts.find(part.ranks);
      if (part.ranks > 1 && known == parts.end()) {
        std::optional<Schedule> schedule = part_of(part, phase);
        if (!schedule) return std::nullopt;
        units = std::lcm(units, schedule->units_per_block());
        if (units_of(collective, grid, units) > schedule::kMaxUnitsPerBlock) return std::nullopt;
        known = parts.emplace(part.ranks, *std::move(schedule)).first;
      }
      if (known != parts.end()) messages += known->second.message_count();
      schedule::require_holdable(messages);
    }
    if (!parts.empty()) phases.emplace_back(phase, std::move(parts));
  }
  Composer composer(collective, grid, units_of(collective, grid, units), segments);
  if (grid.has_beyond() && blocks_join_first(collective.kind)) composer.hand_over();
  for (const auto& [phase, parts] : phases) composer.add(phase, parts);
  if (grid.has_beyond() && blocks_leave_last(collective.kind)) composer.hand_over();
  return std::move(composer).build();
}

std::optional<Schedule> compose(const Collective& collective, std::span<const LocalGroups> levels,
                                Names algorithms, std::int64_t segments, const Network* mesh) {
  return join(collective, {levels[0]}, segments,
              [&](const Collective& part, const Phase& phase) -> std::optional<Schedule> {
                if (!phase.inner && levels.size() > 1)
                  return compose(part, levels.subspan(1), algorithms.subspan(1), 1, nullptr);
                const auto means =
                    means_of(part, algorithms[phase.inner ? 0 : 1], phase.inner ? mesh : nullptr,
                             is_by_the_way(phase, collective.kind));
                if (!means) return std::nullopt;  // for the ranks of a smaller group
                return schedule_of(*means,
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

std::optional<Schedule> schedule_of_parts(const Collective& collective, const LaneGroups& lanes,
                                          std::int64_t segments, const PartOf& part) {
  return join(collective, lanes, segments, [&](const Collective& asked, const Phase& phase) {
    return part(asked, phase.inner ? Side::within : Side::across);
  });
}

Schedule schedule_in_levels(const Collective& collective, const GroupLevels& levels,
                            const LevelAlgorithms& algorithms, std::int64_t segments,
                            const Network* mesh) {
  auto schedule = try_in_levels(collective, levels, algorithms, segments, mesh);
  require(schedule.has_value(),
          "the algorithms of the levels ({}) do not support every group, or cut blocks into "
          "units without a common multiple up to {}; choose another algorithm within or across "
          "the groups",
          fmt::join(algorithms, ", "), schedule::kMaxUnitsPerBlock);
  return std::move(*schedule);
}

}  // namespace weft::algorithm
