// MachineModel: what a machine is like, measured or known, as a file says it: --machine FILE.
//
//   summary = "..."                    and source, assumption (lists of texts): of profiles
//   [host]
//   startup = "1.2us"                  as --alpha; startup_receive, ports, copy_bandwidth,
//   reduce_bandwidth = "8GBps"         copy_large, reduce_bandwidth, reduce_large, first_touch,
//                                      exchange, latency (of hosts), rendezvous, eager_copy,
//                                      launch, skew, loopback and release as their options
//   [links.all]                        or [links.CLASS], of a class of links
//   bandwidth = "100Gbps"              measured: whatever the network's own file says
//   latency = "500ns"
//   [links.all]                        or, of links whose speed is left open:
//   line_rate = "100Gbps"
//   payload = 0.97                     share of the line rate, or of the file's rate, for data
//   latency = "30ns"                   of a cable
//   switch_latency = "130ns"           of the switch that it leads to
//   [[links.all.sizes]]                messages of this size and more
//   from = "16KiB"
//   latency = 3.1                      factors, as --factors
//   bandwidth = 0.94
//   [measured]
//   where = "two nodes of ..., Open MPI 4.1.4"
//   files = ["latency.txt"]
//   from = "1B"                        smallest and largest message
//   to = "4MiB"
//   [intervals]                        what the measurements leave open
//   startup = ["0s", "1.9us"]
//   "links.all.latency" = ["0s", "1.9us"]
//
// All of it may be left out (docs/reference/machine-files.md has the defaults). It stands for
// options: each table is read into the values of the fields that the options set, beneath those
// that were said. Profiles of machines that weft knows lie in share/machines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/shipped.hpp"
#include "weft/fields/value.hpp"
#include "weft/schedule/message_sizes.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/topology.hpp"

namespace weft::fields {

/// The sizes of the messages that were measured, bytes.
struct MeasuredSizes {
  std::int64_t first_B = 0, last_B = 0;
};

inline constexpr ShippedFiles kMachines{"WEFT_MACHINES", "machines", "machine"};
/// The machine that costs nothing but what the papers' formulas count: no profile at all.
inline constexpr std::string_view kIdeal = "ideal";
/// The machine of networks that name none.
inline constexpr std::string_view kGeneric = "generic";
/// The machine of rail:... networks and of files whose links join GPUs.
inline constexpr std::string_view kGpus = topology::kGpuMachine;

/// Where a machine's name is from.
enum class MachineOrigin : std::uint8_t { option, environment, network, by_default };
/// "--machine", "WEFT_MACHINE", "the network", "default".
std::string_view name_of(MachineOrigin origin);

/// A class of links that a machine file has a table for, or "all".
struct MachineLinks {
  std::string name;
  int line = 0;           // of the table
  bool measured = false;  // it has a measured bandwidth, so the network must have the class
  // Whether the file sets the bandwidth and the latency, here or in [links.all]; else they are
  // weft's defaults.
  bool sets_bandwidth = false, sets_latency = false;
};

struct MachineModel {
  std::string path;   // as it was named
  Values values;      // link, factors, alpha, ...: text as options have it
  std::string where;  // it was measured; may be empty
  std::optional<MeasuredSizes> measured = {};
  std::vector<MachineLinks> classes = {};      // in the order of the file, "all" apart
  std::optional<MachineLinks> all_links = {};  // [links.all]
  std::string summary = {};  // of a profile, in a line; sources and assumptions of it
  std::vector<std::string> sources = {}, assumptions = {};
  MachineOrigin origin = MachineOrigin::option;
  bool is_file = false;   // the user's own file, not a profile
  std::string note = {};  // why it is used for the network's hardware, which differs from its own
  bool others_as_generic = false;  // links of classes without a table have the speed of generic

  /// The table that sets the speed of this class: its own, else [links.all]. Null if the class has
  /// the speed of generic.
  const MachineLinks* table_of(std::string_view link_class) const;
  bool has_speed_of(std::string_view link_class) const { return table_of(link_class) != nullptr; }
  /// Whether a table of links sets the speed of a class of the topology, or it has no such tables.
  bool sets_links_of(const Topology& topology) const;
};

/// The profiles that weft ships, by name. Throws InvalidInput.
std::vector<MachineModel> machine_profiles();
struct Field;
/// Whether machines set the field, so that its default is the machine's.
bool is_set_by_machines(const Field& field);
/// Whether the field is what a host pays for sums: reduce-bandwidth, reduce-large or first-touch.
bool is_cost_of_sums(std::string_view field);
/// A profile of that name, or the user's own file. Throws InvalidInput for neither. If a file has
/// no [links.all], links of classes without a table have the speed of generic.
MachineModel find_machine(const std::string& name_or_path);
/// Which machine a network has where the user names none: that of WEFT_MACHINE, of the first
/// network:NAME or rail:... in the expression, the one that a file names, "gpus" for a file with
/// links between GPUs, the profile of InfiniBand at the rate of most cables of hosts in a file, or
/// the nearest below, else "generic". Null for "ideal".
std::optional<MachineModel> default_machine(std::string_view topology);

/// Throws InvalidInput with the line of what is wrong, and the nearest entry for an unknown one.
MachineModel parse_machine_model(std::string_view text, const std::string& path);

/// Whether the text of link or link-default has a part for all classes: "BW,LAT;global=BW,LAT".
bool has_part_for_all(std::string_view links);
/// Whether it has a part for this class.
bool has_part_of(std::string_view links, std::string_view link_class);

/// Adds the machine's values where `said` has none. Links that are given by class are added to the
/// machine's, and a latency that is given replaces those of its measured links. Returns the
/// names of the fields that replaced a value of the machine's file: a host cost that the file has,
/// and link, link-default or latency where the file has a table for a class that they set.
std::vector<std::string> put_beneath(const MachineModel& machine, Values& said);

/// Throws InvalidInput, with the line, where the machine has a measured class of links that the
/// topology lacks, or any class that neither the topology nor another network of weft has: the
/// profiles of machines have defaults for the classes of several networks.
void require_classes(const MachineModel& machine, const Topology& topology);
/// Likewise for a class that no network of weft has, before there is a network.
void require_classes(const MachineModel& machine);
/// Names the tables of a user's file, with their lines, whose classes the topology lacks; empty for
/// profiles, which serve several networks, and where there is none.
std::string idle_tables_text(const MachineModel& machine, const Topology& topology);

/// What schedules send where a call is given `size_B`.
struct SentAt {
  std::int64_t size_B = 0;
  schedule::MessageSizes messages;
};

/// "messages down to 8KiB (at sizes up to 64KiB) lie outside what machine.toml was measured at
/// (64KiB to 1MiB)", in brackets the largest size that has smaller messages, or the smallest that
/// has larger ones; empty where no message does, or the file does not say.
std::string outside_text(const MachineModel& machine, std::span<const SentAt> sent);

}  // namespace weft::fields

namespace weft {
using fields::MachineModel;
}  // namespace weft
