// Repairs races by adding dependencies.
//
// A race has two orders, and the file does not say which is meant. The steps are therefore run in
// several orders that program order, dependencies and messages allow; each is made the only one by
// dependencies between the steps that race, and the first whose result is right is taken. The
// orders differ in what goes first where several thread blocks could go on: the last that became
// ready, steps that write, steps that reduce, or steps that only read. In all of them a step waits
// as long as others can go on if it would now read nothing, or add a contribution twice. If none is
// right, races are ordered one after another, each as it happened and then the other way.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "weft/base/error.hpp"
#include "weft/format/msccl/check/order/races.hpp"
#include "weft/format/msccl/check/order/runner.hpp"
#include "weft/format/msccl/check/result/execution.hpp"

namespace weft::format::msccl {

namespace {

constexpr std::int64_t kMostClockEntries = 100'000'000;

// Of the steps that can run, one with the lowest rank is next.
using Preference = std::function<int(const Step&)>;

class Sorter {
 public:
  /// `execution`: null if the collective is not known.
  Sorter(const Flat& flat, Preference preference, Execution* execution)
      : flat_(flat),
        preference_(std::move(preference)),
        execution_(execution),
        done_(flat.step.size()),
        listed_(flat.step.size()),
        at_(flat.first_step.begin(), flat.first_step.end() - 1) {}

  std::vector<StepIndex> order() && {
    for (std::int32_t b = 0; b < flat_.blocks(); ++b) list(b);
    while (const auto next = take()) complete(*next);
    return std::move(order_);
  }

 private:
  static constexpr std::size_t kRanks = 3;

  bool can_run(StepIndex s) const {
    const StepIndex on = flat_.waits_for[Flat::index(s)];
    const StepIndex from = flat_.sender[Flat::index(s)];
    return (on == kNone || done_[Flat::index(on)] != 0) &&
           (from == kNone || done_[Flat::index(from)] != 0);
  }

  void list(std::int32_t block) {
    const StepIndex s = at_[Flat::index(block)];
    if (s == flat_.first_step[Flat::index(block) + 1] || listed_[Flat::index(s)] != 0) return;
    if (!can_run(s)) return;
    listed_[Flat::index(s)] = 1;
    lists_[Flat::index(preference_(*flat_.step[Flat::index(s)]))].push_back(s);
  }

  // Takes the first step that is right to run now, else the first of all.
  std::optional<StepIndex> take() {
    for (std::vector<StepIndex>& ready : lists_)
      for (std::size_t i = ready.size(); i-- > 0;)
        if (execution_ == nullptr || !execution_->would_fault(ready[i])) return remove(ready, i);
    for (std::vector<StepIndex>& ready : lists_)
      if (!ready.empty()) return remove(ready, ready.size() - 1);
    return std::nullopt;
  }

  static StepIndex remove(std::vector<StepIndex>& ready, std::size_t i) {
    const StepIndex s = ready[i];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(i));
    return s;
  }

  void complete(StepIndex s) {
    done_[Flat::index(s)] = 1;
    order_.push_back(s);
    if (execution_ != nullptr) execution_->perform(s);
    const std::int32_t block = flat_.block[Flat::index(s)];
    ++at_[Flat::index(block)];
    list(block);
    if (const StepIndex to = flat_.receiver[Flat::index(s)]; to != kNone)
      list(flat_.block[Flat::index(to)]);
    for (StepIndex w = flat_.waiters_first[Flat::index(s)];
         w < flat_.waiters_first[Flat::index(s) + 1]; ++w)
      list(flat_.block[Flat::index(flat_.waiters[Flat::index(w)])]);
  }

  const Flat& flat_;
  Preference preference_;
  Execution* execution_;
  std::vector<std::uint8_t> done_, listed_;
  std::vector<StepIndex> at_;
  std::array<std::vector<StepIndex>, kRanks> lists_;
  std::vector<StepIndex> order_;
};

int as_they_come(const Step&) {
  return 0;
}
int writers_first(const Step& step) {
  return writes_target(step.type) ? 0 : receives(step.type) ? 1 : 2;
}
int readers_first(const Step& step) {
  return 2 - writers_first(step);
}
int reducers_first(const Step& step) {
  return reduces(step.type) ? 0 : sends(step.type) ? 2 : 1;
}

// Sets `hasdep` of each step that another waits for. Returns the steps whose flag was missing.
std::vector<StepPlace> set_flags(Algorithm& algorithm) {
  std::vector<StepPlace> added;
  for (std::int32_t rank = 0; rank < algorithm.ranks(); ++rank) {
    Gpu& gpu = algorithm.gpus[Flat::index(rank)];
    for (const ThreadBlock& block : gpu.blocks)
      for (const Step& step : block.steps) {
        const StepId on = step.depends_on;
        if (!on.exists() || on.block >= std::ssize(gpu.blocks)) continue;
        auto& steps = gpu.blocks[Flat::index(on.block)].steps;
        if (on.step < 0 || on.step >= std::ssize(steps)) continue;
        bool& flag = steps[Flat::index(on.step)].has_dependent;
        if (!flag) added.push_back({rank, on});
        flag = true;
      }
  }
  return added;
}

class Rewriter {
 public:
  Rewriter(const Flat& flat, const std::vector<RaceSearch::Missing>& missing)
      : flat_(flat), missing_(missing), number_(flat.step.size()) {
    std::ranges::stable_sort(missing_, {}, &RaceSearch::Missing::step);
  }

  /// The step of the file that has become a step; nops that were added are none.
  StepIndex original(std::int32_t block, std::int32_t number) const {
    const auto first = number_.begin() + flat_.first_step[Flat::index(block)];
    const auto end = number_.begin() + flat_.first_step[Flat::index(block) + 1];
    return static_cast<StepIndex>(std::lower_bound(first, end, number) - number_.begin());
  }

  Algorithm rewrite() {
    Algorithm result = *flat_.algorithm;
    for (std::int32_t b = 0; b < flat_.blocks(); ++b) rewrite_block(result, b);
    WEFT_ASSERT(next_ == missing_.size());
    for (std::int32_t b = 0; b < flat_.blocks(); ++b) renumber(block_of(result, b), b);
    set_flags(result);
    return result;
  }

 private:
  ThreadBlock& block_of(Algorithm& result, std::int32_t b) const {
    return result.gpus[Flat::index(flat_.gpu[Flat::index(b)])]
        .blocks[Flat::index(flat_.number_of_block(b))];
  }
  StepId id_of(StepIndex s) const {
    return {flat_.number_of_block(flat_.block[Flat::index(s)]), flat_.number_of_step(s)};
  }

  void rewrite_block(Algorithm& result, std::int32_t b) {
    std::vector<Step> steps;
    for (StepIndex s = flat_.first_step[Flat::index(b)]; s < flat_.first_step[Flat::index(b) + 1];
         ++s) {
      Step step = *flat_.step[Flat::index(s)];
      for (; next_ < missing_.size() && missing_[next_].step == s; ++next_)
        add(steps, step, id_of(missing_[next_].on), flat_.number_of_block(b));
      number_[Flat::index(s)] = static_cast<std::int32_t>(steps.size());
      steps.push_back(step);
    }
    block_of(result, b).steps = std::move(steps);
  }

  // A nop waits for what the step waited for so far; the chain ends with the step itself. Program
  // order does what a dependency on the own thread block says.
  static void add(std::vector<Step>& steps, Step& step, StepId on, std::int32_t own_block) {
    if (step.depends_on.exists() && step.depends_on.block != own_block)
      steps.push_back({.type = StepType::nop,
                       .source = {Buffer::input, -1},
                       .target = {Buffer::output, -1},
                       .depends_on = step.depends_on,
                       .line = step.line});
    WEFT_ASSERT(on.exists());
    step.depends_on = on;
  }

  void renumber(ThreadBlock& block, std::int32_t b) const {
    const std::int32_t first = flat_.first_block[Flat::index(flat_.gpu[Flat::index(b)])];
    for (Step& step : block.steps) {
      if (!step.depends_on.exists()) continue;
      const StepIndex on =
          flat_.first_step[Flat::index(first + step.depends_on.block)] + step.depends_on.step;
      step.depends_on.step = number_[Flat::index(on)];
    }
  }

  const Flat& flat_;
  std::vector<RaceSearch::Missing> missing_;
  std::size_t next_ = 0;
  std::vector<std::int32_t> number_;  // of each step in its rewritten thread block
};

// Of the kinds that dependencies cannot repair, the first finding.
std::optional<std::string> beyond_repair(const Report& report) {
  constexpr std::array<std::string_view, 9> kBeyond{
      "unpaired",       "count-mismatch", "shared-connection", "bad-peer",         "outside-buffer",
      "bad-dependency", "deadlock",       "overwrites-input",  "joined-reductions"};
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::fault &&
        std::ranges::find(kBeyond, finding.kind) != kBeyond.end())
      return fmt::format("{}: {}", finding.kind, finding.text);
  return std::nullopt;
}

bool too_large(const Algorithm& algorithm) {
  return std::ranges::any_of(algorithm.gpus, [](const Gpu& gpu) {
    std::int64_t steps = 0;
    for (const ThreadBlock& block : gpu.blocks) steps += std::ssize(block.steps);
    return steps * std::ssize(gpu.blocks) > kMostClockEntries;
  });
}

// Orders the steps, with the collective's meaning where that is known.
std::vector<StepIndex> order_of(const Flat& flat, const Memory& memory,
                                const Preference& preference, std::int32_t root) {
  const Algorithm& algorithm = *flat.algorithm;
  auto collective = collective_of(algorithm.collective, algorithm.ranks());
  if (!collective || !sizes_of(algorithm)) return Sorter(flat, preference, nullptr).order();
  collective->root = schedule::Rank(root);
  const Semantics semantics(algorithm, *collective);
  Execution execution(flat, memory, semantics, nullptr);
  return Sorter(flat, preference, &execution).order();
}

using MissingDependencies = std::vector<RaceSearch::Missing>;

Repair repair_with(const Flat& flat, const MissingDependencies& missing,
                   const CheckOptions& options) {
  Repair repair;
  Algorithm candidate = Rewriter(flat, missing).rewrite();
  const Report report = check(candidate, options);
  if (report.faults > 0) {
    repair.reason = report.findings.front().text;
    return repair;
  }
  for (const RaceSearch::Missing& one : missing)
    repair.added.push_back({.rank = flat.gpu_of(one.step),
                            .block = flat.number_of_block(flat.block[Flat::index(one.step)]),
                            .step = flat.number_of_step(one.step),
                            .on = {flat.number_of_block(flat.block[Flat::index(one.on)]),
                                   flat.number_of_step(one.on)}});
  repair.algorithm = std::move(candidate);
  return repair;
}

Memory memory_of(const Algorithm& algorithm) {
  return {algorithm, algorithm.in_place ? Mode::in_place : Mode::out_of_place,
          algorithm.root.value_or(0)};
}

Repair repair_in(const Flat& flat, const Preference& preference, const CheckOptions& options) {
  const Algorithm& algorithm = *flat.algorithm;
  const Memory memory = memory_of(algorithm);
  const std::vector<StepIndex> order =
      order_of(flat, memory, preference, algorithm.root.value_or(0));
  Ancestry ancestry(flat, order, options.most_visits);
  return repair_with(flat, RaceSearch(flat, order, memory, ancestry).repair(), options);
}

class Search {
 public:
  Search(const Flat& flat, const CheckOptions& options)
      : flat_(flat), options_(options), tries_left_(tries_for(flat)) {}

  /// The first right repair; tries a limited number.
  Repair run() {
    extend();
    return std::move(repair_);
  }

 private:
  static std::int64_t tries_for(const Flat& flat) {
    constexpr std::int64_t kMostTries = 200, kMostSteps = 20'000'000;  // some seconds
    return std::clamp<std::int64_t>(kMostSteps / std::max<StepIndex>(flat.steps(), 1), 1,
                                    kMostTries);
  }

  bool extend() {
    if (tries_left_-- <= 0) return false;
    Rewriter rewriter(flat_, missing_);
    const Algorithm candidate = rewriter.rewrite();
    Flat flat;
    Findings none(0);
    if (!link(flat, candidate, none)) return false;
    Runner runner(flat);
    if (!runner.run(kUnbounded, kWholeStep)) return false;
    const auto race = first_race(flat, runner.order());
    if (!race) {
      repair_ = repair_with(flat_, missing_, options_);
      return repair_.algorithm.has_value();
    }
    const auto original = [&](StepIndex s) {
      return rewriter.original(flat.block[Flat::index(s)], flat.number_of_step(s));
    };
    const StepIndex first = original(race->first.step), second = original(race->second.step);
    return extend_by({second, first}) || extend_by({first, second});
  }

  bool extend_by(RaceSearch::Missing dependency) {
    missing_.push_back(dependency);
    if (extend()) return true;
    missing_.pop_back();
    return false;
  }

  std::optional<Race> first_race(const Flat& flat, std::span<const StepIndex> order) const {
    const Memory memory = memory_of(*flat.algorithm);
    Ancestry ancestry(flat, order, options_.most_visits);
    std::optional<Race> found;
    const auto keep = [&](const Race& race) {
      if (!found) found = race;
    };
    RaceSearch(flat, order, memory, ancestry).run({.race = keep, .needless = {}});
    return found;
  }

  const Flat& flat_;
  const CheckOptions& options_;
  std::int64_t tries_left_;
  MissingDependencies missing_;
  Repair repair_;
};

}  // namespace

Repair fix(const Algorithm& algorithm, const CheckOptions& options) {
  Algorithm flagged = algorithm;
  const std::vector<StepPlace> flags = set_flags(flagged);
  CheckOptions own{.profile = nullptr,
                   .most_findings = options.most_findings,
                   .most_visits = options.most_visits};
  const Report report = check(flagged, own);
  if (report.faults == 0) return {.algorithm = flagged, .flags = flags};
  if (const auto reason = beyond_repair(report))
    return {.reason = "no dependency repairs this: " + *reason};
  if (too_large(flagged)) return {.reason = "the file is too large to repair"};
  flagged.root = report.root;
  Findings none(0);
  Flat flat;
  link(flat, flagged, none);
  Repair last;
  for (const auto& preference : {as_they_come, writers_first, reducers_first, readers_first}) {
    last = repair_in(flat, preference, own);
    if (!last.algorithm) continue;
    last.flags = flags;
    return last;
  }
  Repair searched = Search(flat, own).run();
  if (searched.algorithm) {
    searched.flags = flags;
    return searched;
  }
  last.reason = "of the tried orders of the steps that race, none is right: " + last.reason;
  return last;
}

}  // namespace weft::format::msccl
