// The functions of MPI that this library puts before MPI's own, under both of their names: Open
// MPI's Fortran calls PMPI_..., so that both have to be here.
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <optional>

#include "pmpi/collective.hpp"
#include "pmpi/runtime.hpp"
#include "pmpi/statistics.hpp"
#include "pmpi/verify_call.hpp"

namespace weft::pmpi {

namespace {

// MPI calls its own functions by these names, too; what is within a call is MPI's business.
thread_local int depth = 0;

class Nesting {
 public:
  Nesting() { ++depth; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --depth; }
};

int size_class(std::int64_t size_B) {
  return size_B <= 0 ? 0 : 64 - __builtin_clzll(static_cast<unsigned long long>(size_B));
}

std::string ran(const Decision& decision) {
  if (decision.schedule < 0) return "native (" + std::string(decision.why) + ")";
  const plan::MappedPlan& plan = *runtime()->plan;
  return std::string(plan.name_of(plan.schedules()[static_cast<std::size_t>(decision.schedule)]));
}

double now_s() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// While it lives a call is made, which it counts.
class Counting {
 public:
  Counting(const Communicator& communicator, const Call& call, const Decision& decision)
      : key_{communicator.name, communicator.size, call.name, size_class(decision.size_B),
             ran(decision)},
        bytes_(static_cast<std::uint64_t>(decision.size_B)),
        begin_s_(now_s()) {}
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
  ~Counting() { count_call(std::move(key_), {1, bytes_, now_s() - begin_s_}); }

 private:
  CallKey key_;
  std::uint64_t bytes_;
  double begin_s_;
};

int perform_or_report(Communicator& communicator, const Call& call, const Decision& decision) {
  int code = MPI_SUCCESS;
  try {
    code = perform(communicator, call, decision);
  } catch (const std::exception& error) {
    // The others have begun, so that there is no way back for this rank alone.
    say(std::string(call.name) + ": " + error.what());
    mpi().Abort(communicator.user, 1);
  }
  if (code != MPI_SUCCESS) mpi().Comm_call_errhandler(communicator.user, code);
  return code;
}

template <class Native, class MakeCall>
int run(MPI_Comm comm, const Native& native, const MakeCall& make_call) {
  if (depth > 0 || runtime() == nullptr) return native();
  const Nesting nesting;
  Communicator* found = communicator(comm);
  if (found == nullptr) return native();
  const Settings& settings = runtime()->settings;
  const bool counts = settings.stats || settings.dry_run || !settings.profile.empty();
  if (!found->is_usable && !counts) return native();
  const Call call = make_call(*found);
  const Decision& decision = decide(*found, call);
  std::optional<Counting> counting;
  if (counts) counting.emplace(*found, call, decision);
  if (decision.schedule < 0 || settings.dry_run) return native();
  if (!settings.verify) return perform_or_report(*found, call, decision);
  return verify_call(
      *found, call, decision, [&] { return perform_or_report(*found, call, decision); }, native);
}

int begin_after(int code) {
  if (code != MPI_SUCCESS || depth > 0) return code;
  const Nesting nesting;
  begin();
  return code;
}

// A program of another MPI than this library's.
void complain_once() {
  static bool has_complained = false;
  if (has_complained || !mpi().is_there || mpi().is_right) return;
  has_complained = true;
  const BuiltFor& ours = built_for();
  if (ours.stops_others || read_settings(false).log > 0)
    say(std::string("this libweft-pmpi.so is for ") + ours.name +
        ", but the program runs another MPI; " + ours.advice);
  if (ours.stops_others) std::exit(1);
}

}  // namespace

}  // namespace weft::pmpi

using namespace weft::pmpi;  // NOLINT: this file's functions are MPI's

#define WEFT_EXPORT extern "C" __attribute__((visibility("default")))

// Both names of a function, its arguments in brackets twice: with types and without. They are
// called as the standard calls them, and so do headers, or clang-tidy asks why.
#define WEFT_WRAP(name, parameters, arguments, ...)                \
  static int weft_##name parameters {                              \
    const auto native = [&] { return mpi().name arguments; };      \
    return run(comm, native, [&](const Communicator& on) -> Call { \
      static_cast<void>(on);                                       \
      return Call __VA_ARGS__;                                     \
    });                                                            \
  }                                                                \
  WEFT_EXPORT int MPI_##name parameters {                          \
    return weft_##name arguments;                                  \
  }                                                                \
  WEFT_EXPORT int PMPI_##name parameters {                         \
    return weft_##name arguments;                                  \
  }

using weft::plan::Kind;

WEFT_WRAP(Allreduce,
          (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm),
          (sendbuf, recvbuf, count, datatype, op, comm),
          {.kind = Kind::allreduce,
           .name = "MPI_Allreduce",
           .in = sendbuf,
           .in_count = count,
           .in_type = datatype,
           .out = recvbuf,
           .out_count = count,
           .out_type = datatype,
           .op = op})

WEFT_WRAP(Reduce,
          (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm),
          (sendbuf, recvbuf, count, datatype, op, root, comm),
          {.kind = Kind::reduce,
           .name = "MPI_Reduce",
           .in = sendbuf,
           .in_count = count,
           .in_type = datatype,
           .out = recvbuf,
           .out_count = count,
           .out_type = datatype,
           .op = op,
           .root = root})

WEFT_WRAP(Reduce_scatter_block,
          (const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm),
          (sendbuf, recvbuf, recvcount, datatype, op, comm),
          {.kind = Kind::reduce_scatter,
           .name = "MPI_Reduce_scatter_block",
           .in = sendbuf,
           .in_count = recvcount,
           .in_type = datatype,
           .out = recvbuf,
           .out_count = recvcount,
           .out_type = datatype,
           .op = op})

namespace {

// All ranks know all counts.
std::int64_t sum_of(const int* counts, int size) {
  std::int64_t sum = 0;
  for (int i = 0; counts != nullptr && i < size; ++i) {
    if (counts[i] < 0) return -1;
    sum += counts[i];
  }
  return counts == nullptr ? -1 : sum;
}

}  // namespace

WEFT_WRAP(Reduce_scatter,
          (const void* sendbuf, void* recvbuf, const int* recvcounts, MPI_Datatype datatype,
           MPI_Op op, MPI_Comm comm),
          (sendbuf, recvbuf, recvcounts, datatype, op, comm),
          {.kind = Kind::reduce_scatter,
           .name = "MPI_Reduce_scatter",
           .in = sendbuf,
           .in_count = sum_of(recvcounts, on.size),
           .in_type = datatype,
           .out = recvbuf,
           .out_count = sum_of(recvcounts, on.size),
           .out_type = datatype,
           .op = op,
           .counts = recvcounts})

namespace {

// What barriers reduce; nobody looks at it.
thread_local unsigned char nothing = 0;

}  // namespace

// An allreduce of one byte: it reaches nobody before all have given theirs.
WEFT_WRAP(Barrier, (MPI_Comm comm), (comm),
          {.kind = Kind::allreduce,
           .name = "MPI_Barrier",
           .in = MPI_IN_PLACE,
           .in_count = 1,
           .in_type = mpi().byte,
           .out = &nothing,
           .out_count = 1,
           .out_type = mpi().byte,
           .op = mpi().bor})

WEFT_WRAP(Bcast, (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
          (buffer, count, datatype, root, comm),
          {.kind = Kind::broadcast,
           .name = "MPI_Bcast",
           .out = buffer,
           .out_count = count,
           .out_type = datatype,
           .root = root})

#define WEFT_TWO_SIDES(kind_, name_, ...)                                                    \
  {                                                                                          \
    .kind = kind_, .name = name_, .in = sendbuf, .in_count = sendcount, .in_type = sendtype, \
    .out = recvbuf, .out_count = recvcount, .out_type = recvtype __VA_ARGS__                 \
  }

WEFT_WRAP(Allgather,
          (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          WEFT_TWO_SIDES(Kind::allgather, "MPI_Allgather"))

WEFT_WRAP(Allgatherv,
          (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
           const int* recvcounts, const int* displs, MPI_Datatype recvtype, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
          {.kind = Kind::allgather,
           .name = "MPI_Allgatherv",
           .in = sendbuf,
           .in_count = sendcount,
           .in_type = sendtype,
           .out = recvbuf,
           .out_count = sum_of(!on.is_inter && displs != nullptr ? recvcounts : nullptr, on.size),
           .out_type = recvtype,
           .counts = recvcounts,
           .places = displs})

WEFT_WRAP(Alltoall,
          (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          WEFT_TWO_SIDES(Kind::alltoall, "MPI_Alltoall"))

// A rank knows what it sends and receives, and of other ranks nothing.
WEFT_WRAP(Alltoallv,
          (const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
           void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype,
           MPI_Comm comm),
          (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),
          {.kind = Kind::alltoall,
           .name = "MPI_Alltoallv",
           .in = sendbuf,
           .in_type = sendtype,
           .out = recvbuf,
           .out_count = sum_of(on.is_inter ? nullptr : recvcounts, on.size),
           .out_type = recvtype,
           .counts = recvcounts,
           .places = rdispls,
           .in_counts = sendcounts,
           .in_places = sdispls})

WEFT_WRAP(Gather,
          (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          WEFT_TWO_SIDES(Kind::gather, "MPI_Gather", , .root = root))

WEFT_WRAP(Scatter,
          (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          WEFT_TWO_SIDES(Kind::scatter, "MPI_Scatter", , .root = root))

static int init(int* argc, char*** argv) {
  complain_once();
  return begin_after(mpi().Init(argc, argv));
}
WEFT_EXPORT int MPI_Init(int* argc, char*** argv) {
  return init(argc, argv);
}
WEFT_EXPORT int PMPI_Init(int* argc, char*** argv) {
  return init(argc, argv);
}

static int init_thread(int* argc, char*** argv, int required, int* provided) {
  complain_once();
  return begin_after(mpi().Init_thread(argc, argv, required, provided));
}
WEFT_EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return init_thread(argc, argv, required, provided);
}
WEFT_EXPORT int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return init_thread(argc, argv, required, provided);
}

static int finalize() {
  {
    const Nesting nesting;
    end();
  }
  return mpi().Finalize();
}
WEFT_EXPORT int MPI_Finalize() {
  return finalize();
}
WEFT_EXPORT int PMPI_Finalize() {
  return finalize();
}
