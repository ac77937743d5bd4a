// How an MPI is started across a testbed: over TCP, each rank on a host of its own name.
//
// docs/how-to/use-the-testbed.md says what each setting is for, and what goes wrong without it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/testbed/layout.hpp"

namespace weft::testbed {

struct LaunchOptions;

/// An MPI library that programs of weft are built for and testbeds start. A new one is an entry of
/// launch.cpp, where cmake/Mpis.cmake finds its name.
struct Mpi {
  std::string_view name;      // also of its compiler: mpicxx.NAME
  std::string_view launcher;  // its program
  /// The launcher's arguments that start the ranks over TCP, without the program.
  std::vector<std::string> (*arguments)(const Layout&, const LaunchOptions&);
};

/// The default first.
std::span<const Mpi> mpis();
/// "openmpi or mpich".
std::string mpi_names();
/// Throws InvalidInput for a name that none has.
const Mpi& find_mpi(std::string_view name);

struct LaunchOptions {
  const Mpi* mpi = &mpis().front();
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
