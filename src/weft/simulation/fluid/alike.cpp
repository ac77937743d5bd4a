#include "weft/simulation/fluid/alike.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/fluid/alike_layout.hpp"
#include "weft/simulation/fluid/alike_run.hpp"
#include "weft/simulation/fluid/max_min.hpp"
#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/recall.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"
#include "weft/simulation/shortcuts/uncontended.hpp"

namespace weft::simulation {

namespace {

constexpr std::int64_t kFewMessages = 4;         // of an agent in a step, for steps one by one
constexpr std::int64_t kMostAtOnce = 4'000'000;  // messages whose steps are parted at once
constexpr std::int64_t kMostKept = 2'000'000;    // messages of a layout that is kept
constexpr std::int64_t kFewClasses = 20'000;     // to follow in a step whose bounds would do
constexpr std::int64_t kPasses = 4;              // over messages that finding a layout takes, about
constexpr std::int64_t kMostWork = std::numeric_limits<std::int64_t>::max() / 2;

/// Its steps one by one, or all at once, and the times of agents.
class AlikeProgram {
 public:
  AlikeProgram(const Program& program, const Network& network, const SimulationOptions& options)
      : program_(program),
        network_(network),
        options_(options),
        pipeline_(program.pipeline()),
        reduce_Bps_(sums(program, network)
                        ? network.host().reduce_Bps(host_buffer_of(program, network))
                        : 0),
        recall_(may_recall() ? options.recall.get() : nullptr),
        finds_once_(recall_ != nullptr && program.has_whole_units()),
        finder_(program, network) {}

  /// The work that this took, nothing found or not, is in `sunk`.
  std::optional<SimulationResult> run(SunkWork& sunk) {
    counted_ = sunk.counted;
    std::optional<SimulationResult> found;
    try {
      found = find();
    } catch (const EndedEarly& end) {
      found = ended_early_at(end.at_s);
      runs_ += end.work;
    } catch (const OutOfWork&) {  // of the finder
      found = ended_early_at(result_.time_s);
      found_here_ += finder_.work() - finding_from_;
    }
    sunk.counted = counted_ + runs_;
    sunk.spent += found_here_ + runs_;
    return found;
  }

 private:
  static constexpr std::int64_t kAllSteps = -1;  // as the number of a layout

  static SimulationResult ended_early_at(double time_s) {
    SimulationResult result;
    result.time_s = time_s;
    result.ended_early = true;
    return result;
  }

  std::optional<SimulationResult> find() {
    const std::int64_t in_steps = program_.agents() * program_.steps();
    const bool pipelined = pipeline_.segments > 1;
    if (!pipelined && program_.message_count() >= kFewMessages * in_steps && step_by_step())
      return std::move(result_);
    if (fits_at_once() && at_once()) return std::move(result_);
    return std::nullopt;
  }

  static bool sums(const Program& program, const Network& network) {
    return !network.host().reductions_are_free() &&
           (!program.collective() || program.collective()->reduces());
  }

  bool may_recall() const {
    return options_.recall && options_.recall->is_of(network_) &&
           program_.message_count() / pipeline_.segments <= kMostKept;
  }

  /// Whether one_step_range() gives bounds without any class.
  bool is_bounded() const {
    return options_.accuracy > 0 && program_.steps() == 1 &&
           program_.message_count() >= options_.many_messages;
  }

  /// Segments go the same ways, if that does not hang on what else is under way.
  bool fits_at_once() const {
    return options_.sync == Sync::per_rank &&
           program_.message_count() / pipeline_.segments <= kMostAtOnce &&
           (pipeline_.segments == 1 || !network_.routing().sees_whole_step());
  }

  void begin() {
    result_ = {};
    result_.agent_times_s.resize(program_.agents());
  }

  bool step_by_step() {
    begin();
    for (std::int64_t t = 0; t < program_.steps(); ++t) {
      // Of agents that begin together, some may have more to sum than others.
      if (!pass(t, t, t + 1, reduce_Bps_ > 0 ? Beginning::apart : Beginning::together, {}))
        return false;
      const auto [first, last] = std::ranges::minmax(result_.agent_times_s);
      const bool together = options_.sync == Sync::lockstep || first == last;
      if (!together && t + 1 < program_.steps()) return false;
      result_.time_s = last;
    }
    return true;
  }

  bool at_once() {
    begin();
    const std::int64_t steps = program_.steps() - (pipeline_.segments - 1) * pipeline_.stride;
    if (!pass(kAllSteps, 0, steps, Beginning::apart, pipeline_)) return false;
    result_.time_s = std::ranges::max(result_.agent_times_s);
    return true;
  }

  /// The steps from `first` up to `end` of a segment, and all others; false without a layout.
  bool pass(std::int64_t number, std::int64_t first, std::int64_t end, Beginning beginning,
            program::Pipeline pipeline) {
    std::shared_ptr<const AlikeLayout> layout;
    if (finds_once_) {
      layout = found_once(number, first, end, beginning);
    } else {
      count_passes(end - first);
      if (recall_ != nullptr) layout = recall_->layout(number);
    }
    auto contents = contents_in(layout.get(), first, end, pipeline);
    if (!contents && !finds_once_) {
      layout = found(first, end, beginning);
      contents = contents_in(layout.get(), first, end, pipeline);
      if (contents && recall_ != nullptr) recall_->keep(number, layout);
    }
    if (!contents) return false;
    run(*layout, *contents, pipeline);
    return true;
  }

  std::shared_ptr<const AlikeLayout> found(std::int64_t first, std::int64_t end,
                                           Beginning beginning) {
    finding_from_ = finder_.work();
    finder_.limit_work(finding_from_ + std::min(options_.most_work, kMostWork));
    return finder_.find(first, end, beginning);
  }

  /// Of what is not found once: the same for all runs, whether they recall it or not.
  void count_passes(std::int64_t steps) {
    const std::int64_t messages = program_.message_count() / pipeline_.segments;
    const std::int64_t share =
        kPasses * messages * steps / std::max<std::int64_t>(1, program_.steps());
    counted_ += share;
    found_here_ += share;
    if (counted_ + runs_ > options_.most_work) throw EndedEarly{result_.time_s};
  }

  /// Counts as found by each run, whichever came first, until Recall::settle(). Whether it is found
  /// depends on the limit alone, not on what a run did before.
  std::shared_ptr<const AlikeLayout> found_once(std::int64_t number, std::int64_t first,
                                                std::int64_t end, Beginning beginning) {
    Recall::Entry& entry = recall_->entry(Recall::key(number, program_));
    const std::scoped_lock lock(entry.mutex);
    if (!entry.is_known) {
      entry.layout = found(first, end, beginning);
      entry.work = finder_.work() - finding_from_;
      entry.is_known = true;
      found_here_ += entry.work;
    }
    if (!entry.is_settled) counted_ += entry.work;
    if (counted_ + runs_ > options_.most_work) throw EndedEarly{result_.time_s};
    return entry.layout;
  }

  std::optional<std::vector<AlikeLayout::Content>> contents_in(const AlikeLayout* layout,
                                                               std::int64_t first, std::int64_t end,
                                                               program::Pipeline pipeline) const {
    if (layout == nullptr || layout->steps() != end - first ||
        (is_bounded() && std::ssize(layout->messages) > kFewClasses) ||
        std::ssize(layout->messages) * pipeline.segments > kMostAtOnce)
      return std::nullopt;
    return layout->contents_in(program_, first, pipeline);
  }

  void run(const AlikeLayout& layout, std::span<const AlikeLayout::Content> contents,
           program::Pipeline pipeline) {
    WEFT_ASSERT(std::ssize(contents) == std::ssize(layout.messages) * pipeline.segments);
    AlikeRun run(layout, contents, pipeline, network_, reduce_Bps_, options_);
    auto times = run.run(result_.time_s, counted_ + runs_);
    runs_ += run.work();
    WEFT_ASSERT(times.size() == contents.size());
    const std::size_t classes = layout.messages.size();
    for (std::size_t m = classes; m < times.size(); ++m) {  // of later segments
      AlikeRun::Times& last = times[m % classes];
      last.released_s = std::max(last.released_s, times[m].released_s);
      last.delivered_s = std::max(last.delivered_s, times[m].delivered_s);
    }
    for (const auto& [from, to, v] : layout.sent) {
      double& sender = result_.agent_times_s[from.index()];
      sender = std::max(sender, times[v].released_s);
      double& receiver = result_.agent_times_s[to.index()];
      receiver = std::max(receiver, times[v].delivered_s);
    }
  }

  const Program& program_;
  const Network& network_;
  const SimulationOptions& options_;
  program::Pipeline pipeline_;
  std::int64_t reduce_Bps_;  // 0: sums take no time
  Recall* recall_;
  bool finds_once_;  // what it finds holds for all sizes of its kind
  AlikeFinder finder_;
  SimulationResult result_;
  std::int64_t runs_ = 0;          // work
  std::int64_t counted_ = 0;       // of finding layouts, whoever did
  std::int64_t found_here_ = 0;    // of those found by this run
  std::int64_t finding_from_ = 0;  // the finder's work when it began the last one
};

}  // namespace

std::optional<SimulationResult> simulate_alike(const Program& program, const Network& network,
                                               const SimulationOptions& options, SunkWork& sunk) {
  if (program.message_count() == 0 || !covers(Shortcut::alike, program, network, options))
    return std::nullopt;
  return AlikeProgram(program, network, options).run(sunk);
}

}  // namespace weft::simulation
