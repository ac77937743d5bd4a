// A collective of one's own for ASTRA-sim: everything that one run of it needs but the network.
//
//   PREFIX.RANK.et            the schedule, as Chakra's trace of each rank
//   PREFIX-system.json        names the schedule as the implementation of its collective
//   PREFIX-workload.RANK.et   one call of the collective
//   PREFIX-groups.json        the communicator group of that call: all ranks
//
// ASTRA-sim takes the sizes of messages from the schedule's traces and not from the call, so a file
// is for one size. It opens PREFIX relative to the folder in which it is started.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/format/execution_trace.hpp"

namespace weft::format {

namespace {

constexpr std::string_view kGroup = "1";  // ASTRA-sim reads a group's name as a number

// The collectives that ASTRA-sim takes an implementation for, by the name of their key.
std::string_view key_of(const Program& program) {
  constexpr std::array<std::pair<CollectiveKind, std::string_view>, 4> kKeys{
      {{CollectiveKind::allreduce, "all-reduce-implementation-custom"},
       {CollectiveKind::allgather, "all-gather-implementation-custom"},
       {CollectiveKind::reduce_scatter, "reduce-scatter-implementation-custom"},
       {CollectiveKind::alltoall, "all-to-all-implementation-custom"}}};
  require(program.collective().has_value(),
          "'{}' is not a proven collective, which ASTRA-sim needs; export a schedule",
          program.name());
  for (const auto& [kind, key] : kKeys)
    if (kind == program.collective()->kind) return key;
  reject(
      "ASTRA-sim does not support implementations of {}; use allreduce, allgather, "
      "reduce-scatter or alltoall, or --to chakra",
      name_of(program.collective()->kind));
}

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(2) + '\n';
}

std::string system_of(std::string_view key, const std::string& prefix) {
  return text_of({{"scheduling-policy", "FIFO"},
                  {"preferred-dataset-splits", 1},
                  {"local-mem-bw", 50},
                  {std::string(key), {prefix}}});
}

std::string groups_of(std::int32_t ranks) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return nlohmann::json{{std::string(kGroup), all}}.dump() + '\n';
}

std::string call_of(const Program& program, std::int32_t rank) {
  RankTrace trace;
  trace.add({.id = 0,
             .kind = TraceKind::collective,
             .collective = program.collective()->kind,
             .group = 0,
             .bytes = program.size_B()},
            name_of(program.collective()->kind), {});
  return encode(trace, rank, std::vector<TraceGroup>{{std::string(kGroup), {}}});
}

std::vector<File> write_collective(const Program& program, const ProgramTarget& target) {
  require_equal_blocks(program, "a collective of ASTRA-sim's");
  const std::string_view key = key_of(program);
  const std::string workload = target.path + "-workload";
  require_no_longer_trace(workload, program.ranks());
  std::vector<File> files = find_format("chakra").write_program(program, target);
  for (std::int32_t rank = 0; rank < program.ranks(); ++rank)
    files.push_back({trace_file(workload, rank), call_of(program, rank)});
  files.push_back({target.path + "-system.json", system_of(key, target.path)});
  files.push_back({target.path + "-groups.json", groups_of(program.ranks())});
  return files;
}

}  // namespace

Format astra_sim_collective() {
  return {.name = "astra-sim-collective",
          .summary =
              "ASTRA-sim's custom collective: Chakra traces FILE.RANK.et, a workload that "
              "calls it, FILE-system.json and FILE-groups.json",
          .loses = "sizes other than the one exported: ASTRA-sim takes sizes from the files",
          .write_program = write_collective,
          .has_prefix = true};
}

}  // namespace weft::format
