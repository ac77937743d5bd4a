// Formats: files of other systems that programs and networks are written to and read from.
//
//   const Format& format = find_format("simgrid-trace");
//   for (const File& file : format.write_program(program, {.path = "traces"}))
//     write_file(file.path, file.content);
//   const Program back = format.read_program({.path = "traces"});
//
// A format is one file of this room and a row of the registry in formats.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weft/base/file.hpp"
#include "weft/network/network.hpp"
#include "weft/program/program.hpp"
#include "weft/program/prove.hpp"
#include "weft/topology/import/import_notes.hpp"

namespace weft::format {

struct File {
  std::string path, content;
};

/// How a program is written.
struct ProgramTarget {
  std::string path;                   // of the first file; others have its name and more
  network::HostParameters host = {};  // the times of copies and reductions, where not free
  /// What a program performs that nobody has proved.
  std::optional<program::Claim> claim = {};
};

/// How a schedule is written for the GPUs that run it.
struct GpuTarget {
  std::string path;
  std::string profile = {};   // the reader of the file; empty: the format's usual one
  std::string protocol = {};  // how GPUs send; empty: the format's usual one
  std::string channel = {};   // what they send through, where formats know several; likewise
  int instances = 1;          // copies of the schedule, each on its share of the data
  /// Whether callers pass one buffer as input and output; nothing: either where possible.
  std::optional<bool> in_place = {};
  std::int64_t min_B = 0, max_B = 0;  // of the larger user buffer; a maximum of 0: no limit
  bool fuse = true;                   // a reception and the send of its data become one step
};

/// How a network is written.
struct NetworkTarget {
  std::string path;
  /// Both directions of a cable share its bandwidth, as where routes are symmetric.
  bool shared_cables = false;
  /// By rank, to whom it sends: routes of these alone. Nothing: of every rank to every other.
  std::optional<std::vector<std::set<std::int32_t>>> peers = {};
};

/// How a program is read.
struct ProgramSource {
  std::string path;
  double flops_per_s = 0;   // of a rank, where work is counted in operations; 0: nobody said so
  std::int64_t size_B = 0;  // of one call, for files that hold for any; 0: the least possible
  bool in_place = false;    // of files that serve calls in place, too: read as such
  std::optional<std::int32_t> root = {};  // of files that do not name it; nothing: who fits
  std::function<std::string(const std::string& path)> read = read_file;
  /// The files whose names may begin with a prefix; null: those that are there.
  std::function<std::vector<std::string>(const std::string& prefix)> list = {};
};

/// What a file of one collective says: a schedule, proved right, if one can say the same; else a
/// program at the size that was asked for; or what is wrong with it.
struct ReadCollective {
  std::variant<schedule::Verified, Program, program::ProgramFault> outcome;
  std::string note = {};  // why there is no schedule: one line
  /// Why the file's readers do not use it at ProgramSource::size_B; empty: they do, or no size was
  /// asked for.
  std::string size_note = {};
};

/// How a fabric is read.
struct FabricSource {
  std::string_view text;
  std::string file;  // for messages, and to name the network
  /// Cables up from a switch, of formats that name its parent alone: of all levels, or of each
  /// from the leaves up; none: one.
  std::vector<int> uplinks = {};
  topology::ImportOptions options = {};
};

/// A fabric as its file has it: hosts first, in the order of their names, then switches.
struct ImportedFabric {
  BuiltTopology network;
  /// InfiniBand's local identifiers of ports of hosts and of switches, with the ports' GUIDs (0
  /// where the file has none).
  struct Port {
    NodeId node;
    std::uint64_t guid = 0;
  };
  std::map<std::int32_t, Port> local_ids = {};
  std::map<std::uint64_t, NodeId> switches = {};   // by GUID
  std::vector<topology::ImportNote> remarks = {};  // what a user should know of the reading
};

/// What it cannot do is null. Writing throws InvalidInput for what the format cannot express,
/// reading for what is no such file, with the line.
struct Format {
  std::string name, summary;
  /// For users: what is known on one side and does not reach the other, in writing or in reading.
  std::string loses = {};
  std::vector<File> (*write_program)(const Program& program, const ProgramTarget& target) = nullptr;
  std::vector<File> (*write_schedule)(const schedule::Verified& verified,
                                      const GpuTarget& target) = nullptr;
  std::vector<File> (*write_network)(const Network& network, const NetworkTarget& target) = nullptr;
  /// Of write_network: nodes that the file calls otherwise, a text each.
  std::vector<std::string> (*renamed)(const Network& network) = nullptr;
  Program (*read_program)(const ProgramSource& source) = nullptr;
  /// What the files say that the program does, which nobody has proved.
  std::optional<program::Claim> (*read_claim)(const ProgramSource& source) = nullptr;
  /// Of a file that holds for any size.
  ReadCollective (*read_collective)(const ProgramSource& source) = nullptr;
  ImportedFabric (*read_fabric)(const FabricSource& source) = nullptr;
  /// Whether a text may be what read_program or read_fabric reads.
  bool (*recognises)(std::string_view text) = nullptr;
  /// Likewise of files that have no mark: asked where no format recognises the text.
  bool (*recognises_file)(std::string_view text, std::string_view file) = nullptr;
  bool takes_uplinks = false;  // it reads fabrics that do not say how many cables go up
  bool has_prefix = false;     // its files are called PREFIX and more; none may be PREFIX itself
  bool by_unit = false;        // schedules are written with one byte a unit, not at a size
  bool is_machine = false;     // it reads machines, whose cards may join boxes of them

  bool reads() const {
    return read_program != nullptr || read_collective != nullptr || read_fabric != nullptr;
  }
  /// For users: of "programs", "schedules" and "networks" those that it takes.
  std::string what_it_writes() const;
  std::string what_it_reads() const;
};

/// All formats, in the order of their names.
std::span<const Format> formats();
/// Case is ignored. Throws InvalidInput with the nearest names.
const Format& find_format(std::string_view name);

/// Puts the remarks in order, those that answers repeat first, and into the network's facets, with
/// which files keep them.
void keep_remarks(ImportedFabric& fabric);

/// The network in a text of any format that has networks, with the remarks in its facets. Throws
/// InvalidInput, led by `file`, for what is none.
BuiltTopology read_network(std::string_view text, const std::string& file,
                           const topology::ImportOptions& options = {});

/// From now on file:PATH in expressions reads such files, too.
void read_networks_in_expressions();

/// The format that reads the text; throws InvalidInput where none or several would.
const Format& recognise(std::string_view text, std::string_view file);

/// The fabric with the forwarding tables that dump_fts prints. Throws InvalidInput, with the line,
/// for what is no such text, and for tables of another fabric.
Topology with_forwarding(const ImportedFabric& fabric, std::string_view text,
                         const std::string& file);

/// The machine with these of its cards alone. Throws InvalidInput for a name that is none of them.
BuiltTopology with_cards(const BuiltTopology& machine, const std::vector<std::string>& names);

/// By rank, to whom it sends.
std::vector<std::set<std::int32_t>> peers_of(const Program& program);

/// Throws InvalidInput for a program with helpers, which a format of ranks cannot say.
void require_ranks_only(const Program& program, std::string_view format);
/// Likewise for one whose messages have routes of their own.
void require_no_paths(const Program& program, std::string_view format);
/// Likewise for one whose blocks have sizes of their own.
void require_equal_blocks(const Program& program, std::string_view format);

}  // namespace weft::format
