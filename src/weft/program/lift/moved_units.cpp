#include "moved_units.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::program {

using schedule::Collective;
using schedule::ContributorSets;
using schedule::Rank;
using schedule::SetId;

namespace {

constexpr std::int32_t kMostCells = 1 << 25;
constexpr std::int32_t kNoVersion = -1;

// A unit in a buffer of an agent.
struct Cell {
  std::int32_t unit = kNoVersion;
  SetId set = 0;
  std::int32_t version = kNoVersion;  // of its agent and unit; none: only landings are in it
  std::int32_t landing = kNoVersion;  // of no version yet: a moved unit, or a sum of several
};

class UnitRun {
 public:
  UnitRun(const Program& program, std::int64_t unit_B)
      : operations_(*program.operations()),
        collective_(*program.collective()),
        unit_B_(unit_B),
        result_{{},
                {},
                collective_.total_bytes(program.size_B()) / unit_B,
                ContributorSets(collective_.reduces() ? collective_.ranks : 1)} {
    number_messages();
    make_lines();
  }

  MovedUnits run() && {
    for (const Rank rank : ids<Rank>(collective_.ranks)) hold_at_first(rank);
    for (const Operations::Place& place : operations_.order()) {
      at_ = place.at;
      execute(operations_.of(place.at)[place.operation], index(place.at, place.operation));
    }
    land_the_rest();
    return std::move(result_);
  }

 private:
  using Line = std::vector<Cell>;

  // Landings that are reduced with each other before they meet a version.
  struct Sum {
    std::vector<std::int32_t> landings;
    std::int32_t version = kNoVersion;  // once they are one
  };

  std::size_t index(Agent agent, std::int32_t operation) const {
    return first_operation_[agent.index()] + static_cast<std::size_t>(operation);
  }
  [[noreturn]] void refuse(std::int32_t unit, std::string_view why) const {
    throw NotLiftable{fmt::format("rank {} {} (unit {})", at_.value(), why, unit)};
  }

  void number_messages() {
    first_operation_.push_back(0);
    for (std::int32_t a = 0; a < operations_.agents(); ++a)
      first_operation_.push_back(first_operation_.back() + operations_.of(Agent(a)).size());
    message_of_.resize(first_operation_.back(), kNoVersion);
    std::int32_t message = 0;
    std::int64_t moved = 0;
    for (const auto& ends : operations_.messages()) {
      message_of_[index(ends.from, ends.send)] = message;
      message_of_[index(ends.to, ends.receive)] = message++;
      result_.first.push_back(moved);
      moved += operations_.of(ends.from)[ends.send].bytes / unit_B_;
      require_few(static_cast<double>(moved), "units in its messages");
    }
    result_.first.push_back(moved);
    result_.moved.resize(static_cast<std::size_t>(moved));
  }

  static void require_few(double count, std::string_view what) {
    if (count > kMostCells)
      throw NotLiftable{fmt::format("it has more than {} {}", kMostCells, what)};
  }

  // As long as what is used of them.
  void make_lines() {
    const std::size_t buffers = operations_.buffers().size();
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(operations_.agents()) * buffers);
    for (std::int32_t a = 0; a < operations_.agents(); ++a) {
      const std::size_t first = static_cast<std::size_t>(a) * buffers;
      const schedule::BlockRuns held = collective_.held_at_first(Rank(a));
      lengths[first] = (held.first + (held.times - 1) * held.stride + held.count) *
                       (result_.units / collective_.blocks());
      for (const Operation& operation : operations_.of(Agent(a)))
        for (const auto ranges : {operations_.reads(operation), operations_.writes(operation)})
          for (const ByteRange& range : ranges) {
            std::int64_t& length = lengths[first + static_cast<std::size_t>(range.buffer)];
            length = std::max(length, (range.offset_B + range.bytes) / unit_B_);
          }
    }
    double cells = static_cast<double>(operations_.agents()) * static_cast<double>(result_.units);
    for (const std::int64_t length : lengths) cells += static_cast<double>(length);
    require_few(cells, "units in its buffers");
    for (const std::int64_t length : lengths) lines_.emplace_back(length);
    versions_.resize(static_cast<std::size_t>(operations_.agents() * result_.units));
  }

  void hold_at_first(Rank rank) {
    const SetId set = result_.sets.single(collective_.reduces() ? rank.value() : 0);
    const schedule::BlockRuns held = collective_.held_at_first(rank);
    const std::int64_t units = result_.units / collective_.blocks();
    Line& data = line(Agent(rank.value()), 0);
    for (std::int64_t i = 0; i < held.times; ++i)
      for (std::int64_t u = (held.first + i * held.stride) * units, n = held.count * units; n > 0;
           --n, ++u)
        data[static_cast<std::size_t>(u)] = {static_cast<std::int32_t>(u), set, 0, kNoVersion};
  }

  Line& line(Agent agent, std::int32_t buffer) {
    return lines_[agent.index() * operations_.buffers().size() + static_cast<std::size_t>(buffer)];
  }

  // The cells of ranges, one after the other.
  std::vector<Cell*> cells(std::span<const ByteRange> ranges) {
    std::vector<Cell*> result;
    for (const ByteRange& range : ranges) {
      Cell* const first = line(at_, range.buffer).data() + range.offset_B / unit_B_;
      for (std::int64_t i = 0; i < range.bytes / unit_B_; ++i) result.push_back(first + i);
    }
    return result;
  }

  void execute(const Operation& operation, std::size_t number) {
    const std::vector<Cell*> reads = cells(operations_.reads(operation));
    const std::vector<Cell*> writes = cells(operations_.writes(operation));
    const std::int32_t message = message_of_[number];
    switch (operation.kind) {
      case OperationKind::send:
        return send(message, reads);
      case OperationKind::receive:
        for (std::size_t i = 0; i < writes.size(); ++i) *writes[i] = landing(message, i);
        return;
      case OperationKind::receive_reduce: {
        const std::vector<Cell*>& operand = reads.empty() ? writes : reads;
        for (std::size_t i = 0; i < writes.size(); ++i)
          *writes[i] = sum(*operand[i], landing(message, i));
        return;
      }
      case OperationKind::copy: {
        std::vector<Cell> values;
        for (const Cell* cell : reads) values.push_back(*cell);
        for (std::size_t i = 0; i < writes.size(); ++i) *writes[i] = values[i];
        return;
      }
      case OperationKind::reduce:
        for (std::size_t i = 0; i < writes.size(); ++i) *writes[i] = sum(*writes[i], *reads[i]);
        return;
      case OperationKind::compute:
        return;
    }
  }

  std::int64_t moved_index(std::int32_t message, std::size_t i) const {
    return result_.first[static_cast<std::size_t>(message)] + static_cast<std::int64_t>(i);
  }
  MovedUnit& moved(std::int64_t at) { return result_.moved[static_cast<std::size_t>(at)]; }

  void send(std::int32_t message, const std::vector<Cell*>& reads) {
    for (std::size_t i = 0; i < reads.size(); ++i) {
      Cell& cell = *reads[i];
      settle(cell);
      moved(moved_index(message, i)) = {
          .message = message, .unit = cell.unit, .set = cell.set, .read = cell.version};
    }
  }

  Cell landing(std::int32_t message, std::size_t i) {
    const std::int64_t at = moved_index(message, i);
    return {moved(at).unit, moved(at).set, kNoVersion, static_cast<std::int32_t>(at)};
  }

  std::int32_t& version(std::int32_t unit) {
    return versions_[at_.index() * static_cast<std::size_t>(result_.units) +
                     static_cast<std::size_t>(unit)];
  }

  bool is_sum(const Cell& cell) const { return cell.landing >= std::ssize(result_.moved); }
  Sum& sum_of(const Cell& cell) {
    return sums_[static_cast<std::size_t>(cell.landing - std::ssize(result_.moved))];
  }
  std::vector<std::int32_t> landings(const Cell& cell) {
    return is_sum(cell) ? sum_of(cell).landings : std::vector<std::int32_t>{cell.landing};
  }

  // A landing that became a version elsewhere is that version here.
  void recall(Cell& cell) {
    if (cell.version == kNoVersion)
      cell.version = is_sum(cell) ? sum_of(cell).version : moved(cell.landing).landed;
  }

  // Landings that nothing else was added to take the place of what the agent had.
  void settle(Cell& cell) {
    recall(cell);
    if (cell.version != kNoVersion) return;
    Arrival arrival = Arrival::copy;
    for (const std::int32_t at : landings(cell)) {
      land(at, arrival);
      arrival = Arrival::reduce;
    }
    cell.version = version(cell.unit);
    if (is_sum(cell)) sum_of(cell).version = cell.version;
  }

  void land(std::int32_t at, Arrival arrival) {
    MovedUnit& unit = moved(at);
    if (unit.landed != kNoVersion)
      refuse(unit.unit, "uses data both as received and after adding its own");
    unit.landed = ++version(unit.unit);
    unit.arrival = arrival;
  }

  Cell sum(Cell a, Cell b) {
    recall(a);
    recall(b);
    if (a.version != kNoVersion && b.version != kNoVersion)
      refuse(a.unit, "adds two versions of one unit, and keeps both");
    const auto set = result_.sets.disjoint_union(a.set, b.set);
    WEFT_ASSERT(set && a.unit == b.unit);
    Cell result{a.unit, *set, kNoVersion, kNoVersion};
    if (a.version == kNoVersion && b.version == kNoVersion) {
      std::vector<std::int32_t> all = landings(a);
      const std::vector<std::int32_t> more = landings(b);
      all.insert(all.end(), more.begin(), more.end());
      result.landing = static_cast<std::int32_t>(std::ssize(result_.moved) + std::ssize(sums_));
      sums_.push_back({.landings = std::move(all)});
      return result;
    }
    const Cell &base = a.version != kNoVersion ? a : b, &added = a.version != kNoVersion ? b : a;
    if (base.version != version(a.unit))
      refuse(a.unit, "adds to a version that was already replaced");
    for (const std::int32_t at : landings(added)) land(at, Arrival::reduce);
    if (is_sum(added)) sum_of(added).version = version(a.unit);
    result.version = version(a.unit);
    return result;
  }

  // What nobody read is a copy; later sums have the earlier ones in them.
  void land_the_rest() {
    for (std::size_t i = sums_.size(); i > 0; --i) {
      const Sum& sum = sums_[i - 1];
      if (moved(sum.landings.front()).landed != kNoVersion) continue;
      at_ = receiver(sum.landings.front());
      Cell cell{
          moved(sum.landings.front()).unit, 0, kNoVersion,
          static_cast<std::int32_t>(std::ssize(result_.moved)) + static_cast<std::int32_t>(i - 1)};
      settle(cell);
    }
    for (std::int32_t at = 0; at < std::ssize(result_.moved); ++at) {
      if (moved(at).landed != kNoVersion) continue;
      at_ = receiver(at);
      land(at, Arrival::copy);
    }
  }
  Agent receiver(std::int32_t at) {
    return operations_.messages()[static_cast<std::size_t>(moved(at).message)].to;
  }

  const Operations& operations_;
  const Collective& collective_;
  std::int64_t unit_B_;
  MovedUnits result_;
  std::vector<std::size_t> first_operation_;  // by agent
  std::vector<std::int32_t> message_of_;      // by operation
  std::vector<Line> lines_;                   // by agent and buffer
  std::vector<std::int32_t> versions_;        // by agent and unit: the last
  std::vector<Sum> sums_;
  Agent at_;
};

}  // namespace

MovedUnits move_units(const Program& program, std::int64_t unit_B) {
  WEFT_ASSERT(unit_B >= 1);
  return UnitRun(program, unit_B).run();
}

}  // namespace weft::program
