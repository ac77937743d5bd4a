#include "weft/program/operations.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "operation_order.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::program {

namespace {

constexpr std::array<std::string_view, kOperationKinds> kNames = {
    "send", "receive", "receive-reduce", "copy", "reduce", "compute"};

std::int64_t total_B(const std::vector<ByteRange>& ranges) {
  std::int64_t total = 0;
  for (const ByteRange& range : ranges) total = checked_add(total, range.bytes);
  return total;
}

// One end of a message: who talks to whom under which tag, and which operation it is.
struct End {
  std::int32_t from, to, tag, operation;
  auto way() const { return std::tuple(from, to, tag); }
  auto key() const { return std::tuple(from, to, tag, operation); }
  bool pairs_with(const End& other) const { return way() == other.way(); }
};

}  // namespace

std::string_view name_of(OperationKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

ProgramBuilder::ProgramBuilder(std::int32_t ranks, ProgramOptions options)
    : options_(std::move(options)) {
  require(ranks >= 1, "invalid number of ranks of a program: {} (expected at least 1)", ranks);
  require(!options_.buffers.empty() && options_.buffers[0] == "data",
          "the first buffer of a program must be \"data\"");
  WEFT_ASSERT(options_.helpers >= 0);
  out_.ranks_ = ranks;
  by_agent_.resize(static_cast<std::size_t>(ranks) + static_cast<std::size_t>(options_.helpers));
}

RouteId ProgramBuilder::add_route(std::span<const LinkId> links) {
  out_.route_links_.insert(out_.route_links_.end(), links.begin(), links.end());
  out_.first_route_link_.push_back(static_cast<std::int64_t>(out_.route_links_.size()));
  return RouteId(static_cast<std::int64_t>(out_.first_route_link_.size()) - 2);
}

void ProgramBuilder::check(Agent agent, OperationSpec& spec) const {
  const auto agents = static_cast<std::int64_t>(by_agent_.size());
  const auto exists = [&](Agent one) {
    require(one.value() >= 0 && one.value() < agents, "agent {} does not exist; agents are 0 to {}",
            one.value(), agents - 1);
  };
  exists(agent);
  const std::string_view kind = name_of(spec.kind);
  const bool message = spec.kind == OperationKind::send || spec.kind == OperationKind::receive ||
                       spec.kind == OperationKind::receive_reduce;
  if (message) exists(spec.peer);
  const bool has_operand = spec.kind == OperationKind::receive_reduce && !spec.reads.empty();
  const bool reads = spec.kind == OperationKind::send || spec.kind == OperationKind::copy ||
                     spec.kind == OperationKind::reduce || has_operand;
  const bool writes = spec.kind != OperationKind::send && spec.kind != OperationKind::compute;
  require(reads || spec.reads.empty(), "a {} cannot read ranges", kind);
  require(writes || spec.writes.empty(), "a {} cannot write ranges", kind);
  for (const auto* ranges : {&spec.reads, &spec.writes})
    for (const ByteRange& range : *ranges) {
      require(
          range.buffer >= 0 && range.buffer < static_cast<std::int64_t>(options_.buffers.size()),
          "buffer {} does not exist (buffers are 0 to {})", range.buffer,
          options_.buffers.size() - 1);
      require(range.offset_B >= 0 && range.bytes > 0, "invalid range of {} bytes from byte {}",
              range.bytes, range.offset_B);
      checked_add(range.offset_B, range.bytes);
    }
  const std::int64_t read_B = total_B(spec.reads), written_B = total_B(spec.writes);
  require(!reads || !writes || read_B == written_B, "a {} reads {} bytes and writes {}", kind,
          read_B, written_B);
  const std::int64_t ranges_B = std::max(read_B, written_B);
  require(spec.bytes == 0 || ranges_B == 0 || spec.bytes == ranges_B,
          "a {} of {} bytes names ranges of {} bytes", kind, spec.bytes, ranges_B);
  if (spec.bytes == 0) spec.bytes = ranges_B;
  require(spec.bytes >= (message ? 1 : 0), "invalid size of a {}: {} bytes (expected at least {})",
          kind, spec.bytes, message ? 1 : 0);
  require(spec.seconds >= 0 && spec.seconds < 1e300, "invalid time of a {}: {} seconds", kind,
          spec.seconds);
  require(spec.kind == OperationKind::compute ? spec.bytes == 0 : spec.seconds == 0,
          "only compute has seconds, and it has no bytes");
  require(spec.route == schedule::kRouted ||
              (spec.kind == OperationKind::send && spec.route.value() >= 0 &&
               spec.route.value() < out_.route_count()),
          "route {} does not exist", spec.route.value());
  require(spec.origin.step >= 0, "step {} does not exist", spec.origin.step);
  const auto before = static_cast<std::int64_t>(by_agent_[agent.index()].size());
  for (const std::int32_t wait : spec.waits)
    require(wait >= 0 && wait < before,
            "operation {} of agent {} waits for {}, which does not come before it", before,
            agent.value(), wait);
}

std::int32_t ProgramBuilder::add(Agent agent, OperationSpec spec) {
  check(agent, spec);
  std::vector<Operation>& operations = by_agent_[agent.index()];
  require(static_cast<std::int64_t>(operations.size()) < std::int64_t{1} << 30,
          "agent {} has too many operations", agent.value());
  std::ranges::sort(spec.waits);
  spec.waits.erase(std::unique(spec.waits.begin(), spec.waits.end()), spec.waits.end());
  operations.push_back({.kind = spec.kind,
                        .stream = spec.stream,
                        .peer = spec.peer,
                        .tag = spec.tag,
                        .route = spec.route,
                        .bytes = spec.bytes,
                        .seconds = spec.seconds,
                        .origin = spec.origin,
                        .first_range = static_cast<std::int64_t>(out_.ranges_.size()),
                        .first_wait = static_cast<std::int64_t>(out_.waits_.size()),
                        .reads = static_cast<std::int32_t>(spec.reads.size()),
                        .writes = static_cast<std::int32_t>(spec.writes.size()),
                        .waits = static_cast<std::int32_t>(spec.waits.size())});
  out_.ranges_.insert(out_.ranges_.end(), spec.reads.begin(), spec.reads.end());
  out_.ranges_.insert(out_.ranges_.end(), spec.writes.begin(), spec.writes.end());
  out_.waits_.insert(out_.waits_.end(), spec.waits.begin(), spec.waits.end());
  return static_cast<std::int32_t>(operations.size()) - 1;
}

void ProgramBuilder::flatten() {
  for (std::vector<Operation>& operations : by_agent_) {
    out_.operations_.insert(out_.operations_.end(), operations.begin(), operations.end());
    out_.first_.push_back(static_cast<std::int64_t>(out_.operations_.size()));
    operations = {};
  }
}

// The k-th send of each (from, to, tag) and the k-th receive stand at one place of sorted lists.
void ProgramBuilder::match() {
  std::vector<End> sends, receives;
  for (std::int32_t a = 0; a < out_.agents(); ++a) {
    std::int32_t i = 0;
    for (const Operation& operation : out_.of(Agent(a))) {
      const std::int32_t peer = operation.peer.value();
      if (operation.kind == OperationKind::send)
        sends.push_back({a, peer, operation.tag, i});
      else if (operation.receives())
        receives.push_back({peer, a, operation.tag, i});
      ++i;
    }
  }
  std::ranges::sort(sends, {}, &End::key);
  std::ranges::sort(receives, {}, &End::key);
  for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
    const bool sent = i < sends.size(), received = i < receives.size();
    if (!sent || !received || !sends[i].pairs_with(receives[i])) {
      const bool is_send = sent && (!received || sends[i].way() < receives[i].way());
      const End& end = is_send ? sends[i] : receives[i];
      throw OperationFault(
          fmt::format("a message from {} to {} with tag {} is {}; add the other end, or remove it",
                      end.from, end.to, end.tag,
                      is_send ? "sent and never received" : "received and never sent"),
          Agent(is_send ? end.from : end.to), end.operation);
    }
    const Agent from(sends[i].from), to(sends[i].to);
    const std::int64_t sent_B = out_.of(from)[sends[i].operation].bytes;
    const std::int64_t received_B = out_.of(to)[receives[i].operation].bytes;
    if (sent_B != received_B)
      throw OperationFault(
          fmt::format("a message from {} to {} with tag {} is sent with {} bytes and "
                      "received with {}; make them the same",
                      from.value(), to.value(), sends[i].tag, sent_B, received_B),
          to, receives[i].operation);
    out_.messages_.push_back({from, to, sends[i].operation, receives[i].operation});
  }
}

std::int64_t ProgramBuilder::index(Agent agent, std::int32_t operation) const {
  return out_.first_[agent.index()] + operation;
}

namespace {

// Numbers the half-steps anew, without steps that have no operation. Simulations hold something for
// each step, so that a single large number in a file would cost time and memory.
void close_gaps(std::vector<std::int32_t>& half_steps) {
  std::vector<std::int32_t> steps;
  for (const std::int32_t half_step : half_steps) steps.push_back(half_step / 2);
  std::ranges::sort(steps);
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  for (std::int32_t& half_step : half_steps) {
    const auto step = std::ranges::lower_bound(steps, half_step / 2) - steps.begin();
    half_step = static_cast<std::int32_t>(2 * step) + half_step % 2;
  }
}

}  // namespace

void ProgramBuilder::find_steps() {
  OperationOrder found = find_order(out_);
  WEFT_ASSERT(std::ssize(found.half_steps) == out_.count());
  const std::int64_t steps =
      found.half_steps.empty() ? 0 : *std::ranges::max_element(found.half_steps) / 2 + 1;
  if (steps > out_.count()) close_gaps(found.half_steps);  // some step has no operation
  for (Operations::MessageEnds& ends : out_.messages_)
    ends.step = found.half_steps[index(ends.from, ends.send)] / 2;
  for (const std::int64_t i : found.order) {
    const auto after = std::ranges::upper_bound(out_.first_, i);
    const Agent agent(after - out_.first_.begin() - 1);
    const auto operation = static_cast<std::int32_t>(i - out_.first_[agent.index()]);
    const std::int32_t half_step = found.half_steps[i];
    out_.order_.push_back({agent, operation});
    out_.steps_ = std::max<std::int64_t>(out_.steps_, half_step / 2 + 1);
    if (!out_.operations_[i].is_message())
      out_.work_.push_back(
          {agent, operation, half_step / 2,
           half_step % 2 == 0 ? WorkPhase::before_sending : WorkPhase::after_receiving});
  }
}

Program ProgramBuilder::build() && {
  flatten();
  match();
  find_steps();
  const auto order = [this](const Operations::MessageEnds& ends) {
    const Provenance& origin = out_.operations_[index(ends.from, ends.send)].origin;
    return std::tuple(ends.step, origin.segment, origin.message, ends.from.value(), ends.send);
  };
  std::ranges::sort(out_.messages_, {}, order);
  std::ranges::sort(out_.work_, {}, [](const Operations::Work& work) {
    return std::tuple(work.step, work.at.value(), work.operation);
  });
  out_.buffers_ = std::move(options_.buffers);
  out_.binding_ = std::move(options_.binding);
  Program program;
  program.name_ = std::move(options_.name);
  program.size_B_ = options_.size_B;
  program.steps_ = out_.steps_;
  program.ranks_ = out_.ranks_;
  program.agents_ = out_.agents();
  program.operations_ = std::make_shared<const Operations>(std::move(out_));
  return program;
}

}  // namespace weft::program
