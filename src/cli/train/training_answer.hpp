// What weft train is asked, and what it answers.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/report/timeline_chart.hpp"
#include "weft/training/training_spec.hpp"

namespace weft::cli {

/// Of trace files.
using Json = nlohmann::ordered_json;

struct TrainQuestion {
  GivenFields said;
  std::string chrome_trace, timeline;
  std::string trace, write_trace;  // what their files' names begin with
  std::string write_simai;         // file; empty: none
  std::string write_goal;          // likewise
  OutputOptions common;
};

struct TrainAnswer {
  const TrainQuestion& options;
  const training::TrainingSpec& spec;
  const training::TrainingPlan& plan;
  const Network& network;
  const training::Training& found;
  const workload::StateMemory& memory;
};

answer::Parts<TrainAnswer> training_parts();
/// The sizes of gradient buckets that were tried, for people.
answer::Cells bucket_cells(const TrainAnswer& answer);
/// A collective of a step; one of a trace, which names neither its kind of group nor its stage.
answer::Parts<training::TrainingCall> training_call_parts();
answer::Parts<training::TrainingCall> trace_call_parts();
/// Bytes by class of link, links without a class under "default".
using NamedBytes = std::vector<std::pair<std::string, double>>;
std::optional<NamedBytes> named_bytes(const std::optional<training::ClassBytes>& bytes);
/// time / bound, or nothing if the bound is 0.
std::optional<double> over_bound(double time_s, double bound_s);
/// Four digits and a unit: "6.969GB".
std::string data_text(double bytes);
/// Exact if that is short, else four digits: "64MiB", "205.5MB".
std::string short_size(std::int64_t size_B);
/// The label of the bytes that cross links of a class: "traffic, nvlink".
std::string traffic_label(const std::string& link_class);
/// Follows the time of communication that no computation hides.
inline constexpr std::string_view kNotOverlapped = ", not overlapped with compute";
/// "1.2 ms (34.0 %)".
std::string share_text(double part_s, double whole_s);
/// "304.8ms if only hosts reduce; the step takes 1.003 times as long"; the condition where there
/// are switches and none of the algorithms (by name) has them sum.
std::string bound_text(std::string_view what, double time_s, double least_s, const Network& network,
                       std::span<const std::string> algorithms);
/// A table of the calls that take the longest in all, a dozen at most, each called as text_of()
/// says, and how many there are beside; nothing of none.
void print_longest(const std::vector<training::TrainingCall>& calls,
                   std::string (*text_of)(const training::TrainingCall&), Streams& streams);

void print_tables(const TrainAnswer& answer, Streams& streams);
/// Adds notes on what the prediction of the step assumes.
void add_notes(const TrainAnswer& answer, Notes& notes);
/// Writes what --chrome-trace and --timeline ask for, and says so.
void write_pictures(const TrainQuestion& options, const std::function<Json()>& events,
                    const std::function<report::TimelineChart()>& chart, Streams& streams);
/// In the trace event format, which Perfetto and chrome://tracing show: a process for each stage of
/// the pipeline, a thread for each stream.
Json chrome_trace(const TrainAnswer& answer);
/// What each stream of each stage does when.
report::TimelineChart timeline_chart(const TrainAnswer& answer);

}  // namespace weft::cli
