// Which algorithm a collective library runs by default, by the rules that it ships with.
//
//   const LibraryChoice choice = choose("openmpi-4.1", {.collective = CollectiveKind::allreduce,
//                                                       .ranks = 16, .nodes = 16, .per_node = 1,
//                                                       .size_B = 8192});
//   choice.native;      // "reduce-scatter and allgather (6)"
//   choice.algorithm(); // "rabenseifner-nearest"
//
// A library that works in levels (nodes first, then one leader of each node) makes a choice of
// several parts, one for each level, that run one after the other. Libraries of GPUs choose by a
// cost model of their own, whose terms are part of the choice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/algorithm/options.hpp"
#include "weft/libraries/gpu_boxes.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::libraries {

/// What a library knows of a call when it chooses.
struct LibraryCall {
  CollectiveKind collective = CollectiveKind::allreduce;
  std::int32_t ranks = 1, nodes = 1;
  std::int32_t per_node = 1;  // ranks of each node; of unequal nodes the most
  bool equal_nodes = true;    // each node has as many ranks, which are neighbours in rank order
  std::int64_t size_B = 0;    // --size: a block of allgather, alltoall, gather, scatter, else all
  std::int64_t element_B = 4;
  GpuBoxes gpus = {};  // of libraries that choose by it

  std::int64_t elements() const { return size_B / element_B; }
};

/// Which ranks run a part of a choice: all; those of each node, of the root's node alone, or of all
/// nodes but the root's; or one leader of each node, the root's leader being the root.
enum class LibraryLevel : std::uint8_t { all, node, root_node, other_nodes, leaders };

/// A collective that runs on one level as a step of the whole.
struct LibraryPart {
  LibraryLevel level = LibraryLevel::all;
  CollectiveKind collective = CollectiveKind::allreduce;
  /// Of the registry, or "binary-tree" and "split-binary-tree", which are known here alone.
  std::string algorithm;
  algorithm::AlgorithmOptions options = {};
  std::int64_t segments = 1;  // of the part's own pipeline
  bool stand_in = false;      // the library's own messages differ somewhat from the algorithm's
};

/// A part's algorithm that is known here alone: trees over boxes, see box_trees.hpp.
inline constexpr std::string_view kBoxTrees = "box-trees";

/// The terms of a GPU library's cost model for one call.
struct DeviceTerms {
  std::int64_t launch_ps = 0;               // once
  std::int64_t hop_ps = 0, network_ps = 0;  // a step within a box, and between boxes
  double bus_Bps = 0;                       // of all channels together
  double modelled_s = 0;                    // what the library itself expects
  bool in_chains = false;                   // trees whose boxes work as chains
  double share = 0;                         // of the network's own links, in place of bus_Bps; or 0
};

struct LibraryChoice {
  std::string native;  // in the library's own words
  /// One after the other. None where weft has no schedule that sends the same messages.
  std::vector<LibraryPart> parts = {};
  std::int64_t segments = 1;  // that pass through the parts in a row, each in a part at a time
  std::optional<DeviceTerms> device = {};

  bool has_stand_in() const;
  /// "recursive-doubling", "binomial + ring + binomial"; empty where there are no parts.
  std::string algorithm() const;
};

struct LibraryRules {
  std::string_view name;     // as --library has it
  std::string_view release;  // whose rules these are, and where they stand
  std::span<const CollectiveKind> collectives;
  bool of_gpus = false;
  /// Precondition: a collective that it has, of two ranks or more.
  LibraryChoice (*choose)(const LibraryCall& call) = nullptr;
};

/// All of them, in the order that messages name them in.
std::span<const LibraryRules> library_rules();
/// Case is ignored; null where no library has the name.
const LibraryRules* library_rules_or_null(std::string_view name);
/// Case is ignored. Throws InvalidInput with the known names.
const LibraryRules& find_library_rules(std::string_view name);
/// "nccl, openmpi-4.1, ...".
std::string library_names();
/// Throws InvalidInput, naming the collectives that there are rules for, where there are none for
/// this one.
void require_rules(const LibraryRules& rules, CollectiveKind collective);
/// Throws InvalidInput for an unknown library and for a collective without rules.
LibraryChoice choose(std::string_view library, const LibraryCall& call);

}  // namespace weft::libraries
