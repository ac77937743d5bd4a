// The interpreter of MSCCL thread blocks: one thread block of the device runs the steps of one
// thread block of the file.
//
// A connection is a ring of `slots` places in the receiver's memory. The sender fills the next
// place and counts it in `filled`, the receiver empties it and counts it in `emptied`; both
// counters only grow. Each counter lies in the memory of whoever waits for it. Data larger than a
// place goes in parts: all steps on the first part of every chunk, then all on the next, as MSCCL
// does. Thread blocks of one GPU wait for each other by `progress`, which counts the steps of all
// parts and which only steps with hasdep write.
//
// The loop is a template over its machine, so that a test runs the same code on processor threads:
//   first(), stride()   of the elements that this thread moves
//   agree(ok)           a barrier of the thread block; whether `ok` holds on all of its threads
//   leads()             whether this thread waits and counts for its thread block
//   load(counter), store(counter, value)   acquire and release, seen by other GPUs
//   stopped(rank)       whether the host gave up
// Only plain C++ here: the file is compiled by nvcc, too.
#pragma once

#include <stdint.h>

#ifdef __CUDACC__
#define WEFT_ANYWHERE __host__ __device__
#else
#define WEFT_ANYWHERE
#endif

namespace weft::gpu {

using Counter = unsigned long long;  // as atomics of CUDA have it
using Word = uint32_t;               // an element: a float, or an integer that wraps around

/// What a step does with what comes in, what it reads, what it writes and what goes out.
struct DeviceStep {
  bool receives, sends, reads, writes, adds;
  bool publishes;                 // hasdep: others wait for it
  int32_t source_buffer, source;  // first chunk
  int32_t target_buffer, target;
  int32_t count;                  // chunks
  int32_t wait_block, wait_step;  // -1: none
};

struct DeviceBlock {
  int32_t first_step, steps;
  Counter sent, received;  // messages of all calls so far
  Word* peer_slots;        // at the receiver
  Counter* peer_filled;    // likewise
  Counter* emptied;        // here; the receiver counts
  Word* slots;             // here; the sender fills
  Counter* filled;         // likewise
  Counter* peer_emptied;   // at the sender
};

struct DeviceRank {
  const DeviceStep* steps;
  DeviceBlock* blocks;
  int32_t block_count;
  Word* buffers[3];           // input, output, scratch
  Counter* progress;          // by block; 0 before a call
  Counter* stuck;             // by block: progress at which it gave up, plus 1; 0: it did not
  int64_t chunk, part, slot;  // elements: of a chunk, of it at a time, of a place
  int32_t slots;
  const volatile int* stop;
};

template <class Machine>
class BlockRun {
 public:
  WEFT_ANYWHERE BlockRun(Machine machine, const DeviceRank& rank, int32_t index)
      : machine_(machine), rank_(rank), block_(rank.blocks[index]), index_(index) {}

  /// Whether it came to its end.
  template <class T>
  WEFT_ANYWHERE bool run() {
    sent_ = block_.sent;
    received_ = block_.received;
    // No thread may change the block's counters before all have read them.
    machine_.agree(true);
    for (int64_t first = 0; first < rank_.chunk; first += rank_.part, ++parts_) {
      first_ = first;
      elements_ = rank_.part < rank_.chunk - first ? rank_.part : rank_.chunk - first;
      for (int32_t s = 0; s < block_.steps; ++s)
        if (!step<T>(rank_.steps[block_.first_step + s], s)) return false;
    }
    if (machine_.leads()) {
      block_.sent = sent_;
      block_.received = received_;
    }
    return true;
  }

 private:
  template <class T>
  WEFT_ANYWHERE bool step(const DeviceStep& step, int32_t number) {
    const Counter done = parts_ * static_cast<Counter>(block_.steps) + number;
    if (!machine_.agree(!machine_.leads() || may_start(step))) {
      if (machine_.leads()) machine_.store(&rank_.stuck[index_], done + 1);
      return false;
    }
    for (int32_t c = 0; c < step.count; ++c) move<T>(step, c);
    machine_.agree(true);
    if (step.receives) ++received_;
    if (step.sends) ++sent_;
    if (machine_.leads()) {
      if (step.receives) machine_.store(block_.peer_emptied, received_);
      if (step.sends) machine_.store(block_.peer_filled, sent_);
      if (step.publishes) machine_.store(&rank_.progress[index_], done + 1);
    }
    return true;
  }

  WEFT_ANYWHERE bool may_start(const DeviceStep& step) {
    if (step.wait_block >= 0) {
      const Counter steps = static_cast<Counter>(rank_.blocks[step.wait_block].steps);
      if (!reaches(&rank_.progress[step.wait_block], parts_ * steps + step.wait_step + 1))
        return false;
    }
    if (step.receives && !reaches(block_.filled, received_ + 1)) return false;
    const Counter slots = static_cast<Counter>(rank_.slots);
    return !step.sends || sent_ < slots || reaches(block_.emptied, sent_ + 1 - slots);
  }

  WEFT_ANYWHERE bool reaches(const Counter* counter, Counter value) {
    while (machine_.load(counter) < value)
      if (machine_.stopped(rank_)) return false;
    return true;
  }

  template <class T>
  WEFT_ANYWHERE void move(const DeviceStep& step, int32_t c) {
    const T* const in = place<T>(block_.slots, received_) + c * rank_.part;
    T* const out = place<T>(block_.peer_slots, sent_) + c * rank_.part;
    const T* const source = chunk<T>(step.source_buffer, step.source + c);
    T* const target = chunk<T>(step.target_buffer, step.target + c);
    const bool adds_target = step.adds && !step.receives;  // re
    for (int64_t e = machine_.first(); e < elements_; e += machine_.stride()) {
      T value = step.receives ? in[e] : T();
      if (step.reads) value = step.receives ? value + source[e] : source[e];
      if (adds_target) value = target[e] + value;
      if (step.writes) target[e] = value;
      if (step.sends) out[e] = value;
    }
  }

  template <class T>
  WEFT_ANYWHERE T* place(Word* slots, Counter message) const {
    return reinterpret_cast<T*>(slots) +
           static_cast<int64_t>(message % static_cast<Counter>(rank_.slots)) * rank_.slot;
  }
  template <class T>
  WEFT_ANYWHERE T* chunk(int32_t buffer, int32_t chunk) const {
    return reinterpret_cast<T*>(rank_.buffers[buffer]) + chunk * rank_.chunk + first_;
  }

  Machine machine_;
  const DeviceRank& rank_;
  DeviceBlock& block_;
  int32_t index_;
  Counter parts_ = 0, sent_ = 0, received_ = 0;
  int64_t first_ = 0, elements_ = 0;
};

}  // namespace weft::gpu
