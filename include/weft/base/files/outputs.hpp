// What a run of a program reads it does not write over, and it writes no file twice.
//
//   const OutputGuard guard;                     // of one command
//   claim_output("fit.toml", "-o");              // before long work
//   read_file("fit.toml");                       // throws: fit.toml is fit.toml, which is read
//
// Files that are updated in place (stores, caches) are not claimed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// While one lives, what is read and what is claimed is remembered, and neither may be the other,
/// whichever comes first. Outside of it claims and reads mean nothing.
class OutputGuard {
 public:
  OutputGuard();
  ~OutputGuard();
  OutputGuard(const OutputGuard&) = delete;
  OutputGuard& operator=(const OutputGuard&) = delete;
};

/// The file that `option` names will be written anew. "-", devices and pipes are nobody's. Throws
/// InvalidInput where it is, by whatever path or link, a file that was read, or another option's.
void claim_output(const std::string& path, std::string_view option);

/// `path` is written along with `main`, which was claimed: it must be no file that was read, and no
/// other output. To be called before either is written.
void claim_beside(const std::string& path, const std::string& main);

/// The file at `path` is read ("-": standard input). Throws InvalidInput where it is a claimed
/// output. What calls read_file has said so.
void note_read(const std::string& path);

/// The number of a descriptor that the program has, by the names that Linux gives it (/dev/stdout,
/// /dev/fd/5). What is behind it, a file too, is to be written as it stands: opened anew it would
/// be written from its start.
std::optional<int> output_descriptor(std::string_view path);

/// The file that is written where `path` is an output, there or not yet: behind symbolic links the
/// one they lead to, or a descriptor (/dev/stdout). Throws InvalidInput where links go round.
std::string written_path(const std::string& path);

}  // namespace weft
