#include "pmpi/runtime.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "pmpi/communicator.hpp"
#include "pmpi/statistics.hpp"

namespace weft::pmpi {

namespace {

// Read at every call, by all threads; set before any may call.
std::atomic<Runtime*> current = nullptr;

// MPI_Comm_create_keyval's functions of that name are objects of one MPI.
int copy_nothing(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

}  // namespace

// Of the attribute: the communicator goes.
int forget(MPI_Comm, int, void* value, void*);

Runtime* runtime() {
  return current.load(std::memory_order_acquire);
}

namespace {

// What each rank brings: the greatest of each word shows whether all are alike.
struct Word {
  unsigned long value, complement;
};

bool all_alike(unsigned long value) {
  Word mine{value, ~value}, most{};
  mpi().Allreduce(&mine, &most, 2, mpi().unsigned_long, mpi().max, mpi().comm_world);
  return most.value == ~most.complement;
}

// Whether each message of the plan has both its ends, in the programs that ranks read.
bool all_ends_meet(const Runtime& runtime, std::uint64_t ends) {
  // Else some programs are read by several, or by none.
  const bool reads = runtime.rank < runtime.plan->ranks();
  if (runtime.size < runtime.plan->ranks()) return true;
  const unsigned long mine = reads ? ends : 0;
  unsigned long sum = 0;
  mpi().Allreduce(&mine, &sum, 1, mpi().unsigned_long, mpi().sum, mpi().comm_world);
  return sum == 0;
}

// The least rank that has trouble, or the number of ranks.
int first_in_trouble(bool trouble, int rank, int size) {
  int mine = trouble ? rank : size, first = size;
  mpi().Allreduce(&mine, &first, 1, mpi().int_, mpi().min, mpi().comm_world);
  return first;
}

// With its rank's programs, so that what is damaged is found before anybody runs them; `ends` is
// what its messages add up to.
std::string open_plan(Runtime& runtime, std::uint64_t& ends) {
  try {
    runtime.plan = std::make_unique<plan::MappedPlan>(runtime.settings.plan);
    const plan::MappedPlan& plan = *runtime.plan;
    for (std::int32_t schedule = 0; schedule < std::ssize(plan.schedules()); ++schedule)
      ends += plan.ends(schedule, runtime.rank % plan.ranks());
    return "";
  } catch (const std::exception& error) {
    runtime.plan.reset();
    return error.what();
  }
}

// Ranks of this process's host that run at once, against its processors.
bool is_crowded() {
  MPI_Comm host = mpi().comm_null;
  mpi().Comm_split_type(mpi().comm_world, MPI_COMM_TYPE_SHARED, 0, mpi().info_null, &host);
  int count = 1;
  mpi().Comm_size(host, &count);
  mpi().Comm_free(&host);
  return count > ::sysconf(_SC_NPROCESSORS_ONLN);
}

void gather_hosts(Runtime& runtime) {
  constexpr int kLength = 256;
  std::array<char, kLength + MPI_MAX_PROCESSOR_NAME> mine{};
  int length = 0;
  mpi().Get_processor_name(mine.data(), &length);
  mine[kLength - 1] = 0;
  std::vector<char> all(static_cast<std::size_t>(runtime.size) * kLength);
  mpi().Allgather(mine.data(), kLength, mpi().byte, all.data(), kLength, mpi().byte,
                  mpi().comm_world);
  for (int rank = 0; rank < runtime.size; ++rank)
    runtime.hosts.emplace_back(&all[static_cast<std::size_t>(rank) * kLength]);
}

bool agree(Runtime& runtime) {
  const Settings& settings = runtime.settings;
  std::uint64_t ends = 0;
  const std::string trouble = settings.plan.empty() ? "" : open_plan(runtime, ends);
  const unsigned long flags = (settings.verify ? 1u : 0u) | (settings.dry_run ? 2u : 0u);
  const unsigned long key = runtime.plan == nullptr ? 0 : (runtime.plan->hash() | 1) ^ (flags << 1);
  const int first = first_in_trouble(!trouble.empty(), runtime.rank, runtime.size);
  const bool tells = settings.log > 0;
  if (first < runtime.size) {
    if (runtime.rank == first && tells) say(trouble + "; all collectives run natively");
    return false;
  }
  if (!all_alike(key)) {
    if (runtime.rank == 0 && tells)
      say("WEFT_PLAN, WEFT_VERIFY or WEFT_DRY_RUN is not the same on all ranks, or the plan is "
          "not; all collectives run natively");
    return false;
  }
  if (runtime.plan == nullptr) return false;
  if (all_ends_meet(runtime, ends)) return true;
  if (runtime.rank == 0 && tells)
    say("'" + settings.plan +
        "' is damaged: a rank waits for a message that no other sends it so; all collectives run "
        "natively");
  return false;
}

void complete(Runtime& runtime) {
  const MpiTable& m = mpi();
  // Not a duplicate: tools that MPI_Init has let in may have attributes on the world.
  m.Comm_split(m.comm_world, 0, runtime.rank, &runtime.wire);
  m.Comm_set_errhandler(runtime.wire, m.errors_return);
  int* upper = nullptr;
  int is_set = 0;
  m.Comm_get_attr(m.comm_world, MPI_TAG_UB, &upper, &is_set);
  if (is_set != 0) runtime.most_tag = *upper;
  const Yield yield = runtime.settings.yield;
  const bool crowded = is_crowded();
  runtime.yields = yield == Yield::always || (yield == Yield::where_crowded && crowded);
  if (runtime.plan->has_hosts()) gather_hosts(runtime);
  m.Comm_create_keyval(copy_nothing, forget, &runtime.keyval, nullptr);
}

}  // namespace

void begin() {
  if (!mpi().is_right || runtime() != nullptr) return;
  auto made = std::make_unique<Runtime>();
  mpi().Comm_rank(mpi().comm_world, &made->rank);
  mpi().Comm_size(mpi().comm_world, &made->size);
  made->settings = read_settings(made->rank == 0);
  if (!agree(*made)) return;
  complete(*made);
  const Settings& settings = made->settings;
  if (made->rank == 0 && settings.log > 0 && made->size < made->plan->ranks())
    say("'" + settings.plan + "' is for " + std::to_string(made->plan->ranks()) +
        " ranks, and MPI_COMM_WORLD has " + std::to_string(made->size) +
        "; all collectives run natively");
  else if (made->rank == 0 && settings.log > 1)
    say("'" + settings.plan + "' serves communicators of " + std::to_string(made->plan->ranks()) +
        " ranks");
  current.store(made.release(), std::memory_order_release);
}

void end() {
  Runtime* ending = current.exchange(nullptr);
  if (ending == nullptr) return;
  if (ending->rank == 0 && (ending->settings.stats || ending->settings.dry_run))
    print_statistics(ending->settings.dry_run);
  mpi().Comm_free(&ending->wire);
  // The plan stays mapped and the rest allocated: attributes that MPI_Finalize deletes refer to it.
}

}  // namespace weft::pmpi
