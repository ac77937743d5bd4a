#include "pmpi/script/script.hpp"

#include <algorithm>
#include <tuple>

#include "pmpi/script/input.hpp"

namespace weft::pmpi {

namespace {

using plan::layout::Message;

class ScriptMaker {
 public:
  ScriptMaker(const plan::MappedPlan& plan, Shape shape, std::int32_t rank,
              const std::vector<std::int32_t>& user_rank)
      : entry_(plan.schedules()[static_cast<std::size_t>(shape.schedule)]),
        program_(plan.program(shape.schedule, rank)) {
    script_.shape = std::move(shape);
    index(program_.sends, first_send_);
    index(program_.receives, first_receive_);
    Layout layout(plan, script_.shape, rank, user_rank);
    const std::int64_t steps =
        entry_.stored_steps == 0 ? 0 : entry_.stored_steps + (entry_.segments - 1) * entry_.stride;
    for (std::int64_t t = 0; t < steps; ++t) add_step(t, layout);
    mark();
    script_.scratch_elements = layout.scratch_elements();
    script_.only_sends = script_.receives.empty();
    const auto kind = static_cast<plan::Kind>(entry_.kind);
    const bool has_result = kind == plan::Kind::allreduce || entry_.root == rank;
    if (kind == plan::Kind::allreduce || kind == plan::Kind::reduce)
      read_input_in_place(script_, has_result ? script_.shape.elements : 0);
  }

  Script take() && { return std::move(script_); }

 private:
  // Where the messages of each stored step begin.
  void index(std::span<const Message> messages, std::vector<std::uint32_t>& first) const {
    first.assign(static_cast<std::size_t>(entry_.stored_steps) + 1, 0);
    for (const Message& message : messages) ++first[message.step + 1];
    for (std::size_t t = 0; t + 1 < first.size(); ++t) first[t + 1] += first[t];
  }

  void mark() {
    script_.steps.push_back({static_cast<std::uint32_t>(script_.receives.size()),
                             static_cast<std::uint32_t>(script_.sends.size()),
                             static_cast<std::uint32_t>(script_.landings.size())});
  }

  // Both ends of a message meet its segments in one order: later ones, which are behind, last.
  template <class Visit>
  void each_stored(std::int64_t t, Visit&& visit) const {
    const std::int64_t behind = t - entry_.stored_steps + 1;
    const std::int64_t first =
        entry_.stride == 0
            ? 0
            : std::max<std::int64_t>(0, (behind + entry_.stride - 1) / entry_.stride);
    for (std::int64_t i = behind <= 0 ? 0 : first;
         i < entry_.segments && t - i * entry_.stride >= 0; ++i)
      if (t - i * entry_.stride < entry_.stored_steps) visit(i, t - i * entry_.stride);
  }

  void add_step(std::int64_t t, Layout& layout) {
    mark();
    const auto first_send = script_.sends.size();
    std::int64_t staged = 0;
    each_stored(t, [&](std::int64_t segment, std::int64_t stored) {
      for (std::uint32_t i = first_send_[stored]; i < first_send_[stored + 1]; ++i)
        add_send(program_.sends[i], segment, layout, staged);
    });
    note_sent(first_send);
    each_stored(t, [&](std::int64_t segment, std::int64_t stored) {
      for (std::uint32_t i = first_receive_[stored]; i < first_receive_[stored + 1]; ++i)
        add_receive(program_.receives[i], segment, layout, staged);
    });
    script_.step_elements = std::max(script_.step_elements, staged);
    script_.most_requests = std::max(
        script_.most_requests,
        static_cast<std::uint32_t>(script_.receives.size() - script_.steps.back().receives +
                                   script_.sends.size() - script_.steps.back().sends));
  }

  End begin(const Message& message) const {
    return {message.peer, false, 0, 0, static_cast<std::uint32_t>(script_.spans.size()), 0};
  }
  // Empty messages are left out at both ends.
  bool finish(End& end) const {
    end.spans = static_cast<std::uint32_t>(script_.spans.size()) - end.first_span;
    for (std::uint32_t i = 0; i < end.spans; ++i)
      end.count += script_.spans[end.first_span + i].count;
    return end.count > 0;
  }

  void add_send(const Message& message, std::int64_t segment, Layout& layout,
                std::int64_t& staged) {
    End send = begin(message);
    for (const auto& units : program_.units_of(message)) spans(units, segment, layout, send);
    if (!finish(send)) return;
    send.is_direct = send.spans == 1;
    if (!send.is_direct) {
      send.staged = staged;
      staged += send.count;
    }
    script_.sends.push_back(send);
  }

  void spans(const plan::layout::Units& units, std::int64_t segment, Layout& layout,
             const End& end) {
    found_.clear();
    layout.spans(units.first, units.count, segment, found_);
    for (const Span& span : found_) {
      const bool joins = script_.spans.size() > end.first_span &&
                         script_.spans.back().base == span.base &&
                         script_.spans.back().end() == span.first;
      if (joins)
        script_.spans.back().count += span.count;
      else
        script_.spans.push_back(span);
    }
  }

  void add_receive(const Message& message, std::int64_t segment, Layout& layout,
                   std::int64_t& staged) {
    End receive = begin(message);
    const std::size_t first_landing = script_.landings.size();
    std::int64_t at = staged;
    bool copies = true;
    for (const auto& units : program_.units_of(message)) {
      found_.clear();
      layout.spans(units.first, units.count, segment, found_);
      for (const Span& span : found_) {
        script_.spans.push_back(span);
        script_.landings.push_back({at, span, units.combine});
        at += span.count;
      }
      copies = copies && units.combine == Combine::copy;
    }
    if (!finish(receive)) return;
    receive.is_direct = copies && receive.spans == 1 && !is_sent(script_.spans[receive.first_span]);
    receive.staged = staged;
    if (receive.is_direct)
      script_.landings.resize(first_landing);
    else
      staged = at;
    script_.receives.push_back(receive);
  }

  // What the step's sends read, in order and apart from each other.
  void note_sent(std::size_t first_send) {
    sent_.clear();
    for (std::size_t i = first_send; i < script_.sends.size(); ++i) {
      const End& send = script_.sends[i];
      const auto first = script_.spans.begin() + send.first_span;
      sent_.insert(sent_.end(), first, first + send.spans);
    }
    std::ranges::sort(sent_, {}, [](const Span& s) { return std::tuple(s.base, s.first); });
    std::size_t last = 0;
    for (std::size_t i = 1; i < sent_.size(); ++i)
      if (sent_[i].base == sent_[last].base && sent_[i].first <= sent_[last].end())
        sent_[last].count = std::max(sent_[last].end(), sent_[i].end()) - sent_[last].first;
      else
        sent_[++last] = sent_[i];
    if (!sent_.empty()) sent_.resize(last + 1);
  }

  // Sends of a step read what was there before it. O(log sends).
  bool is_sent(const Span& span) const {
    const auto behind = std::ranges::partition_point(sent_, [&](const Span& sent) {
      return std::tuple(sent.base, sent.end()) <= std::tuple(span.base, span.first);
    });
    return behind != sent_.end() && behind->base == span.base && behind->first < span.end();
  }

  const plan::layout::ScheduleEntry& entry_;
  plan::ProgramView program_;
  Script script_;
  std::vector<std::uint32_t> first_send_, first_receive_;
  std::vector<Span> found_;
  std::vector<Span> sent_;  // by the sends of the step at hand
};

}  // namespace

Script make_script(const plan::MappedPlan& plan, Shape shape, std::int32_t rank,
                   const std::vector<std::int32_t>& user_rank) {
  return ScriptMaker(plan, std::move(shape), rank, user_rank).take();
}

}  // namespace weft::pmpi
