// Schedule files (.weft): compact, versioned, checksummed; see docs/reference/schedule-files.md
// for the layout.
#pragma once

#include <string>
#include <string_view>

#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// The bytes of the file. O(messages + pieces).
std::string encode(const Schedule& schedule);

/// Reads what encode() writes; `name` is the file's, for messages. Every count is held against the
/// bytes that are left before anything is allocated. Throws InvalidInput for what is no weft file,
/// a newer version, a truncated, edited or inconsistent one, saying what is wrong and where.
Schedule decode(std::string_view bytes, std::string_view name = "schedule");

/// Whether the bytes begin as those of a schedule file do.
bool is_schedule_file(std::string_view bytes);

/// encode to, decode from a file; "-" is standard output or input.
void save(const Schedule& schedule, const std::string& path);
Schedule load(const std::string& path);

/// The schedule as text, a line per message: for reading and for comparing with diff.
std::string dump(const Schedule& schedule);

}  // namespace weft::schedule
