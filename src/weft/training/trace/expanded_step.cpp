// Tasks of the step become operations of each rank of their stage, in the order in which they ran.
// That order is one of all ranks, and what waits comes later in it, so that no rank waits for
// itself through others. Of a collective that two stages share each has a task of its own; both
// have the later of their places.
#include "weft/training/trace/expanded_step.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/training/groups.hpp"
#include "weft/training/trace/group_programs.hpp"

namespace weft::training {

namespace {

using program::Agent;
using program::Operation;
using program::OperationKind;
using program::Operations;
using program::OperationSpec;
using workload::GroupKind;
using workload::Ran;
using workload::StepTask;
using workload::TrainingStep;

constexpr std::int64_t kMostOperations = std::int64_t{1} << 23;  // some GB
constexpr std::int64_t kMostPlaces = std::int64_t{1} << 28;      // likewise

class Expander {
 public:
  Expander(const Training& training, const Network& network, const TrainingQuestion& asked)
      : training_(training),
        step_(training.step),
        parallel_(asked.step.parallel),
        order_(asked.order),
        programs_(network, asked),
        builder_(network.ranks(), {.name = "training step"}),
        stage_of_(static_cast<std::size_t>(network.ranks())),
        ranks_of_(static_cast<std::size_t>(parallel_.pipeline)),
        counts_(stage_of_.size()),
        last_(stage_of_.size()),
        groups_(step_.calls.size()) {
    require(step_.timeline.count() <= kMostPlaces / network.ranks(),
            "{} tasks of {} ranks are too many to expand; use fewer ranks or micro-batches",
            step_.timeline.count(), network.ranks());
    WEFT_ASSERT(parallel_.ranks() == network.ranks());
    WEFT_ASSERT(std::ssize(training.ran) == step_.timeline.count());
    WEFT_ASSERT(training.calls.size() == step_.calls.size());
    for (auto& of_streams : last_) of_streams.fill(kNone);
    ends_.assign(stage_of_.size(), std::vector<std::int32_t>(
                                       static_cast<std::size_t>(step_.timeline.count()), kNone));
    for (std::int32_t stage = 0; stage < parallel_.pipeline; ++stage)
      for (std::int32_t data = 0; data < parallel_.data; ++data)
        for (std::int32_t tensor = 0; tensor < parallel_.tensor; ++tensor) {
          const std::int32_t rank = order_.rank(tensor, data, stage, parallel_);
          stage_of_[at(rank)] = stage;
          ranks_of_[at(stage)].push_back(rank);
        }
  }

  ExpandedStep run() && {
    number_rounds();
    for (const std::int32_t task : in_order()) add(task);
    return {std::move(builder_).build(), std::move(without_paths_)};
  }

 private:
  static constexpr std::int32_t kNone = -1;

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  std::int32_t stage_of_task(std::int32_t task) const {
    return step_.timeline.task(task).stream / TrainingStep::kStreams;
  }

  // Which time it is that the stage of a task makes its call.
  void number_rounds() {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> made;  // by stage and call
    for (std::int32_t task = 0; task < step_.timeline.count(); ++task) {
      const std::int32_t call = step_.tasks[at(task)].call;
      rounds_.push_back(call < 0 ? kNone : made[{stage_of_task(task), call}]++);
    }
  }

  std::vector<std::int32_t> in_order() const {
    std::vector<Ran> when = training_.ran;
    std::map<std::pair<std::int32_t, std::int32_t>, Ran> latest;  // by call and round
    const auto is_shared = [&](std::int32_t task) {
      const std::int32_t call = step_.tasks[at(task)].call;
      return call >= 0 && step_.calls[at(call)].groups == GroupKind::tied;
    };
    const auto key = [&](std::int32_t task) {
      return std::pair(step_.tasks[at(task)].call, rounds_[at(task)]);
    };
    for (std::int32_t task = 0; task < step_.timeline.count(); ++task)
      if (is_shared(task)) {
        Ran& last = latest[key(task)];
        if (last.start_ps <= when[at(task)].start_ps) last = when[at(task)];
      }
    for (std::int32_t task = 0; task < step_.timeline.count(); ++task)
      if (is_shared(task)) when[at(task)] = latest.at(key(task));
    std::vector<std::int32_t> order(when.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::int32_t task) {
      return std::tuple(when[at(task)].start_ps, when[at(task)].end_ps, task);
    });
    return order;
  }

  void add(std::int32_t task) {
    const StepTask& what = step_.tasks[at(task)];
    if (what.call >= 0) return add_call(task, what.call);
    const double seconds =
        static_cast<double>(step_.timeline.task(task).duration_ps) * kSecondsPerPicosecond;
    for (const std::int32_t rank : ranks_of_[at(stage_of_task(task))])
      end(task, rank,
          put(rank, {.kind = OperationKind::compute,
                     .stream = program::Stream::compute,
                     .seconds = seconds,
                     .waits = before(task, rank)}));
  }

  // A message is a task of the stage that sends it. Of a collective that stages share each has a
  // task for its ranks alone.
  void add_call(std::int32_t task, std::int32_t number) {
    const TrainingCall& call = training_.calls[at(number)];
    auto& groups = groups_[at(number)];
    if (groups.empty()) groups = groups_of(call.call, parallel_, order_);
    const bool is_message = schedule::traits_of(call.call.kind).between_two();
    const auto [tag, is_new] = first_tags_.try_emplace({number, rounds_[at(task)]}, next_tag_);
    for (const RankGroup& group : groups) {
      const Operations* operations = nullptr;
      for (std::size_t member = 0; member < group.size(); ++member) {
        const bool is_own = stage_of_[at(group[member])] == stage_of_task(task);
        if (!is_own && !is_message) continue;
        if (operations == nullptr) operations = &operations_of(call, group);
        const bool waits = is_own && (!is_message || member == 0);
        add_member(task, group, member, *operations, tag->second, waits);
      }
    }
  }

  const Operations& operations_of(const TrainingCall& call, const RankGroup& group) {
    const Operations& operations = programs_.of(call, group);
    if (operations.route_count() > 0 &&
        std::ranges::find(without_paths_, call.schedule) == without_paths_.end())
      without_paths_.push_back(call.schedule);
    return operations;
  }

  // What a rank does in a collective; `waits`: for its own tasks, as all but receivers of messages.
  void add_member(std::int32_t task, const RankGroup& group, std::size_t member,
                  const Operations& operations, std::int32_t first_tag, bool waits) {
    WEFT_ASSERT(member < group.size() && operations.agents() == std::ssize(group));
    const std::int32_t rank = group[member], first = counts_[at(rank)];
    const auto own = operations.of(Agent(member));
    const std::vector<std::int32_t> earlier =
        waits ? before(task, rank) : std::vector<std::int32_t>();
    std::vector<bool> is_last(own.size(), true);
    for (const Operation& operation : own) {
      OperationSpec spec{.kind = operation.kind,
                         .stream = operation.stream,
                         .bytes = operation.bytes,
                         .seconds = operation.seconds,
                         .waits = earlier};
      if (operation.is_message()) {
        spec.peer = Agent(group[operation.peer.index()]);
        require(operation.tag < std::numeric_limits<std::int32_t>::max() - first_tag,
                "the step has too many messages for the tags of a program");
        spec.tag = first_tag + operation.tag;
        next_tag_ = std::max(next_tag_, spec.tag + 1);
      }
      if (operation.waits > 0) spec.waits.clear();
      for (const std::int32_t wait : operations.waits(operation)) {
        spec.waits.push_back(first + wait);
        is_last[at(wait)] = false;
      }
      put(rank, std::move(spec));
    }
    std::vector<std::int32_t> ends;
    for (std::size_t i = 0; i < own.size(); ++i)
      if (is_last[i]) ends.push_back(first + static_cast<std::int32_t>(i));
    if (ends.empty()) ends = earlier;
    const std::int32_t done =
        ends.size() == 1 ? ends.front()
                         : put(rank, {.kind = OperationKind::compute, .waits = std::move(ends)});
    if (waits)
      end(task, rank, done);
    else
      ends_[at(rank)][at(task)] = done;
  }

  // What a task waits for at a rank of its stage: what the step says, and what its stream did last.
  std::vector<std::int32_t> before(std::int32_t task, std::int32_t rank) const {
    std::vector<std::int32_t> waits;
    const std::int32_t last = last_[at(rank)][stream_of(task)];
    if (last != kNone) waits.push_back(last);
    for (const std::int32_t other : step_.timeline.after(task))
      if (const std::int32_t done = ends_[at(rank)][at(other)]; done != kNone)
        waits.push_back(done);
    std::ranges::sort(waits);
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    return waits;
  }

  void end(std::int32_t task, std::int32_t rank, std::int32_t operation) {
    ends_[at(rank)][at(task)] = operation;
    last_[at(rank)][stream_of(task)] = operation;
  }

  std::size_t stream_of(std::int32_t task) const {
    return at(step_.timeline.task(task).stream % TrainingStep::kStreams);
  }

  std::int32_t put(std::int32_t rank, OperationSpec spec) {
    ++count_;
    require(count_ <= kMostOperations,
            "the step has more than {} operations; use fewer layers, ranks or micro-batches",
            kMostOperations);
    ++counts_[at(rank)];
    return builder_.add(Agent(rank), std::move(spec));
  }

  const Training& training_;
  const TrainingStep& step_;
  const workload::Parallelism& parallel_;
  const RankOrder& order_;
  GroupPrograms programs_;
  program::ProgramBuilder builder_;
  std::vector<std::int32_t> stage_of_;                                  // by rank
  std::vector<std::vector<std::int32_t>> ranks_of_;                     // by stage
  std::vector<std::int32_t> counts_;                                    // of operations, by rank
  std::vector<std::array<std::int32_t, TrainingStep::kStreams>> last_;  // by rank and stream
  std::vector<std::vector<std::int32_t>> ends_;  // by rank and task: the operation that ends it
  std::vector<std::vector<RankGroup>> groups_;   // by call
  std::vector<std::int32_t> rounds_;             // by task
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> first_tags_;  // by call and round
  std::int32_t next_tag_ = 0;
  std::int64_t count_ = 0;
  std::vector<std::string> without_paths_;
};

}  // namespace

void require_expandable(const TrainingQuestion& asked) {
  require(!asked.step.skew,
          "unequal all-to-alls of --skew have no schedule to expand; remove --skew");
  require(!asked.flow_alltoall,
          "the throughput of all-to-alls has no schedule to expand; remove --alltoall flow");
}

ExpandedStep expand_step(const Training& training, const Network& network,
                         const TrainingQuestion& asked) {
  require_expandable(asked);
  return Expander(training, network, asked).run();
}

}  // namespace weft::training
