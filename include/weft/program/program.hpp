// Program: operations of ranks with their dependencies, a value of its own.
//
//   const Program program = lower(verified, {.size_B = 1 << 20});
//   StepProgram step;
//   for (std::int64_t t = 0; t < program.steps(); ++t) {
//     program.step(t, step);  // reuses the buffers
//     for (const Transfer& transfer : step.transfers) ...
//   }
//
// Two storages stand behind it. What lower() makes is generated (lowered.hpp): representative
// messages, their symmetry, steps and segments. What is imported, or made of several programs, is
// written out (operations.hpp). Whoever reads a program reads this: simulators and exporters do
// not know what it was made from.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/program/lowered.hpp"
#include "weft/program/step_program.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/message_sizes.hpp"

namespace weft::program {

class Operations;

/// Segment i does in step t + i * stride what segment 0 does in step t.
struct Pipeline {
  std::int64_t segments = 1, stride = 0;
};

/// One end of a transfer, or own work, waits for another to be done. Of n transfers over all
/// steps, in order, transfer i is sent as node i and received as n + i; the k-th own work is 2n +
/// k. A send is done when its sender's part is over, a receive when its data took effect.
struct Wait {
  std::uint32_t before = 0, waiting = 0;
};

class Program {
 public:
  /// What it was proved to do, by lowering or by execution (prove.hpp); nothing where nobody did.
  const std::optional<schedule::Collective>& collective() const { return collective_; }
  /// The algorithm that made it, or the file that it came from.
  const std::string& name() const { return name_; }
  /// Of one call.
  std::int64_t size_B() const { return size_B_; }
  /// Sizes of its blocks in bytes, where they have sizes of their own; else null.
  const std::shared_ptr<const BlockSizes>& blocks() const { return blocks_; }
  std::int64_t steps() const { return steps_; }
  Pipeline pipeline() const;
  /// How often each rank makes its call, see repeat().
  std::int32_t calls() const { return calls_; }
  std::int32_t ranks() const { return ranks_; }
  /// The ranks, then helpers, which only pass on or combine what comes.
  std::int32_t agents() const { return agents_; }
  /// Transfers of all steps, at most: empty ones are left out.
  std::int64_t message_count() const;
  /// Bytes of all messages, those to oneself included; of translates that differ by an element or
  /// so, as if they were alike.
  double payload_B() const;
  /// Number of units in one segment; 0 if operations are written out.
  std::int64_t units() const { return lowered_ ? lowered_->schedule().units() : 0; }
  /// Transfers of one step, at most.
  double messages_at_once() const;

  /// Writes step t, t in [0, steps()), into the buffers of `out`. O(messages and pieces of the
  /// step).
  void step(std::int64_t t, StepProgram& out, Copies copies = Copies::counted) const;

  /// Of whose orbits only representatives are stored.
  const schedule::Symmetry& symmetry() const;
  /// The same as step() without copies, of the transfers that representatives send.
  void representatives(std::int64_t t, StepProgram& out) const;
  /// Whether every translate of a transfer has as many bytes.
  bool translates_alike() const;
  /// Returns whether all units have the same number of bytes. False if operations are written out,
  /// because these have no units.
  bool has_whole_units() const { return lowered_ && lowered_->has_whole_units(); }
  /// How the symmetry moves nodes and links, if links of equal speed follow it and so do the
  /// routes of all messages.
  std::optional<schedule::LinkAction> moves_on(const Network& network) const;

  /// Explicit routes of representatives are 0 ... route_count() - 1.
  std::int32_t route_count() const;
  /// Links of an explicit route of representatives, in order.
  std::span<const LinkId> route(RouteId route) const;
  /// The node of each agent. Throws InvalidInput when the network places fewer ranks, or when
  /// helpers or explicit routes are for another one.
  std::vector<NodeId> nodes_on(const Network& network) const;

  /// What waits for what, beyond the order of steps; `transfer(i)` is the i-th one over all steps.
  /// Of one call.
  std::vector<Wait> waits(std::int32_t transfers,
                          const std::function<const Transfer&(std::int32_t)>& transfer) const;

  /// The operations, where they are written out; else null, see write_out().
  const Operations* operations() const { return operations_.get(); }

 private:
  void take_as_own_steps(StepProgram& out) const;

  friend Program lower(const Verified& verified, const LowerOptions& options);
  friend Program repeat(Program program, std::int32_t calls);
  friend Program write_out(const Program& program, const Topology* topology);
  friend class ProgramBuilder;
  friend class Prover;
  Program() = default;

  std::optional<schedule::Collective> collective_;
  std::string name_;
  std::int64_t size_B_ = 0, steps_ = 0;
  std::int32_t ranks_ = 0, agents_ = 0, calls_ = 1;
  std::shared_ptr<const BlockSizes> blocks_;      // null: alike
  std::shared_ptr<const Lowered> lowered_;        // one of the two
  std::shared_ptr<const Operations> operations_;  // storages
};

/// Lowers for one size. Throws InvalidInput when the size is negative, no multiple of the element
/// or too large.
Program lower(const Verified& verified, const LowerOptions& options);

/// The least and the greatest message between two agents; 0 where nothing is sent. Goes through all
/// messages: of a program whose blocks are alike schedule::message_sizes() is quicker.
schedule::MessageSizes message_sizes(const Program& program);

/// Call after call, `calls` times (1 or more): each rank begins the next one as soon as its own
/// part of the last is over, as a loop of an MPI program without a barrier does. To be read by
/// steps. Throws InvalidInput for a program that is written out, whose ranks wait for messages and
/// not for their own parts.
Program repeat(Program program, std::int32_t calls);

/// The same program with its operations written out; what it was proved to do stays. Explicit
/// routes under a symmetry need the topology. O(messages and what they wait for). Throws
/// InvalidInput without it, and for several calls in a row.
Program write_out(const Program& program, const Topology* topology = nullptr);

}  // namespace weft::program

namespace weft {
using program::lower;
using program::Program;
using program::repeat;
using program::write_out;
}  // namespace weft
