#include "weft/simulation/fluid/fluid_transport.hpp"

#include <algorithm>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/simulation/fluid/call_repeats.hpp"
#include "weft/simulation/reading/least_rest.hpp"
#include "weft/simulation/within_host.hpp"

namespace weft::simulation {

bool FluidRun::run(const Sparing& sparing) {
  WEFT_ASSERT(!transports_.empty());
  WEFT_ASSERT(sparing.repeats == nullptr || transports_.size() == 1);
  flows_.limit_work(sparing.most_work);
  try {
    return run_to_end(sparing);
  } catch (const OutOfWork&) {
    return false;
  }
}

bool FluidRun::run_to_end(const Sparing& sparing) {
  const auto& [repeats, rest, limit_s, most_work] = sparing;
  for (FluidTransport* transport : transports_) transport->begin();
  handle_instant(0);
  while (true) {
    const double event = events_.empty() ? FlowClock::kNever : events_.top().time;
    const double next = std::min(event, flows_.next_finish());
    if (next == FlowClock::kNever) break;
    const double later_s = repeats != nullptr ? repeats->later_s() : 0;
    if (next + later_s > limit_s) {
      now_ = next + later_s;  // nothing happens before
      return false;
    }
    if (rest != nullptr && rest->least_s() > limit_s) return false;
    if (work() > most_work) return false;
    TimeLimit::check();
    handle_instant(next);
    if (repeats != nullptr && repeats->due()) repeats->look(*this, *transports_.front()->reading_);
  }
  for (const FluidTransport* transport : transports_)
    if (!transport->reading_->finished())
      throw std::logic_error("a simulation ended before its program");
  return true;
}

/// All that happens at `time`, and the rates after it.
void FluidRun::handle_instant(double time) {
  now_ = time;
  until_ = time * (1 + FlowClock::kSameTime);
  do {
    ended_.clear();
    flows_.finish(until_, ended_);
    for (const std::int64_t tag : ended_) {
      const auto slot = static_cast<std::int32_t>(tag >> 32);
      transport_of(slot).end_flow(own(slot), static_cast<std::int32_t>(tag & 0xffffffff));
    }
    while (!events_.empty() && events_.top().time <= until_) {
      const Happening what = events_.pop().happening();
      transport_of(what.slot).handle({what.kind, own(what.slot), what.index});
      ++events_handled_;
    }
  } while (advance());
  if (flows_.unsettled()) flows_.settle(now_);
}

RunState FluidRun::state(std::int64_t step) const {
  WEFT_ASSERT(transports_.size() == 1);
  const StepWindow& window = transports_.front()->window_;
  RunState state(now_, step);
  for (const Event& event : events_.in_order()) {
    const auto [kind, slot, message] = event.happening();
    const bool of_message = kind == EventKind::start || kind == EventKind::deliver ||
                            kind == EventKind::release || kind == EventKind::let_go;
    state.add_number(static_cast<std::int64_t>(kind));
    state.add_number(message);
    state.add_step(of_message ? window.at(slot).step : step);
    state.add_moment(event.time);
  }
  std::vector<FlowClock::UnderWay> flows = flows_.under_way(now_);
  for (FlowClock::UnderWay& flow : flows) {  // slots come in another order
    const std::int64_t of_step = window.at(static_cast<std::int32_t>(flow.tag >> 32)).step;
    flow.tag = of_step << 32 | (flow.tag & 0xffffffff);
  }
  std::ranges::sort(flows, {}, &FlowClock::UnderWay::tag);
  state.add_number(std::ssize(flows));
  for (const FlowClock::UnderWay& flow : flows) {
    state.add_step(flow.tag >> 32);
    state.add_number(flow.tag & 0xffffffff);
    state.add_duration(flow.left_s);
    state.add_level(flow.level);
  }
  return state;
}

bool FluidRun::advance() {
  bool any = false;
  for (FluidTransport* transport : transports_) any |= transport->reading_->advance();
  return any;
}

std::int32_t FluidRun::slot(std::int32_t number, std::int32_t slot) const {
  const auto count = static_cast<std::int64_t>(transports_.size());
  const std::int64_t row = slot * count + number;
  require(row < std::int64_t{1} << 31, "{} programs have too many steps in total to run together",
          count);
  return static_cast<std::int32_t>(row);
}

FluidTransport::FluidTransport(const Network& network, const SimulationOptions& options,
                               StepWindow& window, FluidRun& run)
    : network_(network),
      options_(options),
      window_(window),
      run_(run),
      number_(static_cast<std::int32_t>(run.transports_.size())),
      paths_(network, options) {
  run.transports_.push_back(this);
}

void FluidTransport::begin() {
  WEFT_ASSERT(reading_ != nullptr);
  if (start_s_ == 0)
    reading_->begin();
  else
    schedule(start_s_, {EventKind::begin, 0, 0});
}

void FluidTransport::schedule(double time, Happening what) {
  if (at_hand(time)) return handle(what);
  run_.events_.push(time, {what.kind, run_.slot(number_, what.slot), what.index});
}

void FluidTransport::handle(const Happening& what) {
  switch (what.kind) {
    case EventKind::start:
      return start_flow(what.slot, what.index);
    case EventKind::deliver:
      return deliver(what.slot, what.index);
    case EventKind::release:
      return reading_->released(what.slot, what.index);
    case EventKind::begin:
      return reading_->begin();
    default:
      return reading_->handle(what);
  }
}

void FluidTransport::send(std::int32_t slot, std::int32_t index, double started) {
  const LoadedStep& step = window_.at(slot);
  if (!step.on_network(index)) {
    const double way_s = within_host_s(step.transfer(index), window_.copy_Bps(), options_);
    return schedule(started + way_s, {EventKind::deliver, slot, index});
  }
  const double latency_s =
      options_.release == Release::injected ? 0 : seconds(step.latency_ps(index));
  schedule(started + latency_s, {EventKind::start, slot, index});
}

void FluidTransport::start_flow(std::int32_t slot, std::int32_t index) {
  if (!segments_ || segments_->starts(window_.at(slot), {slot, index})) run_flow(slot, index);
}

void FluidTransport::run_flow(std::int32_t slot, std::int32_t index) {
  const LoadedStep& step = window_.at(slot);
  const FlowPath path = paths_.of(step, index);
  run_.flows_.start(path.links, path.shares, path.weight,
                    static_cast<double>(step.transfer(index).bytes),
                    (std::int64_t{run_.slot(number_, slot)} << 32) | index);
}

void FluidTransport::end_flow(std::int32_t slot, std::int32_t index) {
  if (segments_)
    for (const SegmentOrder::Message& next : segments_->ended(window_.at(slot), index))
      run_flow(next.slot, next.index);
  const double latency_s = seconds(window_.at(slot).latency_ps(index));
  switch (options_.release) {
    case Release::injected:
      schedule(now() + latency_s, {EventKind::deliver, slot, index});
      return reading_->released(slot, index);
    case Release::delivered:
      reading_->delivered(slot, index);
      return reading_->released(slot, index);
    case Release::acknowledged:
      reading_->delivered(slot, index);
      return schedule(now() + latency_s, {EventKind::release, slot, index});
  }
}

/// A message within a node, whose sender is released with it, or one whose latency came last.
void FluidTransport::deliver(std::int32_t slot, std::int32_t index) {
  const bool within_node = !window_.at(slot).on_network(index);
  reading_->delivered(slot, index);
  if (within_node) reading_->released(slot, index);
}

}  // namespace weft::simulation
