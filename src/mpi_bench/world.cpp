#include "world.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace weft::mpi_bench {

void refuse(const World& world, const std::string& why) {
  if (world.first()) std::fprintf(stderr, "weft-bench: %s\n", why.c_str());
  MPI_Finalize();
  std::exit(2);
}

void refuse_faults(const World& world, const std::string& fault, int code) {
  const int own = fault.empty() ? world.ranks : world.rank;
  int first = 0;
  MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == world.ranks) return;
  if (world.rank == first) std::fprintf(stderr, "weft-bench: %s\n", fault.c_str());
  MPI_Finalize();
  std::exit(code);
}

std::string from_first(const World& world, std::string text) {
  std::int64_t length = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&length, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
  (void)world;
  return text;
}

std::string library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string whole(text.data());
  whole.resize(std::min(whole.find_first_of(",\n"), whole.size()));
  for (char& letter : whole)
    if (letter == '\t') letter = ' ';
  return whole;
}

std::string hosts(const World& world) {
  std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
  int length = 0;
  MPI_Get_processor_name(own.data(), &length);
  std::vector<char> all(world.first() ? own.size() * static_cast<std::size_t>(world.ranks) : 0);
  MPI_Gather(own.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all.data(), MPI_MAX_PROCESSOR_NAME,
             MPI_CHAR, 0, MPI_COMM_WORLD);
  std::string names;
  for (std::size_t at = 0; at < all.size(); at += own.size()) names += ' ' + std::string(&all[at]);
  return names;
}

}  // namespace weft::mpi_bench
