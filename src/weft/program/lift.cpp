// The program is executed on sets of contributions, unit by unit (moved_units.hpp), which says what
// each message carries and which landings made it. From that follow the steps (levels.hpp). Then
// the schedule is executed by its own rules: a message that carries anything else than in the
// program means that the program keeps more than one version of a unit at a place.
#include "weft/program/lift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/program/lift/levels.hpp"
#include "weft/program/lift/moved_units.hpp"
#include "weft/program/operations.hpp"

namespace weft::program {

using schedule::Collective;
using schedule::Piece;
using schedule::Rank;
using schedule::ScheduleBuilder;
using schedule::SetId;

namespace {

// Units that follow each other in one message, and land alike.
struct Part {
  std::int32_t level;
  Agent from, to;
  Arrival arrival;
  Piece piece;

  auto message() const { return std::tuple(level, from.value(), to.value(), arrival); }
  auto key() const { return std::tuple(level, from.value(), to.value(), arrival, piece.first); }
};

class Lift {
 public:
  Lift(const Program& program, const LiftOptions& options)
      : program_(program),
        operations_(*program.operations()),
        collective_(*program.collective()),
        options_(options),
        units_(move_units(program, options.unit_B)) {}

  LiftResult run() {
    std::string reason = "its messages would have to be in steps before their own";
    for (const RankOrder order : {RankOrder::kept, RankOrder::ignored}) {
      const auto levels = find_levels(operations_, units_, order);
      if (!levels) continue;
      require_same_data(*levels);
      const auto verified = schedule::verify(build(parts_at(*levels)));
      if (verified) return *verified;
      reason = fmt::format("as a schedule it is wrong: {}", verified.fault().text);
    }
    return reason;
  }

 private:
  std::vector<Part> parts_at(const std::vector<std::int32_t>& levels) const {
    std::vector<Part> parts;
    std::int32_t last = -1;
    for (const MovedUnit& moved : units_.moved) {
      const auto& ends = operations_.messages()[static_cast<std::size_t>(moved.message)];
      const std::int32_t level = levels[static_cast<std::size_t>(moved.message)];
      const bool goes_on = moved.message == last && parts.back().arrival == moved.arrival &&
                           parts.back().piece.end() == moved.unit;
      if (goes_on)
        ++parts.back().piece.count;
      else
        parts.push_back({level, ends.from, ends.to, moved.arrival, {moved.unit, 1}});
      last = moved.message;
    }
    std::ranges::sort(parts, {}, &Part::key);
    return parts;
  }

  // By the rules of schedules: sends of a step read the state before it.
  void require_same_data(const std::vector<std::int32_t>& levels) {
    std::vector<SetId> state(static_cast<std::size_t>(program_.agents() * units_.units));
    for (const Rank rank : ids<Rank>(collective_.ranks)) hold_at_first(rank, state);
    std::vector<std::int32_t> messages(levels.size());
    std::iota(messages.begin(), messages.end(), 0);
    const auto level = [&](std::int32_t message) {
      return levels[static_cast<std::size_t>(message)];
    };
    std::ranges::stable_sort(messages, {}, level);
    for (std::size_t first = 0, end = 0; first < messages.size(); first = end) {
      while (end < messages.size() && level(messages[end]) == level(messages[first])) ++end;
      const auto step = std::span(messages).subspan(first, end - first);
      for (const std::int32_t message : step) require_held(message, state);
      for (const std::int32_t message : step) land(message, state);
    }
  }

  std::span<const MovedUnit> moved_by(std::int32_t message) const {
    const auto i = static_cast<std::size_t>(message);
    return std::span(units_.moved)
        .subspan(static_cast<std::size_t>(units_.first[i]),
                 static_cast<std::size_t>(units_.first[i + 1] - units_.first[i]));
  }
  const Operations::MessageEnds& ends_of(std::int32_t message) const {
    return operations_.messages()[static_cast<std::size_t>(message)];
  }

  void require_held(std::int32_t message, const std::vector<SetId>& state) const {
    const Agent from = ends_of(message).from;
    for (const MovedUnit& moved : moved_by(message))
      if (state[at(from, moved.unit)] != moved.set)
        throw NotLiftable{
            fmt::format("rank {} keeps several versions of unit {}", from.value(), moved.unit)};
  }

  void land(std::int32_t message, std::vector<SetId>& state) {
    const Agent to = ends_of(message).to;
    for (const MovedUnit& moved : moved_by(message)) {
      SetId& held = state[at(to, moved.unit)];
      if (moved.arrival == Arrival::copy || held == 0) {
        held = moved.set;
        continue;
      }
      const auto sum = units_.sets.disjoint_union(held, moved.set);
      if (!sum)
        throw NotLiftable{
            fmt::format("rank {} adds to several versions of unit {}", to.value(), moved.unit)};
      held = *sum;
    }
  }

  // With the fewest units in a block that all pieces are whole numbers of.
  std::int64_t grain(const std::vector<Part>& parts) const {
    std::int64_t grain = units_.units / collective_.blocks();
    for (const Part& part : parts)
      grain = std::gcd(grain, std::gcd(part.piece.first, part.piece.count));
    return grain;
  }

  schedule::Schedule build(const std::vector<Part>& parts) const {
    const std::int64_t units = grain(parts);
    ScheduleBuilder builder(collective_,
                            {.algorithm = options_.algorithm,
                             .units_per_block = units_.units / collective_.blocks() / units});
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      pieces.push_back({part.piece.first / units, part.piece.count / units});
      const bool goes_on = i + 1 < parts.size() && parts[i + 1].message() == part.message();
      if (goes_on && parts[i + 1].piece.first < part.piece.end())
        throw NotLiftable{fmt::format("rank {} sends unit {} to rank {} twice at once",
                                      part.from.value(), parts[i + 1].piece.first,
                                      part.to.value())};
      if (goes_on) continue;
      builder.at(part.level).send(part.from, part.to, pieces, part.arrival);
      pieces.clear();
    }
    return std::move(builder).build();
  }

  std::size_t at(Agent agent, std::int64_t unit) const {
    return static_cast<std::size_t>(agent.value() * units_.units + unit);
  }

  void hold_at_first(Rank rank, std::vector<SetId>& state) const {
    const SetId set = units_.sets.single(collective_.reduces() ? rank.value() : 0);
    const schedule::BlockRuns held = collective_.held_at_first(rank);
    const std::int64_t units = units_.units / collective_.blocks();
    for (std::int64_t i = 0; i < held.times; ++i)
      std::fill_n(state.begin() + static_cast<std::ptrdiff_t>(at(
                                      Agent(rank.value()), (held.first + i * held.stride) * units)),
                  held.count * units, set);
  }

  const Program& program_;
  const Operations& operations_;
  const Collective& collective_;
  const LiftOptions& options_;
  MovedUnits units_;
};

}  // namespace

LiftResult lift(const Program& program, const LiftOptions& options) {
  WEFT_ASSERT(program.collective() && program.operations() != nullptr);
  WEFT_ASSERT(program.agents() == program.ranks() && program.route_count() == 0);
  WEFT_ASSERT(options.unit_B >= 1);
  const Collective& collective = *program.collective();
  const std::int64_t units = collective.total_bytes(program.size_B()) / options.unit_B;
  WEFT_ASSERT(units * options.unit_B == collective.total_bytes(program.size_B()));
  if (units % collective.blocks() != 0 || units / collective.blocks() > schedule::kMaxUnitsPerBlock)
    return fmt::format("{} units do not make a schedule of {} blocks", units, collective.blocks());
  try {
    return Lift(program, options).run();
  } catch (const NotLiftable& failure) {
    return failure.reason;
  }
}

}  // namespace weft::program
