// What Slurm's two files of topologies have in common: lists of names, link speeds, keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/import/import_notes.hpp"

namespace weft::format::clusters {

/// Reads lists of hosts and switches as Slurm writes them, "n[0-3,8],login". Commas and blanks part
/// them.
class SlurmLists {
 public:
  /// Throws InvalidInput for what is no list, and where all lists together are too long.
  std::vector<std::string> names(std::string_view list, const std::string& where);

 private:
  std::size_t count_ = 0;  // of all names so far
};

/// Throws InvalidInput for a LinkSpeed that begins with no number that Slurm would take.
void require_speed(std::string_view text, const std::string& where);

/// A parameter that is none of `known`: refused where it is one of them mistyped, else skipped.
void skip_unknown(topology::ImportLog& log, std::string_view parameter,
                  const std::vector<std::string>& known, std::int64_t line);

}  // namespace weft::format::clusters
