#include "cli/train/training_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "cli/answers/parts.hpp"
#include "cli/machine/speeds.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::cli {

using training::TrainingCall;

std::string data_text(double bytes) {
  for (const auto& [scale, name] :
       {std::pair(1e12, "TB"), std::pair(1e9, "GB"), std::pair(1e6, "MB"), std::pair(1e3, "KB")})
    if (bytes >= scale) return fmt::format("{:.4g}{}", bytes / scale, name);
  return fmt::format("{:.4g}B", bytes);
}

std::string short_size(std::int64_t size_B) {
  constexpr std::size_t kShort = 7;
  const std::string exact = format_size(size_B);
  return exact.size() <= kShort ? exact : data_text(static_cast<double>(size_B));
}

std::string traffic_label(const std::string& link_class) {
  return link_class.empty() ? "traffic" : "traffic, " + link_class;
}

std::string share_text(double part_s, double whole_s) {
  return fmt::format("{} ({:.1f} %)", format_seconds(part_s),
                     whole_s > 0 ? 100 * part_s / whole_s : 0);
}

namespace {

using workload::GroupKind;
using workload::TrainingStep;

// Algorithms that no collective tried, each once.
std::string not_tried(const std::vector<TrainingCall>& calls) {
  std::set<std::string> names;
  for (const TrainingCall& call : calls) names.insert(call.not_tried.begin(), call.not_tried.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

// Switches reduce only if the user gives an algorithm for it.
bool sums_at_hosts(const Network& network, std::span<const std::string> algorithms) {
  return network.topology().has_switches() &&
         std::ranges::none_of(algorithms, [](const std::string& name) {
           return lower(name) != "all" && find_algorithm(name).sums_in_switches;
         });
}

bool pads(const workload::Layer& layer) {
  return layer.experts && layer.experts->capacity > 1;
}

// "603.8", "1.283 million", "92.82 billion": four digits from a million; below, one decimal, and
// none from 100,000 or for whole numbers. No powers of ten.
std::string count_text(double count) {
  constexpr std::array kScales{std::pair(1e15, " quadrillion"), std::pair(1e12, " trillion"),
                               std::pair(1e9, " billion"), std::pair(1e6, " million")};
  for (const auto& [scale, name] : kScales)
    if (count >= scale) return fmt::format("{:.4g}{}", count / scale, name);
  return count >= 1e5 || count == std::floor(count) ? fmt::format("{:.0f}", count)
                                                    : fmt::format("{:.1f}", count);
}

// "512", "0.5": numbers of samples and tokens.
std::string amount_text(double amount) {
  return amount == std::floor(amount) ? fmt::format("{:.0f}", amount)
                                      : fmt::format("{:.6g}", amount);
}

std::string compute_text(const TrainAnswer& a) {
  const training::ComputeSource& compute = a.plan.compute;
  const double percent = 100 * compute.efficiency.value_or(0);
  if (compute.from == "peak")
    return fmt::format("{} at {}, {:.0f} % of the peak on average{}", compute.device.name,
                       compute.precision, percent,
                       !a.plan.asked.step.skew && std::ranges::any_of(a.plan.model.layers, pads)
                           ? ", padding of experts not counted"
                           : "");
  const std::string times =
      compute.from == "layer-times"
          ? fmt::format("measured, {}", a.spec.layer_times)
          : fmt::format("measured, {} {}s per second",
                        count_text(a.spec.samples_per_second.value_or(0)), a.plan.model.sample);
  return fmt::format("{}: {:.1f} % of the peak of {} at {}", times, percent, compute.device.name,
                     compute.precision);
}

std::string batch_text(const TrainAnswer& a) {
  const auto& step = a.plan.asked.step;
  std::string text =
      fmt::format("{} {}{} per replica, {} in total", amount_text(step.samples),
                  a.plan.model.sample, step.samples == 1 ? "" : "s", amount_text(a.plan.samples()));
  if (a.plan.model.sample_tokens > 1)
    text += fmt::format(
        ", {} tokens",
        amount_text(a.plan.samples() * static_cast<double>(a.plan.model.sample_tokens)));
  if (step.micro_batches > 1)
    text += fmt::format("; {} micro-batches, {}{}", step.micro_batches, name_of(step.order),
                        step.virtual_stages > 1
                            ? fmt::format(" with {} virtual stages per stage", step.virtual_stages)
                            : "");
  return text;
}

// A communication of the step: "allreduce of 8 (data)".
std::string call_text(const TrainingCall& call) {
  if (schedule::traits_of(call.call.kind).between_two())
    return fmt::format("stage {} to {} stage", call.call.stage,
                       call.call.groups == GroupKind::next ? "next" : "previous");
  return fmt::format("{}{} of {} ({})", call.call.parts_B.empty() ? "" : "unequal ",
                     name_of(call.call.kind), call.ranks, name_of(call.call.groups));
}

// "12.39GB per device ... (15.5 % of the 80GB of a100); activations not counted".
std::string memory_text(const TrainAnswer& a) {
  const workload::Device& device = a.plan.compute.device;
  const std::string of_device =
      device.memory_B
          ? fmt::format("{:.1f} % of the {} of {}", 100 * a.memory.total_B() / *device.memory_B,
                        data_text(*device.memory_B), device.name)
          : fmt::format("{} does not state its memory", device.name);
  return fmt::format(
      "{} per device for parameters, gradients and optimizer state ({}); activations not "
      "counted",
      data_text(a.memory.total_B()), of_device);
}

Table bucket_table(const TrainAnswer& a) {
  const answer::Cells cells = bucket_cells(a);
  Table table(cells.heading);
  for (std::size_t i = 0; i < cells.rows.size(); ++i) {
    table.add(cells.rows[i]);
    if (a.found.buckets[i].bucket_B == a.found.bucket_B) table.emphasise(1);
  }
  return table;
}

// The longest in all first, as many as a screen shows.
std::vector<TrainingCall> longest(const std::vector<TrainingCall>& calls) {
  constexpr std::size_t kMostRows = 12;
  std::vector<TrainingCall> rows = calls;
  std::ranges::stable_sort(rows, std::greater(), [](const TrainingCall& call) {
    return static_cast<double>(call.uses) * call.time_s;
  });
  if (rows.size() > kMostRows) rows.resize(kMostRows);
  return rows;
}

// Of a step that takes some time.
void add_rates(Facts& facts, const TrainAnswer& a) {
  const double rate = a.plan.samples() / a.found.time_s;
  facts.add("throughput", fmt::format("{} {}s per second, {} per device", count_text(rate),
                                      a.plan.model.sample, count_text(rate / a.network.ranks())));
  if (a.plan.model.sample_tokens > 1)
    facts.add("tokens",
              fmt::format("{} per second",
                          count_text(rate * static_cast<double>(a.plan.model.sample_tokens))));
  facts.add("utilisation",
            fmt::format("{:.1f} % of the devices' peak", 100 * a.plan.utilisation(a.found.time_s)));
}

}  // namespace

std::string bound_text(std::string_view what, double time_s, double least_s, const Network& network,
                       std::span<const std::string> algorithms) {
  std::string least = format_seconds(least_s);
  if (least_s == 0) return least;
  return fmt::format("{}{}; the {} takes {:.3f} times as long", least,
                     sums_at_hosts(network, algorithms) ? " if only hosts reduce" : "", what,
                     time_s / least_s);
}

void print_longest(const std::vector<TrainingCall>& calls,
                   std::string (*text_of)(const TrainingCall&), Streams& streams) {
  if (calls.empty()) return;
  const auto rows = longest(calls);
  constexpr auto kColumns = std::to_array<answer::Column>(
      {{"collective"}, {"size"}, {"uses"}, {"groups"}, {"schedule"}, {"time"}, {"bound"}});
  answer::Parts<TrainingCall> parts = trace_call_parts();
  parts.front().shown = text_of;  // the collective
  const Table table =
      table_of(answer::cells_of<TrainingCall>(rows, parts, kColumns, answer::Reader::person));
  streams.out << '\n' << table.text(screen_of(streams));
  if (rows.size() < calls.size())
    streams.out << fmt::format("{} with shorter times: --json\n",
                               counted(std::ssize(calls) - std::ssize(rows), "more collective"));
}

void add_notes(const TrainAnswer& a, Notes& notes) {
  using enum NoteWeight;
  const workload::StepOptions& step = a.plan.asked.step;
  const double each = step.samples / step.micro_batches;
  if (!a.spec.tokens && each != std::floor(each))
    notes.add(doubt, fmt::format("{} of a replica has {:.4g} {}s, which no device can run; use {}",
                                 step.micro_batches > 1 ? "a micro-batch" : "the batch", each,
                                 a.plan.model.sample,
                                 step.micro_batches > 1 ? "a --batch that --micro-batches divides"
                                                        : "a whole number for --batch"));
  if (a.plan.asked.isolated)
    notes.add(
        assumption,
        "with --isolated each group and message is timed as if it shared no link with others");
  const auto& simulation = a.plan.asked.simulation;
  const bool has_messages = std::ranges::any_of(a.found.calls, [](const TrainingCall& call) {
    return schedule::traits_of(call.call.kind).between_two();
  });
  if (has_messages && simulation.release != simulation::Release::delivered)
    notes.add(
        detail,
        "--release affects collectives only; a stage sends its next message after the previous "
        "one has arrived");
  if (const double share = a.plan.compute.efficiency.value_or(0); share > 1)
    notes.add(doubt,
              fmt::format("computing runs at {:.4g} times the peak of the device, which is "
                          "impossible; {}",
                          share,
                          a.plan.compute.from == "layer-times"
                              ? "check that --layer-times has seconds for the samples of a replica"
                              : "check that --samples-per-second is that of one device"));
  if (step.skew && std::ranges::any_of(a.plan.model.layers, pads))
    notes.add(assumption,
              "with --skew experts send and compute only the tokens that they receive, without "
              "padding, so a --capacity above 1 costs nothing");
}

void print_tables(const TrainAnswer& a, Streams& streams) {
  const training::Training& found = a.found;
  const training::StepShares& shares = found.shares;
  Facts facts;
  facts.add("model", fmt::format("{}: {} parameters, {} operations per {}, forward and backward",
                                 a.plan.model.name,
                                 count_text(static_cast<double>(a.plan.model.parameters())),
                                 count_text((1 + workload::kBackward) * a.plan.model.operations()),
                                 a.plan.model.sample));
  facts.add("network",
            fmt::format("{}, routing {}", a.network.topology().name(), a.network.routing().name()));
  facts.add("speeds", speeds_text(a.network, a.options.said));
  facts.add("parallel", training::text_of(a.plan.asked.step.parallel));
  facts.add("batch", batch_text(a));
  facts.add("device", compute_text(a));
  facts.add("memory", memory_text(a));
  if (const auto& skew = a.plan.asked.step.skew; skew || found.step.dropped > 0)
    facts.add("experts", fmt::format("{}{:.1f} % of the tokens dropped",
                                     skew ? text_of(*skew) + ", " : "", 100 * found.step.dropped));
  facts.add("step", format_seconds(found.time_s));
  facts.add("  compute", share_text(shares.compute_s, found.time_s));
  facts.add("  gradients",
            share_text(shares.gradients_s, found.time_s) + std::string(kNotOverlapped));
  if (shares.alltoall_s > 0)
    facts.add("  all-to-all",
              share_text(shares.alltoall_s, found.time_s) + std::string(kNotOverlapped));
  if (shares.other_s > 0)
    facts.add("  other communication",
              share_text(shares.other_s, found.time_s) + std::string(kNotOverlapped));
  facts.add("  idle", share_text(shares.idle_s, found.time_s));
  facts.add("lower bound",
            bound_text("step", found.time_s, found.least_s, a.network, a.plan.asked.algorithms));
  if (found.time_s > 0) add_rates(facts, a);
  if (found.class_bytes)
    for (const auto& [name, bytes] : *found.class_bytes)
      facts.add(traffic_label(name), data_text(bytes) + " per step");
  const Screen screen = screen_of(streams);
  streams.out << facts.text(screen);
  if (found.buckets.size() > 1) streams.out << '\n' << bucket_table(a).text(screen);
  print_longest(found.calls, call_text, streams);
  if (const std::string names = not_tried(found.calls); !names.empty())
    streams.out
        << "not tried, because weft predicts long times for them, or needs long to build or "
           "simulate them, or the network has other routes: "
        << names << " (add them with --algorithms)\n";
}

}  // namespace weft::cli
