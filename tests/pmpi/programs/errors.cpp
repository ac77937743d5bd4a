// Calls with arguments that MPI has something to say about: the code and the error handler's calls
// are those of MPI's own functions, and the communicator serves on.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <vector>

#include "native.hpp"

namespace {

int handled = 0;
MPI_Comm handled_of = MPI_COMM_NULL;

void handle(MPI_Comm* comm, int*, ...) {
  ++handled;
  handled_of = *comm;
}

int class_of(int code) {
  int found = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &found);
  return found;
}

class Program {
 public:
  Program() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  }

  int run() {
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(handle, &own);
    for (const MPI_Errhandler each : {MPI_ERRORS_RETURN, own}) {
      MPI_Comm_set_errhandler(comm_, each);
#ifdef OPEN_MPI
      // Debian's MPICH is built without looking at arguments, and crashes.
      all_cases();
#endif
    }
    cut_off(own);
    std::printf("rank %d: %d faults\n", rank_, faults_);
    return faults_ == 0 ? 0 : 1;
  }

 private:
  void fault(const char* what) {
    ++faults_;
    std::printf("rank %d: %s\n", rank_, what);
  }

  // Both functions, with what the handler sees of each.
  template <class Function, class Invoke>
  void both(const char* what, Function* ours, Function* theirs, Invoke&& invoke) {
    handled = 0;
    handled_of = MPI_COMM_NULL;
    const int ours_class = class_of(invoke(ours)), ours_handled = handled;
    const MPI_Comm ours_of = handled_of;
    handled = 0;
    handled_of = MPI_COMM_NULL;
    const int theirs_class = class_of(invoke(theirs));
    if (ours_class == theirs_class && ours_handled == handled && ours_of == handled_of) return;
    fault(what);
    std::printf("  class %d, native %d; handled %d times, native %d\n", ours_class, theirs_class,
                ours_handled, handled);
  }

  // What is wrong is wrong on every rank, so that none waits for another.
  void all_cases() {
    std::vector<int> in(64, rank_), out(64);
    const auto allreduce = [&](const char* what, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
      both(what, &MPI_Allreduce, NATIVE(Allreduce),
           [&](auto* f) { return f(in.data(), out.data(), count, type, op, comm); });
    };
    allreduce("a negative count", -1, MPI_INT, MPI_SUM, comm_);
    allreduce("no datatype", 4, MPI_DATATYPE_NULL, MPI_SUM, comm_);
    allreduce("no operation", 4, MPI_INT, MPI_OP_NULL, comm_);
    allreduce("bits of floating point", 4, MPI_DOUBLE, MPI_BAND, comm_);
    allreduce("no communicator", 4, MPI_INT, MPI_SUM, MPI_COMM_NULL);
    for (const int root : {-7, size_}) {
      both("a root that there is not, of MPI_Bcast", &MPI_Bcast, NATIVE(Bcast),
           [&](auto* f) { return f(out.data(), 4, MPI_INT, root, comm_); });
      both("a root that there is not, of MPI_Reduce", &MPI_Reduce, NATIVE(Reduce),
           [&](auto* f) { return f(in.data(), out.data(), 4, MPI_INT, MPI_SUM, root, comm_); });
      both("a root that there is not, of MPI_Gather", &MPI_Gather, NATIVE(Gather),
           [&](auto* f) { return f(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, root, comm_); });
    }
    both("no datatype of MPI_Allgather", &MPI_Allgather, NATIVE(Allgather), [&](auto* f) {
      return f(in.data(), 1, MPI_INT, out.data(), 1, MPI_DATATYPE_NULL, comm_);
    });
    both("a negative count of MPI_Alltoall", &MPI_Alltoall, NATIVE(Alltoall),
         [&](auto* f) { return f(in.data(), -1, MPI_INT, out.data(), -1, MPI_INT, comm_); });
    both("no counts of MPI_Allgatherv", &MPI_Allgatherv, NATIVE(Allgatherv), [&](auto* f) {
      return f(in.data(), 1, MPI_INT, out.data(), nullptr, nullptr, MPI_INT, comm_);
    });
    MPI_Allreduce(in.data(), out.data(), 64, MPI_INT, MPI_SUM, comm_);
    if (out[63] != size_ * (size_ - 1) / 2) fault("a wrong sum after errors");
  }

  // The root sends more than the others have room for. The last of all: what is left of such a call
  // is nobody's business.
  void cut_off(MPI_Errhandler errhandler) {
    std::array<int, 64> data{};
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_errhandler(own, errhandler);
    handled = 0;
    const int code = MPI_Bcast(data.data(), rank_ == 0 ? 64 : 60, MPI_INT, 0, own);
    if (rank_ == 0) return;
    if (class_of(code) != MPI_ERR_TRUNCATE) fault("a message was cut off unnoticed");
    if (handled != 1 || handled_of != own) fault("the error handler was not called once");
  }

  MPI_Comm comm_{};
  int rank_ = 0, size_ = 0, faults_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  const int code = Program().run();
  MPI_Finalize();
  return code;
}
