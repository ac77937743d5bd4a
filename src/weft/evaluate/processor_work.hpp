// What the processors of hosts do at least for the messages of a step, as the simulators say.
//
// A processor packs and starts what its agent sends, in message order, then combines, unpacks and
// pays the start-ups of what came. A bound at one size is used at larger sizes, too, so that a
// bandwidth that holds from some size of buffers on counts where it is the higher one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/network/network.hpp"
#include "weft/program/program.hpp"

namespace weft::evaluate {

class ProcessorWork {
 public:
  ProcessorWork(const program::Program& program, const Network& network);

  /// Whether there is any, or a delay.
  bool work() const { return has_work_; }
  /// Finds the work on the messages of a step, copies only where the step counts them.
  void measure(const program::StepProgram& step, const IdVector<schedule::Agent, NodeId>& nodes);

  /// Seconds of the sender before the message leaves; 0 without work, as the others.
  double sending_s(std::size_t transfer) const { return has_work_ ? sending_s_[transfer] : 0; }
  /// Until a message leaves, without its sender's work.
  double delay_s(std::size_t transfer) const { return has_work_ ? delays_s_[transfer] : 0; }
  /// Seconds of the receiver after the message came.
  double receiving_s(std::size_t transfer) const { return has_work_ ? receiving_s_[transfer] : 0; }
  /// Whether all work on what is sent comes before that on what was received: with few ports
  /// start-ups may come later.
  bool sends_first() const { return network_.host().ports == 0; }

 private:
  const Network& network_;
  bool has_work_;
  bool starts_steps_;                   // start-ups are delays of a step, not work
  std::int64_t copy_Bps_, reduce_Bps_;  // 0: free
  double startup_s_, startup_receive_s_;
  std::vector<double> sending_s_, delays_s_, receiving_s_;  // by transfer
};

}  // namespace weft::evaluate
