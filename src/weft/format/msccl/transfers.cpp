#include "transfers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::format::msccl {

using schedule::Arrival;
using schedule::Message;
using schedule::Schedule;

namespace {

bool follows(const Place& place, const Place& before, std::int32_t count) {
  return place.buffer == before.buffer && place.offset == before.offset + count;
}

}  // namespace

class TransferBuilder {
  // Where the current version of a chunk is.
  enum class Home : std::uint8_t { input, output, scratch, second_scratch, nowhere };
  static constexpr std::size_t kHomes = 4;

  // A chunk of the row at one rank.
  struct Cell {
    Home home = Home::nowhere;
    Home next = Home::nowhere;  // after the landings of step `landed`
    std::int64_t landed = -1;   // the last step in which something landed
    std::int64_t sent = -1;     // the last step in which it was sent
    std::array<std::int32_t, 2> scratch{-1, -1};
    std::array<std::int32_t, kHomes> writer{-1, -1, -1, -1};
    std::array<std::int32_t, kHomes> readers{-1, -1, -1, -1};  // lists in Rank::reader_lists
  };

  struct Reader {
    std::int32_t transfer = 0, next = -1;
  };

  // Both ends of a message, or of a part of it that is one piece in all buffers.
  struct Run {
    std::int32_t from = 0, to = 0, instance = 0;
    bool is_reduction = false;
    Place source, operand, target;
    std::int64_t chunk = 0;  // of the row
    std::int32_t count = 0;
  };

 public:
  TransferBuilder(const Schedule& schedule, const Layout& layout, int instances, CallMode mode,
                  std::int32_t most_chunks)
      : schedule_(schedule),
        layout_(layout),
        instances_(instances),
        mode_(mode),
        most_chunks_(most_chunks),
        ranks_(static_cast<std::size_t>(schedule.agents())) {}

  std::vector<GpuTransfers> build() && {
    for (std::int64_t step = 0; step < schedule_.steps(); ++step) add_step(step);
    for (std::int32_t rank = 0; rank < schedule_.agents(); ++rank) add_last_copies(rank);
    std::vector<GpuTransfers> gpus;
    for (Rank& rank : ranks_) gpus.push_back(std::move(rank.transfers));
    return gpus;
  }

 private:
  struct Rank {
    GpuTransfers transfers;
    std::unordered_map<std::int64_t, std::int32_t> index;  // of the row's chunks in cells
    std::vector<Cell> cells;
    std::vector<Reader> reader_lists;
    std::unordered_map<std::int64_t, std::int32_t> messages;  // by peer, direction and instance
  };

  // Calls visit(message, instance, replica) for all that runs in a step.
  template <class Visit>
  void each_message(std::int64_t step, Visit&& visit) const {
    const auto segments = schedule_.segments();
    for (std::int64_t i = 0; i < segments.count && step - i * segments.stride >= 0; ++i) {
      const std::int64_t stored = step - i * segments.stride;
      if (stored >= schedule_.stored_steps()) continue;
      for (std::int64_t m = schedule_.first_message(stored);
           m < schedule_.first_message(stored + 1); ++m)
        for (int instance = 0; instance < instances_; ++instance)
          if (schedule_.message(m).from != schedule_.message(m).to)
            visit(m, instance, instance * segments.count + i);
    }
  }

  template <class Visit>
  void each_chunk(std::int64_t message, std::int64_t replica, Visit&& visit) const {
    for (const schedule::Piece& piece : schedule_.pieces(message))
      layout_.each_run(piece, replica, [&](std::int64_t first, std::int64_t count) {
        for (std::int64_t chunk = first; chunk < first + count; ++chunk) visit(chunk);
      });
  }

  void add_step(std::int64_t step) {
    each_message(step, [&](std::int64_t message, int, std::int64_t replica) {
      const std::int32_t from = schedule_.message(message).from.value();
      each_chunk(message, replica, [&](std::int64_t chunk) { cell(from, chunk).sent = step; });
    });
    runs_.clear();
    each_message(step, [&](std::int64_t message, int instance, std::int64_t replica) {
      add_runs(message, instance, replica, step);
    });
    for (const Run& run : runs_) add_send(run, step);
    for (const Run& run : runs_) add_reception(run, step);
  }

  Cell& cell(std::int32_t rank, std::int64_t chunk) {
    Rank& one = ranks_[static_cast<std::size_t>(rank)];
    const auto [found, is_new] =
        one.index.try_emplace(chunk, static_cast<std::int32_t>(one.cells.size()));
    if (is_new) {
      Cell& fresh = one.cells.emplace_back();
      if (layout_.input(rank, chunk)) fresh.home = fresh.next = Home::input;
    }
    return one.cells[static_cast<std::size_t>(found->second)];
  }

  // Where the chunk is before the step, and after the landings of the step so far.
  static Home home_before(const Cell& cell, std::int64_t step) {
    return cell.landed < step ? cell.next : cell.home;
  }

  Place place_of(std::int32_t rank, std::int64_t chunk, Cell& cell, Home home) {
    if (home == Home::input) return *layout_.input(rank, chunk);
    if (home == Home::output) return *layout_.output(rank, chunk);
    std::int32_t& offset = cell.scratch[home == Home::scratch ? 0 : 1];
    if (offset < 0) {
      offset = ranks_[static_cast<std::size_t>(rank)].transfers.scratch_chunks_++;
      require(offset < (1 << 15),
              "rank {} needs more than {} chunks of scratch, the limit of MSCCL; use fewer "
              "instances or segments",
              rank, 1 << 15);
    }
    return {Buffer::scratch, offset};
  }

  // Input and output are one memory if callers may pass one buffer.
  std::size_t memory_of(Home home) const {
    if (mode_ != CallMode::out_of_place && home == Home::output) home = Home::input;
    return static_cast<std::size_t>(home);
  }

  Home landing(std::int32_t rank, std::int64_t chunk, const Cell& cell, std::int64_t step) const {
    if (cell.landed == step) return cell.next;  // a further reduction of the step
    const bool wanted = layout_.output(rank, chunk).has_value();
    const Home best = wanted ? Home::output : Home::scratch;
    const bool is_read = cell.sent == step && memory_of(cell.next) == memory_of(best);
    if (!is_read) return best;
    return wanted ? Home::scratch : Home::second_scratch;
  }

  void add_runs(std::int64_t index, int instance, std::int64_t replica, std::int64_t step) {
    const Message& message = schedule_.message(index);
    const std::int32_t from = message.from.value(), to = message.to.value();
    const bool is_reduction = message.arrival == Arrival::reduce;
    bool is_first = true;
    each_chunk(index, replica, [&](std::int64_t chunk) {
      Cell& sender = cell(from, chunk);
      WEFT_ASSERT(home_before(sender, step) != Home::nowhere);  // nobody sends what it lacks
      const Place source = place_of(from, chunk, sender, home_before(sender, step));
      Cell& receiver = cell(to, chunk);
      Place operand;
      if (is_reduction) operand = place_of(to, chunk, receiver, receiver.next);
      const Home home = landing(to, chunk, receiver, step);
      const Place target = place_of(to, chunk, receiver, home);
      if (receiver.landed < step) receiver.home = receiver.next;
      receiver.landed = step;
      receiver.next = home;
      if (is_first || !extend(runs_.back(), chunk, source, operand, target))
        runs_.push_back({from, to, instance, is_reduction, source, operand, target, chunk, 1});
      is_first = false;
    });
  }

  bool extend(Run& run, std::int64_t chunk, const Place& source, const Place& operand,
              const Place& target) const {
    const bool fits = run.count < most_chunks_ && chunk == run.chunk + run.count &&
                      follows(source, run.source, run.count) &&
                      follows(target, run.target, run.count) &&
                      (!run.is_reduction || follows(operand, run.operand, run.count));
    if (fits) ++run.count;
    return fits;
  }

  std::int32_t number_in_pair(std::int32_t rank, std::int32_t peer, bool is_send, int instance) {
    const std::int64_t key = (std::int64_t{peer} * 2 + (is_send ? 1 : 0)) * instances_ + instance;
    return ranks_[static_cast<std::size_t>(rank)].messages[key]++;
  }

  // The chunks of a run at a rank, each with what is done to it.
  void begin(std::int32_t rank, Transfer transfer) {
    GpuTransfers& transfers = ranks_[static_cast<std::size_t>(rank)].transfers;
    transfers.all_.push_back(transfer);
  }

  void end(std::int32_t rank) {
    GpuTransfers& transfers = ranks_[static_cast<std::size_t>(rank)].transfers;
    const auto first =
        transfers.before_.begin() + static_cast<std::ptrdiff_t>(transfers.first_before_.back());
    std::sort(first, transfers.before_.end(), [](const Before& a, const Before& b) {
      return a.transfer != b.transfer ? a.transfer < b.transfer : a.is_source > b.is_source;
    });
    const auto last =
        std::unique(first, transfers.before_.end(),
                    [](const Before& a, const Before& b) { return a.transfer == b.transfer; });
    transfers.before_.erase(last, transfers.before_.end());
    WEFT_ASSERT(std::all_of(first, transfers.before_.end(), [&](const Before& one) {
      return one.transfer + 1 < std::ssize(transfers.all_);  // it comes before
    }));
    transfers.first_before_.push_back(transfers.before_.size());
  }

  static std::int32_t current(const Rank& rank) {
    return static_cast<std::int32_t>(rank.transfers.all_.size()) - 1;
  }

  void note_read(std::int32_t rank, Cell& cell, Home home) {
    Rank& one = ranks_[static_cast<std::size_t>(rank)];
    const std::size_t memory = memory_of(home);
    if (cell.writer[memory] >= 0) one.transfers.before_.push_back({cell.writer[memory], true});
    one.reader_lists.push_back({current(one), cell.readers[memory]});
    cell.readers[memory] = static_cast<std::int32_t>(one.reader_lists.size()) - 1;
  }

  void note_write(std::int32_t rank, Cell& cell, Home home) {
    Rank& one = ranks_[static_cast<std::size_t>(rank)];
    const std::size_t memory = memory_of(home);
    const std::int32_t self = current(one);
    if (cell.writer[memory] >= 0) one.transfers.before_.push_back({cell.writer[memory], false});
    for (std::int32_t i = cell.readers[memory]; i >= 0;
         i = one.reader_lists[static_cast<std::size_t>(i)].next) {
      const std::int32_t reader = one.reader_lists[static_cast<std::size_t>(i)].transfer;
      if (reader != self) one.transfers.before_.push_back({reader, false});
    }
    cell.writer[memory] = self;
    cell.readers[memory] = -1;
  }

  static Home home_of(const Cell& cell, const Place& place) {
    if (place.buffer == Buffer::input) return Home::input;
    if (place.buffer == Buffer::output) return Home::output;
    return place.offset == cell.scratch[0] ? Home::scratch : Home::second_scratch;
  }

  void add_send(const Run& run, std::int64_t step) {
    begin(run.from, {.type = StepType::send,
                     .peer = run.to,
                     .source = run.source,
                     .count = run.count,
                     .instance = run.instance,
                     .step = step,
                     .in_pair = number_in_pair(run.from, run.to, true, run.instance)});
    for (std::int32_t i = 0; i < run.count; ++i) {
      Cell& one = cell(run.from, run.chunk + i);
      note_read(run.from, one, home_of(one, {run.source.buffer, run.source.offset + i}));
    }
    end(run.from);
  }

  void add_reception(const Run& run, std::int64_t step) {
    const StepType type = run.is_reduction ? StepType::receive_reduce_copy : StepType::receive;
    begin(run.to, {.type = type,
                   .peer = run.from,
                   .source = run.operand,
                   .target = run.target,
                   .count = run.count,
                   .instance = run.instance,
                   .step = step,
                   .in_pair = number_in_pair(run.to, run.from, false, run.instance)});
    for (std::int32_t i = 0; i < run.count; ++i) {
      Cell& one = cell(run.to, run.chunk + i);
      if (run.is_reduction)
        note_read(run.to, one, home_of(one, {run.operand.buffer, run.operand.offset + i}));
      note_write(run.to, one, home_of(one, {run.target.buffer, run.target.offset + i}));
    }
    end(run.to);
  }

  // What a rank wants and has elsewhere than in its output.
  void add_last_copies(std::int32_t rank) {
    Rank& one = ranks_[static_cast<std::size_t>(rank)];
    std::vector<std::pair<Place, Run>> copies;  // by target
    for (std::int64_t chunk = 0; chunk < layout_.row(); ++chunk) {
      const auto target = layout_.output(rank, chunk);
      if (!target) continue;
      Cell& here = cell(rank, chunk);
      const Home home = here.next;
      WEFT_ASSERT(home != Home::nowhere);
      if (home == Home::output || (home == Home::input && mode_ == CallMode::in_place)) {
        const std::int32_t writer = here.writer[memory_of(home)];
        if (writer >= 0) one.transfers.all_[static_cast<std::size_t>(writer)].is_wanted = true;
        continue;
      }
      const Place source = place_of(rank, chunk, here, home);
      Run* last = copies.empty() ? nullptr : &copies.back().second;
      if (last == nullptr || !extend(*last, chunk, source, {}, *target))
        copies.push_back({*target, {rank, rank, 0, false, source, {}, *target, chunk, 1}});
    }
    for (const auto& [target, run] : copies) add_copy(rank, run);
  }

  void add_copy(std::int32_t rank, const Run& run) {
    begin(rank, {.type = StepType::copy,
                 .source = run.source,
                 .target = run.target,
                 .count = run.count,
                 .step = schedule_.steps(),
                 .is_wanted = true});
    for (std::int32_t i = 0; i < run.count; ++i) {
      Cell& one = cell(rank, run.chunk + i);
      note_read(rank, one, home_of(one, {run.source.buffer, run.source.offset + i}));
      note_write(rank, one, Home::output);
    }
    end(rank);
  }

  const Schedule& schedule_;
  const Layout& layout_;
  int instances_;
  CallMode mode_;
  std::int32_t most_chunks_;
  std::vector<Rank> ranks_;
  std::vector<Run> runs_;
};

std::vector<GpuTransfers> transfers_of(const Schedule& schedule, const Layout& layout,
                                       int instances, CallMode mode, std::int32_t most_chunks) {
  WEFT_ASSERT(schedule.symmetry().is_trivial() && schedule.helpers() == 0);
  return TransferBuilder(schedule, layout, instances, mode, most_chunks).build();
}

}  // namespace weft::format::msccl
