// A part is a schedule on few ranks. Each group of its level plays it with its own ranks, and its
// unit line stands for an interval of the whole one: all of it where the part moves a whole buffer,
// the blocks of a node's ranks or of all nodes where it moves blocks. Ranks of a node are
// neighbours then, so that the interval is one.
#include "weft/libraries/part_schedules.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/libraries/binary_trees.hpp"
#include "weft/libraries/gpu_boxes.hpp"
#include "weft/schedule/most_messages.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::libraries {

namespace {

using schedule::Schedule;

/// The ranks that play a part, and the blocks of the whole that its unit line stands for.
struct Team {
  std::vector<Rank> ranks;
  std::int64_t first_block = 0, blocks = 0;
};

/// With the root, if it is among them, in front.
std::vector<Rank> root_first(std::vector<Rank> ranks, const Collective& collective) {
  if (!collective.rooted()) return ranks;
  if (const auto at = std::ranges::find(ranks, collective.root); at != ranks.end())
    std::rotate(ranks.begin(), at, ranks.end());
  return ranks;
}

bool moves_blocks(CollectiveKind kind) {
  using enum CollectiveKind;
  return kind == allgather || kind == gather || kind == scatter || kind == alltoall;
}

Team whole(std::vector<Rank> ranks, const Collective& collective) {
  return {std::move(ranks), 0, collective.blocks()};
}

std::vector<Team> teams_of(const LibraryPart& part, const Collective& collective,
                           const NodeRanks& nodes) {
  if (part.level == LibraryLevel::all) {
    std::vector<Rank> all(static_cast<std::size_t>(collective.ranks));
    for (std::int32_t r = 0; r < collective.ranks; ++r) all[r] = Rank(r);
    return {whole(root_first(std::move(all), collective), collective)};
  }
  std::vector<Team> teams;
  std::vector<Rank> leaders;
  for (const std::vector<Rank>& node : nodes) {
    Team team = whole(root_first(node, collective), collective);
    leaders.push_back(team.ranks.front());
    if (moves_blocks(part.collective)) {
      team.first_block = node.front().value();
      team.blocks = std::ssize(node);
    }
    teams.push_back(std::move(team));
  }
  if (part.level == LibraryLevel::leaders)
    return {whole(root_first(std::move(leaders), collective), collective)};
  return teams;
}

Schedule in_registry(const LibraryPart& part, const Collective& collective) {
  if (part.algorithm == kBinaryTree)
    return part.collective == CollectiveKind::reduce ? binary_tree_reduce(collective.ranks)
                                                     : binary_tree_broadcast(collective.ranks);
  if (part.algorithm == kSplitBinaryTree) return split_binary_tree_broadcast(collective.ranks);
  return schedule::expand_symmetry(
      algorithm::build_schedule(part.algorithm, collective, nullptr, part.options));
}

/// A part on so many ranks.
Schedule on_few(const LibraryPart& part, std::int32_t ranks) {
  return in_registry(part, {.kind = part.collective, .ranks = ranks})
      .with_segments({.count = part.segments, .stride = 1});
}

/// How many units of the whole stand for one unit of a segment of the part, once the whole has
/// `units` in a block.
class Scale {
 public:
  Scale(const Team& team, const Schedule& part)
      : blocks_(team.blocks), units_(checked_mul(part.units(), part.segments().count)) {}
  /// Units a block that make it a whole number.
  std::int64_t least_units() const { return units_ / std::gcd(units_, blocks_); }
  std::int64_t at(std::int64_t units_per_block) const { return blocks_ * units_per_block / units_; }

 private:
  std::int64_t blocks_, units_;
};

struct Played {
  std::vector<Team> teams;
  std::vector<Schedule> schedules;  // by team
};

void play(const Played& played, std::int64_t first_step, ScheduleBuilder& builder) {
  std::vector<Piece> pieces;
  for (std::size_t t = 0; t < played.teams.size(); ++t) {
    const Team& team = played.teams[t];
    const Schedule& part = played.schedules[t];
    const std::int64_t scale = Scale(team, part).at(builder.units_per_block());
    const std::int64_t origin = team.first_block * builder.units_per_block();
    for (std::int64_t segment = 0; segment < part.segments().count; ++segment)
      for (std::int64_t step = 0; step < part.stored_steps(); ++step)
        for (std::int64_t m = part.first_message(step); m < part.first_message(step + 1); ++m) {
          pieces.clear();
          for (const Piece& piece : part.pieces(m))
            pieces.push_back(
                {origin + scale * (segment * part.units() + piece.first), scale * piece.count});
          const schedule::Message& message = part.message(m);
          builder.at(first_step + step + segment * part.segments().stride)
              .send(team.ranks[message.from.index()], team.ranks[message.to.index()], pieces,
                    message.arrival);
        }
  }
}

}  // namespace

NodeRanks node_ranks(const Network& network) {
  const std::vector<std::int32_t> box = box_of_ranks(network);
  std::map<std::int32_t, std::size_t> place;
  NodeRanks nodes;
  for (std::int32_t r = 0; r < network.ranks(); ++r) {
    const auto [at, is_new] = place.try_emplace(box[r], nodes.size());
    if (is_new) nodes.emplace_back();
    nodes[at->second].push_back(Rank(r));
  }
  return nodes;
}

schedule::Schedule schedule_of(const LibraryChoice& choice, const Collective& collective,
                               const NodeRanks& nodes) {
  std::vector<Played> all;
  std::int64_t units = 1, steps = 0, messages = 0;
  for (const LibraryPart& part : choice.parts) {
    Played played{teams_of(part, collective, nodes), {}};
    std::erase_if(played.teams, [](const Team& team) { return team.ranks.size() < 2; });
    std::map<std::size_t, Schedule> of_size;
    for (const Team& team : played.teams) {
      const auto ranks = static_cast<std::int32_t>(team.ranks.size());
      const auto at = of_size.try_emplace(team.ranks.size(), on_few(part, ranks)).first;
      played.schedules.push_back(at->second);
      units = std::lcm(units, Scale(team, at->second).least_units());
      steps = std::max(steps, at->second.steps());
      messages = checked_add(messages, at->second.message_count());
    }
    all.push_back(std::move(played));
  }
  schedule::require_holdable(messages);
  ScheduleBuilder builder(collective, {.algorithm = choice.algorithm(),
                                       .units_per_block = units,
                                       .segments = {.count = choice.segments, .stride = steps}});
  std::int64_t first_step = 0;
  for (const Played& played : all) {
    std::int64_t own = 0;
    for (const Schedule& part : played.schedules) own = std::max(own, part.steps());
    play(played, first_step, builder);
    first_step += choice.segments > 1 ? steps : own;
  }
  return std::move(builder).build();
}

}  // namespace weft::libraries
