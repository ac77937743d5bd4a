#include "weft/training/trace/trace_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/training/timeline/driven_timeline.hpp"
#include "weft/training/timeline/message_bounds.hpp"
#include "weft/training/trace/trace_calls.hpp"
#include "weft/workload/timeline.hpp"

namespace weft::training {

namespace {

using format::TraceKind;
using format::TraceNode;
using workload::Ran;
using workload::TimedTask;
using workload::Timeline;
using workload::Work;

enum Stream : std::int32_t { kAccelerator, kProcessor, kMemory, kCollectives, kStreams };

double seconds(std::int64_t picoseconds) {
  return static_cast<double>(picoseconds) * kSecondsPerPicosecond;
}

// The tasks of all items, in their order.
class TraceTasks {
 public:
  TraceTasks(const format::Trace& trace, const TraceItems& items, const TraceCalls& calls,
             const Network& network, const TraceQuestion& asked)
      : items_(items),
        calls_(calls),
        network_(network),
        asked_(asked),
        next_stream_(static_cast<std::int32_t>(trace.ranks.size()) * kStreams),
        task_of_(static_cast<std::size_t>(items.count())),
        message_of_(static_cast<std::size_t>(items.count()), kNone) {
    for (const std::int32_t item : items.order()) add(item);
    constexpr double kLongest_ps = 9e18;
    require(total_ps_ < kLongest_ps, "its nodes take {:.3g} s in total, which is too long",
            total_ps_ * kSecondsPerPicosecond);
  }

  TraceRun run() && {
    TraceRun found = std::move(found_);
    const DrivenTimes times = run_on(network_, timeline_, messages_, asked_.prices.simulation);
    const std::int64_t end_ps = workload::end_of(times.ran);
    found.time_s = seconds(end_ps);
    share(times, end_ps, found);
    if (asked_.spans) tell_spans(times.ran, found);
    found.calls = calls_.all();
    found.class_bytes = calls_.class_bytes();
    if (found.class_bytes && !messages_.empty())
      add_bytes(*found.class_bytes, class_bytes(times.link_bytes, network_.topology()), 1);
    const std::vector<double> bounds_s = bound_messages();
    tell_messages(times, bounds_s, found);
    found.least_s = std::min(seconds(timeline_.least_ps()), found.time_s);
    return found;
  }

 private:
  // The part of the time of a rank that a task is.
  struct Part {
    std::int32_t rank, task;
    bool computes;
    std::int32_t message = kNone;  // that comes to the rank
  };
  static constexpr std::int32_t kNone = -1;

  // Durations become the least ones; of each message its bound. A sender that goes on once its
  // message has left may be done before that.
  std::vector<double> bound_messages() {
    for (std::int32_t task = 0; task < timeline_.count(); ++task)
      if (const TrainingCall* call = call_of_task_[task])
        timeline_.set_duration(task, time_of(*call, &GroupPrice::least_s));
    MessageBounds bounds(network_, asked_.prices.simulation);
    std::vector<double> bounds_s;
    for (const TimelineMessage& message : messages_) {
      bounds_s.push_back(bounds.of(message.sent));
      if (asked_.prices.simulation.release != simulation::Release::injected)
        timeline_.set_duration(message.send, workload::picoseconds(bounds_s.back(), [&] {
                                 return fmt::format("a message of {}",
                                                    format_size(message.sent.bytes));
                               }));
    }
    return bounds_s;
  }

  // Those of a size are one row: how many pairs, how often one rank, and how long on average.
  void tell_messages(const DrivenTimes& times, const std::vector<double>& bounds_s,
                     TraceRun& found) const {
    std::map<std::int64_t, std::vector<std::size_t>> of_size;
    for (std::size_t m = 0; m < messages_.size(); ++m)
      of_size[messages_[m].sent.bytes].push_back(m);
    for (const auto& [size_B, alike] : of_size) {
      TrainingCall call{
          {.size_B = size_B, .ranks = 2, .schedule = std::string(network_.routing().name())},
          {.kind = CollectiveKind::point_to_point, .size_B = size_B},
          0};
      std::map<std::int32_t, std::int64_t> by_sender;
      std::set<std::pair<std::int32_t, std::int32_t>> pairs;
      const double each = 1.0 / static_cast<double>(alike.size());
      for (const std::size_t m : alike) {
        const TimelineMessage& message = messages_[m];
        call.uses = std::max(call.uses, ++by_sender[message.sent.from]);
        pairs.emplace(message.sent.from, message.sent.to);
        call.time_s += each * seconds(times.arrived_ps[m] - times.ran[message.send].start_ps);
        call.least_s += each * bounds_s[m];
      }
      call.groups = std::ssize(pairs);
      found.calls.push_back(std::move(call));
    }
  }

  static std::int64_t time_of(const TrainingCall& call, double GroupPrice::*time) {
    return workload::picoseconds(call.*time, [&] {
      return fmt::format("{} of {}", name_of(call.call.kind), format_size(call.call.size_B));
    });
  }

  void add(std::int32_t number) {
    const TraceItem& item = items_.item(number);
    const TraceNode& node = items_.node(item);
    std::vector<std::int32_t> after, also;
    items_.each_wait(item, [&](std::int32_t before) { after.push_back(task_of_[before]); });
    std::ranges::sort(after);
    after.erase(std::unique(after.begin(), after.end()), after.end());
    TimedTask task{.stream = stream_of(item, node),
                   .work = Work::other,
                   .priority = -node.priority,
                   .place = item.node,
                   .duration_ps = duration_ps(node)};
    const TrainingCall* call = calls_.of(number);
    if (call != nullptr) task.duration_ps = time_of(*call, &GroupPrice::time_s);
    const auto task_number = static_cast<std::int32_t>(call_of_task_.size());
    if (node.kind == TraceKind::send && node.peer != item.rank && node.bytes > 0) {
      message_of_[number] = static_cast<std::int32_t>(messages_.size());
      messages_.push_back({{item.rank, node.peer, node.bytes}, task_number});
    }
    if (item.send && message_of_[*item.send] != kNone)
      messages_[message_of_[*item.send]].receive = task_number;
    if (node.kind == TraceKind::collective) {
      for (const std::int32_t rank : items_.collective(item).members) {
        parts_.push_back({rank, task_number, false});
        if (rank != item.rank) also.push_back(rank * kStreams + kCollectives);
      }
    } else if (task.stream != workload::kNoStream) {
      parts_.push_back({item.rank, task_number, node.kind != TraceKind::send});
      if (message_of_[number] != kNone)
        parts_.push_back({node.peer, task_number, false, message_of_[number]});
    }
    total_ps_ += static_cast<double>(task.duration_ps);
    task_of_[number] = timeline_.add(task, after, also);
    WEFT_ASSERT(task_of_[number] == task_number);
    call_of_task_.push_back(call);
    count(item, node);
  }

  std::int32_t stream_of(const TraceItem& item, const TraceNode& node) {
    switch (node.kind) {
      case TraceKind::compute:
        return item.rank * kStreams + (node.on_cpu ? kProcessor : kAccelerator);
      case TraceKind::load:
      case TraceKind::store:
        return item.rank * kStreams + kMemory;
      case TraceKind::collective:
        return item.rank * kStreams + kCollectives;
      case TraceKind::send: {
        const auto [found, is_new] =
            send_streams_.try_emplace({item.rank, node.group.value_or(-1)}, next_stream_);
        if (is_new) ++next_stream_;
        return found->second;
      }
      case TraceKind::receive:
      case TraceKind::metadata:
        break;
    }
    return workload::kNoStream;
  }

  // Of what is no call.
  std::int64_t duration_ps(const TraceNode& node) const {
    if (node.kind == TraceKind::load || node.kind == TraceKind::store) return node.duration_ps;
    if (node.kind != TraceKind::compute) return 0;
    if (node.duration_ps > 0 || node.operations == 0) return node.duration_ps;
    return workload::picoseconds(
        static_cast<double>(node.operations) / asked_.operations_per_second,
        [&] { return fmt::format("a node of {} operations", node.operations); });
  }

  void count(const TraceItem& item, const TraceNode& node) {
    found_.nodes += item.collective < 0 ? 1 : std::ssize(items_.collective(item).members);
    if (node.kind == TraceKind::send) ++found_.messages;
    if (node.kind == TraceKind::collective) ++found_.collectives;
    if (node.kind != TraceKind::compute) return;
    ++found_.computing;
    if (node.duration_ps > 0) return;
    ++(node.operations > 0 ? found_.counted : found_.untimed);
  }

  // Of each rank: what it computes, and else what it sends, is sent or joins.
  void share(const DrivenTimes& times, std::int64_t end_ps, TraceRun& found) {
    struct Edge {
      std::int32_t rank;
      std::int64_t at_ps;
      std::int32_t computing, sending;  // how many more
    };
    std::vector<Edge> edges;
    for (const Part& part : parts_) {
      Ran when = times.ran[part.task];
      if (part.message != kNone) when.end_ps = times.arrived_ps[part.message];
      if (when.start_ps == when.end_ps) continue;
      const std::int32_t computes = part.computes ? 1 : 0;
      edges.push_back({part.rank, when.start_ps, computes, 1 - computes});
      edges.push_back({part.rank, when.end_ps, -computes, computes - 1});
    }
    std::ranges::sort(edges, {},
                      [](const Edge& edge) { return std::tuple(edge.rank, edge.at_ps); });
    found.ranks.assign(static_cast<std::size_t>(ranks()), {});
    auto edge = edges.begin();
    for (std::int32_t rank = 0; rank < ranks(); ++rank) {
      std::int64_t compute_ps = 0, sending_ps = 0, since_ps = 0;
      std::int32_t computing = 0, sending = 0;
      for (; edge != edges.end() && edge->rank == rank; ++edge) {
        if (computing > 0)
          compute_ps += edge->at_ps - since_ps;
        else if (sending > 0)
          sending_ps += edge->at_ps - since_ps;
        since_ps = edge->at_ps;
        computing += edge->computing;
        sending += edge->sending;
      }
      WEFT_ASSERT(computing == 0 && sending == 0 && compute_ps + sending_ps <= end_ps);
      RankShares& shares = found.ranks[static_cast<std::size_t>(rank)];
      shares = {seconds(compute_ps), seconds(sending_ps),
                seconds(end_ps - compute_ps - sending_ps)};
      const double each = 1.0 / ranks();
      found.mean.compute_s += each * shares.compute_s;
      found.mean.communication_s += each * shares.communication_s;
      found.mean.idle_s += each * shares.idle_s;
    }
  }
  std::int32_t ranks() const { return items_.ranks(); }

  void tell_spans(const std::vector<Ran>& ran, TraceRun& found) const {
    for (const std::int32_t number : items_.order()) {
      const TraceItem& item = items_.item(number);
      const Ran& when = ran[task_of_[number]];
      if (when.start_ps == when.end_ps) continue;
      const auto tell = [&](std::int32_t rank, std::int32_t node) {
        found.spans.push_back({rank, node, seconds(when.start_ps), seconds(when.end_ps)});
      };
      if (item.collective < 0) {
        tell(item.rank, item.node);
        continue;
      }
      const TraceCollective& all = items_.collective(item);
      for (std::size_t i = 0; i < all.members.size(); ++i) tell(all.members[i], all.nodes[i]);
    }
  }

  const TraceItems& items_;
  const TraceCalls& calls_;
  const Network& network_;
  const TraceQuestion& asked_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> send_streams_;  // rank, name
  std::int32_t next_stream_;
  Timeline timeline_;
  std::vector<std::int32_t> task_of_;              // by item
  std::vector<std::int32_t> message_of_;           // by item
  std::vector<const TrainingCall*> call_of_task_;  // by task
  std::vector<TimelineMessage> messages_;
  std::vector<Part> parts_;
  double total_ps_ = 0;
  TraceRun found_;
};

// Of errors that are of no file alone.
template <class Make>
auto naming_files(const format::Trace& trace, Make&& make) {
  try {
    return make();
  } catch (const InvalidInput& error) {
    constexpr std::string_view kFirst = ".0.et";
    if (trace.files.empty()) throw;
    std::string prefix = trace.files.front();
    if (prefix.ends_with(kFirst)) prefix.resize(prefix.size() - kFirst.size());
    throw InvalidInput(fmt::format("'{}': {}", prefix, error.what()));
  }
}

}  // namespace

TraceRun run_trace(const format::Trace& trace, const Network& network, const TraceQuestion& asked) {
  const auto ranks = static_cast<std::int32_t>(trace.ranks.size());
  require(ranks <= network.ranks(),
          "the trace has {}, but the network has {}; use a larger network, or more --ranks",
          counted(ranks, "rank"), network.ranks());
  const TraceItems items = naming_files(trace, [&] { return TraceItems(trace); });
  const auto calls = naming_files(trace, [&] { return TraceCalls(items, network, asked); });
  TraceRun found =
      naming_files(trace, [&] { return TraceTasks(trace, items, calls, network, asked).run(); });
  found.undefined_groups = items.undefined_groups();
  return found;
}

}  // namespace weft::training
