#include "pmpi/counts.hpp"

#include <atomic>
#include <bit>
#include <span>
#include <string>

#include "pmpi/mpi/types.hpp"
#include "pmpi/runtime.hpp"
#include "pmpi/settings.hpp"
#include "weft/plan_reader/mapped_plan.hpp"

namespace weft::pmpi {

using plan::Kind;

namespace {

using Starts = std::span<const std::int64_t>;

// Any number where the counts are damaged; they may not have been checked.
std::int64_t size_of(Starts starts, std::int64_t block) {
  const auto at = static_cast<std::size_t>(block);
  std::int64_t size = 0;
  return __builtin_sub_overflow(starts[at + 1], starts[at], &size) ? -1 : size;
}

// Elements that a rank sends to each rank or receives from it, as bytes.
struct Counted {
  const int* counts;
  std::int64_t size;  // of an element; negative where the counts are of no use

  bool is(int rank, std::int64_t bytes) const {
    std::int64_t own = 0;
    return counts[rank] >= 0 && !__builtin_mul_overflow(counts[rank], size, &own) && own == bytes;
  }
};

Counted counted(const int* counts, const int* places, MPI_Datatype type) {
  const bool is_given = counts != nullptr && places != nullptr && type != mpi().type_null;
  return {counts, is_given ? type_info(type).size : -1};
}

std::int32_t range_of_row(const Communicator& communicator, const Call& call) {
  const plan::MappedPlan& plan = *runtime()->plan;
  // All ranks find the same range. If arguments are invalid, the MPI reports the error on all.
  if (call.out_count < 0 || call.out_type == mpi().type_null) return -1;
  const Counted received{call.counts, type_info(call.out_type).size};
  if (received.size < 0) return -1;
  const auto serves = [&](const plan::layout::RangeEntry& range) {
    const Starts starts = plan.starts(range);
    for (std::int32_t s = 0; s < communicator.size; ++s)
      if (!received.is(communicator.user_rank[static_cast<std::size_t>(s)], size_of(starts, s)))
        return false;
    return true;
  };
  for (std::size_t i = 0; i < plan.ranges().size(); ++i) {
    const plan::layout::RangeEntry& range = plan.ranges()[i];
    if (range.counts > 0 && range.kind == static_cast<std::uint32_t>(call.kind) && serves(range))
      return static_cast<std::int32_t>(i);
  }
  return -1;
}

bool serves(const Communicator& communicator, Starts starts, const Counted& sent,
            const Counted& received) {
  const std::int64_t ranks = communicator.size, me = communicator.me;
  for (std::int64_t s = 0; s < ranks; ++s) {
    const int rank = communicator.user_rank[static_cast<std::size_t>(s)];
    if (!sent.is(rank, size_of(starts, me * ranks + s)) ||
        !received.is(rank, size_of(starts, s * ranks + me)))
      return false;
  }
  return true;
}

bool is_sound(const plan::layout::RangeEntry& range) {
  try {
    runtime()->plan->check_blocks(range);
    return true;
  } catch (const plan::BadPlan& error) {
    static std::atomic_flag is_said = ATOMIC_FLAG_INIT;
    if (runtime()->settings.log > 0 && !is_said.test_and_set())
      say(std::string(error.what()) + "; calls with these counts run natively");
    return false;
  }
}

std::int32_t range_of_matrix(const Communicator& communicator, const Call& call) {
  const plan::MappedPlan& plan = *runtime()->plan;
  const Counted received = counted(call.counts, call.places, call.out_type);
  const Counted sent =
      call.in_place() ? received : counted(call.in_counts, call.in_places, call.in_type);
  const bool is_known = received.size >= 0 && sent.size >= 0;
  const auto is_matrix = [](const plan::layout::RangeEntry& range) {
    return range.counts > 0 && range.kind == static_cast<std::uint32_t>(Kind::alltoall);
  };
  unsigned long served = 0, bit = 1;
  static_assert(sizeof served * 8 >= plan::kMostMatrices);
  for (const plan::layout::RangeEntry& range : plan.ranges()) {
    if (!is_matrix(range)) continue;
    if (is_known && serves(communicator, plan.starts(range), sent, received) && is_sound(range))
      served |= bit;
    bit <<= 1;
  }
  // Every rank comes here, whatever its counts are.
  unsigned long by_all = 0;
  if (mpi().Allreduce(&served, &by_all, 1, mpi().unsigned_long, mpi().band, communicator.user) !=
          MPI_SUCCESS ||
      by_all == 0)
    return -1;
  int left = std::countr_zero(by_all);
  for (std::size_t i = 0; i < plan.ranges().size(); ++i)
    if (is_matrix(plan.ranges()[i]) && left-- == 0) return static_cast<std::int32_t>(i);
  return -1;
}

}  // namespace

std::int32_t range_of_counts(const Communicator& communicator, const Call& call) {
  if (!communicator.is_usable || !runtime()->plan->has_counts(call.kind)) return -1;
  return call.kind == Kind::alltoall ? range_of_matrix(communicator, call)
                                     : range_of_row(communicator, call);
}

}  // namespace weft::pmpi
