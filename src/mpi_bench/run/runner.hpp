// Performs a rank's operations, each as soon as those that it waits for are done. Nothing blocks on
// one message: all that are under way are tested together.
//
// A send that others wait for is copied out first and done at once, as the schedule's model has it:
// "its data has left". Otherwise two ranks whose receives wait for their sends would wait for each
// other, because an MPI may hold a large send until its receive is there. A reduction receives into
// memory of its own.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "../world.hpp"
#include "memory.hpp"
#include "program.hpp"

namespace weft::mpi_bench {

struct RunnerOptions {
  double time_limit_s = 60;  // without any progress
  double doze_s = 0;         // slept between two looks; 0: the processor is offered to others
};

class Runner {
 public:
  /// `memory` is laid out over all that the operations touch, and is resized before each run.
  Runner(const World& world, const RunProgram& program, Memory& memory,
         const RunnerOptions& options);

  /// Runs once on elements of this type. If nothing moves for the time limit, the ranks that wait
  /// say for what, and all end with code 1.
  void run(MPI_Datatype type);

  /// Waits for all ranks, with the same time limit: a rank that is done ends with those that hang.
  void meet();

 private:
  using Staging = std::vector<Element>;

  struct Placed {
    std::vector<Span> from, to;
    std::int64_t units = 0;
    int waits = 0;  // how many operations it waits for
    bool awaited = false;
  };
  struct UnderWay {
    std::int32_t operation = 0;
    bool ends = true;  // its operation is done when it is
    Staging staging;   // of a send that was copied out, or of what will land elsewhere
  };

  void place(const RunOperation& operation, const Memory& memory);
  void link_waits();

  void start(std::int32_t index);
  void start_send(std::int32_t index);
  void start_receive(std::int32_t index);
  void work(std::int32_t index);
  void land(std::int32_t index, Staging& staging);
  void done(std::int32_t index);
  void look();
  void idle();
  [[noreturn]] void give_up() const;

  Staging take(std::int64_t units);
  void gather(const std::vector<Span>& spans, Element* to);
  void scatter(const Element* from, const std::vector<Span>& spans);
  void reduce(const Element* from, Element* into, std::int64_t units) const;

  const World& world_;
  const RunProgram& program_;
  Memory& memory_;
  RunnerOptions options_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;

  std::vector<Placed> placed_;                         // by operation
  std::vector<std::int32_t> first_waiting_, waiting_;  // who waits for an operation

  std::vector<int> waits_left_;
  std::vector<std::int32_t> ready_;
  std::int64_t left_ = 0;  // operations that are not done
  std::vector<MPI_Request> requests_;
  std::vector<UnderWay> under_way_;  // by request
  std::vector<int> completed_;
  std::vector<Staging> unused_;
  double moved_s_ = 0;  // when something was last done
};

}  // namespace weft::mpi_bench
