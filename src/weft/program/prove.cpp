#include "weft/program/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "data_line.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/program/block_sizes.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/contributors.hpp"

namespace weft::program {

using schedule::BlockRuns;
using schedule::Collective;
using schedule::ContributorSets;
using schedule::Rank;
using schedule::SetId;

namespace {

// Whether one operation is over before another starts, by what operations wait for.
class Order {
 public:
  explicit Order(const Operations& operations) : operations_(operations) {
    first_.push_back(0);
    for (std::int32_t a = 0; a < operations.agents(); ++a)
      first_.push_back(first_.back() + operations.of(Agent(a)).size());
    position_.resize(first_.back());
    seen_.resize(first_.back());
    sends_.resize(first_.back());
    std::int64_t position = 0;
    for (const auto& place : operations.order()) position_[index(place)] = position++;
    for (const auto& ends : operations.messages())
      sends_[index({ends.to, ends.receive})] = {ends.from, ends.send};
  }

  std::size_t index(const Operations::Place& place) const {
    return first_[place.at.index()] + static_cast<std::size_t>(place.operation);
  }
  const Operations::Place& send_of(const Operations::Place& receive) const {
    return sends_[index(receive)];
  }

  /// Depth first from `later` to what it waits for. What a receive has, its send has read.
  bool is_before(const Operations::Place& earlier, const Operations::Place& later) {
    const std::size_t target = index(earlier);
    ++search_;
    stack_.assign(1, later);
    while (!stack_.empty()) {
      const Operations::Place place = stack_.back();
      stack_.pop_back();
      const Operation& operation = operations_.of(place.at)[place.operation];
      const auto visit = [&](const Operations::Place& before) {
        const std::size_t i = index(before);
        if (position_[i] < position_[target] || seen_[i] == search_) return false;
        seen_[i] = search_;
        stack_.push_back(before);
        return i == target;
      };
      for (const std::int32_t before : operations_.waits(operation))
        if (visit({place.at, before})) return true;
      if (operation.receives() && visit(send_of(place))) return true;
    }
    return false;
  }

 private:
  const Operations& operations_;
  std::vector<std::size_t> first_;                // by agent
  std::vector<std::int64_t> position_, seen_;     // by operation
  std::vector<Operations::Place> sends_, stack_;  // of receives; to visit
  std::int64_t search_ = 0;
};

struct Refused {
  ProgramFault fault;
};

class Execution {
 public:
  Execution(const Operations& operations, const Claim& claim)
      : operations_(operations),
        claim_(claim),
        order_(operations),
        sets_(claim.collective.reduces() ? claim.collective.ranks : 1),
        elements_(claim.collective.total_bytes(claim.size_B) / claim.element_B) {
    if (claim.blocks) blocks_ = claim.blocks->at(claim.collective, claim.size_B, claim.element_B);
    lines_.resize(operations.agents());
    for (auto& lines : lines_) lines.resize(operations.buffers().size());
  }

  void run() {
    const Collective& collective = claim_.collective;
    for (const Rank rank : ids<Rank>(collective.ranks)) {
      const SetId set = sets_.single(collective.reduces() ? rank.value() : 0);
      each_run(collective.held_at_first(rank), [&](std::int64_t first, std::int64_t end) {
        const Datum datum{0, end - first, first, set};
        lines_[Agent(rank)][0].write(first, std::span(&datum, 1), DataLine::kNobody);
      });
    }
    for (const Operations::Place& place : operations_.order()) {
      place_ = place;
      execute(operations_.of(place.at)[place.operation]);
    }
    for (const Rank rank : ids<Rank>(collective.ranks)) check_end(rank);
  }

 private:
  template <class Visit>
  void each_run(const BlockRuns& runs, Visit&& visit) const {
    for (std::int64_t i = 0; i < runs.times; ++i) {
      const std::int64_t block = runs.first + i * runs.stride;
      const std::int64_t first = start_of(block), end = start_of(block + runs.count);
      if (first < end) visit(first, end);
    }
  }
  std::int64_t start_of(std::int64_t block) const {
    return (blocks_ ? blocks_->start(block)
                    : mul_div(block, elements_, claim_.collective.blocks())) *
           claim_.element_B;
  }

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    const Operation& operation = operations_.of(place_.at)[place_.operation];
    throw Refused{
        {place_.at, place_.operation,
         fmt::format("agent {}, operation {} ({}): {}", place_.at.value(), place_.operation,
                     name_of(operation.kind), fmt::format(format, std::forward<Args>(args)...))}};
  }

  void execute(const Operation& operation) {
    switch (operation.kind) {
      case OperationKind::send:
        return void(under_way_.emplace(order_.index(place_), read(operation)));
      case OperationKind::receive:
        return write(operation, take());
      case OperationKind::receive_reduce:
        return operation.reads > 0 ? write_sum(operation, read(operation), take())
                                   : add(operation, take());
      case OperationKind::copy:
        return write(operation, read(operation));
      case OperationKind::reduce:
        return add(operation, read(operation));
      case OperationKind::compute:
        return;
    }
  }

  std::vector<Datum> take() {
    const auto found = under_way_.find(order_.index(order_.send_of(place_)));
    std::vector<Datum> data = std::move(found->second);
    under_way_.erase(found);
    return data;
  }

  DataLine& line(const ByteRange& range) { return lines_[place_.at][range.buffer]; }
  std::string text(const ByteRange& range, std::int64_t offset_B) const {
    return fmt::format("byte {} of {}", offset_B, operations_.buffers()[range.buffer]);
  }
  std::int32_t self() const { return place_.operation; }

  // Operations that read and write one byte, all of one agent, are to be in an order.
  void after(std::int32_t earlier, const ByteRange& range) {
    if (earlier == DataLine::kNobody || earlier == self()) return;
    if (!order_.is_before({place_.at, earlier}, place_))
      refuse(
          "it may access {} before or after operation {}, because it does not wait for that "
          "operation",
          text(range, range.offset_B), earlier);
  }
  void after_writers(const ByteRange& range) {
    line(range).each(range.offset_B, range.offset_B + range.bytes,
                     [&](const DataCell& cell) { after(cell.writer, range); });
  }
  void after_all(const ByteRange& range) {
    line(range).each(range.offset_B, range.offset_B + range.bytes, [&](const DataCell& cell) {
      after(cell.writer, range);
      for (const std::int32_t reader : cell.readers) after(reader, range);
    });
  }

  std::vector<Datum> read(const Operation& operation) {
    std::vector<Datum> data;
    std::int64_t at = 0;
    for (const ByteRange& range : operations_.reads(operation)) {
      after_writers(range);
      line(range).read(range.offset_B, range.offset_B + range.bytes, self());
      std::int64_t reached = range.offset_B;
      line(range).each(range.offset_B, range.offset_B + range.bytes, [&](const DataCell& cell) {
        if (cell.set == 0 || cell.first != reached)
          refuse("it reads {}, which has no data", text(range, reached));
        data.push_back(
            {at + cell.first - range.offset_B, cell.end - cell.first, cell.origin, cell.set});
        reached = cell.end;
      });
      if (reached < range.offset_B + range.bytes)
        refuse("it reads {}, which has no data", text(range, reached));
      at += range.bytes;
    }
    return data;
  }

  // The data that belongs into each range, one after the other.
  template <class Visit>
  void each_target(const Operation& operation, std::span<const Datum> data, Visit&& visit) {
    std::int64_t at = 0;
    std::int64_t given = 0;
    for (const Datum& datum : data) given += datum.bytes;
    for (const ByteRange& range : operations_.writes(operation)) {
      if (given < at + range.bytes) refuse("{} bytes arrive for ranges that need more", given);
      std::vector<Datum> part;
      for (const Datum& datum : data) {
        const std::int64_t first = std::max(datum.at, at);
        const std::int64_t end = std::min(datum.at + datum.bytes, at + range.bytes);
        if (first < end)
          part.push_back({first - at, end - first, datum.origin + first - datum.at, datum.set});
      }
      visit(range, part);
      at += range.bytes;
    }
  }

  void write(const Operation& operation, const std::vector<Datum>& data) {
    each_target(operation, data, [&](const ByteRange& range, const std::vector<Datum>& part) {
      after_all(range);
      line(range).write(range.offset_B, part, self());
    });
  }

  void add(const Operation& operation, const std::vector<Datum>& data) {
    each_target(operation, data, [&](const ByteRange& range, const std::vector<Datum>& part) {
      after_all(range);
      std::vector<Datum> sums;
      for (const Datum& datum : part) add(range, datum, sums);
      line(range).write(range.offset_B, sums, self());
    });
  }

  // Of an operand and of what came: at each byte, both are there and belong to the same place.
  void write_sum(const Operation& operation, const std::vector<Datum>& operand,
                 const std::vector<Datum>& received) {
    std::vector<Datum> sums;
    auto next = received.begin();
    for (const Datum& own : operand)
      for (std::int64_t at = own.at; at < own.at + own.bytes;) {
        if (next == received.end()) refuse("{} bytes arrive for an operand that has more", at);
        const std::int64_t end = std::min(own.at + own.bytes, next->at + next->bytes);
        const std::int64_t origin = own.origin + at - own.at;
        const std::int64_t other = next->origin + at - next->at;
        if (origin != other)
          refuse("it adds data of byte {} to its operand, which has byte {} there", other, origin);
        sums.push_back({at, end - at, origin, sum(own.set, next->set, "its operand")});
        if (end == next->at + next->bytes) ++next;
        at = end;
      }
    write(operation, sums);
  }

  SetId sum(SetId held, SetId added, std::string_view where) {
    const auto set = sets_.disjoint_union(held, added);
    if (!set)
      refuse("it adds a contribution of rank {} to {}, which already has it",
             sets_.common_rank(held, added), where);
    return *set;
  }

  void add(const ByteRange& range, const Datum& datum, std::vector<Datum>& sums) {
    std::int64_t reached = range.offset_B + datum.at;
    const std::int64_t end = reached + datum.bytes;
    // [reached, next) holds nothing: a helper keeps what comes first, as in schedules.
    const auto keep_until = [&](std::int64_t next) {
      if (place_.at.value() < claim_.collective.ranks || !claim_.collective.reduces())
        refuse("it adds to {}, which has no data", text(range, reached));
      const std::int64_t at = reached - range.offset_B;
      sums.push_back({at, next - reached, datum.origin + at - datum.at, datum.set});
      reached = next;
    };
    line(range).each(reached, end, [&](const DataCell& cell) {
      if (cell.first != reached) keep_until(cell.first);
      const std::int64_t origin = datum.origin + cell.first - range.offset_B - datum.at;
      if (cell.origin != origin)
        refuse("it adds data of byte {} to {}, which has byte {} there", origin,
               text(range, reached), cell.origin);
      sums.push_back({cell.first - range.offset_B, cell.end - cell.first, origin,
                      sum(cell.set, datum.set, text(range, reached))});
      reached = cell.end;
    });
    if (reached < end) keep_until(end);
  }

  void check_end(Rank rank) {
    const auto wrong = [&](std::int64_t byte, const char* what) {
      throw Refused{{rank, std::nullopt,
                     fmt::format("rank {} has {} in byte {} of {} in the end", rank.value(), what,
                                 byte, operations_.buffers()[claim_.output])}};
    };
    DataLine& line = lines_[Agent(rank)][claim_.output];
    const schedule::RankInterval wanted = claim_.collective.reduces()
                                              ? contributors_of(claim_.collective, rank)
                                              : schedule::RankInterval{0, 1};
    each_run(claim_.collective.wanted(rank), [&](std::int64_t first, std::int64_t end) {
      std::int64_t reached = first;
      line.each(first, end, [&](const DataCell& cell) {
        if (cell.first != reached || cell.set == 0) wrong(reached, "nothing");
        if (cell.origin != cell.first) wrong(reached, "data of another place");
        if (sets_.missing(cell.set, wanted)) wrong(reached, "not all contributions");
        if (!sets_.has_exactly(cell.set, wanted)) wrong(reached, "contributions of other ranks");
        reached = cell.end;
      });
      if (reached < end) wrong(reached, "nothing");
    });
  }

  const Operations& operations_;
  const Claim& claim_;
  Order order_;
  ContributorSets sets_;
  std::int64_t elements_;
  std::shared_ptr<const BlockSizes> blocks_;             // null: alike
  IdVector<Agent, std::vector<DataLine>> lines_;         // by agent and buffer
  std::map<std::size_t, std::vector<Datum>> under_way_;  // by send
  Operations::Place place_;                              // what is executed
};

}  // namespace

// What may give a program its collective.
class Prover {
 public:
  static Program proved(Program program, const Claim& claim) {
    program.collective_ = claim.collective;
    program.size_B_ = claim.size_B;
    if (claim.blocks) program.blocks_ = claim.blocks->at(claim.collective, claim.size_B);
    return program;
  }
};

ProveResult prove(const Program& program, const Claim& claim) {
  schedule::check(claim.collective);
  require(program.ranks() == claim.collective.ranks,
          "a program of {} ranks cannot perform {} of {}", program.ranks(),
          name_of(claim.collective.kind), claim.collective.ranks);
  require(claim.size_B >= 0 && claim.element_B >= 1 && claim.size_B % claim.element_B == 0,
          "a size of {} bytes is not a whole number of elements of {} bytes", claim.size_B,
          claim.element_B);
  Program written = write_out(program);
  require(claim.output >= 0 && claim.output < std::ssize(written.operations()->buffers()),
          "buffer {} for the result does not exist; the program has {}", claim.output,
          written.operations()->buffers().size());
  try {
    Execution(*written.operations(), claim).run();
  } catch (const Refused& refused) {
    return refused.fault;
  }
  return Prover::proved(std::move(written), claim);
}

}  // namespace weft::program
