#include "collectives.hpp"

#include <array>
#include <cstddef>

namespace weft::mpi_bench {

namespace {

constexpr std::int64_t kFloat_B = sizeof(float);

constexpr std::array kCollectives = {
    NativeCollective{"allreduce",
                     {Part::row},
                     {Part::row},
                     [](const CallBuffers& b) {
                       return MPI_Allreduce(b.out, b.in, b.count, b.type, MPI_SUM, MPI_COMM_WORLD);
                     }},
    NativeCollective{"reduce",
                     {Part::row},
                     {Part::row, true},
                     [](const CallBuffers& b) {
                       return MPI_Reduce(b.out, b.in, b.count, b.type, MPI_SUM, b.root,
                                         MPI_COMM_WORLD);
                     }},
    NativeCollective{"broadcast",
                     {Part::row, true},
                     {Part::row},
                     [](const CallBuffers& b) {
                       return MPI_Bcast(b.in, b.count, b.type, b.root, MPI_COMM_WORLD);
                     }},
    NativeCollective{"reduce-scatter",
                     {Part::row},
                     {Part::share},
                     [](const CallBuffers& b) {
                       return MPI_Reduce_scatter_block(b.out, b.in, b.count, b.type, MPI_SUM,
                                                       MPI_COMM_WORLD);
                     }},
    NativeCollective{"allgather",
                     {Part::own},
                     {Part::blocks},
                     [](const CallBuffers& b) {
                       return MPI_Allgather(b.out, b.count, b.type, b.in, b.count, b.type,
                                            MPI_COMM_WORLD);
                     }},
    NativeCollective{"gather",
                     {Part::own},
                     {Part::blocks, true},
                     [](const CallBuffers& b) {
                       return MPI_Gather(b.out, b.count, b.type, b.in, b.count, b.type, b.root,
                                         MPI_COMM_WORLD);
                     }},
    NativeCollective{"scatter",
                     {Part::blocks, true},
                     {Part::own},
                     [](const CallBuffers& b) {
                       return MPI_Scatter(b.out, b.count, b.type, b.in, b.count, b.type, b.root,
                                          MPI_COMM_WORLD);
                     }},
    NativeCollective{"alltoall",
                     {Part::sent},
                     {Part::received},
                     [](const CallBuffers& b) {
                       return MPI_Alltoall(b.out, b.count, b.type, b.in, b.count, b.type,
                                           MPI_COMM_WORLD);
                     }},
    NativeCollective{
        "barrier", {}, {}, [](const CallBuffers&) { return MPI_Barrier(MPI_COMM_WORLD); }}};

std::int64_t rounded_up(std::int64_t size_B, std::int64_t to_B) {
  return (size_B + to_B - 1) / to_B * to_B;
}

}  // namespace

const NativeCollective* find_collective(std::string_view name) {
  for (const NativeCollective& each : kCollectives)
    if (name == each.name) return &each;
  return nullptr;
}

std::string collective_names() {
  std::string names;
  for (const NativeCollective& each : kCollectives)
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

std::optional<CollectiveCall> CollectiveCall::find(const std::string& name, const World& world,
                                                   std::int64_t size_B) {
  const NativeCollective* const found = find_collective(name);
  if (found == nullptr) return std::nullopt;
  CollectiveCall made;
  if (name != "barrier")
    made.size_B_ = rounded_up(size_B, found->split() ? kFloat_B * world.ranks : kFloat_B);
  const std::int64_t floats = made.size_B_ / kFloat_B;
  made.out_.resize(static_cast<std::size_t>(floats * (found->given.has_blocks() ? world.ranks : 1)),
                   1);
  made.in_.resize(static_cast<std::size_t>(floats * (found->wanted.has_blocks() ? world.ranks : 1)),
                  1);
  const int count = static_cast<int>(found->split() ? floats / world.ranks : floats);
  // The buffers stay where they are when the vectors move.
  const CallBuffers buffers{made.out_.data(), made.in_.data(), count, MPI_FLOAT, 0};
  made.call_ = [call = found->call, buffers] { call(buffers); };
  return made;
}

}  // namespace weft::mpi_bench
