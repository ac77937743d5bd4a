#include "weft/program/program.hpp"

#include "weft/base/error.hpp"
#include "weft/program/block_sizes.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/dependencies.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_symmetry.hpp"

namespace weft::program {

using schedule::MessageInstance;
using schedule::Schedule;
using schedule::Symmetry;

namespace {

// Which transfer a message of a segment is, moved by an element.
class Instances {
 public:
  Instances(const Schedule& schedule, std::int32_t transfers,
            const std::function<const Transfer&(std::int32_t)>& transfer)
      : schedule_(schedule), of_(schedule.message_count(), kNone) {
    WEFT_ASSERT(transfers >= 0 && transfers <= schedule.message_count());
    for (std::int32_t i = 0; i < transfers; ++i) {
      const Transfer& t = transfer(i);
      of_[place(t.segment, t.message, t.element)] = i;
    }
  }

  static constexpr std::int32_t kNone = -1;
  /// The translate by `element` of an instance; kNone when it carries nothing.
  std::int32_t find(std::int64_t segment, const MessageInstance& instance,
                    std::int32_t element) const {
    return of_[place(segment, instance.message,
                     schedule_.symmetry().multiply(element, instance.element))];
  }

 private:
  std::size_t place(std::int64_t segment, std::int64_t message, std::int32_t element) const {
    return static_cast<std::size_t>(
        (segment * schedule_.stored_messages() + message) * schedule_.symmetry().order() + element);
  }

  const Schedule& schedule_;
  std::vector<std::int32_t> of_;
};

// A message is sent once those that brought what it carries have landed. It lands once messages
// that wrote there are done, and sends that read there are out of their sender's hands.
std::vector<Wait> waits_of(const Lowered& lowered, std::int32_t transfers,
                           const std::function<const Transfer&(std::int32_t)>& transfer) {
  const Instances instances(lowered.schedule(), transfers, transfer);
  const schedule::Dependencies dependencies = find_dependencies(lowered.verified());
  const auto count = static_cast<std::uint32_t>(transfers);
  std::vector<Wait> waits;
  for (std::int32_t i = 0; i < transfers; ++i) {
    const Transfer& t = transfer(i);
    const auto sent = static_cast<std::uint32_t>(i);
    for (const MessageInstance& source : dependencies.sources(t.message)) {
      const std::int32_t before = instances.find(t.segment, source, t.element);
      if (before != Instances::kNone)
        waits.push_back({count + static_cast<std::uint32_t>(before), sent});
    }
    for (const MessageInstance& instance : dependencies.before_landing(t.message)) {
      const std::int32_t before = instances.find(t.segment, instance, t.element);
      if (before == Instances::kNone || before == i) continue;
      const bool wrote = transfer(before).to == t.to;
      waits.push_back({(wrote ? count : 0) + static_cast<std::uint32_t>(before), count + sent});
    }
  }
  return waits;
}

std::vector<Wait> waits_of(const Operations& operations) {
  const auto messages = static_cast<std::uint32_t>(operations.messages().size());
  std::vector<std::vector<std::uint32_t>> nodes(operations.agents());
  for (std::int32_t a = 0; a < operations.agents(); ++a)
    nodes[a].resize(operations.of(Agent(a)).size());
  const auto node = [&](Agent agent, std::int32_t operation) -> std::uint32_t& {
    return nodes[agent.index()][operation];
  };
  for (std::uint32_t m = 0; m < messages; ++m) {
    const auto& ends = operations.messages()[m];
    node(ends.from, ends.send) = m;
    node(ends.to, ends.receive) = messages + m;
  }
  for (std::uint32_t w = 0; w < operations.work().size(); ++w)
    node(operations.work()[w].at, operations.work()[w].operation) = 2 * messages + w;
  std::vector<Wait> waits;
  for (std::int32_t a = 0; a < operations.agents(); ++a) {
    std::int32_t waiting = 0;
    for (const Operation& operation : operations.of(Agent(a))) {
      for (const std::int32_t before : operations.waits(operation))
        waits.push_back({node(Agent(a), before), node(Agent(a), waiting)});
      ++waiting;
    }
  }
  return waits;
}

void write_step(const Operations& operations, std::int64_t step, StepProgram& out) {
  out.clear();
  const auto of_step = [&](const auto& all) {
    const auto step_of = [](const auto& one) -> std::int64_t { return one.step; };
    return std::span(std::ranges::lower_bound(all, step, {}, step_of),
                     std::ranges::upper_bound(all, step, {}, step_of));
  };
  for (const auto& ends : of_step(operations.messages())) {
    const Operation& send = operations.of(ends.from)[ends.send];
    const Operation& receive = operations.of(ends.to)[ends.receive];
    const bool reduces = receive.kind == OperationKind::receive_reduce;
    if (reduces)
      out.work.push_back({ends.to, WorkKind::reduce, WorkPhase::after_receiving,
                          static_cast<std::int32_t>(out.transfers.size()), send.bytes});
    out.transfers.push_back({ends.from, ends.to, send.route,
                             reduces ? Arrival::reduce : Arrival::copy, send.origin.segment,
                             send.bytes, &ends - operations.messages().data(), 0});
  }
  for (const auto& work : of_step(operations.work())) {
    const Operation& operation = operations.of(work.at)[work.operation];
    const WorkKind kind = operation.kind == OperationKind::copy     ? WorkKind::copy
                          : operation.kind == OperationKind::reduce ? WorkKind::reduce
                                                                    : WorkKind::compute;
    out.own.push_back(
        {work.at, kind, work.phase, operation.stream, operation.bytes, operation.seconds});
  }
}

}  // namespace

Program lower(const Verified& verified, const LowerOptions& options) {
  Program program;
  program.lowered_ = std::make_shared<const Lowered>(verified, options);
  const Schedule& schedule = program.lowered_->schedule();
  program.collective_ = schedule.collective();
  program.name_ = schedule.algorithm();
  program.size_B_ = options.size_B;
  if (options.blocks) program.blocks_ = options.blocks->at(*program.collective_, options.size_B);
  program.steps_ = schedule.steps();
  program.ranks_ = schedule.collective().ranks;
  program.agents_ = schedule.agents();
  return program;
}

schedule::MessageSizes message_sizes(const Program& program) {
  schedule::MessageSizes sizes;
  StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step, Copies::left_out);
    for (const Transfer& transfer : step.transfers) {
      if (transfer.from == transfer.to) continue;
      sizes.least_B = sizes.most_B == 0 ? transfer.bytes : std::min(sizes.least_B, transfer.bytes);
      sizes.most_B = std::max(sizes.most_B, transfer.bytes);
    }
  }
  WEFT_ASSERT(sizes.least_B <= sizes.most_B);
  return sizes;
}

Program repeat(Program program, std::int32_t calls) {
  WEFT_ASSERT(calls >= 1);
  require(calls == 1 || program.lowered_ != nullptr,
          "{} is a program with its own order of operations, so it cannot run {} times; leave "
          "out --calls",
          program.name_, calls);
  require(program.steps_ <= INT64_MAX / calls && program.calls_ <= INT32_MAX / calls,
          "{} calls of {} steps are too many", calls, program.steps_);
  program.steps_ *= calls;
  program.calls_ *= calls;
  return program;
}

std::int64_t Program::message_count() const {
  return lowered_ ? calls_ * lowered_->schedule().message_count()
                  : std::ssize(operations_->messages());
}

double Program::payload_B() const {
  if (lowered_) return calls_ * lowered_->payload_B();
  double total_B = 0;
  for (const auto& ends : operations_->messages())
    total_B += static_cast<double>(operations_->of(ends.from)[ends.send].bytes);
  return total_B;
}

double Program::messages_at_once() const {
  // Nothing but what they wait for keeps written operations apart.
  return lowered_ ? lowered_->messages_at_once() : static_cast<double>(message_count());
}

void Program::step(std::int64_t t, StepProgram& out, Copies copies) const {
  if (!lowered_) return write_step(*operations_, t, out);
  lowered_->step(t % (steps_ / calls_), out, copies);
  take_as_own_steps(out);
}

/// Of several calls no segment does in later steps what the first one does: pipeline().
void Program::take_as_own_steps(StepProgram& out) const {
  if (calls_ == 1) return;
  for (Transfer& transfer : out.transfers) transfer.segment = 0;
}

Pipeline Program::pipeline() const {
  if (!lowered_ || calls_ > 1) return {};
  const auto& [segments, stride] = lowered_->schedule().segments();
  return {segments, stride};
}

const Symmetry& Program::symmetry() const {
  static const Symmetry kTrivial;
  return lowered_ ? lowered_->schedule().symmetry() : kTrivial;
}

void Program::representatives(std::int64_t t, StepProgram& out) const {
  if (!lowered_) return write_step(*operations_, t, out);
  lowered_->representatives(t % (steps_ / calls_), out);
  take_as_own_steps(out);
}

bool Program::translates_alike() const {
  return !lowered_ || lowered_->translates_alike();
}

std::optional<schedule::LinkAction> Program::moves_on(const Network& network) const {
  const auto nodes = nodes_on(network);
  auto action = schedule::link_action(symmetry(), nodes, network.fabric());
  if (action && lowered_ &&
      !schedule::routes_move_with(*action, lowered_->schedule(), nodes, network))
    return std::nullopt;
  return action;
}

std::int32_t Program::route_count() const {
  return lowered_ ? lowered_->schedule().route_count() : operations_->route_count();
}

std::span<const LinkId> Program::route(RouteId route) const {
  return lowered_ ? lowered_->schedule().route(route) : operations_->route(route);
}

std::vector<NodeId> Program::nodes_on(const Network& network) const {
  if (lowered_) return schedule::nodes_of_agents(lowered_->schedule(), network);
  return schedule::place_agents({.what = "program",
                                 .ranks = ranks_,
                                 .helpers = agents_ - ranks_,
                                 .has_routes = route_count() > 0,
                                 .binding = operations_->binding()},
                                network);
}

std::vector<Wait> Program::waits(
    std::int32_t transfers, const std::function<const Transfer&(std::int32_t)>& transfer) const {
  WEFT_ASSERT(calls_ == 1);
  return lowered_ ? waits_of(*lowered_, transfers, transfer) : waits_of(*operations_);
}

}  // namespace weft::program
