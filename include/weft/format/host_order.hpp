// Host orders: which host each rank runs on, as launchers read it.
//
//   write_file("hosts", host_order_text(Launcher::hostfile, {"node03", "node01", "node02"}));
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft::format {

/// A new one is a value here and a row of host_order.cpp.
enum class Launcher : std::uint8_t {
  openmpi_rankfile,  // rank 0=node03 slot=0
  hostfile,          // Open MPI's: node03 slots=1
  slurm,             // the file that SLURM_HOSTFILE names: a host a rank
  mpich,             // node03:1
  torchrun,          // a host and the command that begins its processes
};

/// "openmpi-rankfile, hostfile, slurm, mpich or torchrun".
std::string launcher_names();
/// One of these names, in any case. Throws InvalidInput.
Launcher parse_launcher(std::string_view name);
std::string_view name_of(Launcher launcher);

/// The command that takes the file, for people.
std::string launch_command(Launcher launcher, std::string_view file, std::size_t ranks);

/// Throws InvalidInput for a name that no host has ("the host of rank 3 is called 'a;b'", `whose`
/// first): orders become commands of a shell. Letters, digits, '.', '-' (not first) and '_' make
/// names, and ":5" behind one is a slot.
void require_host_name(std::string_view whose, std::string_view name);

/// The file's text: rank r runs on hosts[r]. A GPU or core of a box may be called by the box's name
/// and its number, "node03:5"; then the box is the host, and this its slot. Throws InvalidInput for
/// a rank whose host has no name, for what a launcher cannot be told (all but openmpi-rankfile and
/// slurm fill a host before the next, torchrun each with as many ranks, and only openmpi-rankfile
/// and torchrun take other slots of a host than the first ones in turn), and where some names have
/// numbers of slots and some have none, and for what require_host_name refuses.
std::string host_order_text(Launcher launcher, std::span<const std::string> hosts);

}  // namespace weft::format
