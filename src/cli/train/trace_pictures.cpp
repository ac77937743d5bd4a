// When the nodes of a trace run, as a file for trace viewers and as a picture.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "cli/train/trace_answer.hpp"
#include "weft/base/error.hpp"

namespace weft::cli {

namespace {

using format::TraceKind;
using format::TraceNode;
using training::TraceSpan;

enum Row : std::size_t { kDevice, kProcessor, kMemory, kCollectives, kMessages };
constexpr std::array<const char*, 5> kRowNames = {"computing", "processor", "memory", "collectives",
                                                  "messages"};

Row row_of(const TraceNode& node) {
  switch (node.kind) {
    case TraceKind::load:
    case TraceKind::store:
      return kMemory;
    case TraceKind::collective:
      return kCollectives;
    case TraceKind::send:
    case TraceKind::receive:
      return kMessages;
    case TraceKind::compute:
    case TraceKind::metadata:
      break;
  }
  return node.on_cpu ? kProcessor : kDevice;
}

const TraceNode& node_of(const format::Trace& trace, const TraceSpan& span) {
  WEFT_ASSERT(span.rank >= 0 && span.rank < std::ssize(trace.ranks) && span.node >= 0);
  return trace.ranks[static_cast<std::size_t>(span.rank)]
      .nodes[static_cast<std::size_t>(span.node)];
}

// Messages of one group's name go one after the other, and beside those of others.
std::size_t thread_of(const TraceNode& node) {
  const Row row = row_of(node);
  return row != kMessages ? row : kMessages + static_cast<std::size_t>(node.group.value_or(-1) + 1);
}

}  // namespace

Json chrome_trace(const format::Trace& trace, const training::TraceRun& run) {
  constexpr double kPerMicrosecond = 1e6;
  std::map<std::pair<std::int32_t, std::size_t>, const char*> threads;
  for (const TraceSpan& span : run.spans) {
    const TraceNode& node = node_of(trace, span);
    threads[{span.rank, thread_of(node)}] = kRowNames[row_of(node)];
  }
  Json events = Json::array();
  const auto name = [&](const char* of, std::int32_t rank, std::size_t thread,
                        const std::string& text) {
    events.push_back(
        {{"ph", "M"}, {"name", of}, {"pid", rank}, {"tid", thread}, {"args", {{"name", text}}}});
  };
  std::set<std::int32_t> ranks;
  for (const auto& [thread, text] : threads) {
    if (ranks.insert(thread.first).second)
      name("process_name", thread.first, thread.second, fmt::format("rank {}", thread.first));
    name("thread_name", thread.first, thread.second, text);
  }
  for (const TraceSpan& span : run.spans) {
    const TraceNode& node = node_of(trace, span);
    const std::string_view said = trace.ranks[static_cast<std::size_t>(span.rank)].name_of(node);
    events.push_back({{"ph", "X"},
                      {"name", std::string(said.empty() ? name_of(node.kind) : said)},
                      {"pid", span.rank},
                      {"tid", thread_of(node)},
                      {"ts", span.start_s * kPerMicrosecond},
                      {"dur", (span.end_s - span.start_s) * kPerMicrosecond},
                      {"args", {{"node", node.id}}}});
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
}

report::TimelineChart timeline_chart(const format::Trace& trace, const training::TraceRun& run,
                                     const std::string& title) {
  std::map<std::pair<std::int32_t, Row>, std::size_t> rows;
  for (const TraceSpan& span : run.spans) rows[{span.rank, row_of(node_of(trace, span))}] = 0;
  report::TimelineChart chart{.title = title, .kinds = {kRowNames.begin(), kRowNames.end()}};
  for (auto& [row, number] : rows) {
    number = chart.rows.size();
    chart.rows.push_back(fmt::format("rank {}: {}", row.first, kRowNames[row.second]));
  }
  for (const TraceSpan& span : run.spans) {
    const Row row = row_of(node_of(trace, span));
    chart.bars.push_back({rows.at({span.rank, row}), row, span.start_s, span.end_s});
  }
  std::ranges::stable_sort(chart.bars, {}, &report::TimelineBar::start_s);
  return chart;
}

}  // namespace weft::cli
