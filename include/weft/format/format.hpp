// Formats: files of other systems that programs and networks are written to and read from.
//
//   const Format& format = find_format("simgrid-trace");
//   for (const File& file : format.write_program(program, {.path = "traces"}))
//     write_file(file.path, file.content);
//   const Program back = format.read_program({.path = "traces"});
//
// A format is one file of this room and a row of the registry in formats.cpp.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/file.hpp"
#include "weft/network/network.hpp"
#include "weft/program/program.hpp"

namespace weft::format {

struct File {
  std::string path, content;
};

/// How a program is written.
struct ProgramTarget {
  std::string path;                   // of the first file; others have its name and more
  network::HostParameters host = {};  // the times of copies and reductions, where not free
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
  double flops_per_s = 0;  // of a rank, where work is counted in operations; 0: nobody said so
  std::function<std::string(const std::string& path)> read = read_file;
};

/// What it cannot do is null. Writing throws InvalidInput for what the format cannot express,
/// reading for what is no such file, with the line.
struct Format {
  std::string name, summary;
  std::vector<File> (*write_program)(const Program& program, const ProgramTarget& target) = nullptr;
  std::vector<File> (*write_network)(const Network& network, const NetworkTarget& target) = nullptr;
  Program (*read_program)(const ProgramSource& source) = nullptr;
  /// Whether a text may be what read_program reads.
  bool (*recognises)(std::string_view text) = nullptr;
};

/// All formats, in the order of their names.
std::span<const Format> formats();
/// Case is ignored. Throws InvalidInput with the nearest names.
const Format& find_format(std::string_view name);

/// The format that reads the text; throws InvalidInput where none or several would.
const Format& recognise(std::string_view text, std::string_view file);

/// By rank, to whom it sends.
std::vector<std::set<std::int32_t>> peers_of(const Program& program);

}  // namespace weft::format
