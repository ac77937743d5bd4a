// Max-min fair rates of flows over links, kept up to date while flows come and go.
//
// The mathematics. Flow f has a weight w_f > 0 and a path; on link l of its path it takes a_fl
// times its rate (1 unless it is split). Its rate is w_f * level_f, and link l carries at most C_l:
//
//     sum over f on l of a_fl * w_f * level_f <= C_l.
//
// An allocation is max-min fair iff it is feasible and every flow has a bottleneck: a link of its
// path that is full and on which no flow has a higher level (Bertsekas and Gallager, Data Networks,
// section 6.5.2). It is unique. The flows whose bottleneck is l form the group of l; they share one
// level, the level of l. The textbook algorithm, progressive filling, raises all levels together
// and freezes the flows of a link when it is full: links freeze in the order of their levels.
//
// The problem. A simulation changes few flows at a time. Filling from scratch costs the sum of all
// path lengths per change; on a large network most of that finds what was known before.
//
// The idea. A change replays the filling only where it departs from the last one. What froze below
// the level of the change is untouched, since filling decides lower levels first. A heap holds the
// links whose freezing may change, by the level at which that shows first:
//
//   - For link l let R be what its capped flows take (those with a bottleneck elsewhere) and U the
//     weight of the others. Then (C - R) / U bounds from below the level at which l fills up, and
//     is that level when no capped flow is above it; else one scan of l's flows finds it.
//   - A link that would now fill later than its group's level lets the group go: its flows are open
//     again, and the other links of their paths join the heap.
//   - A link that fills at the lowest level of all takes every flow that is open or capped above,
//   and
//     closes. Their other links have more room than before; those with a group join the heap.
//
// Links leave the heap in the order of levels, so that each opens and closes at most once per solve
// and the result is that of filling from scratch. Cost: the path lengths of the flows whose level
// changes, plus the flows of the links that are scanned, times the logarithm of the links touched.
//
// The groups are open to the caller, since they make time cheap too: while a group's level changes,
// the order in which its flows finish does not (flow_clock.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weft/simulation/fluid/indexed_heap.hpp"
#include "weft/topology/topology.hpp"

namespace weft::simulation {

using FlowIndex = std::int32_t;

/// Thrown by MaxMin::solve() beyond the work that it was given; the rates are then of no use.
struct OutOfWork {};

class MaxMin {
 public:
  /// The bottleneck of a flow that has been added since the last solve().
  static constexpr std::int32_t kOpen = -1;
  /// The level of a link without a group.
  static constexpr double kNoLevel = std::numeric_limits<double>::infinity();

  /// `capacities[l]` > 0 belongs to LinkId(l).
  explicit MaxMin(std::span<const double> capacities);

  /// Adds a flow over at least one link; a link named twice carries it twice. `shares` is empty or
  /// gives the part of the flow on each link, > 0. Indices of removed flows are used again.
  /// O(path).
  FlowIndex add(std::span<const LinkId> path, double weight = 1,
                std::span<const double> shares = {});
  /// Removes a flow. O(path).
  void remove(FlowIndex flow);
  /// Brings all rates up to date. Then changed_groups() and moved_flows() say what is new. Throws
  /// OutOfWork beyond limit_work(), and OutOfTime.
  void solve();

  /// Rate over weight, as of the last solve(); the flow was there then.
  double level(FlowIndex flow) const { return levels_[slot(bottlenecks_[index(flow)])]; }
  double rate(FlowIndex flow) const { return flows_[index(flow)].weight * level(flow); }
  double weight(FlowIndex flow) const { return flows_[index(flow)].weight; }
  LinkId bottleneck(FlowIndex flow) const { return LinkId(bottlenecks_[index(flow)]); }
  /// The common level of the flows whose bottleneck is the link, or kNoLevel.
  double level(LinkId link) const { return levels_[slot(link.value())]; }
  std::int64_t flows_on(LinkId link) const { return std::ssize(incidences_[link.index()]); }
  /// Whether the index is that of a flow; indices are in [0, index_end()).
  bool has(FlowIndex flow) const { return flows_[index(flow)].length > 0; }
  /// Flows and links looked at so far, which most of the time goes to.
  std::int64_t work() const { return work_; }
  void limit_work(std::int64_t most) { most_work_ = most; }
  FlowIndex index_end() const { return static_cast<FlowIndex>(flows_.size()); }

  /// Calls visit(FlowIndex) for each flow of the link's group. O(flows on the link).
  template <class Visit>
  void visit_group(LinkId link, Visit&& visit) const {
    for (const Incidence& incidence : incidences_[link.index()])
      if (bottlenecks_[index(incidence.flow)] == link.value()) visit(incidence.flow);
  }

  struct ChangedGroup {
    LinkId link;
    double old_level;  // before the removals and the solve; kNoLevel when it had no group
  };
  /// Links whose level changed since the solve before: by removals, or in the last solve.
  std::span<const ChangedGroup> changed_groups() const { return changed_; }

  struct MovedFlow {
    FlowIndex flow;
    std::int32_t from;  // the bottleneck before, or kOpen for a new flow
  };
  /// Flows that the last solve gave another bottleneck, new ones included.
  std::span<const MovedFlow> moved_flows() const { return moved_; }

 private:
  struct Link {
    double capacity = 0;
    double capped = 0;       // R: taken by flows whose bottleneck is another link
    double open_weight = 0;  // U: of the flows of the group, and those without a bottleneck
    double highest_cap = 0;  // no capped flow has a higher level
    std::int32_t open_count = 0;
    std::int32_t stale = 0;        // changes of `capped` since it was summed up
    std::int32_t changed_in = -1;  // solve that has it in changed_
    std::int32_t closed_in = -1;   // solve that closed it
    std::int32_t reopened_in = -1;
    bool touched = false;  // in touched_
  };
  struct Flow {
    std::int64_t first = 0;  // into path_
    std::int32_t length = 0;
    std::int32_t moved_in = -1;  // solve that has it in moved_
    double weight = 0;
  };
  struct PathEntry {
    std::int32_t link;
    std::int32_t place;  // in the link's incidences
    double take;         // share * weight
  };
  struct Incidence {
    FlowIndex flow;
    std::int32_t entry;  // offset in the flow's path
    double take;
  };

  static std::size_t index(FlowIndex flow) { return static_cast<std::size_t>(flow); }
  /// Link 0 is at 1: place 0 stands for "no bottleneck", with a level that stays infinite.
  static std::size_t slot(std::int32_t link) { return static_cast<std::size_t>(link) + 1; }
  Link& link_at(std::int32_t link) { return links_[link]; }
  double& level_of(std::int32_t link) { return levels_[slot(link)]; }
  std::span<PathEntry> path(const Flow& flow) {
    return std::span(path_).subspan(static_cast<std::size_t>(flow.first),
                                    static_cast<std::size_t>(flow.length));
  }

  void write_path(Flow& flow, std::span<const LinkId> links, std::span<const double> shares);
  std::int64_t claim(std::int32_t length);
  void attach(FlowIndex flow);
  void detach(const Flow& flow);

  void touch(std::int32_t link);
  void reconsider_touched();
  void reconsider(std::int32_t link);
  void process(std::int32_t link, double key);
  void open_group(std::int32_t link);
  void reopen(Link& link);
  void close(std::int32_t link, double level);
  void lower_elsewhere(FlowIndex flow, std::int32_t link, double old_level, double level);
  void take_over(FlowIndex flow, std::int32_t link, double level);
  void drop(std::int32_t link);

  bool has_room(std::int32_t link);
  double naive_level(std::int32_t link);
  double scan_level(std::int32_t link, double from);
  void change_capped(Link& link, double difference);
  void sum_capped(std::int32_t link);
  void note_change(std::int32_t link);
  void note_move(FlowIndex flow, std::int32_t from);
  void forget_vain_changes();

  std::vector<Link> links_;
  std::vector<double> levels_;             // of groups, by slot()
  std::vector<std::int32_t> bottlenecks_;  // by flow
  std::vector<std::vector<Incidence>> incidences_;
  std::vector<Flow> flows_;
  std::vector<FlowIndex> free_flows_;
  std::vector<PathEntry> path_;
  std::vector<std::vector<std::int64_t>> free_paths_;  // by length
  IndexedHeap heap_;  // links by the level at which they may change first
  std::vector<std::int32_t> touched_;
  std::vector<ChangedGroup> changed_;
  std::vector<MovedFlow> moved_;
  std::vector<std::int32_t> mark_;  // scratch of write_path, by link
  std::int32_t marks_ = 0;
  std::int64_t work_ = 0, most_work_ = std::numeric_limits<std::int64_t>::max();
  std::int32_t solve_ = 0;  // the solve being prepared or run
};

}  // namespace weft::simulation
