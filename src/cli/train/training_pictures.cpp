// A step as a file for trace viewers and as a picture.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/train/training_answer.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using workload::TrainingStep;
using workload::Work;

constexpr std::array<const char*, TrainingStep::kStreams> kStreamNames = {
    "computing", "collectives", "to the next stage", "to the previous stage"};

// The rows of a picture: streams that have something to do.
struct Rows {
  std::vector<std::string> names;
  std::vector<std::size_t> of_stream;
};

Rows rows_of(const TrainingStep& step) {
  const auto streams = static_cast<std::size_t>(step.stages) * TrainingStep::kStreams;
  std::vector<bool> works(streams, false);
  for (std::int32_t number = 0; number < step.timeline.count(); ++number)
    works[static_cast<std::size_t>(step.timeline.task(number).stream)] = true;
  Rows rows{.names = {}, .of_stream = std::vector<std::size_t>(streams, 0)};
  for (std::size_t stream = 0; stream < streams; ++stream) {
    if (!works[stream]) continue;
    rows.of_stream[stream] = rows.names.size();
    const char* name = kStreamNames[stream % TrainingStep::kStreams];
    rows.names.push_back(step.stages > 1
                             ? fmt::format("stage {}: {}", stream / TrainingStep::kStreams, name)
                             : name);
  }
  return rows;
}

}  // namespace

void write_pictures(const TrainQuestion& options, const std::function<Json()>& events,
                    const std::function<report::TimelineChart()>& chart, Streams& streams) {
  const auto tell = [&](const std::string& path) {
    if (!options.common.quiet) streams.err << "wrote " << path << '\n';
  };
  if (!options.chrome_trace.empty()) {
    write_file(options.chrome_trace, events().dump(-1, ' ', false, Json::error_handler_t::replace));
    tell(options.chrome_trace);
  }
  if (!options.timeline.empty()) {
    report::draw_timeline(chart(), options.timeline);
    tell(options.timeline);
  }
}

Json chrome_trace(const TrainAnswer& a) {
  constexpr double kMicroseconds = 1e-6;
  Json events = Json::array();
  const TrainingStep& step = a.found.step;
  for (std::int32_t stage = 0; stage < step.stages; ++stage) {
    events.push_back({{"ph", "M"},
                      {"name", "process_name"},
                      {"pid", stage},
                      {"args", {{"name", fmt::format("stage {}", stage)}}}});
    for (std::size_t stream = 0; stream < kStreamNames.size(); ++stream)
      events.push_back({{"ph", "M"},
                        {"name", "thread_name"},
                        {"pid", stage},
                        {"tid", stream},
                        {"args", {{"name", kStreamNames[stream]}}}});
  }
  for (std::int32_t number = 0; number < step.timeline.count(); ++number) {
    WEFT_ASSERT(number < std::ssize(a.found.ran) && number < std::ssize(step.tasks));
    const workload::StepTask& task = step.tasks[static_cast<std::size_t>(number)];
    const workload::Ran& ran = a.found.ran[static_cast<std::size_t>(number)];
    const std::int32_t stream = step.timeline.task(number).stream;
    std::string name =
        task.layer < 0 ? "" : a.plan.model.layers[static_cast<std::size_t>(task.layer)].name;
    if (task.call >= 0) {
      const workload::GroupCall& call = step.calls[static_cast<std::size_t>(task.call)];
      name = fmt::format("{}{}{} {}", name_of(call.kind), name.empty() ? "" : " ", name,
                         format_size(call.size_B));
    } else {
      name += task.backward ? " backward" : " forward";
    }
    events.push_back({{"ph", "X"},
                      {"name", name},
                      {"pid", stream / TrainingStep::kStreams},
                      {"tid", stream % TrainingStep::kStreams},
                      {"ts", static_cast<double>(ran.start_ps) * kMicroseconds},
                      {"dur", static_cast<double>(ran.end_ps - ran.start_ps) * kMicroseconds},
                      {"args", {{"micro_batch", task.micro_batch}}}});
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
}

report::TimelineChart timeline_chart(const TrainAnswer& a) {
  enum Kind : std::size_t { kForward, kBackward, kGradients, kAlltoall, kOther };
  const TrainingStep& step = a.found.step;
  WEFT_ASSERT(std::ssize(a.found.ran) == step.timeline.count());
  const Rows rows = rows_of(step);
  report::TimelineChart chart{
      .title = fmt::format("{} on {}: {}", a.plan.model.name, a.network.topology().name(),
                           format_seconds(a.found.time_s)),
      .rows = rows.names,
      .kinds = {"forward", "backward", "sums of gradients", "all-to-all",
                "parameters and activations"}};
  for (std::int32_t number = 0; number < step.timeline.count(); ++number) {
    const workload::TimedTask& task = step.timeline.task(number);
    std::size_t kind = kOther;
    if (task.work == Work::compute)
      kind = step.tasks[static_cast<std::size_t>(number)].backward ? kBackward : kForward;
    else if (task.work == Work::gradients)
      kind = kGradients;
    else if (task.work == Work::alltoall)
      kind = kAlltoall;
    const workload::Ran& ran = a.found.ran[static_cast<std::size_t>(number)];
    chart.bars.push_back({rows.of_stream[static_cast<std::size_t>(task.stream)], kind,
                          static_cast<double>(ran.start_ps) * kSecondsPerPicosecond,
                          static_cast<double>(ran.end_ps) * kSecondsPerPicosecond});
  }
  std::ranges::stable_sort(chart.bars, {}, &report::TimelineBar::start_s);
  return chart;
}

}  // namespace weft::cli
