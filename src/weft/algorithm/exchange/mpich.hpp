// The broadcast that MPICH would choose, as a baseline.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// Above these sizes MPICH leaves the binomial tree, and recursive doubling.
inline constexpr std::int64_t kMpichShortBytes = 12'288, kMpichMediumBytes = 524'288;
/// Below so many ranks it always takes the binomial tree.
inline constexpr std::int32_t kMpichFewestRanks = 8;

/// The registry's name of MPICH's choice: "binomial" up to 12,288 bytes or below 8 ranks,
/// "scatter-doubling" up to 524,288 bytes on a power of two of ranks, else "scatter-allgather"
/// (a ring): the sizes themselves belong to the former, as in the table of MPI_Bcast in MPICH 4
/// (maint/tuning/coll/mpir/generic.json: avg_msg_size<=12288, <=524288). Its MPI_Ibcast compares
/// with < (src/mpi/coll/mpir_coll_sched_auto.c). Source: Thakur, Rabenseifner, Gropp, "Optimization
/// of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005; Dorier et al., CLUSTER
/// 2016, section II-B.
std::string_view mpich_broadcast_choice(std::int32_t ranks, std::int64_t size_B);

/// The schedule of that choice.
schedule::Schedule mpich_broadcast(std::int32_t ranks, schedule::Rank root, std::int64_t size_B);

}  // namespace weft::algorithm
