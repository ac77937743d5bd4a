// One run of a plan that goes as far as it can, with clocks.
//
// Each thread block has as many threads here as its widest operation serves channels (thread i
// serves the i-th one); what they do with data is done when the last of them gets there. A proxy
// performs a request at once, but as an agent of its own.
#pragma once

#include <map>
#include <set>

#include "counters.hpp"
#include "races.hpp"
#include "values.hpp"

namespace weft::format::mscclpp::checking {

class Run {
 public:
  Run(const Plan& plan, const Memory& memory, const Places& places, Races& races, Values& values,
      msccl::Findings& findings);

  /// Runs, and reports what hangs, is unordered, or is left when the call is over.
  void run();
  bool finished() const { return finished_; }

 private:
  struct Port {
    std::int32_t rank = 0, agent = 0, phase = 0;
    std::int64_t requests = 0;
    Clock clock = {};
    Moment last = {};  // who asked last
    bool last_signals = false;
  };
  struct BlockState {
    std::int32_t rank = 0, index = 0, agent = 0, phase = 0;
    const Block* block = nullptr;
    std::vector<std::size_t> at;     // by thread: its operation
    std::size_t done = 0;            // operations whose data is moved
    Clock clock = {}, pending = {};  // known since the last nop; and from the next one on
    std::map<std::int32_t, Clock> of_thread = {};  // of those that waited since the last nop
  };
  struct End {
    std::int32_t rank = -1, channel = -1;
  };

  void set_up_blocks();
  void set_up_channels();
  End other_end(std::int32_t rank, std::int32_t channel, bool by_port) const;

  const std::vector<FlatOp>& ops(const BlockState& state) const {
    return places_.of(state.rank, state.index);
  }
  OpId id(const BlockState& state, std::size_t op) const {
    return {state.rank, state.index, static_cast<std::int32_t>(op)};
  }
  bool is_over(const BlockState& state) const;
  bool all_at(const BlockState& state, std::size_t op) const;

  bool advance(BlockState& state);
  bool step(BlockState& state, std::int32_t thread);
  bool pass_nop(BlockState& state, std::size_t op);
  void end_phase(BlockState& state);
  bool meet_at_barrier(BlockState& state, std::size_t op);
  bool signal(BlockState& state, std::int32_t thread, std::size_t at);
  bool wait(BlockState& state, std::int32_t thread, std::size_t at);
  bool semaphore(BlockState& state, std::int32_t thread, std::size_t at);
  bool flush(BlockState& state, std::int32_t thread, std::size_t at);
  bool move_data(BlockState& state, std::int32_t thread, std::size_t at);
  bool has_packets(const BlockState& state, std::size_t at, std::set<std::int32_t>* stamps) const;
  void perform(BlockState& state, std::size_t at);
  bool put_by_port(BlockState& state, std::int32_t thread, std::size_t at);
  bool forward_by_port(BlockState& state, std::size_t at);
  Port& request(BlockState& state, std::int32_t thread, std::size_t at, std::int32_t channel,
                bool signals);
  void move_by_port(Port& port, BlockState& state, std::size_t at, std::int32_t slice,
                    bool forwards);

  Clock& clock_of(BlockState& state, std::int32_t thread);
  const Clock& known_to(const BlockState& state, std::int32_t thread) const;
  Moment moment(const BlockState& state, std::int64_t thread) const {
    return {state.agent, state.phase, thread};
  }
  std::int32_t stamp(const Clock& clock);
  std::shared_ptr<const Chain> chain_of(const Move& move) const;
  void access(const Move& move, Actor actor, std::int32_t stamp);
  void note_staged(const Move& move, const Port& port, const OpId& op);
  void require_entered(std::int32_t rank, const Actor& actor, bool packet);
  bool has_entered(std::int32_t rank, const Clock& clock) const;
  Counter& counter(std::int32_t rank, std::int32_t channel, bool by_port) {
    return (
        by_port
            ? port_counters_
            : memory_counters_)[static_cast<std::size_t>(rank)][static_cast<std::size_t>(channel)];
  }

  void report_hangs();
  std::string why_blocked(const BlockState& state, std::size_t at, std::int32_t thread) const;
  void report_ends();
  void report_counters();
  void report_counter(const Counter& counter, std::int32_t rank, const std::string& name);
  Clock final_clock(std::int32_t rank) const;

  const Plan& plan_;
  const Memory& memory_;
  const Places& places_;
  Races& races_;
  Values& values_;
  msccl::Findings& findings_;
  std::vector<BlockState> blocks_;
  std::vector<std::vector<Port>> ports_;              // by rank and channel
  std::vector<std::vector<std::int32_t>> agents_of_;  // by rank
  std::int32_t agents_ = 0;
  std::vector<std::vector<Counter>> memory_counters_, port_counters_, semaphores_;  // by rank
  std::vector<std::vector<End>> memory_ends_, port_ends_;
  struct Barrier {
    std::set<std::int32_t> blocks;   // of the GPU that ever come here
    std::set<std::int32_t> waiting;  // that are here now
  };
  std::map<std::pair<std::int32_t, std::int32_t>, Barrier> barriers_;  // by rank and number
  std::vector<Clock> stamps_;  // of writes of packets; 0: none
  /// Accesses of others' memory: by agent and rank the last one.
  struct Remote {
    std::int32_t phase = -1;
    OpId op;
  };
  std::map<std::pair<std::int32_t, std::int32_t>, Remote> remote_;
  // Whom packets are sent to before it is known that they entered: legal with two scratch buffers.
  std::map<std::pair<std::int32_t, std::int32_t>, OpId> early_packets_;
  std::set<std::pair<std::int32_t, std::int32_t>> reported_early_;
  // Packets that a proxy sends from scratch which the next call writes again, and that were made
  // before it was known that their receiver entered the call, and so had read those of the call
  // before.
  struct Staged {
    Remote request;
    std::int32_t agent = 0, receiver = 0;
  };
  std::vector<Staged> staged_;
  bool finished_ = false;
};

}  // namespace weft::format::mscclpp::checking
