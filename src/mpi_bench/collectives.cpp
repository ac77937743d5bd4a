#include "collectives.hpp"

#include <array>
#include <cstddef>

namespace weft::mpi_bench {

namespace {

constexpr std::int64_t kFloat_B = sizeof(float);

struct Buffers {
  const float* out;
  float* in;
};

struct Collective {
  const char* name;
  bool blocks_out, blocks_in;               // a block for each rank, on either side
  bool split;                               // the size is cut into a block for each rank
  int (*call)(Buffers buffers, int count);  // count: floats of the size, of a block where split
};

constexpr std::array kCollectives = {
    Collective{"allreduce", false, false, false,
               [](Buffers b, int count) {
                 return MPI_Allreduce(b.out, b.in, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
               }},
    Collective{"reduce", false, false, false,
               [](Buffers b, int count) {
                 return MPI_Reduce(b.out, b.in, count, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
               }},
    Collective{
        "broadcast", false, false, false,
        [](Buffers b, int count) { return MPI_Bcast(b.in, count, MPI_FLOAT, 0, MPI_COMM_WORLD); }},
    Collective{"reduce-scatter", false, false, true,
               [](Buffers b, int count) {
                 return MPI_Reduce_scatter_block(b.out, b.in, count, MPI_FLOAT, MPI_SUM,
                                                 MPI_COMM_WORLD);
               }},
    Collective{"allgather", false, true, false,
               [](Buffers b, int count) {
                 return MPI_Allgather(b.out, count, MPI_FLOAT, b.in, count, MPI_FLOAT,
                                      MPI_COMM_WORLD);
               }},
    Collective{"gather", false, true, false,
               [](Buffers b, int count) {
                 return MPI_Gather(b.out, count, MPI_FLOAT, b.in, count, MPI_FLOAT, 0,
                                   MPI_COMM_WORLD);
               }},
    Collective{"scatter", true, false, false,
               [](Buffers b, int count) {
                 return MPI_Scatter(b.out, count, MPI_FLOAT, b.in, count, MPI_FLOAT, 0,
                                    MPI_COMM_WORLD);
               }},
    Collective{"alltoall", true, true, false,
               [](Buffers b, int count) {
                 return MPI_Alltoall(b.out, count, MPI_FLOAT, b.in, count, MPI_FLOAT,
                                     MPI_COMM_WORLD);
               }},
    Collective{"barrier", false, false, false,
               [](Buffers, int) { return MPI_Barrier(MPI_COMM_WORLD); }}};

std::int64_t rounded_up(std::int64_t size_B, std::int64_t to_B) {
  return (size_B + to_B - 1) / to_B * to_B;
}

}  // namespace

std::string collective_names() {
  std::string names;
  for (const Collective& each : kCollectives)
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

std::optional<CollectiveCall> CollectiveCall::find(const std::string& name, const World& world,
                                                   std::int64_t size_B) {
  for (const Collective& each : kCollectives) {
    if (name != each.name) continue;
    CollectiveCall made;
    if (name != "barrier")
      made.size_B_ = rounded_up(size_B, each.split ? kFloat_B * world.ranks : kFloat_B);
    const std::int64_t floats = made.size_B_ / kFloat_B;
    made.out_.resize(static_cast<std::size_t>(floats * (each.blocks_out ? world.ranks : 1)), 1);
    made.in_.resize(static_cast<std::size_t>(floats * (each.blocks_in ? world.ranks : 1)), 1);
    const Buffers buffers{made.out_.data(), made.in_.data()};  // stay there when the vectors move
    const int count = static_cast<int>(each.split ? floats / world.ranks : floats);
    made.call_ = [call = each.call, buffers, count] { call(buffers, count); };
    return made;
  }
  return std::nullopt;
}

}  // namespace weft::mpi_bench
