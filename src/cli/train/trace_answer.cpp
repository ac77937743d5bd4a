#include "cli/train/trace_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/machine/speeds.hpp"
#include "cli/options/packet_options.hpp"
#include "cli/train/named_device.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/files/outputs.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/format/execution_trace.hpp"
#include "weft/format/simai_workload.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/training/trace/step_trace.hpp"
#include "weft/training/trace/trace_run.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using training::RankShares;
using training::TraceRun;
using training::TrainingCall;

namespace {

Parts<RankShares> share_parts() {
  constexpr PartOf<RankShares> part;
  return {part(keys::kCompute, &RankShares::compute_s),
          part("communication", "", Unit::seconds, "waiting for communication",
               &RankShares::communication_s),
          part(keys::kIdle, &RankShares::idle_s)};
}

std::string range_text(const TraceRun& found, double RankShares::*part) {
  const auto [least, most] = std::ranges::minmax_element(found.ranks, {}, part);
  const double mean = found.mean.*part;
  std::string text = share_text(mean, found.time_s);
  if (*least.*part != *most.*part)
    text +=
        fmt::format("; ranks {} to {}", format_seconds(*least.*part), format_seconds(*most.*part));
  return text;
}

std::string call_text(const TrainingCall& call) {
  return schedule::traits_of(call.call.kind).between_two()
             ? "messages"
             : fmt::format("{} of {}", name_of(call.call.kind), call.ranks);
}

// What the trace leaves open, and what is assumed.
void add_notes(const TraceAnswer& a, Notes& notes) {
  using enum NoteWeight;
  const TraceRun& found = a.found;
  std::int64_t passed_over = 0;
  for (const format::RankTrace& rank : a.trace.ranks) passed_over += rank.passed_over;
  if (passed_over > 0)
    notes.add(doubt, fmt::format("{} control dependencies are ignored, because they name nodes "
                                 "that the trace does not have",
                                 passed_over));
  if (found.messages > 0 && a.prices.simulation.model != simulation::Model::alpha_beta)
    notes.add(assumption,
              "messages share links with each other, but not with collectives that run at the same "
              "time");
  if (const bool one = found.undefined_groups.size() == 1; !found.undefined_groups.empty())
    notes.add(doubt, fmt::format(
                         "the metadata does not define the ranks of {} '{}'; {} assumed to consist "
                         "of the ranks that name {}",
                         one ? "group" : "groups", fmt::join(found.undefined_groups, "', '"),
                         one ? "the group is" : "each group is", one ? "it" : "that group"));
  if (found.untimed > 0)
    notes.add(doubt,
              fmt::format("{} of {} computing nodes have neither duration_micros nor num_ops "
                          "and take no time",
                          found.untimed, found.computing));
  if (found.counted > 0)
    notes.add(assumption,
              fmt::format("{} of {} computing nodes count operations; their time is that of {} at "
                          "{}, at {:.0f} % of its peak; --device, --precision and --efficiency "
                          "change it",
                          found.counted, found.computing, a.source.device.name, a.source.precision,
                          100 * a.share));
}

void print_tables(const TraceAnswer& a, Streams& streams) {
  const TraceRun& found = a.found;
  Facts facts;
  facts.add(
      "trace",
      fmt::format("{} of {}: {}, {} and {}", a.options.trace,
                  counted(std::ssize(found.ranks), "rank"), counted(found.nodes, "node"),
                  counted(found.collectives, "collective"), counted(found.messages, "message")));
  facts.add("network",
            fmt::format("{}, routing {}", a.network.topology().name(), a.network.routing().name()));
  facts.add("speeds", speeds_text(a.network, a.options.said));
  facts.add("time", format_seconds(found.time_s));
  facts.add("  compute", range_text(found, &RankShares::compute_s));
  facts.add("  communication",
            range_text(found, &RankShares::communication_s) + std::string(kNotOverlapped));
  facts.add("  idle", range_text(found, &RankShares::idle_s));
  if (found.least_s > 0)
    facts.add("lower bound",
              bound_text("trace", found.time_s, found.least_s, a.network, a.prices.algorithms));
  if (found.class_bytes)
    for (const auto& [name, bytes] : *found.class_bytes)
      facts.add(traffic_label(name), data_text(bytes));
  streams.out << facts.text(screen_of(streams));
  print_longest(found.calls, call_text, streams);
}

// On options that the trace turned out to have no use for: a note, where ignoring them is harmless.
std::string note_of_unused(const TrainQuestion& options, const TraceRun& found) {
  const bool says_device =
      options.said.of("device") || options.said.of("precision") || options.said.of("efficiency");
  if (!says_device || found.counted > 0) return "";
  return fmt::format(
      "--device, --precision and --efficiency have no effect, because the nodes of '{}' give their "
      "computing time",
      options.trace);
}

void refuse_unused(const TrainQuestion& options, const TraceRun& found, bool by_flow) {
  const bool exchanges = std::ranges::any_of(found.calls, [](const TrainingCall& call) {
    return call.call.kind == CollectiveKind::alltoall;
  });
  require(!by_flow || exchanges,
          "--alltoall flow has no effect on '{}', which has no all-to-all; leave it out",
          options.trace);
}

}  // namespace

Parts<TraceAnswer> trace_parts() {
  constexpr PartOf<TraceAnswer> part;
  const auto of_found = [](auto get) {
    return [get](const TraceAnswer& a) { return std::invoke(get, a.found); };
  };
  return join(
      join({part("trace", "", Unit::none, "prefix of the files, or SimAI workload",
                 [](const TraceAnswer& a) { return a.options.trace; })},
           part.within(
               [](const TraceAnswer& a) {
                 return UsedNetwork{a.network, a.options.said};
               },
               network_parts())),
      {part(keys::kModel, [](const TraceAnswer& a) { return a.options.said.text("model"); }),
       part("trace_ranks", "", Unit::none, "ranks of the trace",
            of_found([](const TraceRun& found) { return found.ranks.size(); })),
       part("nodes", "", Unit::none, "nodes of the trace", of_found(&TraceRun::nodes)),
       part("computing", "", Unit::none, "computing nodes", of_found(&TraceRun::computing)),
       part("messages", "", Unit::none, "messages of the trace", of_found(&TraceRun::messages)),
       part("joined", "", Unit::none, "collective calls of the trace",
            of_found(&TraceRun::collectives)),
       part("counted", "", Unit::none, "computing nodes that are timed by their operations",
            of_found(&TraceRun::counted)),
       part("untimed", "", Unit::none, "computing nodes without time and operations",
            of_found(&TraceRun::untimed)),
       part("undefined_groups", "", Unit::none,
            "groups without metadata, whose ranks are the ranks that name the group",
            of_found(&TraceRun::undefined_groups)),
       part("time", "", Unit::seconds, "time of the trace", of_found(&TraceRun::time_s)),
       part.object("shares", "where the time goes, a mean of all ranks", of_found(&TraceRun::mean),
                   share_parts()),
       part.list("rank_shares", "where the time of each rank goes", of_found(&TraceRun::ranks),
                 share_parts()),
       part(keys::kBoundOfSchedules, of_found(&TraceRun::least_s)),
       part(keys::kOverBound, of_found([](const TraceRun& found) {
              return over_bound(found.time_s, found.least_s);
            })),
       part.list(
           "collectives", "communication of the trace",
           [](const TraceAnswer& a) -> const auto& { return a.found.calls; }, trace_call_parts()),
       part(keys::kClassBytes,
            [](const TraceAnswer& a) { return named_bytes(a.found.class_bytes); })});
}

void check_trace(const Given& given, const TrainQuestion& options) {
  require(!options.said.of("workload"), "'{}' and --trace both set the workload; leave one out",
          options.said.text("workload"));
  given.refuse(
      {"--parallel",
       "--order",
       "--batch",
       "--global-batch",
       "--tokens",
       "--capacity",
       "--skew",
       "--layer-times",
       "--samples-per-second",
       "--micro-batches",
       "--pipeline-order",
       "--virtual-stages",
       "--buckets",
       "--prefetch",
       "--gradient-bytes",
       "--activation-bytes",
       "--parameter-bytes",
       "--first-come",
       "--scatter-gather",
       "--write-trace",
       "--write-simai",
       "--write-goal"},
      "with --trace, whose files have the compute times and messages of each rank; leave it out");
}

namespace {

// A workload file of SimAI, or Chakra's files that begin with this name.
format::Trace trace_in(const std::string& path) {
  if (is_regular_file(path))
    if (const std::string text = read_file(path); format::is_simai_workload(text))
      return format::read_simai_workload(text, path);
  return format::read_trace({.path = path});
}

}  // namespace

int run_trace(const TrainQuestion& options, Streams& streams) {
  const training::TrainingSpec spec = training_of(options);
  const training::ComputeSource source = training::compute_source(spec);
  training::TrainingQuestion prices = training::asked_prices(spec);
  prices.algorithm = fields::algorithm_options_in(options.said.values);
  prices.simulation = make_simulation(options.said, options.common.seed);
  const format::Trace trace = trace_in(options.trace);
  const Network network = make_network(options.said, options.common.seed);
  fit_routing(prices.simulation.packet, options.said, network);
  const double share = spec.efficiency.value_or(1);
  const TraceRun found = training::run_trace(
      trace, network,
      {.operations_per_second = share * source.device.peak(source.precision).operations_per_second,
       .prices = prices,
       .spans = !options.timeline.empty() || !options.chrome_trace.empty()});
  refuse_unused(options, found, prices.flow_alltoall);
  const TraceAnswer answer{.options = options,
                           .trace = trace,
                           .network = network,
                           .source = source,
                           .share = share,
                           .prices = prices,
                           .found = found};
  add_machine_notes(options.said, network.topology(), {}, *streams.notes);
  add_sums_note(options, spec, *streams.notes);
  streams.notes->add(NoteWeight::doubt, note_of_unused(options, found));
  add_notes(answer, *streams.notes);
  write_pictures(
      options, [&] { return chrome_trace(trace, found); },
      [&] {
        return timeline_chart(trace, found,
                              fmt::format("{} on {}: {}", options.trace, network.topology().name(),
                                          format_seconds(found.time_s)));
      },
      streams);
  if (options.common.json)
    print_json("train", answer, trace_parts(), options.common, streams);
  else
    print_tables(answer, streams);
  return kFine;
}

void write_trace(const TrainAnswer& answer, Streams& streams) {
  const training::StepTrace trace(answer.found.step, answer.plan.model,
                                  answer.plan.asked.step.parallel, answer.plan.asked.order);
  const std::string& prefix = answer.options.write_trace;
  format::require_no_longer_trace(prefix, trace.ranks());
  for (std::int32_t rank = 0; rank < trace.ranks(); ++rank)
    claim_beside(format::trace_file(prefix, rank), prefix);
  for (std::int32_t rank = 0; rank < trace.ranks(); ++rank)
    write_file(format::trace_file(prefix, rank),
               format::encode(trace.of(rank), rank, trace.groups()));
  if (!answer.options.common.quiet)
    streams.err << fmt::format("wrote {} to {}\n", format::trace_file(prefix, 0),
                               format::trace_file(prefix, trace.ranks() - 1));
}

}  // namespace weft::cli
