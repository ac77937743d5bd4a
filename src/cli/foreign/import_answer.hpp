// What weft import answers of the files that it reads, by what they hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/answer/part.hpp"
#include "weft/format/format.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::cli {

/// The first parts of every answer.
struct WrittenFile {
  std::string format;
  std::optional<std::string> output;  // nothing: the file is incorrect, and nothing was written
};

/// A network.
struct ImportedNetwork {
  WrittenFile written;
  const format::ImportedFabric& fabric;
  std::optional<std::string> family;  // of --recognise; empty: of none

  const Topology& topology() const { return fabric.network.topology; }
};
answer::Parts<ImportedNetwork> imported_network_parts();

/// The messages and operations of ranks.
struct ImportedProgram {
  WrittenFile written;
  const Program& program;
  std::optional<CollectiveKind> proved;
};
answer::Parts<ImportedProgram> imported_program_parts();

/// One collective, as a schedule or, where none can say the same, as a program.
struct ImportedCollective {
  WrittenFile written;
  std::string kind;  // "schedule" or "program"
  std::int64_t ranks = 0, steps = 0, messages = 0;
  std::optional<CollectiveKind> proved = {};
  std::string note = {};  // why it is a program; empty elsewhere
};
answer::Parts<ImportedCollective> imported_collective_parts();

/// A program, or one collective, that does not do what its file says.
struct IncorrectImport {
  WrittenFile written;
  std::string fault;
  std::optional<std::int64_t> ranks = {};      // of a program
  std::optional<CollectiveKind> claimed = {};  // of a program
};
answer::Parts<IncorrectImport> incorrect_import_parts();

}  // namespace weft::cli
