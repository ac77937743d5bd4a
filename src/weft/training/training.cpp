#include "weft/training/training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/training/callers.hpp"
#include "weft/training/prices.hpp"
#include "weft/training/step_run.hpp"

namespace weft::training {

namespace {

using workload::GroupCall;
using workload::TrainingStep;

double seconds(std::int64_t picoseconds) {
  return static_cast<double>(picoseconds) * kSecondsPerPicosecond;
}

void check_sizes(const workload::Parallelism& parallel, const Network& network) {
  require(parallel.ranks() == network.ranks(),
          "tensor={}, pipeline={} and data={} make {} ranks, but there are {}; use sizes whose "
          "product is {}",
          parallel.tensor, parallel.pipeline, parallel.data, parallel.ranks(), network.ranks(),
          network.ranks());
}

// Whose groups stand for those of a call that one stage makes: the first stage's where they are
// images of each other, so that what is built for them serves all.
class StandIns {
 public:
  StandIns(const GroupPrices& prices, const CallersOf& callers)
      : prices_(prices), callers_(callers) {}

  GroupCall of(GroupCall call) {
    if (call.stage <= 0 || schedule::traits_of(call.kind).between_two() ||
        call.groups == workload::GroupKind::tied)
      return call;
    const std::tuple key(call.groups, call.kind, call.stage);
    auto found = alike_.find(key);
    if (found == alike_.end()) found = alike_.emplace(key, alike_first(call)).first;
    if (found->second) call.stage = 0;
    return call;
  }

 private:
  bool alike_first(GroupCall call) const {
    const Callers callers = callers_.of(call);
    call.stage = 0;
    const Callers first = callers_.of(call);
    return callers.groups.size() == first.groups.size() &&
           are_images(prices_.network(), all_of(callers), all_of(first));
  }

  static std::vector<RankGroup> all_of(const Callers& callers) {
    std::vector<RankGroup> all = callers.groups;
    all.insert(all.end(), callers.beside.begin(), callers.beside.end());
    return all;
  }

  const GroupPrices& prices_;
  const CallersOf& callers_;
  std::map<std::tuple<workload::GroupKind, CollectiveKind, std::int32_t>, bool> alike_;
};

// Those of the same groups, which differ in their sizes, share what is built for them.
CallPrices priced(const std::set<GroupCall>& calls, const GroupPrices& prices,
                  const CallersOf& callers_of) {
  StandIns stand_ins(prices, callers_of);
  std::map<GroupCall, std::vector<std::int64_t>> sizes_B;  // by calls without their sizes
  CallPrices of_kind;
  for (const GroupCall& call : calls) {
    GroupCall kind = stand_ins.of(call);
    if (!kind.parts_B.empty()) {
      if (of_kind.contains(kind)) continue;
      const Callers callers = callers_of.of(kind);
      of_kind.emplace(
          kind, prices.price_unequal(kind.parts_B, kind.back, callers.groups, callers.beside));
      continue;
    }
    kind.size_B = 0;
    sizes_B[kind].push_back(call.size_B);
  }
  for (const auto& [kind, sizes] : sizes_B) {
    const Callers callers = callers_of.of(kind);
    for (GroupPrice& price : prices.price(kind.kind, sizes, callers.groups, callers.beside)) {
      GroupCall call = kind;
      call.size_B = price.size_B;
      of_kind.insert_or_assign(call, std::move(price));
    }
  }
  CallPrices known;
  for (const GroupCall& call : calls) known.emplace(call, of_kind.at(stand_ins.of(call)));
  return known;
}

StepShares mean_shares(const TrainingStep& step, const StepRun& run) {
  StepShares mean;
  WEFT_ASSERT(step.stages >= 1 && !run.replicas.empty());
  const double each = 1.0 / (step.stages * static_cast<double>(run.replicas.size()));
  for (std::int32_t stage = 0; stage < step.stages; ++stage)
    for (const auto& ran : run.replicas) {
      const workload::TimeShares shares =
          workload::shares_of(step.timeline, ran, stage * TrainingStep::kStreams,
                              step.streams_beside(stage), run.end_ps);
      mean.compute_s += each * seconds(shares.compute_ps);
      mean.gradients_s += each * seconds(shares.gradients_ps);
      mean.alltoall_s += each * seconds(shares.alltoall_ps);
      mean.other_s += each * seconds(shares.other_ps);
      mean.idle_s += each * seconds(shares.idle_ps);
    }
  WEFT_ASSERT(std::abs(mean.compute_s + mean.gradients_s + mean.alltoall_s + mean.other_s +
                       mean.idle_s - seconds(run.end_ps)) <= 1e-9 * seconds(run.end_ps));
  return mean;
}

// Of the best buckets; nothing where the least time of a call on any network is not known.
std::optional<double> ideal_s(std::vector<TrainingStep> steps, const CallPrices& prices) {
  double least_s = INFINITY;
  for (TrainingStep& step : steps) {
    std::vector<std::int64_t> times_ps;
    for (const GroupCall& call : step.calls) {
      const auto& time_s = prices.at(call).any_network_s;
      if (!time_s) return std::nullopt;
      times_ps.push_back(picoseconds(*time_s, call));
    }
    step.set_times(times_ps);
    least_s = std::min(least_s, seconds(workload::end_of(step.timeline.run())));
  }
  return least_s;
}

// By all stages that a call's groups are of.
std::vector<double> uses_by_all(const TrainingStep& step, const CallersOf& callers) {
  std::vector<double> uses(step.calls.size(), 0);
  for (const workload::StepTask& task : step.tasks)
    if (task.call >= 0) uses[static_cast<std::size_t>(task.call)] += 1;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (step.calls[i].groups == workload::GroupKind::tied)
      uses[i] /= 2;  // both stages run it together
    else if (step.calls[i].stage == GroupCall::kAllStages)
      uses[i] /= callers.stages(step.calls[i]);  // bytes are those of all stages' groups at once
  }
  return uses;
}

void tell_calls(Training& training, const CallPrices& prices, const StepRun& run,
                const StepLeast& least, const CallersOf& callers) {
  const auto uses = training.step.uses();
  const auto by_all = uses_by_all(training.step, callers);
  WEFT_ASSERT(uses.size() == training.step.calls.size());
  WEFT_ASSERT(run.messages_s.size() == uses.size() && least.messages_s.size() == uses.size());
  training.class_bytes.emplace();
  for (std::size_t i = 0; i < training.step.calls.size(); ++i) {
    const GroupCall& asked = training.step.calls[i];
    TrainingCall call{prices.at(asked), asked, uses[i]};
    call.time_s = run.messages_s[i].value_or(call.time_s);
    call.least_s = least.messages_s[i].value_or(call.least_s);
    if (!call.class_bytes) {
      training.class_bytes.reset();
    } else if (training.class_bytes) {
      for (const auto& [name, bytes] : *call.class_bytes)
        (*training.class_bytes)[name] += by_all[i] * bytes;
    }
    training.calls.push_back(std::move(call));
  }
}

}  // namespace

RankOrder::RankOrder(std::string_view text) {
  const auto given = split(text, ',');
  constexpr std::array<std::string_view, 3> kNames = {"tensor", "data", "pipeline"};
  std::set<Part> seen;
  for (std::size_t i = 0; i < given.size() && i < parts_.size(); ++i) {
    const auto found = std::ranges::find(kNames, lower(given[i]));
    if (found == kNames.end()) break;
    parts_[i] = static_cast<Part>(found - kNames.begin());
    seen.insert(parts_[i]);
  }
  require(given.size() == parts_.size() && seen.size() == parts_.size(),
          "'{}' is not an order of ranks; write tensor,data,pipeline with the fastest first", text);
}

std::int32_t RankOrder::rank(std::int32_t tensor, std::int32_t data, std::int32_t stage,
                             const workload::Parallelism& parallel) const {
  WEFT_ASSERT(tensor >= 0 && tensor < parallel.tensor && data >= 0 && data < parallel.data);
  WEFT_ASSERT(stage >= 0 && stage < parallel.pipeline);
  std::int32_t rank = 0, stride = 1;
  for (const Part part : parts_) {
    const bool is_tensor = part == Part::tensor, is_data = part == Part::data;
    rank += stride * (is_tensor ? tensor : is_data ? data : stage);
    stride *= is_tensor ? parallel.tensor : is_data ? parallel.data : parallel.pipeline;
  }
  WEFT_ASSERT(rank < parallel.ranks());
  return rank;
}

std::string RankOrder::text() const {
  std::string text;
  for (const Part part : parts_) {
    if (!text.empty()) text += ',';
    text += part == Part::tensor ? "tensor" : part == Part::data ? "data" : "pipeline";
  }
  return text;
}

Training train(const workload::TrainingModel& model, const workload::LayerTimes& times,
               const Network& network, const TrainingQuestion& asked) {
  const std::shared_ptr<const Network> borrowed(std::shared_ptr<const Network>(), &network);
  return train(model, times, GroupPrices(borrowed, price_options(asked)), asked);
}

Training train(const workload::TrainingModel& model, const workload::LayerTimes& times,
               const GroupPrices& of_groups, const TrainingQuestion& asked) {
  check_sizes(asked.step.parallel, of_groups.network());
  require_connected(of_groups.network());
  std::vector<TrainingStep> steps;
  std::set<GroupCall> calls;
  std::vector<std::int64_t> buckets_B = asked.buckets_B;
  if (buckets_B.empty()) buckets_B = {std::numeric_limits<std::int64_t>::max()};
  for (const std::int64_t bucket_B : buckets_B) {
    workload::StepOptions options = asked.step;
    options.bucket_B = bucket_B;
    steps.push_back(workload::training_step(model, times, options));
    calls.insert(steps.back().calls.begin(), steps.back().calls.end());
  }
  const CallersOf callers(steps, asked.step, asked.order);
  const CallPrices prices = priced(calls, of_groups, callers);
  const StepRunner runner(of_groups, asked.step.parallel, asked.order);
  Training training;
  StepRun best_run;
  std::size_t best = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    StepRun run = runner.run(steps[i], prices);
    training.buckets.push_back({buckets_B[i], seconds(run.end_ps)});
    if (i > 0 && run.end_ps >= best_run.end_ps) continue;
    best = i;
    best_run = std::move(run);
  }
  training.ideal_s = ideal_s(steps, prices);
  training.time_s = training.buckets[best].time_s;
  training.bucket_B = training.buckets[best].bucket_B;
  training.step = std::move(steps[best]);
  const StepLeast least = runner.least(training.step, prices);
  // Beyond what the model rounds to, of each task to a picosecond, one of the two is wrong.
  WEFT_ASSERT(seconds(least.least_ps - training.step.timeline.count()) <=
              training.time_s * (1 + rounding_of(of_groups.simulation().model)));
  training.least_s = std::min(seconds(least.least_ps), training.time_s);
  training.shares = mean_shares(training.step, best_run);
  tell_calls(training, prices, best_run, least, callers);
  training.ran = std::move(*std::ranges::max_element(best_run.replicas, {}, workload::end_of));
  return training;
}

}  // namespace weft::training
