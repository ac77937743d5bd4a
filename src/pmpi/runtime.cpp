#include "pmpi/runtime.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "pmpi/communicator.hpp"
#include "pmpi/statistics.hpp"

namespace weft::pmpi {

namespace {

// MPI_Comm_create_keyval's functions of that name are objects of one MPI.
int copy_nothing(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

}  // namespace

// Of the attribute: the communicator goes.
int forget(MPI_Comm, int, void* value, void*);

std::atomic<Runtime*> current_runtime = nullptr;

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
// what its messages add up to. Counts of alltoallv are left to the calls that have them
// (counts.hpp).
std::string open_plan(Runtime& runtime, std::uint64_t& ends) {
  try {
    runtime.plan =
        std::make_unique<plan::MappedPlan>(runtime.settings.plan, plan::MatrixChecks::when_used);
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

// Whether MPI itself gives the processor away while it waits, as Open MPI does where mpirun knows
// of more ranks than processors. Twice is too often: each wait would take two turns of all others.
bool mpi_yields() {
  const MpiTable& m = mpi();
  int level = 0, index = 0, count = 0, value = 0;
  // The level that MPI_Init gave: Open MPI's MPI_Query_thread would tell another one after this.
  if (m.Query_thread(&level) != MPI_SUCCESS || m.T_init_thread(level, &level) != MPI_SUCCESS)
    return false;
  MPI_T_cvar_handle handle{};
  if (m.T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
      m.T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
    if (count != 1 || m.T_cvar_read(handle, &value) != MPI_SUCCESS) value = 0;
    m.T_cvar_handle_free(&handle);
  }
  m.T_finalize();
  return value != 0;
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

// Keeps the plan where all ranks have it and it is sound; false where they disagree on what to do.
bool agree(Runtime& runtime) {
  const Settings& settings = runtime.settings;
  std::uint64_t ends = 0;
  const std::string trouble = settings.plan.empty() ? "" : open_plan(runtime, ends);
  const unsigned long flags = (settings.verify ? 1u : 0u) | (settings.dry_run ? 2u : 0u) |
                              (settings.profile.empty() ? 0u : 4u) |
                              (static_cast<unsigned long>(settings.most_at_once_B) << 3);
  const unsigned long key = (runtime.plan == nullptr ? 0 : runtime.plan->hash() | 1) ^ (flags << 1);
  const int first = first_in_trouble(!trouble.empty(), runtime.rank, runtime.size);
  const bool tells = settings.log > 0;
  if (first < runtime.size) {
    if (runtime.rank == first && tells) say(trouble + "; all collectives run natively");
    runtime.plan.reset();
    return all_alike(flags);
  }
  if (!all_alike(key)) {
    if (runtime.rank == 0 && tells)
      say("WEFT_PLAN, WEFT_VERIFY, WEFT_DRY_RUN, WEFT_PROFILE or WEFT_MOST_AT_ONCE is not the same "
          "on all ranks, or the plan is not; all collectives run natively");
    return false;
  }
  if (runtime.plan == nullptr || all_ends_meet(runtime, ends)) return true;
  if (runtime.rank == 0 && tells)
    say("'" + settings.plan +
        "' is damaged: a rank waits for a message that no other rank sends; all collectives "
        "run natively");
  runtime.plan.reset();
  return true;
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
  const bool crowded = is_crowded();  // asked by all ranks, whatever each was told
  runtime.yields =
      yield == Yield::always || (yield == Yield::where_crowded && crowded && !mpi_yields());
  if (runtime.plan != nullptr && runtime.plan->has_hosts()) gather_hosts(runtime);
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
  const Settings& settings = made->settings;
  if (made->plan == nullptr && settings.profile.empty()) return;
  complete(*made);
  if (made->plan == nullptr) {
    if (made->rank == 0 && settings.log > 1) say("calls are counted, and run natively");
  } else if (made->rank == 0 && settings.log > 0 && made->size < made->plan->ranks()) {
    say("'" + settings.plan + "' needs " + std::to_string(made->plan->ranks()) +
        " ranks, but MPI_COMM_WORLD has " + std::to_string(made->size) +
        "; all collectives run natively");
  } else if (made->rank == 0 && settings.log > 1) {
    say("'" + settings.plan + "' serves communicators of " + std::to_string(made->plan->ranks()) +
        " ranks");
  }
  current_runtime.store(made.release(), std::memory_order_release);
}

namespace {

// Through a file beside it, so that none is half-written.
void write_profile(const Runtime& runtime, const std::string& lines) {
  const std::string& path = runtime.settings.profile;
  const std::string beside = path + ".part";
  std::FILE* file = std::fopen(beside.c_str(), "w");
  bool is_written = file != nullptr;
  if (is_written) {
    is_written = std::fprintf(file, "weft profile 1\nranks\t%d\n", runtime.size) > 0 &&
                 std::fwrite(lines.data(), 1, lines.size(), file) == lines.size();
    is_written = std::fclose(file) == 0 && is_written;
  }
  is_written = is_written && std::rename(beside.c_str(), path.c_str()) == 0;
  if (!is_written && runtime.settings.log > 0)
    say("cannot write '" + path + "': " + std::strerror(errno));
}

// Of all ranks, by rank 0.
void gather_profile(const Runtime& runtime) {
  const MpiTable& m = mpi();
  const std::string mine = profile_lines(runtime.rank);
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(runtime.size)), places(lengths.size());
  m.Gather(&length, 1, m.int_, lengths.data(), 1, m.int_, 0, runtime.wire);
  for (std::size_t rank = 1; rank < places.size(); ++rank)
    places[rank] = places[rank - 1] + lengths[rank - 1];
  std::string all(static_cast<std::size_t>(places.back() + lengths.back()), ' ');
  m.Gatherv(mine.data(), length, m.byte, all.data(), lengths.data(), places.data(), m.byte, 0,
            runtime.wire);
  if (runtime.rank == 0) write_profile(runtime, all);
}

}  // namespace

void end() {
  Runtime* ending = current_runtime.exchange(nullptr);
  if (ending == nullptr) return;
  if (ending->rank == 0 && (ending->settings.stats || ending->settings.dry_run))
    print_statistics(ending->settings.dry_run);
  if (!ending->settings.profile.empty()) gather_profile(*ending);
  mpi().Comm_free(&ending->wire);
  // The plan stays mapped and the rest allocated: attributes that MPI_Finalize deletes refer to it.
}

}  // namespace weft::pmpi
