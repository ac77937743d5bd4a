#include "one_sided.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format::mscclpp {

using msccl::GpuTransfers;
using msccl::Layout;
using msccl::StepType;
using msccl::Transfer;
using schedule::Collective;
using schedule::CollectiveKind;

namespace {

// In place, a GPU has one buffer: the larger one. (Executors assume that a buffer begins at the
// same offset of its allocation at all GPUs, which the smaller one does not.)
class Names {
 public:
  Names(const Collective& collective, const Layout& layout, bool in_place)
      : traits_(schedule::traits_of(collective.kind)), layout_(layout), in_place_(in_place) {}

  Place operator()(std::int32_t rank, Place place) const {
    if (!in_place_ || place.buffer == Buffer::scratch) return place;
    const bool is_input = place.buffer == Buffer::input;
    if (traits_.begins_with_own())
      return is_input ? at(Buffer::output, Buffer::input, rank, place.offset) : place;
    if (traits_.ends_with_own())
      return is_input ? place : at(Buffer::input, Buffer::output, rank, place.offset);
    return {Buffer::input, place.offset};
  }

 private:
  Place at(Buffer large, Buffer small, std::int32_t rank, std::int32_t offset) const {
    WEFT_ASSERT(rank >= 0 && offset >= 0);
    return {large, static_cast<std::int32_t>(rank * layout_.chunks(small, rank)) + offset};
  }

  const schedule::CollectiveTraits& traits_;
  const Layout& layout_;
  bool in_place_;
};

// What a GPU has done to its chunks so far.
class Touches {
 public:
  std::int64_t& phase(Place place) { return find(place).phase; }
  std::int32_t& lane(Place place) { return find(place).lane; }
  std::vector<std::size_t>& unread(Place place) { return find(place).unread; }

 private:
  struct Chunk {
    std::int64_t phase = -1;          // the last one that read or wrote it
    std::int32_t lane = -1;           // whose it is
    std::vector<std::size_t> unread;  // puts that may still read it
  };

  Chunk& find(Place place) {
    auto& chunks = buffers_[static_cast<std::size_t>(place.buffer)];
    const auto at = static_cast<std::size_t>(place.offset);
    if (chunks.size() <= at) chunks.resize(at + 1);
    return chunks[at];
  }
  std::array<std::vector<Chunk>, 3> buffers_;
};

class Placer {
 public:
  Placer(const Collective& collective, const Layout& layout, const std::vector<GpuTransfers>& gpus,
         const OneSidedOptions& options)
      : names_(collective, layout, options.in_place),
        gpus_(gpus),
        options_(options),
        ranks_(gpus.size()),
        touches_(gpus.size()),
        landed_(gpus.size(), 0) {
    result_.instances = options.instances;
    result_.lanes.resize(ranks_ * static_cast<std::size_t>(options.instances));
  }

  OneSided run() && {
    for (std::size_t rank = 0; rank < ranks_; ++rank) add_puts(static_cast<std::int32_t>(rank));
    for (std::size_t rank = 0; rank < ranks_; ++rank) add_arrivals(static_cast<std::int32_t>(rank));
    result_.needs_entry = !options_.packets && !result_.puts.empty();
    for (std::int32_t instance = 0; instance < options_.instances; ++instance) place(instance);
    for (std::int32_t instance = 0; instance < options_.instances; ++instance) finish(instance);
    for (std::size_t rank = 0; rank < ranks_; ++rank) add_scratch(static_cast<std::int32_t>(rank));
    return std::move(result_);
  }

 private:
  using Clock = std::vector<std::int64_t>;  // by rank: its last phase that is complete

  LaneStep& step_of(std::int32_t rank, const Transfer& transfer) {
    auto& steps = result_.lane(rank, transfer.instance).steps;
    const auto at = std::ranges::lower_bound(steps, transfer.step, {}, &LaneStep::step);
    if (at != steps.end() && at->step == transfer.step) return *at;
    return *steps.insert(at, {.step = transfer.step});
  }

  void add_puts(std::int32_t rank) {
    for (const Transfer& one : gpus_[static_cast<std::size_t>(rank)].all()) {
      if (one.type != StepType::send) continue;
      const std::size_t put = result_.puts.size();
      result_.puts.push_back({.from = rank,
                              .to = one.peer,
                              .instance = one.instance,
                              .source = names_(rank, one.source),
                              .count = one.count});
      put_of_[{rank, one.peer, one.instance, one.in_pair}] = put;
      step_of(rank, one).puts.push_back(put);
    }
  }

  void add_arrivals(std::int32_t rank) {
    for (const Transfer& one : gpus_[static_cast<std::size_t>(rank)].all()) {
      if (!receives(one.type)) continue;
      WEFT_ASSERT(result_.puts[put_of_.at({one.peer, rank, one.instance, one.in_pair})].count ==
                  one.count);  // both ends are of the same run
      const bool reduces = one.type == StepType::receive_reduce_copy;
      Arrival arrival{.put = put_of_.at({one.peer, rank, one.instance, one.in_pair}),
                      .reduces = reduces,
                      .target = names_(rank, one.target)};
      if (reduces) arrival.operand = names_(rank, one.source);
      step_of(rank, one).arrivals.push_back(arrival);
    }
  }

  void place(std::int32_t instance) {
    instance_ = instance;
    all_clocks_.emplace_back(ranks_, Clock(ranks_, -1));
    std::map<std::int64_t, std::vector<std::pair<std::int32_t, LaneStep*>>> by_step;
    for (std::size_t rank = 0; rank < ranks_; ++rank)
      for (LaneStep& step : result_.lane(static_cast<std::int32_t>(rank), instance).steps)
        by_step[step.step].emplace_back(static_cast<std::int32_t>(rank), &step);
    for (const auto& [number, steps] : by_step) {
      for (const auto& [rank, step] : steps) note_puts(*step, rank);
      for (const auto& [rank, step] : steps)
        for (const Arrival& arrival : step->arrivals) find_landing(rank, arrival);
      meet(steps);
      for (const auto& [rank, step] : steps) note_arrivals(rank, *step);
    }
  }

  void finish(std::int32_t instance) {
    instance_ = instance;
    for (std::size_t rank = 0; rank < ranks_; ++rank)
      add_copies(static_cast<std::int32_t>(rank), instance);
    for (std::size_t rank = 0; rank < ranks_; ++rank)
      flush_last(static_cast<std::int32_t>(rank), instance);
    require_entries(instance);
  }

  Touches& touches(std::int32_t rank) { return touches_[static_cast<std::size_t>(rank)]; }
  Clock& clock(std::int32_t rank) {
    return all_clocks_[static_cast<std::size_t>(instance_)][static_cast<std::size_t>(rank)];
  }

  template <class Visit>
  static void each_chunk(Place place, std::int32_t count, Visit&& visit) {
    for (std::int32_t i = 0; i < count; ++i) visit(Place{place.buffer, place.offset + i});
  }

  void touch(std::int32_t rank, Place place, std::int32_t count, std::int64_t phase,
             std::int32_t lane) {
    each_chunk(place, count, [&](Place chunk) {
      touches(rank).phase(chunk) = phase;
      touches(rank).lane(chunk) = lane;
    });
  }

  void note_puts(const LaneStep& step, std::int32_t rank) {
    std::map<std::pair<Place, std::int32_t>, Place> staged;  // by source and count
    for (const std::size_t index : step.puts) {
      Put& put = result_.puts[index];
      touch(rank, put.source, put.count, 2 * step.step, put.instance);
      if (!options_.asynchronous) continue;
      if (options_.packets) {
        Place& place = staged[{put.source, put.count}];
        if (place.offset < 0) place = scratch_of_its_own(rank, put.count);
        put.staged = place;
        continue;
      }
      arrives_in_[index] = 2 * step.step + 1;
      each_chunk(put.source, put.count,
                 [&](Place chunk) { touches(rank).unread(chunk).push_back(index); });
    }
  }

  // Whether an operation with this clock comes after the read of the put's source.
  bool is_read(std::size_t put, const Clock& clock) const {
    const auto arrives = arrives_in_.find(put);
    const auto to = static_cast<std::size_t>(result_.puts[put].to);
    return result_.puts[put].flush ||
           (arrives != arrives_in_.end() && clock[to] >= arrives->second);
  }

  bool is_free(std::int32_t rank, Place place, const Clock& clock) {
    if (touches(rank).phase(place) > clock[static_cast<std::size_t>(rank)]) return false;
    return std::ranges::all_of(touches(rank).unread(place),
                               [&](std::size_t put) { return is_read(put, clock); });
  }

  void find_landing(std::int32_t rank, const Arrival& arrival) {
    Put& put = result_.puts[arrival.put];
    bool direct = !arrival.reduces && !options_.packets;
    if (direct)
      each_chunk(arrival.target, put.count,
                 [&](Place chunk) { direct = direct && is_free(rank, chunk, clock(put.from)); });
    put.is_direct = direct;
    put.landing = direct ? arrival.target : scratch_of_its_own(rank, put.count);
  }

  Place scratch_of_its_own(std::int32_t rank, std::int32_t count) {
    const auto at = static_cast<std::size_t>(rank);
    const std::int32_t plain = gpus_[at].scratch_chunks();
    // Two chunks of plain data take the space of one of packets.
    const std::int32_t first = options_.packets ? (plain + 1) / 2 : plain;
    const Place place{Buffer::scratch, first + landed_[at]};
    landed_[at] += count;
    return place;
  }

  // The clocks of all receivers, from those that their senders had before they received.
  void meet(const std::vector<std::pair<std::int32_t, LaneStep*>>& steps) {
    std::vector<std::pair<std::int32_t, Clock>> later;
    for (const auto& [rank, step] : steps) {
      Clock one = clock(rank);
      for (const Arrival& arrival : step->arrivals) {
        const std::int32_t from = result_.puts[arrival.put].from;
        const Clock& theirs = clock(from);
        for (std::size_t i = 0; i < ranks_; ++i) one[i] = std::max(one[i], theirs[i]);
        auto& sender = one[static_cast<std::size_t>(from)];
        sender = std::max(sender, 2 * step->step);
      }
      one[static_cast<std::size_t>(rank)] = 2 * step->step + 1;
      later.emplace_back(rank, std::move(one));
    }
    for (auto& [rank, one] : later) clock(rank) = std::move(one);
  }

  void note_arrivals(std::int32_t rank, const LaneStep& step) {
    for (const Arrival& arrival : step.arrivals) {
      const Put& put = result_.puts[arrival.put];
      if (arrival.reduces) touch(rank, arrival.operand, put.count, 2 * step.step + 1, put.instance);
      touch(rank, arrival.target, put.count, 2 * step.step + 1, put.instance);
      if (!put.is_direct) flush_before_writing(rank, arrival.target, put.count);
      each_chunk(arrival.target, put.count,
                 [&](Place chunk) { touches(rank).unread(chunk).clear(); });
    }
  }

  void flush_before_writing(std::int32_t rank, Place place, std::int32_t count) {
    each_chunk(place, count, [&](Place chunk) {
      for (const std::size_t put : touches(rank).unread(chunk))
        if (!is_read(put, clock(rank))) result_.puts[put].flush = true;
    });
  }

  // A copy of chunks of several lanes becomes several copies.
  void add_copies(std::int32_t rank, std::int32_t instance) {
    for (const Transfer& one : gpus_[static_cast<std::size_t>(rank)].all()) {
      if (one.type != StepType::copy) continue;
      const Place source = names_(rank, one.source), target = names_(rank, one.target);
      auto& copies = result_.lane(rank, instance).copies;
      bool goes_on = false;
      for (std::int32_t i = 0; i < one.count; ++i) {
        const Place from{source.buffer, source.offset + i}, to{target.buffer, target.offset + i};
        const bool is_ours = lane_of_copy(rank, from, to) == instance;
        if (is_ours && !goes_on) copies.push_back({from, to, 0});
        if (is_ours) ++copies.back().count;
        goes_on = is_ours;
      }
      for (const LocalCopy& copy : copies) flush_before_writing(rank, copy.target, copy.count);
    }
  }

  std::int32_t lane_of_copy(std::int32_t rank, Place from, Place to) {
    const std::int32_t lane = touches(rank).lane(from);
    return std::max(0, lane >= 0 ? lane : touches(rank).lane(to));
  }

  // When a call is over, the caller may write to its buffers: the last put on a channel is flushed,
  // and so those before it, unless it is known that all have been read.
  void flush_last(std::int32_t rank, std::int32_t instance) {
    if (!options_.asynchronous) return;
    std::map<std::int32_t, std::size_t> last;  // by peer
    std::map<std::int32_t, bool> all_read;
    for (const LaneStep& step : result_.lane(rank, instance).steps)
      for (const std::size_t put : step.puts) {
        const std::int32_t to = result_.puts[put].to;
        last[to] = put;
        all_read[to] = is_read(put, clock(rank));
      }
    for (const auto& [peer, put] : last)
      if (!all_read[peer]) result_.puts[put].flush = true;
  }

  // Packets go to one half of the scratch in one call, to the other one in the next. So nobody
  // overwrites what is still needed if whoever ends a call knows that those it writes to began it.
  void require_entries(std::int32_t instance) {
    for (const Put& put : result_.puts)
      if (put.instance == instance && clock(put.from)[static_cast<std::size_t>(put.to)] < 0)
        result_.needs_entry = true;
  }

  void add_scratch(std::int32_t rank) {
    const auto at = static_cast<std::size_t>(rank);
    const std::int32_t plain = gpus_[at].scratch_chunks();
    const std::int32_t first = options_.packets ? (plain + 1) / 2 : plain;
    result_.scratch_chunks.push_back(std::max(plain, first + landed_[at]));
  }

  Names names_;
  const std::vector<GpuTransfers>& gpus_;
  OneSidedOptions options_;
  std::size_t ranks_;
  OneSided result_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t>, std::size_t> put_of_;
  std::map<std::size_t, std::int64_t> arrives_in_;
  std::int32_t instance_ = 0;                   // the one at hand
  std::vector<std::vector<Clock>> all_clocks_;  // by instance
  std::vector<Touches> touches_;
  std::vector<std::int32_t> landed_;  // chunks of scratch that messages have of their own
};

}  // namespace

OneSided one_sided(const Collective& collective, const Layout& layout,
                   const std::vector<GpuTransfers>& gpus, const OneSidedOptions& options) {
  return Placer(collective, layout, gpus, options).run();
}

}  // namespace weft::format::mscclpp
