#include "cli/foreign/import_answer.hpp"

#include <functional>
#include <string_view>
#include <vector>

#include "weft/answer/keys.hpp"
#include "weft/program/operations.hpp"
#include "weft/topology/facets.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

Parts<WrittenFile> written_parts() {
  constexpr PartOf<WrittenFile> part;
  return {part(keys::kFormat, &WrittenFile::format),
          part("output", "", Unit::none,
               "file that was written, or null if the file that was read is incorrect",
               &WrittenFile::output)};
}

std::optional<std::string_view> optional_name(const std::optional<CollectiveKind>& kind) {
  return kind ? std::optional(name_of(*kind)) : std::nullopt;
}

// What it is proved to be, and whether that is so; null, not false, where there is no proof.
template <class T>
Parts<T> proof_parts() {
  constexpr PartOf<T> part;
  return {
      part("collective", "", Unit::none, "collective that it is proved to be, or null",
           [](const T& imported) { return optional_name(imported.proved); }),
      part("proved", "", Unit::none, "true, or null if it was not proved",
           [](const T& imported) { return imported.proved ? std::optional(true) : std::nullopt; })};
}

}  // namespace

Parts<ImportedNetwork> imported_network_parts() {
  constexpr PartOf<ImportedNetwork> part;
  const auto of_topology = [](auto get) {
    return [get](const ImportedNetwork& imported) { return get(imported.topology()); };
  };
  return join(
      part.within(&ImportedNetwork::written, written_parts()),
      {part(keys::kHosts,
            of_topology([](const Topology& topology) { return topology.hosts().size(); })),
       part(keys::kSwitches,
            of_topology([](const Topology& topology) { return topology.switches().size(); })),
       part(keys::kCables,
            of_topology([](const Topology& topology) { return topology.cable_count(); })),
       part("routes", "", Unit::none, "whether it has forwarding tables",
            of_topology(
                [](const Topology& topology) { return topology.facets().tables != nullptr; })),
       part("family", "", Unit::none, "topology expression that --recognise found, or null",
            [](const ImportedNetwork& imported) {
              return imported.family->empty() ? std::nullopt : imported.family;
            })
           .when([](const ImportedNetwork& imported) { return imported.family.has_value(); }),
       part("remarks", "", Unit::none, "what the import assumed, and what it found",
            [](const ImportedNetwork& imported) {
              std::vector<std::string> remarks;
              for (const topology::ImportNote& remark : imported.fabric.remarks)
                remarks.push_back(remark.text);
              return remarks;
            })});
}

Parts<ImportedProgram> imported_program_parts() {
  constexpr PartOf<ImportedProgram> part;
  const auto of_program = [](auto get) {
    return [get](const ImportedProgram& imported) { return std::invoke(get, imported.program); };
  };
  return join(
      join(part.within(&ImportedProgram::written, written_parts()),
           {part(keys::kRanks, of_program(&Program::ranks)),
            part("operations", "", Unit::none, "operations of all ranks",
                 of_program([](const Program& program) { return program.operations()->count(); })),
            part(keys::kAllMessages, of_program(&Program::message_count)),
            part(keys::kMessageBytes, of_program(&Program::payload_B))}),
      proof_parts<ImportedProgram>());
}

Parts<ImportedCollective> imported_collective_parts() {
  constexpr PartOf<ImportedCollective> part;
  return join(join(part.within(&ImportedCollective::written, written_parts()),
                   {part("kind", "", Unit::none, "schedule or program", &ImportedCollective::kind),
                    part(keys::kRanks, &ImportedCollective::ranks),
                    part(keys::kStepCount, &ImportedCollective::steps),
                    part(keys::kAllMessages, &ImportedCollective::messages)}),
              join(proof_parts<ImportedCollective>(),
                   {part("note", "", Unit::none, "why it is a program, not a schedule, or null",
                         [](const ImportedCollective& imported) {
                           return imported.note.empty() ? std::nullopt
                                                        : std::optional(imported.note);
                         })}));
}

Parts<IncorrectImport> incorrect_import_parts() {
  constexpr PartOf<IncorrectImport> part;
  return join(
      part.within(&IncorrectImport::written, written_parts()),
      {part(keys::kRanks, &IncorrectImport::ranks).left_out(),
       part("collective", "", Unit::none, "collective that the file names",
            [](const IncorrectImport& incorrect) { return optional_name(incorrect.claimed); })
           .left_out(),
       part("proved", "", Unit::none, "false: the proof failed",
            [](const IncorrectImport&) { return false; }),
       part(keys::kFirstFault, &IncorrectImport::fault)});
}

}  // namespace weft::cli
