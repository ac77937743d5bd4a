// Generated programs written out: each transfer becomes a send and a receive, with a copy before
// or after it where the layout of blocks copies, and what the schedule's data says it waits for.
#include <algorithm>
#include <map>

#include "weft/base/error.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/action.hpp"

namespace weft::program {

namespace {

using schedule::LinkAction;
using schedule::Piece;
using schedule::Schedule;

// The bytes of a transfer, sorted, neighbours merged.
std::vector<ByteRange> ranges_of(const Lowered& lowered, const Transfer& transfer) {
  std::vector<ByteRange> ranges;
  for (const Piece& piece : lowered.schedule().pieces(transfer.message))
    schedule::translate(lowered.schedule(), transfer.element, piece, [&](Piece image) {
      lowered.byte_ranges(image, transfer.segment, [&](std::int64_t offset_B, std::int64_t bytes) {
        if (bytes > 0) ranges.push_back({0, offset_B, bytes});
      });
    });
  std::ranges::sort(ranges, {}, &ByteRange::offset_B);
  std::size_t last = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].offset_B == ranges[last].offset_B + ranges[last].bytes)
      ranges[last].bytes += ranges[i].bytes;
    else
      ranges[++last] = ranges[i];
  }
  if (!ranges.empty()) ranges.resize(last + 1);
  return ranges;
}

class Writer {
 public:
  Writer(const Program& program, const Lowered& lowered, const Topology* topology)
      : lowered_(lowered),
        builder_(program.ranks(), {.name = program.name(),
                                   .size_B = program.size_B(),
                                   .helpers = program.agents() - program.ranks(),
                                   .binding = lowered.schedule().binding()}) {
    const Schedule& schedule = lowered.schedule();
    if (schedule.route_count() > 0 && !schedule.symmetry().is_trivial()) {
      require(topology != nullptr, "explicit routes under a symmetry need the topology");
      action_ = LinkAction::of(schedule.symmetry(), schedule.binding().nodes, *topology);
      WEFT_ASSERT(action_);  // verify() asks for it
    }
    load(program);
  }

  Program write() && {
    for (std::size_t t = 0; t + 1 < first_.size(); ++t) {
      for (std::int32_t i = first_[t]; i < first_[t + 1]; ++i) send(i);
      for (std::int32_t i = first_[t]; i < first_[t + 1]; ++i) receive(i);
    }
    return std::move(builder_).build();
  }

 private:
  struct Copies {
    std::int64_t before_B = 0, after_B = 0;
  };

  void load(const Program& program) {
    require(program.message_count() < std::int64_t{1} << 30,
            "{} messages are too many to write out", program.message_count());
    StepProgram step;
    for (std::int64_t t = 0; t < program.steps(); ++t) {
      program.step(t, step);
      first_.push_back(static_cast<std::int32_t>(transfers_.size()));
      for (const Transfer& transfer : step.transfers) {
        transfers_.push_back(transfer);
        steps_.push_back(t);
      }
      copies_.resize(transfers_.size());
      for (const LocalWork& work : step.work)
        if (work.kind == WorkKind::copy) {
          Copies& copies = copies_[first_.back() + work.transfer];
          (work.phase == WorkPhase::before_sending ? copies.before_B : copies.after_B) +=
              work.bytes;
        }
    }
    first_.push_back(static_cast<std::int32_t>(transfers_.size()));
    waits_ = program.waits(first_.back(),
                           [&](std::int32_t i) -> const Transfer& { return transfers_[i]; });
    std::ranges::sort(waits_, {}, &Wait::waiting);
    done_.resize(transfers_.size() * 2);
  }

  // The operations that `node` waits for.
  std::vector<std::int32_t> waits(std::size_t node) const {
    std::vector<std::int32_t> operations;
    auto wait = std::ranges::lower_bound(
        waits_, node, {}, [](const Wait& w) { return static_cast<std::size_t>(w.waiting); });
    for (; wait != waits_.end() && wait->waiting == node; ++wait)
      operations.push_back(done_[wait->before]);
    return operations;
  }

  OperationSpec spec(std::int32_t index, OperationKind kind) const {
    const auto i = static_cast<std::size_t>(index);
    const Transfer& transfer = transfers_[i];
    return {.kind = kind,
            .tag = static_cast<std::int32_t>(steps_[i]),
            .origin = {steps_[i], transfer.message, transfer.segment}};
  }

  std::int32_t copy(std::int32_t index, Agent at, std::int64_t bytes,
                    std::vector<std::int32_t> waits) {
    OperationSpec copy = spec(index, OperationKind::copy);
    copy.bytes = bytes;
    copy.waits = std::move(waits);
    return builder_.add(at, std::move(copy));
  }

  void send(std::int32_t index) {
    const auto i = static_cast<std::size_t>(index);
    const Transfer& transfer = transfers_[i];
    OperationSpec send = spec(index, OperationKind::send);
    send.peer = transfer.to;
    send.route = route(transfer);
    send.reads = ranges_of(lowered_, transfer);
    send.waits = waits(i);
    if (copies_[i].before_B > 0)
      send.waits = {copy(index, transfer.from, copies_[i].before_B, std::move(send.waits))};
    done_[i] = builder_.add(transfer.from, std::move(send));
  }

  void receive(std::int32_t index) {
    const auto i = static_cast<std::size_t>(index);
    const Transfer& transfer = transfers_[i];
    const bool reduces = transfer.arrival == Arrival::reduce;
    OperationSpec receive =
        spec(index, reduces ? OperationKind::receive_reduce : OperationKind::receive);
    receive.peer = transfer.from;
    receive.writes = ranges_of(lowered_, transfer);
    receive.waits = waits(transfers_.size() + i);
    std::int32_t& done = done_[transfers_.size() + i];
    done = builder_.add(transfer.to, std::move(receive));
    if (copies_[i].after_B > 0) done = copy(index, transfer.to, copies_[i].after_B, {done});
  }

  RouteId route(const Transfer& transfer) {
    if (transfer.route == schedule::kRouted) return transfer.route;
    const auto [at, is_new] =
        routes_.try_emplace({transfer.route.value(), transfer.element}, transfer.route);
    if (!is_new) return at->second;
    std::vector<LinkId> links;
    for (const LinkId link : lowered_.schedule().route(transfer.route))
      links.push_back(action_ ? action_->translate(transfer.element, link) : link);
    return at->second = builder_.add_route(links);
  }

  const Lowered& lowered_;
  ProgramBuilder builder_;
  std::optional<LinkAction> action_;
  std::vector<Transfer> transfers_;  // of all steps
  std::vector<std::int64_t> steps_;  // of each
  std::vector<Copies> copies_;       // of each
  std::vector<std::int32_t> first_;  // by step, one more at the end
  std::vector<Wait> waits_;          // by what waits
  std::vector<std::int32_t> done_;   // by node: the operation that ends it, at its agent
  std::map<std::pair<std::int32_t, std::int32_t>, RouteId> routes_;
};

}  // namespace

Program write_out(const Program& program, const Topology* topology) {
  if (!program.lowered_) return program;
  require(program.calls_ == 1,
          "{} calls one after another cannot be written out; write out one call", program.calls_);
  Program written = Writer(program, *program.lowered_, topology).write();
  WEFT_ASSERT(written.operations() != nullptr && written.ranks() == program.ranks());
  written.collective_ = program.collective_;
  written.blocks_ = program.blocks_;
  return written;
}

}  // namespace weft::program
