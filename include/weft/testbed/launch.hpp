// How an MPI is started across a testbed: over TCP, each rank on a host of its own name.
//
// docs/how-to/use-the-testbed.md says what each setting is for, and what goes wrong without it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/testbed/layout.hpp"

namespace weft::testbed {

enum class Mpi : std::uint8_t { openmpi, mpich };
std::string_view name_of(Mpi mpi);
/// Reads "openmpi" or "mpich". Throws InvalidInput.
Mpi parse_mpi(std::string_view name);
/// The launcher's name: mpirun.openmpi, mpiexec.mpich.
std::string_view launcher_of(Mpi mpi);

struct LaunchOptions {
  Mpi mpi = Mpi::openmpi;
  std::string launcher;              // its path
  std::string agent;                 // the path of agent_script()
  std::vector<std::string> preload;  // libraries, into ranks alone
  std::vector<std::string> program;  // with its arguments
  /// Variables that ranks are to have, beside those that are set.
  std::vector<std::pair<std::string, std::string>> variables = {};
};

/// A word as shells read it: between quotes where it has other than plain letters.
std::string shell_word(std::string_view word);

/// What runs a command on a host of the testbed, as ssh would: `agent HOST COMMAND...`. A host of
/// its own name keeps ranks from talking through memory.
std::string agent_script(const Layout& layout);

/// The command line that starts the program on all ranks, from the host of rank 0.
std::vector<std::string> launch_command(const Layout& layout, const LaunchOptions& options);

}  // namespace weft::testbed
