#include "exchange.hpp"

#include <algorithm>
#include <bit>

namespace weft::mpi_bench {

namespace {

// A stream of random bits for each rank (splitmix64; Steele, Lea, Flood, OOPSLA 2014).
std::uint32_t random_bits(std::uint64_t rank, std::uint64_t index) {
  std::uint64_t z = (rank + 1) * 0xD1B54A32D192ED03 + index * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

Element drawn(std::uint64_t rank, std::uint64_t index, MPI_Datatype type) {
  const std::uint32_t bits = random_bits(rank, index);
  if (type != MPI_FLOAT) return bits;
  return std::bit_cast<Element>(static_cast<float>(static_cast<int>(bits % 128) - 64));
}

}  // namespace

Exchange::Exchange(const World& world, const RunProgram& program)
    : world_(world), program_(program), native_(find_collective(program.collective)) {
  const std::string& name = program.collective;
  broadcast_ = native_ != nullptr && native_->one_buffer();
  rooted_ =
      native_ != nullptr && !broadcast_ && (native_->given.only_root || native_->wanted.only_root);
  const bool split = native_ != nullptr && native_->split();
  if (split && program.size % world.ranks != 0)
    refuse(world, "a " + name + " of " + std::to_string(program.size) +
                      " units cannot be divided evenly among " + std::to_string(world.ranks) +
                      " ranks; use a multiple");
  block_ = split ? program.size / world.ranks : program.size;
  find_ranges();
}

std::vector<UnitRange> Exchange::ranges_of(const Side& side) const {
  const std::int64_t n = world_.ranks, rank = world_.rank, size = program_.size;
  if (side.only_root && rank != program_.root) return {};
  std::vector<UnitRange> received;
  switch (side.part) {
    case Part::none:
      return {};
    case Part::row:
      return {{0, 0, size}};
    case Part::share:
      return {{0, rank * block_, block_}};
    case Part::own:
      return {{0, rank * size, size}};
    case Part::blocks:
      return {{0, 0, n * size}};
    case Part::sent:
      return {{0, rank * n * size, n * size}};
    case Part::received:
      for (std::int64_t from = 0; from < n; ++from)
        received.push_back({0, (from * n + rank) * size, size});
      return received;
  }
  return {};
}

void Exchange::find_ranges() {
  const UnitRange row{0, 0, program_.size};
  if (native_ != nullptr) {
    given_ = ranges_of(native_->given);
    wanted_ = ranges_of(native_->wanted);
  } else {
    if (world_.rank == program_.root) given_ = {row};
    if (world_.rank == program_.peer) wanted_ = {row};
  }
  for (UnitRange& range : wanted_) range.buffer = program_.result;
}

void Exchange::draw(std::int64_t elements, MPI_Datatype type) {
  const auto room = [&](const std::vector<UnitRange>& ranges) {
    std::int64_t units = 0;
    for (const UnitRange& range : ranges) units += range.count;
    return static_cast<std::size_t>(units * elements);
  };
  type_ = type;
  count_ = static_cast<int>(block_ * elements);
  input_.resize(room(given_));
  for (std::size_t i = 0; i < input_.size(); ++i)
    input_[i] = drawn(static_cast<std::uint64_t>(world_.rank), i, type);
  result_.assign(room(wanted_), 0);
  if (broadcast_ && world_.rank == program_.root) result_ = input_;
  both_.assign(std::max(input_.size(), result_.size()), 0);
}

void Exchange::call_with(const void* out, void* in) const {
  native_->call({out, in, count_, type_, program_.root});
}

void Exchange::call() {
  if (native_ != nullptr) return call_with(input_.data(), result_.data());
  MPI_Request sent = MPI_REQUEST_NULL;
  if (world_.rank == program_.root)
    MPI_Isend(input_.data(), count_, type_, program_.peer, 0, MPI_COMM_WORLD, &sent);
  if (world_.rank == program_.peer)
    MPI_Recv(result_.data(), count_, type_, program_.root, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

void Exchange::call_in_place() {
  const bool root = world_.rank == program_.root;
  if (native_ == nullptr || broadcast_ || (rooted_ && !root)) return call();
  if (rooted_ && native_->given.has_blocks())  // a scatter's root keeps its block where it is
    return call_with(input_.data(), MPI_IN_PLACE);
  call_with(MPI_IN_PLACE, both_.data());
}

}  // namespace weft::mpi_bench
