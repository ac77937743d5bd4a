// MSCCL XML to operations.
//
// A step that receives and sends is two operations. A step that only waits (nop) is none: what
// waits is the next step of its thread block. Operations of a rank are in an order in which each
// comes after those that it waits for, found by running the thread blocks side by side as far as
// their dependencies let them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "rows.hpp"
#include "weft/base/error.hpp"
#include "weft/format/msccl_check.hpp"
#include "weft/format/msccl_program.hpp"
#include "weft/program/operations.hpp"

namespace weft::format::msccl {

using program::ByteRange;
using program::OperationSpec;
using schedule::Agent;

namespace {

constexpr std::int32_t kNone = -1;
// By rank and operation: the line of the step.
using Lines = std::vector<std::vector<std::int32_t>>;

// One GPU's thread blocks, run side by side.
class GpuRun {
 public:
  GpuRun(const Algorithm& algorithm, const Rows& rows, std::int64_t chunk_B, std::int32_t rank,
         ProgramBuilder& builder, std::vector<std::int32_t>& lines)
      : algorithm_(algorithm),
        gpu_(algorithm.gpus[static_cast<std::size_t>(rank)]),
        rows_(rows),
        chunk_B_(chunk_B),
        rank_(rank),
        builder_(builder),
        lines_(lines),
        states_(gpu_.blocks.size()) {
    require_own_connections();
    find_awaited();
  }

  void run() {
    std::vector<std::size_t> ready;
    for (std::size_t b = states_.size(); b > 0; --b) ready.push_back(b - 1);
    while (!ready.empty()) {
      const std::size_t block = ready.back();
      ready.pop_back();
      advance(block, ready);
    }
    for (std::size_t b = 0; b < states_.size(); ++b)
      if (states_[b].next < steps(b).size())
        refuse(steps(b)[states_[b].next], "waits for steps that wait for it, in a circle");
  }

 private:
  struct State {
    std::size_t next = 0;                       // step
    std::int32_t last = kNone;                  // operation of the block
    std::vector<std::int32_t> waits;            // of nops, for the next step
    std::map<std::int32_t, std::int32_t> done;  // by step that others wait for: its operation
    std::set<std::int32_t> awaited;             // steps that others wait for
    std::vector<std::size_t> waiting;           // blocks that wait for this one
  };

  const std::vector<Step>& steps(std::size_t block) const { return gpu_.blocks[block].steps; }

  template <class... Args>
  [[noreturn]] void refuse(const Step& step, fmt::format_string<Args...> format,
                           Args&&... args) const {
    reject("{}:{}: the step {}", algorithm_.file, step.line,
           fmt::format(format, std::forward<Args>(args)...));
  }

  // Two thread blocks that share a connection could take each other's messages.
  void require_own_connections() const {
    std::map<std::tuple<bool, std::int32_t, std::int32_t>, std::int32_t> lines;
    for (const ThreadBlock& block : gpu_.blocks)
      for (const bool sends : {true, false}) {
        const auto uses = [&](const Step& step) {
          return sends ? msccl::sends(step.type) : receives(step.type);
        };
        if (std::ranges::none_of(block.steps, uses)) continue;
        const std::int32_t peer = sends ? block.send_peer : block.receive_peer;
        const auto [at, fresh] = lines.try_emplace({sends, peer, block.channel}, block.line);
        require(fresh,
                "{}:{}: the thread block {} gpu {} on channel {}, and so does the one in line {}; "
                "give it another channel",
                algorithm_.file, block.line, sends ? "sends to" : "receives from", peer,
                block.channel, at->second);
      }
  }

  void find_awaited() {
    for (std::size_t b = 0; b < states_.size(); ++b)
      for (const Step& step : steps(b)) {
        const StepId& id = step.depends_on;
        if (!id.exists()) continue;
        if (id.block >= std::ssize(states_) ||
            id.step >= std::ssize(steps(static_cast<std::size_t>(id.block))))
          refuse(step, "waits for step {} of thread block {}, which gpu {} does not have", id.step,
                 id.block, rank_);
        states_[static_cast<std::size_t>(id.block)].awaited.insert(id.step);
      }
  }

  void advance(std::size_t block, std::vector<std::size_t>& ready) {
    State& state = states_[block];
    const std::size_t before = state.next;
    for (; state.next < steps(block).size(); ++state.next) {
      const Step& step = steps(block)[state.next];
      if (!take_dependency(step, block)) break;
      execute(step, gpu_.blocks[block], state, block);
      const auto number = static_cast<std::int32_t>(state.next);
      if (state.awaited.contains(number)) state.done[number] = done(step, state);
    }
    // Blocks that wait for each other in a circle would call each other without end.
    if (state.next == before) return;
    ready.insert(ready.end(), state.waiting.begin(), state.waiting.end());
    state.waiting.clear();
  }

  // Whether what the step depends on is done; if not, the block will be called again.
  bool take_dependency(const Step& step, std::size_t block) {
    const StepId& id = step.depends_on;
    if (!id.exists()) return true;
    State& other = states_[static_cast<std::size_t>(id.block)];
    if (other.next <= static_cast<std::size_t>(id.step)) {
      if (&other != &states_[block]) other.waiting.push_back(block);
      return false;
    }
    states_[block].waits.push_back(other.done.at(id.step));
    return true;
  }

  // The operation after which a step that others wait for is over.
  std::int32_t done(const Step& step, State& state) {
    if (!state.waits.empty() || state.last == kNone)
      add(step, state, {.kind = OperationKind::compute});
    return state.last;
  }

  void add(const Step& step, State& state, OperationSpec spec) {
    spec.waits = std::move(state.waits);
    if (state.last != kNone) spec.waits.push_back(state.last);
    state.waits.clear();
    state.last = builder_.add(Agent(rank_), std::move(spec));
    lines_.push_back(step.line);
  }

  std::vector<ByteRange> ranges(const Place& place, std::int32_t count) const {
    std::vector<ByteRange> result;
    rows_.each_run(rank_, place, count,
                   [&](std::int32_t buffer, std::int64_t first, std::int64_t chunks) {
                     result.push_back({buffer, first * chunk_B_, chunks * chunk_B_});
                   });
    return result;
  }

  void execute(const Step& step, const ThreadBlock& block, State& state, std::size_t number) {
    if (step.type == StepType::nop) return;
    std::vector<ByteRange> source, target;
    if (reads_source(step.type)) source = ranges(step.source, step.count);
    if (writes_target(step.type)) target = ranges(step.target, step.count);
    if (step.type == StepType::receive_reduce_send) target = {through(step, number)};
    if (receives(step.type)) {
      receive(step, block, state, source, target);
      if (sends(step.type)) send(step, block, state, target);
    } else if (sends(step.type)) {
      send(step, block, state, source);
    } else if (source != target) {  // else it is a copy in place, of nothing
      add(step, state,
          {.kind = step.type == StepType::copy ? OperationKind::copy : OperationKind::reduce,
           .reads = source,
           .writes = target});
    } else if (step.type == StepType::reduce) {
      refuse(step, "reduces chunks into themselves");
    }
  }

  void receive(const Step& step, const ThreadBlock& block, State& state,
               const std::vector<ByteRange>& source, const std::vector<ByteRange>& target) {
    const bool elsewhere = reduces(step.type) && source != target;
    add(step, state,
        {.kind = reduces(step.type) ? OperationKind::receive_reduce : OperationKind::receive,
         .peer = Agent(block.receive_peer),
         .tag = block.channel,
         .reads = elsewhere ? source : std::vector<ByteRange>(),
         .writes = target});
  }

  void send(const Step& step, const ThreadBlock& block, State& state,
            const std::vector<ByteRange>& data) {
    add(step, state,
        {.kind = OperationKind::send,
         .peer = Agent(block.send_peer),
         .tag = block.channel,
         .reads = data});
  }

  // Each thread block has a part of the buffer of its own.
  ByteRange through(const Step& step, std::size_t number) {
    WEFT_ASSERT(number < states_.size());
    while (through_.size() <= number) {
      std::int64_t most = 0;
      for (const Step& each : steps(through_.size()))
        most = std::max<std::int64_t>(most, each.count);
      through_.push_back(through_end_);
      through_end_ += most * chunk_B_;
    }
    return {Rows::kThrough, through_[number], step.count * chunk_B_};
  }

  const Algorithm& algorithm_;
  const Gpu& gpu_;
  const Rows& rows_;
  std::int64_t chunk_B_;
  std::int32_t rank_;
  ProgramBuilder& builder_;
  std::vector<std::int32_t>& lines_;
  std::vector<State> states_;
  std::vector<std::int64_t> through_;  // by thread block
  std::int64_t through_end_ = 0;
};

// Names in files may be empty.
std::string name_of(const Algorithm& algorithm) {
  return algorithm.name.empty() ? algorithm.file : algorithm.name;
}

Program build(const Algorithm& algorithm, const Rows& rows, std::int64_t size_B, Lines& lines) {
  const std::int64_t chunk_B = rows.chunk_B(size_B);
  ProgramBuilder builder(
      algorithm.ranks(),
      {.name = name_of(algorithm), .size_B = size_B, .buffers = Rows::buffers(algorithm)});
  lines.resize(algorithm.gpus.size());
  for (std::int32_t rank = 0; rank < algorithm.ranks(); ++rank)
    GpuRun(algorithm, rows, chunk_B, rank, builder, lines[static_cast<std::size_t>(rank)]).run();
  try {
    return std::move(builder).build();
  } catch (const InvalidInput& error) {
    reject("{}: {}", algorithm.file, error.what());
  }
}

std::optional<program::Claim> claim_of(const Algorithm& algorithm, const Rows& rows,
                                       std::int64_t size_B) {
  auto collective = rows.collective();
  if (!collective) return std::nullopt;
  if (collective->rooted()) collective->root = schedule::Rank(root_of(algorithm));
  return program::Claim{.collective = *collective,
                        .size_B = size_B,
                        .output = algorithm.works_out_of_place() ? Rows::kOutput : 0};
}

}  // namespace

Program to_program(const Algorithm& algorithm, std::int64_t size_B) {
  Lines lines;
  return build(algorithm, Rows(algorithm), size_B, lines);
}

std::optional<program::Claim> claim_of(const Algorithm& algorithm, std::int64_t size_B) {
  return claim_of(algorithm, Rows(algorithm), size_B);
}

program::ProveResult prove(const Algorithm& algorithm, std::int64_t size_B) {
  const Rows rows(algorithm);
  (void)rows.chunk_B(size_B);
  Lines lines;
  std::optional<Program> program;
  try {
    program = build(algorithm, rows, size_B, lines);
  } catch (const InvalidInput& error) {  // well-formed, and wrong
    return program::ProgramFault{Agent(0), std::nullopt, error.what()};
  }
  const auto claim = claim_of(algorithm, rows, size_B);
  if (!claim) return *program;
  auto result = program::prove(*program, *claim);
  if (result) return result;
  program::ProgramFault fault = result.fault();
  WEFT_ASSERT(!fault.operation || fault.agent.index() < lines.size());
  const std::string place =
      fault.operation ? fmt::format(":{}", lines[fault.agent.index()][*fault.operation]) : "";
  fault.text = fmt::format("{}{}: {}", algorithm.file, place, fault.text);
  return fault;
}

std::int64_t least_size_B(const Algorithm& algorithm) {
  return Rows(algorithm).units_of_size();
}

}  // namespace weft::format::msccl
