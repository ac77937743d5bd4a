// The operations of one rank of a GOAL file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../text_lines.hpp"
#include "weft/program/operations.hpp"

namespace weft::format::goal_text {

inline constexpr double kNanosecond = 1e-9;  // in seconds
inline constexpr std::uint32_t kAnyTag = UINT32_MAX;

class RankReader {
 public:
  RankReader(std::int32_t rank, std::int32_t ranks) : rank_(rank), ranks_(ranks) {}

  /// One line between the braces of the rank; colons are words. Throws InvalidInput, with the line,
  /// for what is no operation or dependency.
  void read(const Line& line);

  /// Adds all operations, each after what it waits for, and returns their lines. Throws
  /// InvalidInput for operations that require each other in a circle. `file` is for messages.
  /// O(operations log operations).
  std::vector<std::int64_t> add_to(program::ProgramBuilder& builder, const std::string& file);

 private:
  void add(program::OperationSpec spec, std::int64_t line);
  void depend(const Line& line);
  void mark_starts();
  program::OperationSpec operation(const Line& line, std::size_t at);
  void read_ends(const Line& line, std::size_t& at, program::OperationSpec& spec) const;
  void option(const Line& line, std::size_t at, program::OperationSpec& spec);
  void compute_on(const Line& line, std::int64_t cpu, program::OperationSpec& spec);

  std::int32_t rank_, ranks_;
  std::int64_t computing_cpu_ = 0, computing_line_ = 0;
  std::map<std::string, std::size_t> labels_;
  std::vector<program::OperationSpec> specs_;
  std::vector<std::int64_t> numbers_;                        // of their lines
  std::vector<std::vector<std::size_t>> waits_;              // of each
  std::vector<std::pair<std::size_t, std::size_t>> starts_;  // who waits for whose start
};

}  // namespace weft::format::goal_text
